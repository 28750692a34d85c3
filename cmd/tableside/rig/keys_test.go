package rig

import (
	"slices"
	"testing"

	"tableside/device"
	"tableside/drivers/keys"
	"tableside/engine"
)

// TestStuckKeys tests that a key stays stuck when another stuck one is freed.
func TestStuckKeys(t *testing.T) {
	var said []string
	b := keyboard{meaning: map[string]keyMeaning{"yes": {key: "yes"}}, emit: func(s device.Signal) <-chan engine.Receipt {
		switch s := s.(type) {
		case device.Report:
			said = append(said, s.Part.Name+" "+string(s.Part.Health)+" "+s.Part.Said(engine.English).Reason)
		case device.Press:
			said = append(said, s.Key)
		}
		return nil
	}}
	for _, e := range []keys.Event{{Name: "yes", Kind: keys.Press}, {Name: "yes", Kind: keys.Stuck},
		{Name: "no", Kind: keys.Stuck}, {Name: "yes", Kind: keys.Freed}, {Name: "no", Kind: keys.Freed}} {
		b.handle(e)
	}
	want := []string{"yes", "keys degraded yes: held or shorted", "keys degraded yes, no: held or shorted",
		"keys degraded no: held or shorted", "keys ok "}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}
