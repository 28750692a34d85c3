package device

import "testing"

// TestLastTag checks that the owner learns which tag was laid down last, known or not.
func TestLastTag(t *testing.T) {
	table := &Table{}
	if got := table.LastTag(); got != (TagRead{}) {
		t.Errorf("before the first one: got %+v", got)
	}
	table.noteTag("04A1", Meaning{}, false)
	if got := table.LastTag(); got != (TagRead{1, "04A1", ""}) {
		t.Errorf("an unknown one: got %+v", got)
	}
	table.noteTag("04A2", Meaning{Box: "mutants", Name: "zombie.2"}, true)
	if got := table.LastTag(); got != (TagRead{2, "04A2", "mutants/zombie.2"}) {
		t.Errorf("a known one: got %+v", got)
	}
}
