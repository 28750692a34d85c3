package engine

import (
	"fmt"
	"slices"
	"strings"
)

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

// tell adds the sentences to a result, of which at most some are about moves, and the points that
// are told apart.
func (t *teller) tell(r *Result, moves int) {
	t.result, r.Apart, r.Moves = r, t.apart(), []Decision{}
	list := t.rounds()
	if len(list) < 2 {
		list = t.turns()
	}
	r.Why = t.why(list)
	for _, i := range t.decisive(list, moves) {
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

func (t *teller) decision(s stretch) Decision {
	d := Decision{Seq: s.seq, Round: s.round, Second: s.second, Swing: t.swing(s), Lines: s.lines}
	if len(t.result.Rounds) > 1 {
		d.Seat, d.Text = t.tellRound(s)
	} else {
		d.Seat, d.Text = t.tellTurn(s)
	}
	return d
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
	if key := "amount." + t.counter; t.words.Has(key) {
		return T(key, "n", size(n))
	}
	return T("amount", "n", size(n), "what", Literal(t.label(t.counter)))
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
	for i, s := range list {
		if t.lead(s.after) <= 0 {
			since = i + 1
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
