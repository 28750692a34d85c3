package device

import (
	"math/rand/v2"
	"slices"

	"tableside/engine"
)

// dice throws for players who leave it to the table. A result that was undone
// lies there still and is used again at that point of the match: undo is no
// free reroll. It follows every accepted input.
type dice struct {
	chance *rand.Rand
	done   []engine.Input   // in force
	undone []engine.Input   // the next to redo last
	lying  map[int][]string // faces of undone rolls, by the number of inputs before them
}

func newDice(chance *rand.Rand) dice { return dice{chance: chance, lying: map[int][]string{}} }

func (d *dice) follow(in engine.Input) {
	switch in.Verb {
	case engine.Undo:
		if len(d.done) == 0 {
			return
		}
		last := d.done[len(d.done)-1]
		d.done = d.done[:len(d.done)-1]
		d.undone = append(d.undone, last)
		if last.Verb == engine.Roll {
			faces := last.Args
			if last.Confirmed() {
				faces = faces[:len(faces)-1]
			}
			d.lying[len(d.done)] = faces
		}
	case engine.Redo:
		if len(d.undone) == 0 {
			return
		}
		d.done = append(d.done, d.undone[len(d.undone)-1])
		d.undone = d.undone[:len(d.undone)-1]
	default:
		d.done = append(d.done, in)
		d.undone = d.undone[:0]
	}
}

// throw returns the faces for a request.
func (d *dice) throw(r engine.RollRequest) []string {
	if faces := d.lying[len(d.done)]; len(faces) == r.N && !slices.ContainsFunc(faces, func(f string) bool { return !slices.Contains(r.Faces, f) }) {
		return faces
	}
	faces := make([]string, r.N)
	for i := range faces {
		faces[i] = r.Faces[d.chance.IntN(len(r.Faces))]
	}
	return faces
}

// answer is the roll that the key "roll" stands for, where a prompt asks the
// seat for dice.
func (d *dice) answer(v engine.View, in engine.Input) (engine.Input, bool) {
	if in.Verb != engine.Key || in.Arg(0) != "roll" {
		return in, false
	}
	for _, p := range v.Prompts {
		if r := p.Roll; r != nil && r.N > 0 && len(r.Faces) > 0 && (in.Seat == p.Seat || in.Seat == engine.Table || p.Seat == engine.Table) {
			return engine.Input{At: in.At, Seat: p.Seat, Verb: engine.Roll, Args: d.throw(*r)}, true
		}
	}
	return in, false
}

// offerDice gives prompts that ask for dice answers that the cursor can point
// at: the table's throw, and what one die shows that was thrown by hand.
// Several dice are entered one by one.
func offerDice(v engine.View) engine.View {
	v.Prompts = slices.Clone(v.Prompts)
	for i := range v.Prompts {
		p := &v.Prompts[i]
		if p.Roll == nil {
			continue
		}
		seat := string(p.Seat)
		p.Options = append(slices.Clip(p.Options), engine.Answer{Key: "throw", Input: seat + " key roll"})
		for _, face := range p.Roll.Faces {
			p.Options = append(p.Options, engine.Answer{Key: "face", Args: engine.Args{"face": engine.Word("face." + face)}, Input: seat + " roll " + face})
		}
	}
	return v
}
