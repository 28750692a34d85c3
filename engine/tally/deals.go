package tally

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A calculator scores the deals of one game. It describes what is entered for a deal, from which
// the keys of the table, the pages and programs ask for it, and makes points of what was entered.
type calculator struct {
	least, most int // seats
	teams       int // 0 if every seat plays alone
	bags        bool
	fields      func(seats []string) []field
	check       func(d *deal) error // what no field says by itself; nil for nothing
	score       func(d *deal)
}

func (c *calculator) refuses(d *deal) error {
	if c.check == nil {
		return nil
	}
	return c.check(d)
}

// A field is one thing that is entered for a deal.
type field struct {
	name      string      // as inputs name it; that of a seat ends with it: bid-red
	seat      engine.Seat // whose it is; "" for the deal's
	words     []string    // those that can be chosen, seats among them; nil for a whole number
	upto      int         // the greatest number
	total     int         // what the numbers of all seats add up to: the last that lacks follows; 0 for none
	otherwise string      // what is meant where one input leaves the field out; "" if that may not be
	of        string      // the field is entered only if such a field, or that of any seat,
	only      []string    // has one of these values
	value     string      // that was entered, or some tens; "" for none
}

func (f field) id() string { return strings.TrimSuffix(f.name+"-"+string(f.seat), "-") }

// text returns a text about the field, such as "field.bid", which names its seat if it has one.
func (f field) text(kind string) engine.Text {
	if f.name == "points" && f.seat == "" {
		return engine.T(kind + "side")
	}
	return engine.T(kind+f.name, "seat", f.seat)
}

func (f field) isTens() bool { return f.words == nil && strings.Contains(f.value, "-") }

func (f field) has() bool { return f.value != "" && !f.isTens() }

