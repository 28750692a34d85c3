package device

import (
	"testing"
	"testing/synctest"

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

// TestEndIsShownBeforeItsCourse checks that the end of a long match does not wait for its
// course, and that the course follows.
func TestEndIsShownBeforeItsCourse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lights := &album{}
		table := start(t, configured(t.TempDir()),
			func(table *Table) { table.Add(Part{Name: "lights", Direct: true, Output: lights}) })
		table.order(timed(map[string]string{"target": "3"}))
		for range maxCourseInputs / 2 {
			table.must("red key plus", "table undo")
		}
		table.must("red key plus", "red key plus", "red key plus")
		synctest.Wait()
		var ends []bool // of frames after the end, whether they have the course
		for _, f := range lights.frames {
			if len(f.View.Winners) > 0 {
				ends = append(ends, f.Course != nil)
			}
		}
		if len(ends) < 2 || ends[0] || !ends[len(ends)-1] {
			t.Errorf("frames of the end with the course: %v, want the first without and the last with", ends)
		}
	})
}
