package engine

import (
	"slices"
	"testing"
)

func TestDigits(t *testing.T) {
	prompt := func(inputs ...string) Prompt {
		p := Prompt{Seat: "red"}
		for _, in := range inputs {
			a := Answer{Input: in}
			if in == "red tap" {
				a.Zone = "red/hand"
			}
			p.Options = append(p.Options, a)
		}
		return p
	}
	many := prompt()
	for range 11 {
		many.Options = append(many.Options, Answer{Input: "red choose word"})
	}
	turn := prompt("red key next", "red key yes", "table choose end", "red choose a")
	turn.Options[0].Key = "end-turn"
	die := prompt("red key roll", "red roll 1", "red roll 2")
	die.Roll = &RollRequest{N: 1, Faces: []string{"1", "2"}}
	dice := prompt("red choose again", "red key roll", "red roll 1")
	dice.Options[1].Key, dice.Options[2].Key = "throw", "face"
	dice.Roll = &RollRequest{N: 2, Faces: []string{"1"}}
	for _, c := range []struct {
		name   string
		prompt Prompt
		want   []string
		asked  bool
	}{
		{"a list", prompt("red choose a", "red key yes", "red tap zombie.1"), []string{"1", "2", "3"}, false},
		{"cards are tapped", prompt("red tap", "red choose a"), []string{"", "1"}, false},
		{"ten and more", many, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "", ""}, false},
		{"the end", turn, []string{"", "2", "", "4"}, false},
		{"numbers", prompt("red choose 0", "red choose 12", "red key no"), []string{"0", "12", ""}, true},
		{"a die", die, []string{"", "1", "2"}, true},
		{"dice", dice, []string{"1", "", ""}, false},
		{"a counter", prompt("red key plus", "red choose +5"), []string{"", ""}, false},
		{"nothing", prompt(), nil, false},
	} {
		if got, asked := c.prompt.Digits(); !slices.Equal(got, c.want) || asked != c.asked {
			t.Errorf("%s: got %q, %v, want %q, %v", c.name, got, asked, c.want, c.asked)
		}
	}
}
