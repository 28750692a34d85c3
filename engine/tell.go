package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// maxDecisions is the greatest number of moments of a match that a result tells.
const maxDecisions = 3

// A teller finds what mattered in a match and says it in sentences.
type teller struct {
	lang    Lang
	words   Words
	names   map[Seat]string
	view    *View // at the end
	counter string
	moments []moment
	result  *Result
}

// A stretch is a round, or a turn in a match without rounds.
type stretch struct {
	seq, second, round int
	points, after      map[Seat]int
	played             map[Seat]int // the points without those told apart; only of a round
	events             []Event
	lines              []string
	final              bool // it ended the match
}

// tell adds the sentences to a result, and the points that are told apart.
func (t *teller) tell(r *Result) {
	t.result, r.Apart, r.Moves = r, t.apart(), []Decision{}
	list := t.rounds()
	if len(list) < 2 {
		list = t.turns()
	}
	r.Why = t.why(list)
	for _, i := range t.decisive(list) {
		r.Moves = append(r.Moves, t.decision(list[i]))
	}
	if n := len(r.Moves) - 1; n > 0 && r.Moves[n].Text == r.Why {
		r.Moves = r.Moves[:n]
	}
}

func (t *teller) say(key string, pairs ...any) string {
	return t.words.Say(t.lang, T(key, pairs...), t.names)
}

func (t *teller) label(counter string) string {
	if key := "counter." + counter; t.words.Has(key) {
		return t.say(key)
	}
	return counter
}

func (t *teller) lines(events []Event) []string {
	lines := []string{}
	for _, e := range t.words.SpeakEvents(t.lang, events, t.names) {
		if e.Spoken != "" {
			lines = append(lines, e.Spoken)
		}
	}
	return lines
}

// apart returns the points of each round that an event with a key "apart.<event>" brought.
func (t *teller) apart() []Apart {
	var list []Apart
	for i, now := range t.moments[1:] {
		for _, e := range now.events {
			key := "apart." + e.Name
			if e.N == 0 || !t.words.Has(key) {
				continue
			}
			round := t.moments[i].round
			at := slices.IndexFunc(list, func(a Apart) bool { return a.Event == e.Name && a.Round == round })
			if at < 0 {
				at = len(list)
				list = append(list, Apart{Event: e.Name, Label: t.say(key), Round: round, Points: map[Seat]int{}})
			}
			list[at].Points[e.Seat] += e.N
		}
	}
	return list
}

func (t *teller) rounds() []stretch {
	var list []stretch
	for _, r := range t.result.Rounds {
		s := stretch{seq: r.Seq, second: r.Second, round: r.Round, points: r.Points, after: r.Totals, lines: r.Lines}
		s.played, s.final = maps.Clone(r.Points), t.isFinal(r.Seq)
		for _, a := range t.result.Apart {
			for seat, n := range a.Points {
				if a.Round == r.Round {
					s.played[seat] -= n
				}
			}
		}
		list = append(list, s)
	}
	return list
}

func (t *teller) isFinal(seq int) bool { return seq == len(t.moments)-1 && t.result.Over }

// turns returns the turns in which a value changed: what a seat does without a break in a turn.
// What was corrected by hand belongs to none.
func (t *teller) turns() []stretch {
	var list []stretch
	var turn, entered string
	for i, now := range t.moments[1:] {
		previous := t.moments[i]
		owner := fmt.Sprint(previous.round, previous.turn, now.input.Seat)
		if owner != turn {
			turn, entered = owner, ""
		}
		points := map[Seat]int{}
		for seat, n := range now.values {
			if n -= previous.values[seat]; n != 0 && now.input.Verb != Set {
				points[seat] = n
			}
		}
		if final := t.isFinal(i + 1); len(points) == 0 && !final {
			continue
		}
		if entered == "" {
			entered = turn
			list = append(list, stretch{round: previous.round, points: map[Seat]int{}})
		}
		s := &list[len(list)-1]
		s.seq, s.second, s.after, s.final = i+1, int(now.input.At/time.Second), now.values, t.isFinal(i+1)
		for seat, n := range points {
			s.points[seat] += n
		}
		s.events, s.lines = append(s.events, now.events...), append(s.lines, t.lines(now.events)...)
	}
	return list
}

// ahead returns the winners. As long as there are none, it returns the seats that are ahead.
func (t *teller) ahead() []Seat {
	var seats []Seat
	for _, s := range t.result.Seats {
		if s.Won || !t.result.Over && s.Rank == 1 {
			seats = append(seats, s.Seat)
		}
	}
	return seats
}

