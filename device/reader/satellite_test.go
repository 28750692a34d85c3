package reader

import (
	"slices"
	"testing"
	"testing/synctest"

	"tableside/engine"
)

// TestPresence tests that a device elsewhere is a part of the table, and that what it said
// before the table was there holds.
func TestPresence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t)
		health := func(place string) engine.Health {
			synctest.Wait()
			parts := h.table.Frame().Status.Health
			i := slices.IndexFunc(parts, func(p engine.Part) bool { return p.Name == "satellite-"+place })
			if i < 0 {
				return ""
			}
			if (parts[i].Health == engine.Broken) != (parts[i].Reason == "it is off, or has no network") {
				t.Errorf("%+v", parts[i])
			}
			return parts[i].Health
		}
		h.Presence("left", "online")
		h.Presence("sofa", "online")
		h.run(func() {
			if health("left") != engine.OK || health("sofa") != "" || health("red") != "" {
				t.Errorf("at first: %+v", h.table.Frame().Status.Health)
			}
			for range 500 { // it comes and goes all the time
				for _, state := range []string{"offline", "online", "offline", "online"} {
					h.Presence("left", state)
				}
			}
			if health("left") != engine.OK {
				t.Error("its last state is lost")
			}
			h.Presence("left", "offline")
			if health("left") != engine.Broken {
				t.Error("it is not offline")
			}
			h.SetReaders(nil) // somebody renames the reader on the page
			if health("left") != "" {
				t.Error("the satellite of a place that is gone is there")
			}
			h.Presence("left", "offline")
			if health("left") != "" {
				t.Error("it is still there")
			}
		})
	})
}
