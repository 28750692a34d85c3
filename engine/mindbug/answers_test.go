package mindbug_test

import (
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/mindbug"
)

// TestAnswers compares questions and answers with the words that players read.
func TestAnswers(t *testing.T) {
	const head = "seat red Alice\nseat blue Max\nfirst red\nbegin 2026-11-20T20:15:00Z\n"
	const row = "table tap healing-bots.1\ntable tap pounce.1\ntable tap rage.1\n"
	for name, test := range map[string]struct {
		journal string
		says    []string
	}{
		"a creature that can only use its Action, and another": {
			"option sets first-contact,new-servants,beyond-evolution\n" + head +
				"red set cloud-lady.1 play\nblue set hamster-lion.1 play\nred set wildsprout.1 play\nred set gorillion.1 " +
				"play\nred set compost-dragon.1 discard",
			[]string{"Play a card, attack, or use an Action", "Play a card of your hand", "Attack or Action: Cloud Lady",
				"Action: Wildsprout", "Attack with Gorillion"},
		},
		"purchases": {
			"option sets king-of-tokyo\n" + head + row + "red set energy 1\nred set kong.1 play",
			[]string{"Buy Energy cards, then play a card or attack", "Play a card of your hand", "Buy Healing Bots (1 energy)",
				"Buy Pounce (1 energy)", "Buy Rage (1 energy)", "Attack with Kong"},
		},
		"a Hunter that must attack, and may not use its Action": {
			"option sets first-contact,beyond-evolution,king-of-tokyo\ndefine card killer-bee action gain 1 life\n" +
				head + row + "red set energy 5\nred set killer-bee.1 play\nblue set captain-hippo.1 play",
			[]string{"Attack Captain Hippo with a HUNTER", "Buy Healing Bots (1 energy)", "Buy Pounce (1 energy)",
				"Buy Rage (1 energy)", "Attack with Killer Bee"},
		},
		"two effects of cards of one name": {
			head +
				"red set explosive-toad.1 play\nblue set explosive-toad.2 play\nblue set gorillion.1 play\nred tap " +
				"explosive-toad.1\nblue tap explosive-toad.2",
			[]string{"2 effects wait: tap the card that comes first", "Explosive Toad (Alice)", "Explosive Toad (Max)"},
		},
		"two creatures of one name": {
			"option sets first-contact,beyond-eternity\n" + head + "red set gorillion.1 play\nblue set shield-bugs.1 play\n" +
				"blue set tiger-squirrel.1 play tilted\nblue set tiger-squirrel.2 play\nred tap gorillion.1",
			[]string{"Gorillion (10) attacks. Tap a blocker or lose 1 life", "Shield Bugs", "Tiger Squirrel (4, tilted)",
				"Tiger Squirrel (4)", "Lose 1 life"},
		},
		"a second attack, ordered in the other's turn": {
			"option sets new-servants,beyond-evolution\n" + head +
				"red set cake-trickster.1 play\nblue set hyenix.1 play\nred tap cake-trickster.1\nred choose action\nred key no",
			[]string{"Hyenix: attack a second time?", "Attack with Hyenix", "Attack again", "Done"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := asked(t, test.journal); !slices.Equal(got, test.says) {
				t.Errorf("got %q, want %q", got, test.says)
			}
		})
	}
}

// asked returns the first prompt after a journal, and its answers, in English.
func asked(t *testing.T, lines string) []string {
	t.Helper()
	j, err := engine.ParseJournal("a test", []byte("tableside-journal 1\ngame mindbug/first-contact\n"+
		strings.TrimSpace(lines)+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	game := mindbug.Games()[0]
	match, err := engine.NewMatch(game, j.Setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range j.Lines {
		if _, err := match.Apply(line.Input); err != nil {
			t.Fatalf("%s: %v", line.Input.Command(), err)
		}
	}
	view := match.View()
	words := engine.Merge(engine.CoreWords(), game.Info().Words)
	say := func(key string, args engine.Args) string {
		return words.Say(engine.English, engine.Text{Key: key, Args: args}, view.Names())
	}
	p := view.Prompts[0]
	got := []string{say("prompt."+p.Key, p.Args)}
	for _, a := range p.Options {
		got = append(got, say("answer."+a.Key, a.Args))
	}
	return got
}

// TestEffectsHaveWords checks that there are words for the question of every effect on creatures, for each count.
func TestEffectsHaveWords(t *testing.T) {
	for _, does := range mindbug.EffectsOnCreatures() {
		says := asked(t, "option sets first-contact,beyond-eternity\ndefine card gorillion play "+does+
			"\nseat red Alice\nseat blue Max\nfirst red\nbegin 2026-11-20T20:15:00Z\n"+
			"red set axolotl-healer.1 play\nred set compost-dragon.1 play\nred set killer-bee.1 discard\n"+
			"blue set giraffodile.1 play\nblue set mysterious-mermaid.1 play\nblue set tiger-squirrel.1 play\nred tap "+
			"gorillion.1\nblue key no")
		for _, s := range says {
			if strings.ContainsAny(s, "«{}") {
				t.Errorf("%s: %q", does, says)
			}
		}
		t.Log(does, says)
	}
}