// lead returns by how much the winners are ahead of the best of the others.
func (t *teller) lead(values map[Seat]int) int {
	ahead, first, second := t.ahead(), []int{}, []int{}
	for seat, n := range values {
		if slices.Contains(ahead, seat) {
			first = append(first, t.view.Worth(n))
		} else {
			second = append(second, t.view.Worth(n))
		}
	}
	lead := 0
	if len(first) > 0 {
		lead = slices.Max(first)
	}
	if len(second) > 0 {
		lead -= slices.Max(second)
	}
	return lead
}

// leads returns the lead of the winners before the first stretch and after each.
func (t *teller) leads(list []stretch) []int {
	leads := []int{t.lead(t.moments[0].values)}
	for _, s := range list {
		leads = append(leads, t.lead(s.after))
	}
	return leads
}

// swing returns by how much a stretch brought the winners further ahead.
func (t *teller) swing(s stretch) int {
	before := map[Seat]int{}
	for seat, n := range s.after {
		before[seat] = n - s.points[seat]
	}
	return t.lead(s.after) - t.lead(before)
}

// decisive returns the stretches that changed the lead most, in the order of play. The turn that
// ended the match is one of them.
func (t *teller) decisive(list []stretch) []int {
	chosen := []int{}
	weight := func(i int) int { return size(t.swing(list[i])) }
	last := func(i int) bool {
		s := list[i]
		return s.final && len(t.result.Rounds) < 2 && (len(s.points) > 0 || len(list) == 1 || t.because(s.events) != "")
	}
	for i := range list {
		if t.view.TablePlays() && !t.words.Has("amount."+t.counter) {
			break // only the players know how the boss is doing
		}
		if last(i) || weight(i) > 0 {
			chosen = append(chosen, i)
		}
	}
	slices.SortStableFunc(chosen, func(a, b int) int {
		if last(a) != last(b) {
			return cmp.Compare(b, a) // the last one first
		}
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(b, a))
	})
	chosen = chosen[:min(len(chosen), maxDecisions)]
	slices.Sort(chosen)
	return chosen
}

func (t *teller) decision(s stretch) Decision {
	d := Decision{Seq: s.seq, Round: s.round, Second: s.second, Swing: t.swing(s), Lines: s.lines}
	if len(t.result.Rounds) > 1 {
		d.Seat, d.Text = t.tellRound(s)
	} else {
		d.Seat, d.Text = t.tellTurn(s)
	}
	return d
}

// sides returns the sides that have values, in the order of the ranking.
func (t *teller) sides(values map[Seat]int) [][]Seat {
	return slices.DeleteFunc(slices.Clone(t.result.Sides), func(side []Seat) bool {
		_, has := values[side[0]]
		return !has
	})
}

// who returns the arguments of a text for one or several seats: who, and how many they are.
func (t *teller) who(seats ...Seat) []any {
	if len(seats) == 1 {
		return []any{"who", seats[0], "k", 1}
	}
	names := make([]string, len(seats))
	for i, seat := range seats {
		names[i] = t.words.Say(t.lang, T("result.name", "who", seat), t.names)
	}
	last := len(names) - 1
	all := t.say("result.and", "some", Literal(strings.Join(names[:last], ", ")), "last", Literal(names[last]))
	return []any{"who", Literal(all), "k", 2} // {k|…|…} is 2 for several, in French too
}

// amount says some of the counter, such as "3 lives".
func (t *teller) amount(n int) Text {
	if n < 0 {
		n = -n
	}
	if key := "amount." + t.counter; t.words.Has(key) {
		return T(key, "n", n)
	}
	return T("amount", "n", n, "what", Literal(t.label(t.counter)))
}

// best returns the sides with the greatest worth of some values.
func (t *teller) best(values map[Seat]int) (best [][]Seat, n int) {
	for _, side := range t.sides(values) {
		switch c := cmp.Compare(t.view.Worth(values[side[0]]), t.view.Worth(n)); {
		case len(best) == 0 || c > 0:
			best, n = [][]Seat{side}, values[side[0]]
		case c == 0:
			best = append(best, side)
		}
	}
	return best, n
}

