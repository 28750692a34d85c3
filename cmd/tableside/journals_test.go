package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/engine/enginetest"
)

// keptJournals holds the SHA-256 of each journal in testdata/journals. Programs of November 2026
// wrote them. They are never made again: whatever changes, these matches fold as they did.
var keptJournals = map[string]string{
	// early, hard, attacks one by one, no guide; dice undone and thrown again; finished.
	"genegrafter-early-hard-four-seats": "d8a4abe21fd6af94377841012be13bb4f9abb05997693f077e8cc9f4f250ef8e",
	// early of rules 1, three seats, medium, without gear; abandoned.
	"genegrafter-early-medium-rules-1-abandoned": "3e45c3d14653d15ce96fc4730257003ac963cb4e4394d91a723d8b5b564e4477",
	// owner's cards, a box of 59, colours; cards entered at the table; clock; unfinished.
	"genegrafter-standard-known-values-asked": "6c9a7bfc20ae8ab2fb098a10457bebf1392a4f5d46ef9ce69cfe2df35a8f2c32",
	// stand-ins, two seats, set-up guide; 322 inputs, the end taken back and reached again.
	"genegrafter-standard-simple": "be3ec4c9d4dfe73aaa40612c0cb9e18a0f377656c104ec96d94a978160d317fa",
	// all five sets, a Mindbug is a turn; 333 inputs, many corrections; the end taken back.
	"mindbug-all-sets-mixed": "1d55d06a68933a5fcf0a5769c5d1ed7c4fd4c89d7803491bd9872da64fa14dbf",
	// two sets mixed, yellow and green; shared reader; finished.
	"mindbug-beyond-eternity-and-evolution": "2be95eb2bb92a7ef5b74bc95e645069c5fcfde1dc40f49ba9e13ed1096a21f62",
	// silent no, a refusal overridden; finished.
	"mindbug-first-contact-silent-no": "e2ffb5db7f47d5ff37ddaaf5975d3adc2a3b77af76ac37589c682e6916add45f",
	// cards off, dice by key, seconds of a turn; unfinished.
	"mindbug-king-of-tokyo-cards-off": "6baed894fb695b8868d901f742c7e2744a92460349a1e5ad7e4399877aa1f32a",
	// dice undone and thrown again, clock with added seconds; finished.
	"mindbug-king-of-tokyo-clock": "ac8505159369aca2ab6e50483a594c4c44399e4076df88a2f2355e5df9087bba",
	// two sets mixed, a Mindbug is an action; refusals overridden; finished.
	"mindbug-new-servants-action": "f3f8fb5cb582a5f0711851b453a563857e30efbc9a6ef0a1ba49f309eac125c3",
	// rules 1, owner's power, keywords, names and a promo; abandoned, resumed, finished.
	"mindbug-rules-1-owners-values-abandoned-resumed": "e636b3c43f8eb7659124eadb4a0e672d3675bcaa08d8e9d23c3d683aed88925c",
	// stand-ins, a draft; 728 inputs, refusals overridden; finished.
	"mutants-first-edition-draft-four-seats": "c8b60939634a70a524b1e79009052518ef3cb636b55af7efe53182ae2f3b4018",
	// three seats, values of board and cards entered at the table; unfinished.
	"mutants-first-edition-known-values-asked": "8d1f944db23a47ef46d8efcdc3a3a8b7f6ec1b38a84506d71c9c25480e4fb754",
	// stand-ins, ready-made pools; refusals overridden; finished.
	"mutants-first-edition-two-seats": "cc11d1e271febbc09e361b8576edfcc4df24b39bdbc0f93ab51742e77bd080d1",
	// markers by key, own spaces, Red Zone and rounds; finished.
	"mutants-second-edition-cards-off": "f5f16a5897e8fd480c40c25002cd6c6f3fbcdbbdf39d9dd4efc0c369cd4200f6",
	// stand-ins, four ready-made pools, all limits of time; 807 inputs; finished.
	"mutants-second-edition-clock-four-seats": "8a340af7586e98875d01ed2f1495a80ae38dae55e3adefffc331d475da5d15a7",
	// known cards, a draft of two seats; abandoned.
	"mutants-second-edition-draft-known-abandoned": "c22a84423b9c108ee945b21e382b49bdd054b83070aec6a9909d75e229967d46",
	// owner's board, values, names, card and list; own pools; 512 inputs; finished.
	"mutants-second-edition-owners-values": "7e8d8d0aa9ad707e0ac4b7bc1ed8965de858e14168e4e1bdb91cd21c91b5620b",
	// rules 1, a journal of the first form; own pools; resumed, unfinished.
	"mutants-second-edition-rules-1-own-pools-resumed": "a5cc31a403d72dd0c27793d4b3c2c3920ad5c3bf77f2ece62c1078e735b4a56c",
	// teams that share points, sum of a round; finished.
	"tally-belote-teams": "b763c0cce11028a618954649f191fac4a5196729d3979310ed7bf49935e6106b",
	// a countdown that may bust; finished.
	"tally-darts-301": "cf6711e59dcdd077030402aed94586696a0e8cfd02826a6df59e75a4e5c4abd1",
	// two counters with bounds, dice, clock, eight seats; finished.
	"tally-lives-eight-seats-clock": "3a7e47f154b3e4f33f7ab7036ae7f84d6f3ace207bf7ac67321d97b4cdb888ee",
	// rules 1, a journal of the first form; resumed, unfinished.
	"tally-rules-1-first-form": "c4f430d70eccaf0b23b6d413d6aba8d3eae716590394318b79e38d753d5a2a1e",
	// rules 2, two teams, steps of 5; finished.
	"tally-rules-2-race-teams": "172bf3c4ceaffdfc6b67ca76461e288fca8de5c3b51b508b0f996d7824001b12",
	// bids and tricks, cells corrected, dealer; finished.
	"tally-skull-king-six-seats": "18d2f88dd0fbcfe119cfbba9bd8f1db56f5f7abd74f54c0a4a5ef1d47a9c9ca9",
	// points that add up to 0, ends after minutes; finished.
	"tally-tarot-five-seats-minutes": "b9b1ed8b5e683703f7f4fd93d19710ee5fa5eac0290f6fd5d16d7fc9b880a2a6",
	// named rows with bonus, dice; 483 inputs; finished.
	"tally-yahtzee-rows-dice": "c5894eb948ff8d96cbb31015a64cf9e5219f9aab910a30082a3f435498bdcc23",
	// owner's names, arrows and board; health and Weaknesses asked; by hand; abandoned.
	"uprising-jack-ice-known-owners-names": "05f8e5fb3922f4516f9e96df48520c0b6763c63ef9c49c31097336c80febbea2",
	// a boss of the owner's, own pool; finished.
	"uprising-own-boss": "ba579dae81ddca757503f84f013f671f4af4b2826cce231bab410f7180e72590",
	// stand-ins, a tougher boss, who wins.
	"uprising-vat-mother-tough": "ad2a80c4fc591575f911affd75e8e8355a7a4afabde67e86227b1bc17cf52a66",
}

