package engine

import (
	"testing"
	"time"
)

// A clock runs for forty days, which is more milliseconds than 32 bits hold: the int of a
// Raspberry Pi Zero.
func TestClockOfWeeks(t *testing.T) {
	const days = 40
	left := int64(1000)
	v := &ClockView{Running: []Seat{"red"}, Seats: []ClockSeat{{Seat: "red", Left: &left}}}
	later := v.After(days * 24 * time.Hour)
	if s, _ := later.Seat("red"); s.Used != days*24*3600*1000 || s.Rest() != time.Second-days*24*time.Hour {
		t.Errorf("used %d ms, %v are left", s.Used, s.Rest())
	}
}
