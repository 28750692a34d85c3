package tally

import (
	"slices"
	"strings"

	"tableside/engine"
)

// A condition is met by a seat if one of its counters from first to last is at least n.
type condition struct{ first, last, n int }

func meetsAny(all []condition, p seat) bool {
	return slices.ContainsFunc(all, func(c condition) bool { return slices.Max(p.values[c.first:c.last+1]) >= c.n })
}

// The values of the option "result": by points; somebody wins, or nobody; all win, or all lose.
const byPoints, byWinner, together = "points", "winner", "together"

// An item of the options "out", "finish" and "tie" names a counter: "poison 10", "coins low".
type item struct {
	name string
	n    int // 0 in the option "tie"
	low  bool
}

func readItems(s string) (all []item) {
	if s == none {
		return nil
	}
	for text := range strings.SplitSeq(s, ",") {
		words := strings.Fields(text)
		i, name := item{}, words
		if last := len(words) - 1; last >= 0 {
			i.n, i.low = parseNumber(words[last], 0), words[last] == "low"
			if i.n != 0 || i.low {
				name = words[:last]
			}
		}
		i.name = strings.Join(name, " ")
		all = append(all, i)
	}
	return all
}

func checkConditions(s string) error {
	for _, i := range readItems(s) {
		if i.name == "" || i.n < 1 || i.n > maxNumber {
			return engine.NewSetupError("setup.conditions")
		}
	}
	return nil
}

func checkTies(s string) error {
	for _, i := range readItems(s) {
		if i.name == "" || i.n != 0 {
			return engine.NewSetupError("setup.ties")
		}
	}
	return nil
}

func (r *rules) counterNamed(name string) int {
	if i := slices.Index(r.counters, nameOf(name)); i >= 0 {
		return i
	}
	return slices.IndexFunc(r.titles, titleMatcher(name)) // as players see it: "Énergie"
}

// readEnds reads the options that end a match, or decide it, by something else than the first
// counter. If they contradict others, it returns an error.
func (r *rules) readEnds(setup engine.Setup) error {
	r.asksWinner, r.result = setup.Rules >= winnerVersion, setup.Option("result")
	outs, finishes := readItems(setup.Option("out")), readItems(setup.Option("finish"))
	ties := readItems(setup.Option("tie"))
	rounds := r.bids != nil || r.rows != nil || r.sum != nil || r.deals != nil
	ends := len(outs)+len(finishes) > 0
	switch {
	case ends && (rounds || r.columns < len(setup.Seats)):
		return engine.NewSetupError("setup.ends")
	case r.result == byPoints:
	case ends || rounds || len(ties) > 0 || r.target != nil || r.low > -maxNumber || r.limit < maxNumber:
		return engine.NewSetupError("setup.result")
	default:
		r.counters, r.titles, r.sheet = nil, nil, false
	}
	for _, one := range slices.Concat(finishes, ties) {
		i := r.counterNamed(one.name)
		if i < 1 {
			return engine.NewSetupError("setup.no-counter", "name", one.name)
		}
		if one.n == 0 {
			r.ties = append(r.ties, tieBreak{i, one.low})
		} else {
			r.finish = append(r.finish, condition{i, i, one.n})
		}
	}
	return r.readOut(outs, setup)
}

// readOut adds the conditions that put a seat out. Two of them add counters: the turns in a row
// without points, and what each opponent has dealt.
func (r *rules) readOut(outs []item, setup engine.Setup) error {
	add := func(name string) int {
		r.counters, r.titles = append(r.counters, name), append(r.titles, name)
		r.counterWords, r.start = append(r.counterWords, "counter."+name), append(r.start, 0)
		return len(r.counters) - 1
	}
	for _, o := range outs {
		first := r.counterNamed(o.name)
		switch {
		case first >= 0:
		case o.name == "misses" && r.turns && r.sheet:
			first = add(o.name)
			r.misses = first
		case o.name == "misses":
			return engine.NewSetupError("setup.misses")
		case o.name == "commander":
			first = len(r.counters)
			r.dealt = first
			for _, p := range setup.Seats {
				add("from-" + string(p.Seat))
			}
		default:
			return engine.NewSetupError("setup.no-counter", "name", o.name)
		}
		last := first
		if first == r.dealt && first > 0 {
			last = len(r.counters) - 1
		}
		r.out = append(r.out, condition{first, last, o.n})
	}
	return nil
}

// isDealt reports whether a counter counts what a seat has dealt.
func (r *rules) isDealt(counter int) bool {
	return r.dealt > 0 && counter >= r.dealt && counter < r.dealt+r.columns
}

// has reports whether a seat has a counter: nobody is an opponent of oneself.
func (r *rules) has(at, counter int) bool { return !r.isDealt(counter) || counter-r.dealt != at }

func (s *state) isOut(at int) bool {
	p := s.seats[at]
	return p.left || s.elimination && s.reached(p) || meetsAny(s.out, p)
}

func (s *state) isColumnOut(column int) bool {
	for at := column; at < len(s.seats); at += s.columns {
		if !s.isOut(at) {
			return false
		}
	}
	return true
}

// left returns how many columns are not out.
func (s *state) left() (n int) {
	for column := range s.columns {
		if !s.isColumnOut(column) {
			n++
		}
	}
	return n
}

// leave takes a seat out of the match by hand, with the points that it has, or back in.
func (s *state) leave(at int, in engine.Input) ([]engine.Event, error) {
	p, leaves := &s.seats[at], in.Arg(1) == "yes"
	if p.left == leaves || !leaves && in.Arg(1) != "no" {
		return nil, engine.Refuse("refusal.set")
	}
	p.left = leaves
	if !leaves {
		return []engine.Event{{Name: "back-in", Seat: p.id}}, nil
	}
	events := []engine.Event{{Name: "leave", Seat: p.id}}
	if !s.turns || s.turn != at || s.isOver() {
		return events, nil
	}
	next, err := s.endTurn(engine.Input{At: in.At, Seat: p.id})
	return append(events, next...), err
}

// miss counts a turn without points, where that puts a seat out.
func (s *state) miss(at int) []engine.Event {
	if s.misses == 0 {
		return nil
	}
	p := &s.seats[at]
	p.values[s.misses]++
	return append([]engine.Event{{Name: "miss", Seat: p.id, N: p.values[s.misses]}}, s.tellOut(at)...)
}

func (s *state) tellOut(at int) []engine.Event {
	if !s.isOut(at) {
		return nil
	}
	return []engine.Event{{Name: "out", Seat: s.seats[at].id}}
}

// countApart changes a counter that the input names, such as "red choose poison 3", or selects it.
func (s *state) countApart(at, counter int, in engine.Input) ([]engine.Event, error) {
	p := &s.seats[at]
	if len(in.Args) == 1 {
		return s.pick(at, counter-p.selected)
	}
	n, ok := amount(in.Arg(1))
	if !ok {
		n, ok = engine.Whole(in.Arg(1), 1, maxNumber)
	}
	if !ok || len(in.Args) > 2 {
		return nil, refuseNumber(in.Arg(1))
	}
	selected := p.selected
	p.selected = counter
	events, err := s.add(at, n)
	p.selected = selected
	return events, err
}
