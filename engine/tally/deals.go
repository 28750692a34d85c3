package tally

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A calculator scores the deals of one game. It describes what is entered for a deal, from which
// the keys of the table, the pages and programs ask for it, and makes points of what was entered.
type calculator struct {
	fields func(seats []engine.Seat) []field
	fits   func(r *rules, seats int) bool
	score  func(d deal) (outcome, error)
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
}

func (f field) id() string {
	if f.seat == "" {
		return f.name
	}
	return f.name + "-" + string(f.seat)
}

// text returns a text about the field, such as "field.bid", which names its seat if it has one.
func (f field) text(kind string) engine.Text {
	if f.name == "points" && f.seat == "" {
		return engine.T(kind + "side")
	}
	return engine.T(kind+f.name, "seat", f.seat)
}

func (f field) takes(value string) bool {
	if f.words != nil {
		return slices.Contains(f.words, value)
	}
	_, ok := engine.Whole(value, 0, f.upto)
	return ok || slices.Contains(f.steps(""), value)
}

// manyNumbers is how many numbers are chosen at once. Where there are more, ten of them are chosen
// first, such as "40-49".
const manyNumbers = 20

// steps returns what can be chosen next, if the field has a value, such as some tens, or none.
func (f field) steps(value string) []string {
	if f.words != nil {
		return f.words
	}
	from, to, by := 0, f.upto, 1
	if first, _, isTens := strings.Cut(value, "-"); isTens {
		from = parseNumber(first, 0)
		to = min(from+9, to)
	} else if to > manyNumbers {
		by = 10
	}
	var all []string
	for n := from; n <= to; n += by {
		one := strconv.Itoa(n)
		if last := min(n+9, f.upto); by > 1 && last > n {
			one += "-" + strconv.Itoa(last)
		}
		all = append(all, one)
	}
	return all
}

type entry struct{ field, value string }

// A deal is what was entered for one round, in the order in which it was entered, with what it needs
// to be scored.
type deal struct {
	seats   []engine.Seat
	fields  []field
	columns int
	entries []entry
	pot     int   // that waits for the winner
	bags    []int // of each column
}

// An outcome is what a deal brings to each column.
type outcome struct {
	points, bags []int
	pot          int            // that waits for the winner of the next deal
	events       []engine.Event // that say how it went
}

func (d *deal) raw(id string) string {
	for _, e := range d.entries {
		if e.field == id {
			return e.value
		}
	}
	return ""
}

// get returns the value of a field, or what an omitted one means.
func (d *deal) get(id string) string {
	value := d.raw(id)
	if i := slices.IndexFunc(d.fields, func(f field) bool { return f.id() == id }); value == "" && i >= 0 {
		return d.fields[i].otherwise
	}
	return value
}

func (d *deal) n(id string) int { return parseNumber(d.get(id), 0) }

// seat returns the index of the seat in a field, or -1.
func (d *deal) seat(id string) int { return slices.Index(d.seats, engine.Seat(d.get(id))) }

func (d *deal) has(f field) bool {
	value := d.raw(f.id())
	return value != "" && (f.words != nil || !strings.Contains(value, "-"))
}

// applies reports whether the field belongs to the deal, as far as that has been entered.
func (d *deal) applies(f field) bool {
	return f.of == "" || slices.ContainsFunc(d.fields, func(other field) bool {
		return other.name == f.of && d.has(other) && slices.Contains(f.only, d.raw(other.id()))
	})
}

// put enters a value. An earlier value of the field is replaced.
func (d *deal) put(id, value string) {
	d.entries = slices.DeleteFunc(slices.Clone(d.entries), func(e entry) bool { return e.field == id })
	d.entries = append(d.entries, entry{id, value})
}

// rest returns what the numbers of the seats leave of their total, and how many lack.
func (d *deal) rest(f field) (left, lacks int) {
	left = f.total
	for _, other := range d.fields {
		if other.name == f.name {
			left -= d.n(other.id())
			if !d.has(other) {
				lacks++
			}
		}
	}
	return left, lacks
}

