package tally

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// dice holds the dice of a match. For example, 2d6 stands for two dice with six faces each. In
// a match without dice, the number of dice is 0. Anybody may throw the dice at any time. A
// throw by itself changes no score.
type dice struct{ n, sides int }

// maxDice is the greatest number of dice: an input has room for the faces of twelve dice.
// maxSides is the greatest number of faces of a die.
const maxDice, maxSides = 12, 20

func readDice(s string) (d dice, err error) {
	if s == none || s == "" {
		return d, nil
	}
	n, sides, _ := strings.Cut(s, "d")
	d.n, d.sides = parseNumber(n, 0), parseNumber(sides, 0)
	if d.n < 1 || d.n > maxDice || d.sides < 2 || d.sides > maxSides || s != strconv.Itoa(d.n)+"d"+strconv.Itoa(d.sides) {
		return d, engine.NewSetupError("setup.dice", "n", maxDice, "sides", maxSides)
	}
	return d, nil
}

func (d dice) faces() []string {
	all := make([]string, d.sides)
	for i := range all {
		all[i] = strconv.Itoa(i + 1)
	}
	return all
}

func (s *state) askDice() engine.Prompt {
	n := s.dice.n - len(s.thrown)%s.dice.n
	return engine.Prompt{Seat: engine.Table, Key: "dice", Args: engine.Args{"n": n}, May: true,
		Roll: &engine.RollRequest{Kind: "d" + strconv.Itoa(s.dice.sides), N: n, Faces: s.dice.faces()}}
}

// roll records the faces of a throw, or the next faces of a throw that is entered die by die.
// If the dice do not have one of these faces, or if there are more faces than dice left, roll
// returns a refusal.
func (s *state) roll(in engine.Input) ([]engine.Event, error) {
	faces := in.Args
	if in.Confirmed() {
		faces = faces[:len(faces)-1]
	}
	if s.dice.n == 0 {
		return nil, engine.Refuse("refusal.no-dice")
	}
	before := s.thrown
	if len(before) == s.dice.n {
		before = nil // the last throw is complete
	}
	if len(faces) == 0 {
		return nil, engine.Refuse("refusal.no-faces", "n", s.dice.n-len(before))
	}
	if len(before)+len(faces) > s.dice.n {
		return nil, engine.Refuse("refusal.dice", "n", s.dice.n-len(before))
	}
	sum, all := 0, slices.Concat(before, faces)
	for _, face := range all {
		if !slices.Contains(s.dice.faces(), face) {
			return nil, engine.Refuse("refusal.face", "name", face)
		}
		sum += parseNumber(face, 0)
	}
	s.thrown = all
	name := "dice"
	if len(all) == 1 {
		name = "die"
	}
	return []engine.Event{{Name: name, Seat: in.Seat, N: sum, Word: engine.Literal(strings.Join(all, " + ")).Word()}}, nil
}

// viewDice returns the dice of the last throw, as far as they have been entered. Before any
// die has been entered, it returns nil.
func (s *state) viewDice() []engine.Die {
	var all []engine.Die
	for i, face := range s.thrown {
		all = append(all, engine.Die{ID: "die-" + strconv.Itoa(i+1), Seat: engine.Table,
			Kind: "d" + strconv.Itoa(s.dice.sides), Face: engine.Null(face), State: "rolled"})
	}
	return all
}
