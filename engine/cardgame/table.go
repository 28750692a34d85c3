package cardgame

import (
	"cmp"
	"slices"

	"tableside/engine"
)

// TaggedCard constrains the type that a game uses for a card: a pointer to a struct that embeds
// Card.
type TaggedCard interface {
	Cards
	Base() *Card
}

// A Table holds the cards of a match, their places and the beliefs about them. It also holds
// the desk at which the game asks for cards. Before a call of Lay, the Table has no cards. A
// match that is played by keys needs no cards.
type Table[C TaggedCard] struct {
	Desk[C]
	Belief
	Cards []C // all of them

	layout *Layout
	piles  []pile[C]
}

// A pile holds the cards of a place. If all cards are hidden, the pile holds only their
// number. Otherwise it holds the cards in order, with a nil for each unnamed card.
type pile[C comparable] struct {
	n     *int
	cards *[]C
}

// Box finds the cards of a match by their names.
type Box[C any] interface {
	// Card returns the card with a name, or a refusal. It returns both if the card is known,
	// but does not have this name now.
	Card(name string) (C, error)
}

// Lay gives the table the places and the cards of its match. The table keeps both.
func (t *Table[C]) Lay(l *Layout, cards []C) {
	t.layout, t.Cards, t.piles = l, cards, make([]pile[C], len(l.names))
	t.Belief = Belief{secret: l.secret, counted: l.counted, eager: l.Eager, count: t.Count}
	t.Belief.cards = make([]*Card, len(cards))
	for i, c := range cards {
		t.Belief.cards[i] = c.Base()
	}
}

// Counts tells the table to count the cards of a place in *n. Moves of cards then change *n.
func (t *Table[C]) Counts(z Place, n *int) { t.pile(z).n = n }

// Lists tells the table to list the cards of a place in *cards. Moves of cards then change
// *cards.
func (t *Table[C]) Lists(z Place, cards *[]C) { t.pile(z).cards = cards }

func (t *Table[C]) pile(z Place) *pile[C] { return &t.piles[t.layout.index(z)] }

// Count returns the number of unnamed cards in a place.
func (t *Table[C]) Count(z Place) int {
	switch p := t.pile(z); {
	case p.n != nil:
		return *p.n
	case p.cards != nil:
		return Unnamed(*p.cards)
	}
	return 0
}

// Unnamed counts the unnamed cards of a list.
func Unnamed[C comparable](cards []C) int {
	n := 0
	var none C
	for _, c := range cards {
		if c == none {
			n++
		}
	}
	return n
}

// PlaceName returns the name of a place in events. The name is "" if the table follows no
// cards, or if the argument is a set of places.
func (t *Table[C]) PlaceName(z Place) string {
	if t.layout == nil { // no cards are followed
		return ""
	}
	return t.layout.Name(z)
}

// SeatOf returns the index of the seat that a place belongs to. For a place of the table or
// for a set of places, the result is -1.
func (t *Table[C]) SeatOf(z Place) int {
	if i := z.bit() / len(t.layout.Seat); z.single() && i < len(t.layout.seats) {
		return i
	}
	return -1
}

// TakeOut takes a card out of the place where it lies, if this place is known. Afterwards the
// card is nowhere.
func (t *Table[C]) TakeOut(c C) {
	b := c.Base()
	if b.Where.single() {
		switch p := t.pile(b.Where); {
		case p.n != nil:
			*p.n = max(0, *p.n-1)
		case p.cards != nil:
			*p.cards = Take(*p.cards, c)
		}
	}
	b.Where = 0
}

// PutIn puts a card that is nowhere into a place, on top if the place has an order.
func (t *Table[C]) PutIn(c C, to Place) {
	sight := t.layout.spot(to).Sight
	b := c.Base()
	b.Where, b.Open = to, sight == Open || sight == Mixed
	switch p := t.pile(to); {
	case p.n != nil:
		*p.n++
	case p.cards != nil:
		*p.cards = append(*p.cards, c)
	}
	if t.eager || sight == Hidden {
		t.Exclude()
	}
}