// complete enters numbers that follow: where those of the seats have a total, the one that lacks has
// the rest, unless that is all of it or nothing can be left.
func (d *deal) complete() {
	for _, f := range d.fields {
		if left, lacks := d.rest(f); f.total > 0 && !d.has(f) && lacks == 1 && left >= 0 && left < f.total {
			d.put(f.id(), strconv.Itoa(left))
		}
	}
}

// asks returns the field that is to be entered next, or nil. If all is true, fields that may be
// left out are asked for, too.
func (d *deal) asks(all bool) *field {
	for i, f := range d.fields {
		if d.applies(f) && !d.has(f) && (all || f.otherwise == "") {
			return &d.fields[i]
		}
	}
	return nil
}

func (s *state) newDeal() deal {
	d := deal{columns: s.columns, entries: s.draft, pot: s.pot}
	for _, p := range s.seats {
		d.seats = append(d.seats, p.id)
	}
	for column := range s.columns {
		d.bags = append(d.bags, s.seats[column].values[len(s.counters)-1])
	}
	d.fields = s.deals.fields(d.seats)
	return d
}

// dealWord begins the one input that enters several fields of a deal.
const dealWord = "deal"

// isOfDeal reports whether an input enters something of a deal, such as "choose taker red" and
// "choose deal "taker red | points 47"", or takes the newest value back.
func (s *state) isOfDeal(in engine.Input) bool {
	if s.deals == nil {
		return false
	}
	if is(in, engine.Key, "no") {
		return len(s.draft) > 0
	}
	return in.Verb == engine.Choose && len(in.Args) == 2 && !in.Confirmed()
}

// enterDeal enters fields of a deal. When nothing lacks any more, the deal is booked and its round
// ends. What lacks is asked for, but in one input a field may be left out whose value is obvious.
func (s *state) enterDeal(in engine.Input) ([]engine.Event, error) {
	if in.Verb == engine.Key {
		s.draft = s.draft[:len(s.draft)-1]
		return []engine.Event{{Name: "deal-back", Seat: in.Seat}}, nil
	}
	d, steps := s.newDeal(), in.Args[0] != dealWord
	list := []string{strings.Join(in.Args, " ")}
	if !steps {
		list = strings.Split(in.Args[1], "|")
	}
	var events []engine.Event
	for _, one := range list {
		id, value, _ := strings.Cut(strings.TrimSpace(one), " ")
		i := slices.IndexFunc(d.fields, func(f field) bool { return f.id() == id })
		if i < 0 {
			return nil, engine.Refuse("refusal.deal-field", "name", id, "known", strings.Join(d.ids(), ", "))
		}
		f := d.fields[i]
		if !f.takes(value) {
			return nil, f.refuse(value)
		}
		d.put(id, value)
		events = append(events, s.enteredEvent(f, value))
	}
	for _, f := range d.fields {
		if d.raw(f.id()) != "" && !d.applies(f) {
			return nil, engine.Refuse("refusal.deal-idle", "field", f.text("field."))
		}
	}
	entered := d.entries
	if d.complete(); d.asks(steps) != nil {
		s.draft = entered
		return events, nil
	}
	return s.book(in, d)
}

// enteredEvent says what was entered in a field. Its text is that of the field: event.deal-bid.
func (s *state) enteredEvent(f field, value string) engine.Event {
	e := engine.Event{Name: f.text("deal-").Key, Seat: f.seat, N: parseNumber(value, 0),
		Word: engine.Literal(value).Word()}
	switch said := s.said(f, value).(type) {
	case engine.Seat:
		e.Seat, e.Word = said, ""
	case engine.Literal:
		if f.words == nil && strings.Contains(value, "-") {
			e.Name = "deal-tens"
		}
	case engine.Word:
		if e.Word = string(said); value == aloneWord {
			e.Name += "-word"
		}
	}
	return e
}

func (d *deal) ids() []string {
	var ids []string
	for _, f := range d.fields {
		ids = append(ids, f.id())
	}
	return ids
}

func (f field) refuse(value string) error {
	if f.words == nil {
		return engine.Refuse("refusal.deal-number", "field", f.text("field."), "n", f.upto, "name", value)
	}
	return engine.Refuse("refusal.deal-word", "field", f.text("field."), "name", value,
		"known", strings.Join(f.words, ", "))
}

