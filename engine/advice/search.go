package advice

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tableside/engine"
)

// explore weighs trying what is little known against what won, about 1/√2 as usual.
const explore = 0.7

// longest is how many inputs an imagined match may take; people need a tenth.
const longest = 4000

// A node is what the player knows after some moves: what may follow, by its name.
type node map[string]*edge

type edge struct {
	move      move
	visits    int
	available int // times that it was legal when something was chosen here
	wins      float64
	next      node
}

// edge returns the edge with a name, for a move as it is called in the present world.
func (n node) edge(name string, m move) *edge {
	if n[name] == nil {
		n[name] = &edge{next: node{}}
	}
	n[name].move = m
	return n[name]
}

// Run imagines one more match. It returns an error if not one of all so far came to an end.
func (s *Search) Run() error {
	path, winners, err := s.imagine()
	share := 1 / float64(len(winners))
	for _, e := range path {
		e.visits++ // also of a move that leads nowhere, or it would stay new
		if slices.Contains(winners, e.move.in.Seat) {
			e.wins += share
		}
	}
	for _, seat := range winners {
		s.shares[seat] += share
	}
	switch {
	case err == nil:
		s.playouts++
	case s.playouts == 0:
		return fmt.Errorf("advice: no imagined match comes to an end: %w", err)
	}
	return nil
}

// Chances returns the chance of each seat.
func (s *Search) Chances() engine.Chances {
	c := engine.Chances{Seq: s.seq, Of: s.playouts, List: []engine.Chance{}}
	for _, seat := range s.seats {
		if n := float64(s.playouts); n > 0 {
			mean := s.shares[seat] / n
			c.List = append(c.List, engine.Chance{Seat: seat, Mean: mean, Error: math.Sqrt(mean * (1 - mean) / n)})
		}
	}
	return c
}

// imagine plays one match to its end. It returns the moves that the tree knows.
func (s *Search) imagine() (path []*edge, winners []engine.Seat, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in the rules: %v", p)
		}
	}()
	w, err := s.world()
	if err != nil {
		return nil, nil, err
	}
	at := s.root
	walk := func(e *edge) {
		if path, at = append(path, e), e.next; e.visits == 0 {
			at = nil // from the first new move on, the match goes on by chance
		}
	}
	for n := 0; w.list(); n++ {
		if n == longest {
			return path, nil, errors.New("no end")
		}
		var m move
		if at != nil {
			mover := w.moves[0].in.Seat // the one that is asked; others may do something besides
			if n == 0 && s.seat != "" {
				mover = s.seat
			}
			w.moves = slices.DeleteFunc(w.moves, func(m move) bool { return m.in.Seat != mover })
			e := w.choose(at, w.Takes)
			if e == nil {
				return path, nil, errStuck
			}
			m = e.move
			if walk(e); m.in.Verb == engine.Roll && at != nil {
				walk(at.edge(strings.Join(m.in.Args, " "), m))
			}
		} else if m, err = w.any(); err != nil {
			return path, nil, err
		}
		events, err := w.Apply(m.in)
		if err != nil {
			return path, nil, err
		}
		if at != nil && m.in.Seat == s.seat && w.listPicks(events, s.seat) {
			e := w.choose(at, func(engine.Input) error { return nil })
			walk(e)
			w.cards.Pick(e.move.at, e.move.in.Args[0])
		}
		if s.Pause != nil {
			s.Pause()
		}
		_ = w.cards.Carry(events) // after corrections, fewer cards may lie there than events move
	}
	if winners = w.View().Winners; len(winners) == 0 {
		return path, nil, errStuck
	}
	return path, winners, nil
}

var errStuck = errors.New("no answer is accepted")

// any returns one of the legal moves by chance.
func (w *world) any() (move, error) {
	for len(w.moves) > 0 {
		i := w.chance.IntN(len(w.moves))
		m := w.moves[i]
		if w.Takes(m.in) == nil {
			return m, nil
		}
		w.moves = slices.Delete(w.moves, i, i+1)
	}
	return move{}, errStuck
}

// choose returns the edge of a legal move: one that is new, else the one with the best upper bound.
func (w *world) choose(at node, takes func(engine.Input) error) *edge {
	var best, fresh *edge
	news, bound := 0, math.Inf(-1)
	for _, m := range w.moves {
		if takes(m.in) != nil {
			continue
		}
		e := at.edge(m.name(), m)
		e.available++
		if e.visits == 0 {
			if news++; w.chance.IntN(news) == 0 {
				fresh = e
			}
			continue
		}
		n := float64(e.visits)
		if b := e.wins/n + explore*math.Sqrt(math.Log(float64(e.available))/n); b > bound {
			best, bound = e, b
		}
	}
	return cmp.Or(fresh, best)
}

