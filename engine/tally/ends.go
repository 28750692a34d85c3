package tally

import (
	"slices"
	"strings"

	"tableside/engine"
)

// The values of the option "result": by points; somebody wins, or nobody; all win, or all lose.
const byPoints, byWinner, together = "points", "winner", "together"

// An item of the options "out", "finish" and "tie" names a counter: "poison 10", "coins low".
type item struct {
	name        string
	n           int  // at least this meets it, or to fall to 0; -1 in the option "tie"
	low         bool // the fewest win
	first, last int  // the counters of which one has to meet it
}

func meetsAny(all []*item, p seat) bool {
	return slices.ContainsFunc(all, func(i *item) bool {
		values := p.values[i.first : i.last+1]
		return i.n > 0 && slices.Max(values) >= i.n || i.n == 0 && slices.Min(values) <= 0
	})
}

func readItems(s string) (all []*item) {
	if s == none {
		return nil
	}
	for text := range strings.SplitSeq(s, ",") {
		text = " " + strings.Join(strings.Fields(text), " ")
		last := strings.LastIndex(text, " ")
		i := &item{name: text, n: parseNumber(text[last:], -1), low: text[last:] == " low"}
		if i.n >= 0 || i.low {
			i.name = text[:last]
		}
		i.name = strings.TrimSpace(i.name)
		all = append(all, i)
	}
	return all
}

func checkItems(key string, least, most int) func(string) error {
	return func(s string) error {
		for _, i := range readItems(s) {
			if i.name == "" || i.n < least || i.n > most {
				return engine.NewSetupError(key)
			}
		}
		return nil
	}
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
	r.result = setup.Option("result")
	r.out, r.finish = readItems(setup.Option("out")), readItems(setup.Option("finish"))
	r.ties = readItems(setup.Option("tie"))
	rounds := r.bids != nil || r.rows != nil || r.sum != nil || r.deals != nil
	ends := len(r.out)+len(r.finish) > 0
	switch {
	case ends && (rounds || r.columns < len(setup.Seats)):
		return engine.NewSetupError("setup.ends")
	case r.result == byPoints:
	case ends || rounds || len(r.ties) > 0 || r.target != nil || r.low > -maxNumber || r.limit < maxNumber:
		return engine.NewSetupError("setup.result")
	default:
		r.counters, r.titles, r.sheet = nil, nil, false
	}
	for _, i := range slices.Concat(r.finish, r.ties) {
		i.first = r.counterNamed(i.name)
		if i.last = i.first; i.first < 1 {
			return engine.NewSetupError("setup.no-counter", "name", i.name)
		}
	}
	for _, i := range r.out {
		i.first = r.counterNamed(i.name)
		i.last = i.first
		switch {
		case i.first >= 0:
		case i.name == "misses" && r.turns && r.sheet:
			r.misses = r.add(i, i.name)
		case i.name == "misses":
			return engine.NewSetupError("setup.misses")
		case i.name == "commander" && r.dealt == 0:
			for _, p := range setup.Seats {
				r.dealt = r.add(i, "from-"+string(p.Seat))
			}
		default:
			return engine.NewSetupError("setup.no-counter", "name", i.name)
		}
	}
	if meetsAny(r.out, seat{values: r.start}) {
		return engine.NewSetupError("setup.out-start")
	}
	return nil
}

// add adds a counter for a condition: the turns in a row without points, or what an opponent has dealt.
// It returns the first one of the condition.
func (r *rules) add(i *item, name string) int {
	if i.last = len(r.counters); i.first < 0 {
		i.first = i.last
	}
	r.counters, r.titles = append(r.counters, name), append(r.titles, name)
	r.counterWords, r.start = append(r.counterWords, "counter."+name), append(r.start, 0)
	return i.first
}

// isDealt reports whether a counter counts what a seat has dealt.
func (r *rules) isDealt(counter int) bool {
	return r.dealt > 0 && counter >= r.dealt && counter < r.dealt+r.columns
}

// has reports whether a seat has a counter: nobody is an opponent of oneself.
func (r *rules) has(at, counter int) bool { return !r.isDealt(counter) || counter-r.dealt != at }

func (s *state) isOut(at int) bool {
	p := s.seats[at]
	return p.left || s.elimination && s.reaches(p.values[0]) || meetsAny(s.out, p)
}

func (s *state) isColumnOut(column int) bool {
	for at := column; at < len(s.seats); at += s.columns {
		if !s.isOut(at) {
			return false
		}
	}
	return true
}

// leave takes a seat out of the match by hand, with the points that it has, or back in.
func (s *state) leave(at int, in engine.Input) ([]engine.Event, error) {
	p, leaves := &s.seats[at], in.Arg(1) == "yes"
	if p.left == leaves || !leaves && in.Arg(1) != "no" {
		return nil, engine.Refuse("refusal.set")
	}
	p.left = leaves
	s.draft = slices.DeleteFunc(s.draft, func(one string) bool { return strings.HasSuffix(one, " "+string(p.id)) })
	if !leaves {
		return []engine.Event{{Name: "back-in", Seat: p.id}}, nil
	}
	events := []engine.Event{{Name: "leave", Seat: p.id}}
	stays := func(p seat) bool { return !p.left }
	if s.result == together && s.named == nil && !slices.ContainsFunc(s.seats, stays) {
		s.named = []int{}
		return append(events, tell(endings[together].none, []engine.Seat{engine.Table})...), nil
	}
	if !s.turns || s.turn != at || s.isOver() {
		return events, nil
	}
	next, err := s.endTurn(engine.Input{Seat: p.id})
	return append(events, next...), err
}

// miss counts a turn without points, where that puts a seat out.
func (s *state) miss(at int) []engine.Event {
	s.score(at, 0)
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
	if len(in.Args) == 1 {
		return s.pick(at, counter-s.seats[at].selected)
	}
	n, ok := amount(in.Arg(1))
	if !ok {
		n, ok = engine.Whole(in.Arg(1), 1, maxNumber)
	}
	if !ok || len(in.Args) > 2 {
		return nil, refuseNumber(in.Arg(1))
	}
	return s.add(at, counter, n)
}