// steps returns what can be chosen next. Of more than 20 numbers, ten are chosen first, such as "40-49".
func (f field) steps() (all []string) {
	from, to := 0, f.upto
	switch {
	case f.words != nil:
		return f.words
	case f.isTens():
		first, _, _ := strings.Cut(f.value, "-")
		from = parseNumber(first, 0)
		to = min(from+9, to)
	case to > 20:
		for n := 0; n <= to; n += 10 {
			all = append(all, fmt.Sprintf("%d-%d", n, min(n+9, to)))
		}
		return all
	}
	for n := from; n <= to; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// A deal is what is entered for one round, and what that brings.
type deal struct {
	round  int
	seats  []string
	in     []string // those of them that have not left
	fields []field
	points []int          // of each column
	bags   []int          // of each column, if the game has them
	pot    int            // that waits for the winner
	events []engine.Event // that say how it went
}

// find returns a field; if there is none of this name, it is empty.
func (d *deal) find(id string) *field {
	if i := slices.IndexFunc(d.fields, func(f field) bool { return f.id() == id }); i >= 0 {
		return &d.fields[i]
	}
	return &field{}
}

// get returns the value of a field, or what an omitted one means.
func (d *deal) get(id string) string {
	f := d.find(id)
	return cmp.Or(f.value, f.otherwise)
}

func (d *deal) n(id string) int { return parseNumber(d.get(id), 0) }

// seat returns the index of the seat in a field, or -1.
func (d *deal) seat(id string) int { return slices.Index(d.seats, d.get(id)) }

// applies reports whether the field belongs to the deal, as far as that has been entered.
func (d *deal) applies(f field) bool {
	return f.of == "" || slices.ContainsFunc(d.fields, func(other field) bool {
		return other.name == f.of && slices.Contains(f.only, other.value)
	})
}

// rest returns what the numbers of the seats leave of their total, and how many lack.
func (d *deal) rest(f field) (left, lacks int) {
	left = f.total
	for _, other := range d.fields {
		if other.name == f.name {
			left -= parseNumber(other.value, 0)
			if !other.has() {
				lacks++
			}
		}
	}
	return left, lacks
}

// complete enters numbers that follow: where those of the seats have a total, the one that lacks has
// the rest, unless that is all of it or nothing can be left. Numbers that do not add up are refused.
func (d *deal) complete() error {
	for i, f := range d.fields {
		switch left, lacks := d.rest(f); {
		case f.total == 0:
		case left < 0 || lacks == 0 && left != 0:
			return engine.Refuse("refusal.deal-total", "field", engine.Word("total."+f.name), "n", f.total-left, "of", f.total)
		case lacks == 1 && !f.has() && left >= 0 && left < f.total:
			d.fields[i].value = strconv.Itoa(left)
		}
	}
	return nil
}

// asks returns the field that is to be entered next, or nil. If all is true, fields that may be
// left out are asked for, too.
func (d *deal) asks(all bool) *field {
	for i, f := range d.fields {
		if d.applies(f) && !f.has() && (all || f.otherwise == "") {
			return &d.fields[i]
		}
	}
	return nil
}

func (s *state) newDeal() deal {
	d := deal{round: s.round, points: make([]int, s.columns), pot: s.pot}
	for _, p := range s.seats {
		d.seats = append(d.seats, string(p.id))
		if !p.left {
			d.in = append(d.in, string(p.id))
		}
		d.bags = append(d.bags, p.values[len(s.counters)-1])
	}
	if d.in == nil { // the round of the last one who leaves is still open
		d.in = d.seats
	}
	d.fields = s.deals.fields(d.in)
	for _, one := range s.draft {
		id, value, _ := strings.Cut(one, " ")
		d.find(id).value = value
	}
	return d
}

// dealWord begins the one input that enters several fields of a deal.
const dealWord = "deal"

// isOfDeal reports whether an input enters fields of a deal. "choose bags +1" changes a counter.
func (s *state) isOfDeal(in engine.Input) bool {
	if s.deals == nil || in.Verb != engine.Choose || len(in.Args) != 2 || in.Confirmed() {
		return false
	}
	d := s.newDeal()
	return in.Args[0] == dealWord || d.find(in.Args[0]).name != "" || s.counterNamed(in.Args[0]) < 1
}

// enterDeal enters fields of a deal, by "choose taker red" or "choose deal "taker red | points 47"". When
// nothing lacks any more, the deal is booked and its round ends. What lacks is asked for, but in one input
// a field may be left out whose value is obvious. Such an input may begin with the deal that it is for, as
// in "deal 3 | taker red", so that no deal is booked twice.
func (s *state) enterDeal(in engine.Input) ([]engine.Event, error) {
	d, list, steps := s.newDeal(), []string{strings.Join(in.Args, " ")}, in.Args[0] != dealWord
	if !steps {
		list = strings.Split(in.Args[1], "|")
	}
	var events []engine.Event
	var given []string
	for i, one := range list {
		one = strings.TrimSpace(one)
		id, value, _ := strings.Cut(one, " ")
		if n, ok := engine.Whole(value, 1, maxNumber); ok && !steps && i == 0 && id == dealWord {
			if n != s.round {
				return nil, engine.Refuse("refusal.deal-other", "n", n, "now", s.round)
			}
			continue
		}
		f := d.find(id)
		if f.name == "" {
			var known []string
			for _, one := range d.fields {
				known = append(known, one.id())
			}
			return nil, engine.Refuse("refusal.deal-field", "name", id, "known", strings.Join(known, ", "))
		}
		f.value = ""
		_, isNumber := engine.Whole(value, 0, f.upto)
		switch label := f.text("field."); {
		case slices.Contains(f.steps(), value), isNumber && f.words == nil:
		case f.words == nil:
			return nil, engine.Refuse("refusal.deal-number", "field", label, "n", f.upto, "name", value)
		default:
			known := strings.Join(f.words, ", ")
			return nil, engine.Refuse("refusal.deal-word", "field", label, "name", value, "known", known)
		}
		f.value = value
		s.forget(id)
		s.draft, given = append(s.draft, one), append(given, id)
		events = append(events, s.enteredEvent(*f))
	}
	for i, f := range d.fields {
		switch {
		case f.value == "" || d.applies(f):
		case slices.Contains(given, f.id()):
			return nil, engine.Refuse("refusal.deal-idle", "field", f.text("field."))
		default: // entered before what it went with was changed
			d.fields[i].value = ""
			s.forget(f.id())
		}
	}
	if err := d.complete(); err != nil {
		return nil, err
	}
	if d.asks(steps) != nil {
		return events, nil
	}
	return s.book(d)
}

func (s *state) forget(id string) {
	s.draft = slices.DeleteFunc(s.draft, func(old string) bool { return strings.HasPrefix(old, id+" ") })
}

// enteredEvent says what was entered in a field. Its text is that of the field: event.deal-bid.
func (s *state) enteredEvent(f field) engine.Event {
	e := engine.Event{Name: f.text("deal-").Key, Seat: f.seat, N: parseNumber(f.value, 0),
		Word: engine.Literal(f.value).Word()}
	switch said := s.said(f, f.value).(type) {
	case engine.Seat:
		e.Seat, e.Word = said, ""
	case engine.Word:
		e.Word = string(said)
	}
	switch {
	case f.isTens():
		e.Name = "deal-tens"
	case f.value == aloneWord:
		e.Name += "-word"
	}
	return e
}

// book adds what a deal brings to the cells of the round, and ends the round.
func (s *state) book(d deal) ([]engine.Event, error) {
	if err := s.deals.refuses(&d); err != nil {
		return nil, err
	}
	s.deals.score(&d)
	events := d.events
	for column, n := range d.points {
		s.enter(s.round, column, points, s.cell(s.round, column)[points].n+n)
		if s.deals.bags {
			s.put(column, len(s.counters)-1, d.bags[column])
		}
		if err := s.checkSum(column); err != nil {
			return nil, err
		}
		events = append(events, s.changed(column, 0, n))
	}
	s.pot, s.booked = d.pot, append(s.booked, d)
	ended, err := s.endRound()
	return append(events, ended...), err
}

// lacking returns the deal as far as it is known, and what is asked next.
func (s *state) lacking() (deal, *field) {
	d := s.newDeal()
	_ = d.complete() // it was not refused when it was entered
	return d, d.asks(true)
}

// fits reports whether a value, or one of some tens, can still go with the others.
func (s *state) fits(d deal, f *field, value string) bool {
	left, lacks := d.rest(*f)
	first, last, _ := strings.Cut(value, "-")
	if f.total > 0 && (parseNumber(first, 0) > left || lacks == 1 && parseNumber(cmp.Or(last, first), 0) < left) {
		return false
	}
	was := f.value
	f.value = value
	err := s.deals.refuses(&d)
	f.value = was
	return err == nil
}

// askDeal returns the prompt for the next thing that is entered for a deal. Its form has all of them.
func (s *state) askDeal() engine.Prompt {
	d, f := s.lacking()
	p := engine.Prompt{Seat: engine.Table, Key: "deal", Args: engine.Args{"n": s.round}, Form: s.formOf(s.newDeal())}
	p.Args["field"] = f.text("ask.")
	if s.pot > 0 && len(s.draft) == 0 {
		p.Key, p.Args["pot"] = "deal-pot", s.pot
	}
	for _, value := range f.steps() {
		if !s.fits(d, f, value) {
			continue
		}
		args := engine.Args{"value": s.said(*f, value)}
		p.Options = append(p.Options, answer("deal", args, engine.Table, engine.Choose, f.id(), value))
	}
	if len(s.draft) > 0 {
		p.Options = append(p.Options, answer("deal-back", nil, engine.Table, engine.Key, "no"))
	}
	return p
}

// said returns a value as a text names it: a seat by its player, a word of a game in the language of
// the table, and a number as it is.
func (s *state) said(f field, value string) any {
	if key := "deal." + f.name + "." + value; s.words.Has(key) {
		return engine.Word(key)
	}
	if f.words != nil && slices.ContainsFunc(s.seats, func(p seat) bool { return string(p.id) == value }) {
		return engine.Seat(value)
	}
	return engine.Literal(value)
}

func (s *state) formOf(d deal) *engine.CardForm {
	form := &engine.CardForm{Title: engine.T("form.deal", "n", s.round), Fields: []engine.FormField{},
		Input: engine.Input{Seat: engine.Table, Verb: engine.Choose, Args: []string{dealWord}}.Command()}
	for _, f := range d.fields {
		one := engine.FormField{Field: f.id(), Label: f.text("field."), Value: cmp.Or(f.value, f.otherwise), Upto: f.upto,
			Of: f.of, Only: f.only, Total: f.total, Most: min(1, len(f.words))}
		for _, w := range f.words {
			one.Words = append(one.Words, engine.FormWord{Word: w, Key: "answer.deal", Args: engine.Args{"value": s.said(f, w)}})
		}
		form.Fields = append(form.Fields, one)
	}
	return form
}

// dealOf returns what was entered for the points of a round, as the sheet shows it.
func (s *state) dealOf(round int) []engine.FormWord {
	var d deal
	switch i := slices.IndexFunc(s.booked, func(b deal) bool { return b.round == round }); {
	case i >= 0:
		d = s.booked[i]
	case s.deals != nil && round == s.round:
		d = s.newDeal()
	}
	var words []engine.FormWord
	for _, f := range d.fields { // in their order, whatever that of the entries
		if !f.has() || f.value == f.otherwise {
			continue
		}
		args := engine.Args{"value": s.said(f, f.value), "n": parseNumber(f.value, 0), "seat": f.seat}
		key := engine.Word(f.text("said.").Key)
		words = append(words, engine.FormWord{Word: f.id() + " " + f.value, Key: key, Args: args})
	}
	return words
}
