package chances

import (
	"slices"
	"testing"

	"tableside/device"
	"tableside/engine"
)

// TestTell tells the chances once for each position of a match that is on, and again when it was resumed.
func TestTell(t *testing.T) {
	var told []int
	f := &Finder{Read: reading(t, "mindbug-first-contact-silent-no.journal"), Folder: t.TempDir()}
	tell := f.Tell(func(s device.Signal) <-chan engine.Receipt {
		f := s.(device.Foreseen)
		if f.Match != "old" || f.Chances.Of == 0 || len(f.Chances.List) != 2 {
			t.Errorf("%+v", f)
		}
		told = append(told, f.Chances.Seq)
		return nil
	})
	over := engine.View{Match: "old", Seq: 98, Winners: []engine.Seat{"blue"}}
	for _, v := range []engine.View{{}, {Match: "old", Seq: 85}, {Match: "old", Seq: 85}, {Match: "old", Seq: 91}, over,
		{}, {Match: "old", Seq: 91}} {
		if err := tell.Show(t.Context(), engine.Frame{View: v}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(told, []int{85, 91, 91}) {
		t.Errorf("told after %v inputs", told)
	}
}
