package config

import "tableside/engine"

// Buzzer is a buzzer on a pin.
type Buzzer struct {
	Pin    string `toml:"pin"`
	Silent bool   `toml:"silent"`
}

func (b *Buzzer) Who() string                  { return "buzzer" }
func (b *Buzzer) Whose() string                { return "" }
func (b *Buzzer) What() string                 { return b.Pin }
func (b *Buzzer) pins() []pin                  { return []pin{{"pin", b.Pin, true}} }
func (b *Buzzer) claims(*Wiring) []Claim       { return nil }
func (b *Buzzer) check(*Errors, []engine.Seat) {}
