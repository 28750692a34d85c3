package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tableside/engine"
)

// TestDocumentedJournalsReplay tests that every journal in docs/inputs.md can be
// copied into a file and replayed to its end.
func TestDocumentedJournalsReplay(t *testing.T) {
	page, err := os.ReadFile("../../docs/inputs.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```\ntableside-journal")[1:]
	if len(blocks) < 4 {
		t.Fatalf("only %d journals", len(blocks))
	}
	for i, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		journal, err := engine.ParseJournal(fmt.Sprintf("journal %d", i+1), []byte("tableside-journal"+text))
		if err != nil {
			t.Error(err)
			continue
		}
		game, err := allGames().Find(journal.Setup.Game)
		if err != nil {
			t.Error(err)
			continue
		}
		match, err := engine.NewMatch(game, journal.Setup)
		if err != nil {
			t.Errorf("journal %d: %v", i+1, err)
			continue
		}
		for _, line := range journal.Lines {
			if _, err := match.Apply(line.Input); err != nil {
				t.Errorf("journal %d: %s: %v", i+1, line.Input, err)
			}
		}
	}
}