// TestKeptJournals replays matches of earlier programs, which must lead to the same views at each
// mark.
func TestKeptJournals(t *testing.T) {
	files, err := filepath.Glob("testdata/journals/*")
	if err != nil || len(files) != len(keptJournals) {
		t.Fatalf("got %d files, want %d: %v", len(files), len(keptJournals), err)
	}
	for name, sum := range keptJournals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata/journals", name+".journal")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != sum {
				t.Fatalf("the journal was changed: got the sum %s", got)
			}
			if enginetest.Raced { // make check replays them without the race detector
				return
			}
			if code, _, errs := speak(t, "", "replay", "--strict", file); code != exitDone || errs != "" {
				t.Errorf("exit %d: %s", code, errs)
			}
		})
	}
}

// TestReplayNoticesAnotherRuling changes one digit of the last mark, as if the rules had led to
// another view.
func TestReplayNoticesAnotherRuling(t *testing.T) {
	text, err := os.ReadFile("testdata/journals/tally-darts-301.journal")
	if err != nil {
		t.Fatal(err)
	}
	var loose []string // a journal by hand needs no checksums
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, " #=")
		loose = append(loose, line)
	}
	loose[0] = "tableside-journal 1"
	journal := strings.Join(loose, "\n") + "\n"
	if code, _, errs := speak(t, journal, "replay", "--strict", "-"); code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	mark := strings.LastIndex(journal, "\nmark ")
	digit := mark + strings.Index(journal[mark+1:], "\n")
	other := "0"
	if journal[digit] == '0' {
		other = "1"
	}
	code, _, errs := speak(t, journal[:digit]+other+journal[digit+1:], "replay", "--strict", "-")
	if code != exitNo || !strings.Contains(errs, "rules lead to another view") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
