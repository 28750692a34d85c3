package rig

import (
	"strings"

	"tableside/cmd/tableside/config"
)

// BusyPins returns an error for each busy pin of the wired parts. A pin is busy if another
// program or an overlay holds it. A running table is such a program, too. BusyPins touches no
// pin.
func (r *Raspberry) BusyPins(w *config.Wiring) []*config.Error {
	var own []config.Claim
	var lines []int
	for _, c := range w.Claims() {
		if c.Line {
			own, lines = append(own, c), append(lines, LineOf(c.Resource))
		}
	}
	if r.root != "" || len(own) == 0 {
		return nil // GPIO chips exist only below the real root
	}
	all, err := r.chip().Holders(lines)
	if err != nil {
		return []*config.Error{config.Errorf("pins", "", "%v", err)}
	}
	var faults []*config.Error
	for i, busy := range all {
		if busy != nil {
			faults = append(faults, config.Errorf(own[i].Part, BusyHint, "%s: %v",
				strings.TrimSpace(own[i].Use+" "+own[i].Resource), busy))
		}
	}
	return faults
}

// BusyHint is the advice about a pin that another program or an overlay holds.
const BusyHint = "choose another pin, or switch off its holder: an overlay in " + ConfigTxt + ", or another program"
