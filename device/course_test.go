package device

import (
	"testing"

	"tableside/engine"
)

// TestCourseAtTheEnd checks that outputs get the course of a match that is over, also of
// one that is opened again, and not of one that goes on after an undo.
func TestCourseAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	table := start(t, configured(dir))
	order := timed(map[string]string{"target": "3"})
	table.order(order)
	has := func(table *running, what string, want bool) {
		t.Helper()
		c := table.Frame().Course
		if (c != nil) != want || want && (c.Counter != "count" || len(c.Lines) != 2 || len(c.Lines[0].Values) != 4) {
			t.Errorf("%s: course %+v", what, c)
		}
	}
	table.must("red key plus", "red key plus")
	has(table, "before the end", false)
	table.must("red key plus")
	has(table, "at the end", true)
	table.must("table undo")
	has(table, "after an undo", false)
	table.must("table redo")
	id := string(table.Frame().View.Match)
	if err := table.stop(); err != nil {
		t.Fatal(err)
	}
	table = start(t, configured(dir))
	table.order(engine.Order{Do: "resume", Match: id})
	has(table, "opened again", true)
	table.order(engine.Order{Do: "rematch"})
	has(table, "in a rematch", false)
}
