package engine_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestDocumentedViews checks that the examples of docs/view.md are views: the
// engine's types lose nothing of them, and they do not contradict themselves.
func TestDocumentedViews(t *testing.T) {
	data, err := os.ReadFile("../docs/view.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(data), "```json\n")[1:]
	if len(blocks) < 5 {
		t.Fatalf("only %d examples", len(blocks))
	}
	for i, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		var v engine.View
		var want, got any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Errorf("example %d: %v", i+1, err)
			continue
		}
		back, err := json.Marshal(v)
		if err != nil {
			t.Errorf("example %d: %v", i+1, err)
			continue
		}
		// Unknown and missing members show as a difference.
		if json.Unmarshal([]byte(text), &want) != nil || json.Unmarshal(back, &got) != nil || !reflect.DeepEqual(want, got) {
			t.Errorf("example %d, %s, is\n%v\nand in the engine's types\n%v", i+1, v.Game, want, got)
		}
		for _, problem := range enginetest.ViewProblems(v) {
			t.Errorf("example %d, %s: %s", i+1, v.Game, problem)
		}
	}
}