// Move takes a card from its known place and puts it into another place. Then Move emits the
// event with both places.
func (t *Table[C]) Move(event string, seat engine.Seat, c C, to Place) {
	b := c.Base()
	from := b.Where
	t.TakeOut(c)
	t.PutIn(c, to)
	t.Emit(engine.Event{Name: event, Seat: seat, Card: b.Name, From: t.PlaceName(from), To: t.PlaceName(to)})
}

// Shift moves n unnamed cards from one hidden place to another. Then Shift emits the event
// with both places and the number.
func (t *Table[C]) Shift(e engine.Event, from, to Place, n int) {
	t.pile(from).add(-n)
	t.pile(to).add(n)
	t.MayHaveMoved(from, to)
	e.N, e.From, e.To = n, t.PlaceName(from), t.PlaceName(to)
	t.Emit(e)
}

// add adds n unnamed cards to a pile. If n is negative, it removes -n unnamed cards.
func (p *pile[C]) add(n int) {
	var unnamed C
	switch {
	case p.n != nil:
		*p.n += n
	case n > 0:
		*p.cards = append(*p.cards, make([]C, n)...)
	default:
		for range -n {
			*p.cards = Without(*p.cards, unnamed)
		}
	}
}

// Without removes a card from a list, in place, and returns the list.
func Without[C comparable](cards []C, c C) []C {
	if i := slices.Index(cards, c); i >= 0 {
		return slices.Delete(cards, i, i+1)
	}
	return cards
}

// Take removes a card from a list, in place, or an unnamed card if the list does not have that
// one. It returns the list.
func Take[C comparable](cards []C, c C) []C {
	if !slices.Contains(cards, c) {
		c = *new(C)
	}
	return Without(cards, c)
}

// CheckTap is Check for the tap of a card that answers the question. If a card may be hidden, a
// refusal never names the card.
func (t *Table[C]) CheckTap(in engine.Input, box Box[C]) (act func(), err error) {
	q := &t.Question
	places := q.Places()
	switch {
	case !q.mayAnswer(in.Seat), places == 0 && t.RepeatsQuestion:
		return nil, t.NotAsked()
	case places == 0:
		return nil, engine.RefuseReach("refusal.no-card-asked")
	}
	c, err := box.Card(in.Arg(0))
	var where Place
	if err == nil {
		if where = c.Base().Where & places; where == 0 {
			where = t.fallbackPlace(c.Base(), places)
			insists := in.Confirmed() && !(t.RepeatsQuestion && q.hasKey("yes"))
			if where == 0 || !insists {
				err = &engine.Refusal{Override: where != 0, Text: t.locationRefusal(c.Base()), OutOfReach: true}
			}
		}
	}
	if err != nil {
		switch none := *new(C); {
		case c == none || c.Base().Open || places&t.secret != 0:
			return nil, t.AddQuestion(err)
		case t.RepeatsQuestion:
			return nil, t.NotAsked()
		}
		return nil, engine.RefuseReach("refusal.open-asked") // a hidden card was tapped; only open ones answer
	}
	b := c.Base()
	was := b.Where
	b.Where = where // for the question
	err = t.Refusal(c, in.Confirmed())
	if b.Where = was; err != nil {
		return nil, err
	}
	return func() {
		if b.Where&where == 0 {
			t.Unsettle()
		}
		if b.Where = where; t.eager {
			t.Exclude()
		}
		t.Accept(c)
	}, nil
}

func (t *Table[C]) locationRefusal(c *Card) engine.Text {
	if !c.Where.single() {
		return engine.T("refusal.card-hidden")
	}
	zone := engine.Word("zone." + t.layout.spot(c.Where).Name)
	if i := t.SeatOf(c.Where); i >= 0 {
		return engine.T("refusal.card-of", "seat", t.layout.seats[i], "zone", zone)
	}
	return engine.T("refusal.card-elsewhere", "zone", zone)
}