// standing says who is ahead with these values. It goes on a sentence about the given seat, if
// that seat is ahead.
func (t *teller) standing(of Seat, values map[Seat]int, final string) string {
	sides := t.sides(values)
	best, n := t.best(values)
	if len(sides) < 2 {
		return ""
	}
	key := "leads"
	if final != "" && t.result.Over {
		key = final
		best = slices.DeleteFunc(slices.Clone(sides), func(side []Seat) bool { return !slices.Contains(t.result.Winners, side[0]) })
		n = values[best[0][0]]
	} else if len(best) == len(sides) {
		return t.say("result.level", "n", n)
	}
	args := append(t.who(slices.Concat(best...)...), "n", n)
	if len(best) > 1 {
		return t.say("result.both-"+key, args...)
	}
	if len(sides) == 2 {
		args, key = append(args, "of", values[other(sides, best[0])]), key+"-to"
	}
	if best[0][0] == of {
		return " " + t.say("result.and-"+key, args...)
	}
	return t.say("result."+key, args...)
}

// other returns the first seat of the other one of two sides.
func other(sides [][]Seat, side []Seat) Seat {
	if sides[0][0] == side[0] {
		return sides[1][0]
	}
	return sides[0][0]
}

// tellRound says who won a round, and how the match stands after it.
func (t *teller) tellRound(s stretch) (Seat, string) {
	sides := t.sides(s.played)
	if len(sides) == 1 {
		return t.tellBoss(s, sides[0])
	}
	best, n := t.best(s.played)
	seat, final, low := best[0][0], "", t.view.Sheet != nil && t.view.Sheet.Low
	if s.final {
		final = "match"
	}
	args := append(t.who(slices.Concat(best...)...), "round", s.round, "amount", t.amount(n))
	key := "round"
	switch {
	case len(best) > 1:
		key, seat = "round-tie", ""
	case low && n < 0:
		key = "round-down"
	case low:
		key = "round-low"
	case len(sides) == 2:
		key, args = "round-to", append(args, "n", n, "other", s.played[other(sides, best[0])])
	}
	if from, to, climbs := t.climb(s, seat); climbs {
		args, key = append(args, "from", from, "to", to), key+"-climb"
	}
	rest := t.standing(seat, s.after, final)
	if told := t.tellApart(s); told != "" {
		rest = told + t.standing("", s.after, "wins")
	}
	return best[0][0], t.say("result."+key, append(args, "rest", Literal(rest))...)
}

// tellBoss says what a round cost the boss, whose counter only the table has.
func (t *teller) tellBoss(s stretch, side []Seat) (Seat, string) {
	n, left := s.points[side[0]], s.after[side[0]]
	key := "result.boss-loses"
	switch {
	case n > 0:
		key = "result.boss-gains"
	case left == 0:
		key = "result.boss-last"
	}
	return side[0], t.say(key, append(t.who(side...), "amount", t.amount(n), "left", left, "round", s.round)...)
}

// tellApart says what the last round of a match brought the winners besides its own points.
func (t *teller) tellApart(s stretch) string {
	for _, a := range t.result.Apart {
		for _, seat := range t.result.Winners {
			if n := a.Points[seat]; s.final && a.Round == s.round && n > 0 && t.words.Has("told."+a.Event) {
				return ". " + t.say("told."+a.Event, "seat", seat, "n", n)
			}
		}
	}
	return ""
}

// climb returns the lowest place of a seat in the race of a round and its place at the end, if
// that is higher by much.
func (t *teller) climb(s stretch, seat Seat) (low, high int, climbs bool) {
	course := t.result.Course
	if course.Counter == t.counter || course.Counter == "" || seat == "" {
		return 0, 0, false
	}
	from := 0
	for _, r := range t.result.Rounds {
		if r.Seq < s.seq {
			from = r.Seq
		}
	}
	// The last input of a round may already set up the next one.
	high = t.moments[s.seq-1].race[seat]
	low = high
	for _, now := range t.moments[from:s.seq] {
		low = min(low, now.race[seat])
	}
	return low, high, high-low >= 3
}

// tellTurn says what a turn brought or cost whom, through which card, and how the match stands.
func (t *teller) tellTurn(s stretch) (Seat, string) {
	if len(s.points) == 0 {
		return t.tellEnd(s)
	}
	var side []Seat
	for _, one := range t.sides(s.after) {
		if side == nil || size(s.points[one[0]]) > size(s.points[side[0]]) {
			side = one
		}
	}
	n, left := s.points[side[0]], s.after[side[0]]
	lives := !t.result.Scored && t.counterIsLives()
	args := append(t.who(side...), "amount", t.amount(n))
	key, about := "gains", side[0]
	switch {
	case n < 0 && lives && left == 0:
		key, args = "last", append(args, "what", T("last."+t.counter))
	case n < 0 && t.view.Worth(n) > 0:
		key = "sinks"
	case n < 0:
		key = "loses"
	}
	if card := causeOf(s.events, side[0], n); card != "" {
		key, about, args = key+"-card", "", append(args, "card", CardWord(card))
	}
	final := ""
	if s.final {
		final = "wins"
	}
	rest := t.standing(about, s.after, final)
	if lives && s.final {
		rest = t.say("result.wins-plain", t.who(t.ahead()...)...)
	}
	return side[0], t.say("result."+key, append(args, "rest", Literal(rest))...)
}

