package evening

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tableside/engine"
)

// A Change changes an evening. The field Do says how. The comment of another field may name
// some values of Do, and the field is then used only with these values. If the comment names
// no value, the field is used with all of them.
type Change struct {
	Do       string     `json:"do"`       // see inputs
	Seq      int        `json:"seq"`      // the View.Seq that somebody saw: refused if it has changed; 0 is never refused
	Names    []string   `json:"names"`    // players: of people who come; tables: of tables that are used
	Name     string     `json:"name"`     // rename: the new one; move and no-table: that of a table
	Player   int        `json:"player"`   // rename, out, in, swap
	Other    int        `json:"other"`    // swap
	Round    int        `json:"round"`    // result: its round; next, pair: the number of the new round, or 0 not to check it
	Board    int        `json:"board"`    // result, move
	Places   []int      `json:"places"`   // result: none to remove it
	Scores   []int      `json:"scores"`   // result: may be empty
	N        int        `json:"n"`        // take, dismiss
	Minutes  int        `json:"minutes"`  // clock: of the running round from now on; 0 stops it
	Pairings [][]string `json:"pairings"` // pair: for each pairing the names of its players
}

// Change makes a change to an evening, and returns once the disk has the change. It makes all
// of the change or nothing. If the evening is unknown, Change returns ErrNotFound. If the
// change is not possible, it returns a refusal.
func (b *Book) Change(id string, c Change) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.evenings[id]
	if k == nil {
		return ErrNotFound
	}
	if err := k.reload(); err != nil {
		return err
	}
	switch {
	case k.damage > 0:
		return engine.Refuse("evening.damaged", "n", k.damage)
	case c.Seq > 0 && c.Seq != k.match.Seq():
		return engine.Refuse("evening.meanwhile")
	}
	ins, err := b.inputs(k, c)
	if err != nil {
		return err
	}
	return b.apply(k, ins)
}

// inputs returns the inputs that make a change.
func (b *Book) inputs(k *keptEvening, c Change) ([]engine.Input, error) {
	s := k.state()
	if err := checkSeen(append(slices.Clip(c.Names), c.Name)...); err != nil {
		return nil, err
	}
	one := func(args ...string) ([]engine.Input, error) { return []engine.Input{set(args...)}, nil }
	n := func(n int) string { return fmt.Sprint(n) }
	switch c.Do {
	case "players":
		return sets("player", c.Names), nil
	case "tables":
		return sets("table", c.Names), nil
	case "no-table":
		return one("no-table", c.Name)
	case "rename":
		return one("rename", n(c.Player), squeeze(c.Name))
	case "out", "in":
		return one(c.Do, n(c.Player))
	case "swap":
		return one("swap", n(c.Player), n(c.Other))
	case "move":
		return one("move", n(c.Board), c.Name)
	case "result":
		places, scores := formatNumbers(c.Places), formatNumbers(c.Scores)
		return one("result", n(c.Round), n(c.Board), cmp.Or(places, "0"), cmp.Or(scores, "-"))
	case "take", "dismiss":
		return one(c.Do, n(c.N))
	case "clock":
		return one("clock", n(c.Minutes))
	case "over", "on":
		return one("evening", c.Do)
	case "undo":
		return k.undo()
	case "redo":
		return k.redo()
	case "next", "pair":
		return b.begin(s, c)
	}
	return nil, engine.Refuse("evening.unreadable")
}

// begin returns the inputs that begin a round, which is drawn or paired by hand.
func (b *Book) begin(s *State, c Change) ([]engine.Input, error) {
	if c.Round > 0 && c.Round != len(s.Rounds)+1 { // two people clicked
		return nil, engine.Refuse("evening.round-begun", "n", len(s.Rounds))
	}
	if c.Do == "next" {
		pairings, err := s.Draw(b.cfg.Chance)
		return s.round(pairings), err
	}
	pairings, err := s.byHand(c.Pairings)
	return s.round(pairings), err
}

func (s *State) round(pairings []Pairing) []engine.Input {
	var texts []string
	for _, p := range pairings {
		texts = append(texts, fmt.Sprintf("%d:%s", s.tableNumber(p.Table), formatNumbers(p.Players)))
	}
	return []engine.Input{set("round", fmt.Sprint(len(s.Rounds)+1), strings.Join(texts, ";"))}
}

// byHand returns the pairings for players who are given by name. It refuses a name that no
// player has. It also refuses every format except Free, and a round that cannot begin yet.
func (s *State) byHand(named [][]string) ([]Pairing, error) {
	if s.Format != Free {
		return nil, engine.Refuse("evening.unreadable")
	}
	if err := s.checkReady(); err != nil {
		return nil, err
	}
	var groups [][]int
	for _, names := range named {
		var group []int
		for _, name := range names {
			n := s.player(name)
			if n == 0 {
				return nil, engine.Refuse("evening.nobody-named", "name", engine.Literal(name))
			}
			group = append(group, n)
		}
		groups = append(groups, group)
	}
	return s.assign(groups), nil
}

// checkSeen refuses names with invisible letters, because two different names could look the
// same.
func checkSeen(names ...string) error {
	for _, name := range names {
		if name = squeeze(name); engine.MarkUnseen(name) != name {
			return engine.Refuse("evening.name-unseen", "name", engine.Literal(engine.MarkUnseen(name)))
		}
	}
	return nil
}

// sets returns an input for each name, such as "table set player Alice".
func sets(what string, names []string) []engine.Input {
	var ins []engine.Input
	for _, name := range names {
		if name = squeeze(name); name != "" {
			ins = append(ins, set(what, name))
		}
	}
	return ins
}
