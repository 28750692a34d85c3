package chances

import (
	"testing"
	"testing/synctest"

	"tableside/device"
	"tableside/engine"
)

// TestWatcher tells the chances once for each position of a match that is on.
func TestWatcher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Watcher{Finder: &Finder{Read: reading(t, "mindbug-first-contact-silent-no.journal")}}
		var told []device.Foreseen
		go func() {
			_ = w.Run(t.Context(), func(s device.Signal) <-chan engine.Receipt {
				told = append(told, s.(device.Foreseen))
				return nil
			})
		}()
		synctest.Wait()
		over := engine.View{Match: "old", Seq: 98, Winners: []engine.Seat{"blue"}}
		for _, v := range []engine.View{{}, {Match: "old", Seq: 85}, {Match: "old", Seq: 85}, {Match: "old", Seq: 91}, over} {
			if err := w.Show(t.Context(), engine.Frame{View: v}); err != nil {
				t.Fatal(err)
			}
		}
		if len(told) != 2 || told[0].Match != "old" || told[0].Chances.Seq != 85 || told[1].Chances.Seq != 91 ||
			told[1].Chances.Of == 0 || len(told[1].Chances.List) != 2 {
			t.Errorf("%+v", told)
		}
	})
}
