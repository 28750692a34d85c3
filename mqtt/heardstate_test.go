package mqtt

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tableside/engine"
)

// TestClockOfState checks that a page can rely on a clock: it has its lists, and limits.
func TestClockOfState(t *testing.T) {
	good := strings.TrimSuffix(string(encode(testFrame(t, engine.English, 7).View)), "}")
	v, err := readState("demo", []byte(good+`,"clock":{"running":null}}`))
	if err != nil || v.Clock.Running == nil || v.Clock.Seats == nil {
		t.Errorf("%+v, %v", v, err)
	}
	for clock, fits := range map[string]bool{
		`{"running":["red"],"seats":[{"seat":"red","used":1,"left":5}]}`: true,
		`{"running":[],"seats":[{"seat":"red","used":1}]}`:               false,
		`{"running":["red"],"seats":[]}`:                                 false,
	} {
		if _, err := readState("demo", []byte(good+`,"clock":`+clock+"}")); (err == nil) != fits {
			t.Errorf("%s: %v", clock, err)
		}
	}
}

// TestHeavyStates checks that strangers cannot fill the memory of a hall: what a message of
// some letters would become a hundred times as large is set aside, and of what is accepted
// the largest takes less than a megabyte.
func TestHeavyStates(t *testing.T) {
	good := string(encode(testFrame(t, engine.English, 7).View))
	list := func(n int, element string) string { return strings.Repeat(element+",", n-1) + element }
	with := func(name, value string) string { // replaces a member, as the last one counts
		return strings.TrimSuffix(good, "}") + fmt.Sprintf(",%q:%s}", name, value)
	}
	if _, err := readState("demo", []byte(good)); err != nil {
		t.Fatal(err)
	}
	spaces := `{"id":"a","first":0,"last":900,"areas":[],"stacks":{}}`
	for what, state := range map[string]string{
		"objects":          with("dice", "["+list(1001, "{}")+"]"),
		" objects":         with("zones", `{"a":[{"under":[`+list(600, "{}")+`],"attached":[`+list(600, "{}")+"]}]}"),
		"which is no seat": with("prompts", `[{"seat":"nobody"}]`),
		"the winner":       with("winners", `["nobody"]`),
		"spaces":           with("tracks", "["+list(3, spaces)+"]"),
		"title":            with("title", `"`+strings.Repeat("x", 500)+`"`),
		"name":             strings.Replace(good, `"name":"`, `"name":"`+strings.Repeat("x", 500), 1),
	} {
		if v, err := readState("demo", []byte(state)); err == nil || v != nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: got the error %v", what, err)
		}
	}

	heaviest := []byte(with("zones", `{"a":[`+list(900, `{"state":["",""`+strings.Repeat(`,""`, 15)+`]}`)+"]}"))
	if len(heaviest) > maxHeard {
		t.Fatalf("%d bytes", len(heaviest))
	}
	var kept []*engine.View
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for range 80 {
		v, err := readState("demo", heaviest)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, v)
	}
	each := int64(heap()-before) / int64(len(kept))
	t.Logf("%d bytes become %d", len(heaviest), each)
	if each > 1<<20 {
		t.Errorf("a state of %d bytes takes %d", len(heaviest), each)
	}
	runtime.KeepAlive(kept)
}