// name returns what a player would call a move: the same in every world. Cards that lie hidden are told by their
// kinds, and nobody chooses what dice show.
func (m *move) name() string {
	args := m.in.Args
	if m.in.Verb == engine.Roll {
		args = nil
	}
	if m.at != "" {
		kind, _ := engine.SplitCopy(args[0])
		args = []string{kind, m.at}
	}
	return string(m.in.Seat) + " " + string(m.in.Verb) + " " + strings.Join(args, " ")
}

// A Choice is an answer of the seat, and what came of it.
type Choice struct {
	Input  engine.Input
	Place  string  // where the card of a tap lies, if it is hidden: its name is a guess if the seat does not see it
	Pick   string  // the card of the hand that it lays face down; "" for none
	Visits int     // how often it was tried
	Chance float64 // the share of those matches that the seat won
	Key    string  // the same for the same answer in a match that looks the same
}

// Choices returns the answers that the seat may give, as the player can tell them apart: a card that it does not know
// is only a place. Those that were tried most come first.
func (s *Search) Choices() []Choice { return s.choices(s.root) }

func (s *Search) choices(at node) (list []Choice) {
	for _, name := range slices.Sorted(maps.Keys(at)) {
		e := at[name]
		if e.move.in.Seat != s.seat || e.visits == 0 {
			continue
		}
		c := Choice{Input: e.move.in, Place: e.move.at}
		isIt := func(card string) bool { return engine.SameKind(card, c.Input.Args[0]) }
		if c.Place != "" && !slices.ContainsFunc(s.Cards(c.Place), isIt) {
			c.Input.Args = nil
		}
		if picks := s.choices(e.next); len(picks) > 0 && picks[0].Input.Verb == pick {
			c.Pick = picks[0].Input.Arg(0)
		}
		c.Key = s.look + c.Input.Command()
		i := slices.IndexFunc(list, func(d Choice) bool { return d.Key == c.Key && d.Place == c.Place && d.Pick == c.Pick })
		if i < 0 {
			i, list = len(list), append(list, c)
		}
		list[i].Visits += e.visits
		list[i].Chance += e.wins
	}
	for i := range list {
		list[i].Chance /= float64(list[i].Visits)
	}
	slices.SortFunc(list, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(b.Visits, a.Visits), cmp.Compare(b.Chance, a.Chance),
			cmp.Compare(a.Input.Command(), b.Input.Command()))
	})
	return list
}

// Best returns the answer that was tried most, without those of these keys if there is another one: in an imagined match
// it costs nothing to take something back, and a player would do so for ever.
func (s *Search) Best(given []string) (best Choice, err error) {
	choices := s.Choices()
	if len(choices) == 0 {
		return best, errStuck
	}
	i := slices.IndexFunc(choices, func(c Choice) bool { return !slices.Contains(given, c.Key) })
	return choices[max(i, 0)], nil
}

// In returns the prompt of a view to which it is an answer, and which one; neither if there is no such prompt.
func (c Choice) In(v engine.View) (p engine.Prompt, a engine.Answer) {
	for _, p := range v.Prompts {
		for _, a := range p.Options {
			if p.Seat == c.Input.Seat && a.Zone == c.Place && (a.Zone != "" || a.Input == c.Input.Command()) {
				return p, a
			}
		}
	}
	return p, a
}

// Say returns the card that an answer takes, else what its prompt calls it in a spoken view, and whether nobody has to
// answer that prompt.
func (c Choice) Say(v engine.View, words engine.Words, lang engine.Lang) (text string, may bool) {
	p, o := c.In(v)
	text, may = o.Text, p.May
	switch tapped := c.Input.Arg(0); {
	case c.Input.Verb == engine.Tap && cmp.Or(c.Pick, tapped) != "":
		return words.Card(lang, cmp.Or(c.Pick, tapped)), may
	case c.Pick != "":
		text += " · " + words.Card(lang, c.Pick)
	}
	return cmp.Or(text, c.Input.Command()), may
}

// A Moment of a match is how likely each seat is to win after some inputs.
type Moment struct {
	engine.Chances
	Mistake *Mistake `json:"mistake,omitempty"`
}

// A Mistake is the next answer, after which its player won so many fewer of the imagined matches than after the best
// one. The player is taken to have known the cards that left the hand before another came.
type Mistake struct {
	Seat   engine.Seat            `json:"seat"`
	Better map[engine.Lang]string `json:"better"` // the best answer
	Best   float64                `json:"best"`   // the share of the imagined matches that it won
	Given  float64                `json:"given"`
}
