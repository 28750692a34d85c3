package tally_test

import (
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

func setup(seats int, options ...string) engine.Setup {
	s := engine.Setup{Seats: enginetest.Seats(seats), Options: map[string]string{}}
	for i := 0; i < len(options); i += 2 {
		s.Options[options[i]] = options[i+1]
	}
	return s
}

func TestPromises(t *testing.T) {
	enginetest.Promises(t, tally.Games()[0],
		setup(1),
		setup(8, "target", "30"),
		setup(2, "counters", "life,energy", "start", "20,0", "target", "0", "step", "3"),
		setup(3, "rounds", "3", "goal", "low", "turns", "off", "low", "none"),
		setup(2, "limit", "5", "low", "-5", "step", "20"),
		setup(2, "counters", "Очки,スコア", "target", "30", "step", "3"),
		setup(4, "counters", "Life, Victory Points", "start", "20, 0", "target", "0", "step", "3"),
		setup(4, "counters", "life,poison", "start", "20,0", "target", "0", "step", "3", "out", "poison 10, commander 21"),
		setup(3, "target", "50", "over", "25", "out", "misses 3", "deal", "on"),
		setup(3, "counters", "score,phases,coins", "turns", "off", "goal", "low", "finish", "phases 4", "tie", "coins low"),
		setup(2, "counters", "score,coins", "finish", "coins 5", "out", "score 30"),
		setup(3, "out", "commander 9, misses 2", "step", "2", "target", "60"),
		setup(2, "result", "winner"),
		setup(4, "result", "winner", "teams", "2", "turns", "off", "rounds", "3"),
		setup(3, "result", "together", "turns", "off"),
		setup(4, "teams", "2", "counters", "score,coins", "tie", "coins", "target", "10"),
		setup(4, "teams", "2", "turns", "off", "sum", "162", "target", "500", "deal", "on"),
		setup(3, "bids", "0 20 -10 10 -10", "rounds", "4", "deal", "on"),
		setup(2, "rows", "Ones*1,Full house=25,Chance", "bonus", "2 20 35"),
		setup(3, "rows", "Ones*1,Full house=25,Chance", "turns", "off", "target", "20"),
		setup(3, "start", "40", "target", "0", "goal", "low", "over", "bust", "step", "7"),
		setup(2, "target", "20", "over", "10", "step", "3", "minutes", "1"),
		setup(2, "target", "40", "over", "bust", "rows", "Ones*1,Full house=25,Chance", "bonus", "2 20 35"),
		setup(3, "target", "40", "over", "-5", "rows", "Ones*1,Full house=25,Chance", "bonus", "2 5 3", "turns", "off"),
		setup(2, "target", "30", "over", "10", "bids", "5 10 -10"),
		setup(2, "target", "20", "dice", "2d6"),
		setup(5, "turns", "off", "sum", "0", "deal", "on", "deals", "tarot"),
		setup(4, "turns", "off", "teams", "2", "target", "500", "deals", "belote"),
		setup(4, "turns", "off", "teams", "2", "target", "700", "deals", "coinche"),
		setup(4, "turns", "off", "teams", "2", "counters", "score,bags", "target", "300", "deals", "spades"),
		setup(4, "turns", "off", "sum", "26", "goal", "low", "target", "60", "deals", "hearts"),
	)
}

// TestClock checks the clock, with turns and without.
func TestClock(t *testing.T) {
	for _, turns := range []string{"on", "off"} {
		setup := engine.Setup{Seats: enginetest.Seats(3), Options: map[string]string{"turns": turns, "rounds": "60"}}
		enginetest.Clock(t, tally.Games()[0], setup)
	}
}

func TestScripts(t *testing.T) { enginetest.RunScripts(t, tally.Games(), "testdata/*.txt") }

// TestPresetExamples plays the examples of the presets.
func TestPresetExamples(t *testing.T) {
	enginetest.RunScripts(t, tally.Games(), "testdata/presets/*.txt")
}

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, tally.Games()[0], setup(4)) }

func BenchmarkUndo(b *testing.B) { enginetest.BenchUndo(b, tally.Games()[0], setup(4), 500) }

// TestDocumentedJournals checks that the examples of docs/inputs.md are
// journals, and that tally's is won as the page says.
func TestDocumentedJournals(t *testing.T) {
	data, err := os.ReadFile("../../docs/inputs.md")
	if err != nil {
		t.Fatal(err)
	}
	won := 0
	for i, block := range strings.Split(string(data), "```\n") {
		if !strings.HasPrefix(block, "tableside-journal") {
			continue
		}
		journal, err := engine.ParseJournal("docs/inputs.md", []byte(block))
		if err != nil {
			t.Errorf("block %d: %v", i, err)
			continue
		}
		if journal.Setup.Game != "tally/score" {
			continue
		}
		m, err := engine.NewMatch(tally.Games()[0], journal.Setup)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range journal.Lines {
			if _, err := m.Apply(line.Input); err != nil {
				t.Errorf("%s: %v", line.Input, err)
			}
		}
		if v := m.View(); len(v.Winners) == 1 && v.Winners[0] == "red" {
			won++
		}
	}
	if won != 1 {
		t.Errorf("%d matches of tally are won by red", won)
	}
}