// checkTotals refuses numbers of the seats that do not add up to what they have to.
func (d *deal) checkTotals() error {
	for _, f := range d.fields {
		if left, _ := d.rest(f); f.total > 0 && left != 0 {
			return engine.Refuse("refusal.deal-total", "field", engine.Word("total."+f.name), "n", f.total-left, "of", f.total)
		}
	}
	return nil
}

// book adds what a deal brings to the cells of the round, and ends the round.
func (s *state) book(in engine.Input, d deal) ([]engine.Event, error) {
	if err := d.checkTotals(); err != nil {
		return nil, err
	}
	result, err := s.deals.score(d)
	if err != nil {
		return nil, err
	}
	events := result.events
	for column, n := range result.points {
		s.enter(s.round, column, points, s.cell(s.round, column)[points].n+n)
		if result.bags != nil {
			s.put(column, len(s.counters)-1, result.bags[column])
		}
		if err := s.checkSum(column); err != nil {
			return nil, err
		}
		e := engine.Event{Name: "gain", Seat: s.seats[column].id, N: n, Word: s.counterWords[0]}
		if n < 0 {
			e.Name, e.N = "lose", -n
		}
		events = append(events, e)
	}
	s.pot = result.pot
	s.booked = append(s.booked, bookedDeal{s.round, d.entries})
	ended, err := s.endRound(in.At)
	return append(events, ended...), err
}

// A bookedDeal is what was entered for the points of a round.
type bookedDeal struct {
	round   int
	entries []entry
}

// askDeal returns the prompt for the next thing that is entered for a deal. Its form has all of them.
func (s *state) askDeal() engine.Prompt {
	d := s.newDeal()
	entered := d
	d.complete()
	p := engine.Prompt{Seat: engine.Table, Key: "deal", Args: engine.Args{"n": s.round}, Form: s.formOf(entered)}
	f := d.asks(true)
	if f == nil { // what is entered cannot be right: only the newest is taken back
		f = &d.fields[0]
	}
	p.Args["field"] = f.text("ask.")
	if s.pot > 0 && len(s.draft) == 0 {
		p.Key, p.Args["pot"] = "deal-pot", s.pot
	}
	for _, value := range f.steps(d.raw(f.id())) {
		a := engine.Answer{Key: "deal", Args: engine.Args{"value": s.said(*f, value)},
			Input: engine.Input{Seat: engine.Table, Verb: engine.Choose, Args: []string{f.id(), value}}.Command()}
		p.Options = append(p.Options, a)
	}
	if len(s.draft) > 0 {
		p.Options = append(p.Options, answer("deal-back", engine.Table, engine.Key, "no"))
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
		one := engine.FormField{Field: f.id(), Label: f.text("field."), Value: d.raw(f.id()), Upto: f.upto, Of: f.of,
			Only: f.only, Total: f.total}
		if one.Value == "" {
			one.Value = f.otherwise
		}
		if f.words != nil {
			one.Most = 1
		}
		for _, w := range f.words {
			one.Words = append(one.Words, engine.FormWord{Word: w, Key: "answer.deal", Args: engine.Args{"value": s.said(f, w)}})
		}
		form.Fields = append(form.Fields, one)
	}
	return form
}

// dealOf returns what was entered for the points of a round, as the sheet shows it.
func (s *state) dealOf(round int) []engine.FormWord {
	if s.deals == nil {
		return nil
	}
	d := s.newDeal()
	if i := slices.IndexFunc(s.booked, func(b bookedDeal) bool { return b.round == round }); i >= 0 {
		d.entries = s.booked[i].entries
	} else if round != s.round {
		return nil
	}
	var words []engine.FormWord
	for _, f := range d.fields { // in their order, whatever that of the entries
		value := d.raw(f.id())
		if value == "" || value == f.otherwise || !d.has(f) {
			continue
		}
		args := engine.Args{"value": s.said(f, value), "n": parseNumber(value, 0), "seat": f.seat}
		key := engine.Word(f.text("said.").Key)
		words = append(words, engine.FormWord{Word: f.id() + " " + value, Key: key, Args: args})
	}
	return words
}