func size(n int) int { return max(n, -n) }

// counterIsLives reports whether the counter of the match counts lives.
func (t *teller) counterIsLives() bool { return t.words.Has("last." + t.counter) }

// tellEnd says how a match ended in a turn that changed no value.
func (t *teller) tellEnd(s stretch) (Seat, string) {
	seat := Table
	if len(t.result.Winners) > 0 {
		seat = t.result.Winners[0]
	}
	if text := t.because(s.events); text != "" {
		return seat, text
	}
	return seat, t.say("result.end", "what", Literal(t.say("result.wins-plain", t.who(t.result.Winners...)...)))
}

// causeOf returns the kind of the card of the last event before the one that changed the value of
// a seat by n. If more cards did that, or none, it returns "".
func causeOf(events []Event, seat Seat, n int) string {
	card, cause := "", ""
	for _, e := range events {
		switch {
		case e.Card != "":
			card, _, _ = strings.Cut(e.Card, ".")
		case e.Seat == seat && e.N == size(n) && card != "":
			cause = card
		case e.Seat == seat && e.N > 0 && e.N < size(n):
			return ""
		}
	}
	return cause
}

// because returns what the game says of its end: the last event with a key "why.<event>".
func (t *teller) because(events []Event) string {
	for _, e := range slices.Backward(events) {
		if key := "why." + e.Name; t.words.Has(key) && !t.words.Has("apart."+e.Name) {
			text := e.Text()
			text.Key = key
			return t.words.Say(t.lang, text, t.names)
		}
	}
	return ""
}

// why explains in a sentence how the match ended.
func (t *teller) why(list []stretch) string {
	r := t.result
	if !r.Over || len(list) == 0 {
		return ""
	}
	won := slices.DeleteFunc(slices.Clone(r.Sides), func(side []Seat) bool { return !slices.Contains(r.Winners, side[0]) })
	side, last := won[0], t.moments[len(t.moments)-1]
	if text := t.whyApart(side); text != "" && len(won) == 1 {
		return text
	}
	if text := t.because(last.events); text != "" {
		return text
	}
	if n, has := last.values[Table]; has && t.view.TablePlays() {
		key := "result.boss-lost"
		if slices.Contains(r.Winners, Table) {
			key = "result.boss-won"
		}
		return t.say(key, append(t.who(Table), "amount", t.amount(n), "of", t.moments[0].values[Table])...)
	}
	switch {
	case len(won) > 1 || r.Counter == "":
		return ""
	case !r.Scored:
		return t.say("result.still", append(t.who(side...), "amount", t.amount(last.values[side[0]]))...)
	case t.counter != r.Counter:
		return ""
	}
	return t.whyAhead(list, side)
}

// whyApart says how many points of the winners came from elsewhere, if that is a third of them.
func (t *teller) whyApart(side []Seat) string {
	values := t.moments[len(t.moments)-1].values
	for _, a := range t.result.Apart {
		if n := a.Points[side[0]]; n > 0 && 3*n >= values[side[0]] && t.words.Has("why."+a.Event) {
			return t.say("why."+a.Event, "seat", side[0], "n", n)
		}
	}
	return ""
}

// whyAhead says since when the winners are ahead.
func (t *teller) whyAhead(list []stretch, side []Seat) string {
	since := 0 // the stretch in which they came ahead
	for i, lead := range t.leads(list) {
		if lead <= 0 {
			since = i
		}
	}
	if since >= len(list) {
		return ""
	}
	rounds, key := len(t.result.Rounds) > 1, "since"
	args := append(t.who(side...), "round", list[since].round, "time", Literal(clockTime(list[since].second)))
	switch {
	case since == 0:
		key = "always"
	case since == len(list)-1 && rounds:
		key = "late-round"
	case since == len(list)-1:
		key = "late"
	case rounds:
		key = "since-round"
	}
	return t.say("result."+key, args...)
}

func clockTime(second int) string { return fmt.Sprintf("%d:%02d", second/60, second%60) }
