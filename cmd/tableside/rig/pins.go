package rig

import (
	"strings"

	"tableside/cmd/tableside/config"
)

// BusyPins looks who has the pins that parts want for themselves, without touching
// one. A table that runs has its own.
func (r *Raspberry) BusyPins(w *config.Wiring) []*config.Error {
	var own []config.Claim
	var lines []int
	for _, c := range w.Claims() {
		if c.Line {
			own, lines = append(own, c), append(lines, LineOf(c.What))
		}
	}
	if r.root != "" || len(own) == 0 {
		return nil // chips are not looked for below another root
	}
	all, err := r.chip().Holders(lines)
	if err != nil {
		return []*config.Error{config.Errorf("pins", "", "%v", err)}
	}
	var faults []*config.Error
	for i, busy := range all {
		if busy != nil {
			faults = append(faults, config.Errorf(own[i].Who, HeldHint, "%s: %v", strings.TrimSpace(own[i].As+" "+own[i].What),
				busy))
		}
	}
	return faults
}

// HeldHint says what to do about a pin that somebody else has.
const HeldHint = "choose another pin, or switch off what has it: an overlay in " + ConfigTxt + ", or another program"
