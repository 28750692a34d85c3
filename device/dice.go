package device

import (
	"math/rand/v2"
	"slices"

	"tableside/engine"
)

// A diceThrower throws the dice of players who do not throw by hand. After an undo, the same
// position of the match gets the same result again, so that undo gives nobody a free reroll.
type diceThrower struct {
	chance      *rand.Rand
	undoneRolls map[int][]string // their faces, by the position before them
}

// follow remembers the faces of a roll that a step has undone. It must be called for every
// step of the match.
func (d *diceThrower) follow(s engine.Step) {
	if s.Undone.Verb != engine.Roll {
		return
	}
	faces := s.Undone.Args
	if s.Undone.Confirmed() {
		faces = faces[:len(faces)-1]
	}
	d.undoneRolls[s.Position] = faces
}

// throw returns faces for a request at a position of the match. If a roll was undone at this
// position, and its faces suit the request, throw returns the same faces again. Otherwise the
// faces are random.
func (d *diceThrower) throw(r engine.RollRequest, position int) []string {
	other := func(face string) bool { return !slices.Contains(r.Faces, face) }
	if faces := d.undoneRolls[position]; len(faces) == r.N && !slices.ContainsFunc(faces, other) {
		return faces
	}
	faces := make([]string, r.N)
	for i := range faces {
		faces[i] = r.Faces[d.chance.IntN(len(r.Faces))]
	}
	return faces
}

// throwForKey turns the key "roll" into a roll with thrown dice, if there is a prompt for dice
// that this key may answer. The key of a seat may answer a prompt to that seat or to the
// table. The table's own key may answer any prompt. Any other input is returned unchanged.
// position is the position of the match before the roll.
func (d *diceThrower) throwForKey(v engine.View, in engine.Input, position int) engine.Input {
	if in.Verb != engine.Key || in.Arg(0) != "roll" {
		return in
	}
	for _, p := range v.Prompts {
		r, asked := p.Roll, in.Seat == p.Seat || in.Seat == engine.Table || p.Seat == engine.Table
		if r != nil && r.N > 0 && len(r.Faces) > 0 && asked {
			return engine.Input{At: in.At, Seat: p.Seat, Verb: engine.Roll, Args: d.throw(*r, position)}
		}
	}
	return in
}

// offerDice adds answers to each prompt that asks for dice, so that the cursor can choose
// them. One answer lets the table throw the dice. The others are the faces of a die thrown by
// hand: players enter several dice one by one.
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
			args := engine.Args{"face": engine.Word("face." + face)}
			p.Options = append(p.Options, engine.Answer{Key: "face", Args: args, Input: seat + " roll " + face})
		}
	}
	return v
}
