package chances

import (
	"slices"
	"testing"

	"tableside/device"
	"tableside/engine"
)

// TestWatcher tells the chances once for each position of a match that is on, and again when it was resumed.
func TestWatcher(t *testing.T) {
	var told []int
	w := &Watcher{Finder: &Finder{Read: reading(t, "mindbug-first-contact-silent-no.journal"), Folder: t.TempDir()},
		Emit: func(s device.Signal) <-chan engine.Receipt {
			f := s.(device.Foreseen)
			if f.Match != "old" || f.Chances.Of == 0 || len(f.Chances.List) != 2 {
				t.Errorf("%+v", f)
			}
			told = append(told, f.Chances.Seq)
			return nil
		}}
	over := engine.View{Match: "old", Seq: 98, Winners: []engine.Seat{"blue"}}
	for _, v := range []engine.View{{}, {Match: "old", Seq: 85}, {Match: "old", Seq: 85}, {Match: "old", Seq: 91}, over,
		{}, {Match: "old", Seq: 91}} {
		if err := w.Show(t.Context(), engine.Frame{View: v}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(told, []int{85, 91, 91}) {
		t.Errorf("told after %v inputs", told)
	}
}