// TapAnswers returns the answers that are taps. Each place with hidden cards that may be
// tapped has one answer, because only the owner sees these cards. Each of the given open cards
// that may be tapped also has one answer.
//
// The callback returns the arguments for the text of an open card's answer. If the callback is
// nil, the arguments are the title of the card and the seat where the card lies, if any.
func (t *Table[C]) TapAnswers(q *Question[C], cards []C, args func(C) engine.Args) []engine.Answer {
	if q.In == 0 {
		return nil
	}
	if args == nil {
		args = func(c C) engine.Args {
			args := engine.Args{"card": c.Word()}
			if i := t.SeatOf(c.Base().Where); i >= 0 {
				args["seat"] = t.layout.seats[i]
			}
			return args
		}
	}
	var answers []engine.Answer
	seat := string(q.At()) + " tap"
	t.taps(q, cards, func(z Place, c C, label string) {
		if z != 0 {
			label = cmp.Or(q.Hidden, t.layout.spot(z).TapKey, "tap-hand")
			answers = append(answers, engine.Answer{Key: label, Input: seat, Zone: t.PlaceName(z)})
			return
		}
		answers = append(answers, engine.Answer{Key: label, Input: seat + " " + c.Base().Name, Args: args(c)})
	})
	return answers
}

// taps calls yield with each place whose hidden cards may answer a question, and with each of the
// given open cards that answers it.
func (t *Table[C]) taps(q *Question[C], cards []C, yield func(z Place, c C, label string)) {
	var none C
	for left := q.In & t.layout.hidden; left != 0; left &= left - 1 {
		if z := left & -left; t.Count(z) > 0 {
			yield(z, none, "")
		}
	}
	for _, c := range cards {
		if q.In&c.Base().Where == 0 || !q.Takes(c) {
			continue
		}
		label := cmp.Or(q.Label, "tap-card")
		if q.LabelFor != nil {
			label = q.LabelFor(c)
		}
		if label != "" {
			yield(0, c, label)
		}
	}
}

// Replies appends the answers of the guide and of the question to a list. Of the given open cards,
// those that answer the question are among them.
func (t *Table[C]) Replies(list []engine.Reply, cards []C) []engine.Reply {
	q := &t.Question
	if q.Key == "" {
		return list
	}
	list = t.Guide.Replies(list)
	if q.In != 0 {
		t.taps(q, cards, func(z Place, c C, _ string) {
			r := engine.Reply{Input: engine.Input{Seat: q.At(), Verb: engine.Tap}}
			if z != 0 {
				r.Zone = t.PlaceName(z)
			} else {
				r.Input.Args = []string{c.Base().Name}
			}
			list = append(list, r)
		})
	}
	return q.Replies(list)
}

// Faces returns the visible sides of cards; unnamed ones show their backs.
func Faces[C TaggedCard](cards []C) []engine.Card {
	list := make([]engine.Card, len(cards))
	for i, c := range cards {
		if list[i] = (engine.Card{State: FaceDown}); c != *new(C) {
			list[i] = Face(c.Base().Name)
		}
	}
	return list
}

// FaceDown is the state of a card that shows its back. Views share it.
var FaceDown = []string{"face-down"}

// Face returns the visible side of the copy with the given name.
func Face(name string) engine.Card {
	kind, copy := engine.SplitCopy(name)
	return engine.Card{Kind: engine.Null(kind), Copy: copy}
}

// Believes is the method of an engine.Believer.
func (t *Table[C]) Believes() (piles []engine.Pile, unseen []engine.Unseen) {
	if t.layout == nil {
		return nil, nil
	}
	put := func(z Place, cards ...string) {
		pile := engine.PileAt(&piles, t.layout.Name(z))
		pile.Cards = append(pile.Cards, cards...)
	}
	for _, c := range t.Cards {
		switch b := c.Base(); {
		case b.Where == 0, b.Where&^(t.layout.secret&^t.layout.counted) == 0: // out of this match
		case b.Where.single() && t.layout.hidden&b.Where == 0, b.Open:
			put(b.Where, b.Name)
		default:
			u := engine.Unseen{Card: b.Name}
			for left := b.Where; left != 0; left &= left - 1 {
				u.Places = append(u.Places, t.layout.Name(left&-left))
			}
			unseen = append(unseen, u)
		}
	}
	for left := t.layout.hidden; left != 0; left &= left - 1 {
		z := left & -left
		put(z, make([]string, t.Count(z))...)
	}
	return piles, unseen
}
