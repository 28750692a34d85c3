package cardgame

import (
	"slices"
	"strconv"

	"tableside/engine"
)

// Question describes what the table waits for. A card that may lie in one of
// the places answers it, or one of the fixed answers, or dice.
type Question[C Cards] struct {
	Seat  engine.Seat // who is asked; "" for anybody
	Key   string      // of the prompt; "" where nothing is asked
	About C           // the card that it is about
	N     int

	In       Place            // where a tapped card may lie
	Unlisted Place            // where it may lie, too; no answer says so
	Of       []C              // the only cards that can be meant; nil for any
	Fits     func(C) Unfit[C] // why a card cannot be meant; nil takes any
	Tap      func(C)
	Label    string         // key of the answer of an open card; "" for "tap-card"
	Labels   func(C) string // the same where they differ; "" offers no answer for a card
	Hidden   string         // key of the answer of a hidden card; "" for that of its place

	Fixed  []Answer
	Chosen func(Answer) // nil where the answer means only to go on

	Roll   int // dice to be thrown
	Die    *Die
	Rolled func(faces []string)

	Again func() // asks it again after cards were corrected by hand; nil where that changes nothing
}

// Answer is given by a key or a word.
type Answer struct {
	Verb  engine.Verb
	Word  string
	Label string // key of its text; "" for the word itself
	N     int
	Seat  engine.Seat
	About any   // what else its text says
	Doubt error // refuses it unless the players insist; it is not offered then
}

// Die is a kind of die.
type Die struct {
	Kind  string
	Faces []string
}

// Key returns an answer that is given by key.
func Key(word, label string) Answer { return Answer{Verb: engine.Key, Word: word, Label: label} }

// Choose returns an answer that is given by a word.
func Choose(word, label string) Answer {
	return Answer{Verb: engine.Choose, Word: word, Label: label}
}

// ChooseSeat returns the answer that names a seat.
func ChooseSeat(seat engine.Seat, label string) Answer {
	return Answer{Verb: engine.Choose, Word: string(seat), Label: label, Seat: seat}
}

// ChooseNumber returns the answer that names a number.
func ChooseNumber(n int) Answer {
	return Answer{Verb: engine.Choose, Word: strconv.Itoa(n), Label: "number", N: n}
}

// Places returns where a tapped card may lie.
func (q *Question[C]) Places() Place { return q.In | q.Unlisted }

// asks reports whether a seat may answer. The table may, for whoever is asked.
func (q *Question[C]) asks(seat engine.Seat) bool {
	return q.At() == engine.Table || seat == engine.Table || seat == q.Seat
}

// has reports whether a key answers the question.
func (q *Question[C]) has(key string) bool {
	for i := range q.Fixed {
		if q.Fixed[i].Verb == engine.Key && q.Fixed[i].Word == key {
			return true
		}
	}
	return false
}

// Unfit says why a card that lies where it was asked for cannot be meant. The
// zero value says that it can. It is no error yet: most are asked for only to
// know which cards to offer.
type Unfit[C Cards] struct {
	Key      string // of the refusal; "" where there is none
	Card     C      // that the refusal names; none where the card may be hidden
	N        int32  // so that an Unfit has four words, which are passed in registers
	Override bool   // players may insist
}

// Refusal returns the reason as an error.
func (u Unfit[C]) Refusal() error {
	text := engine.T(u.Key, "n", int(u.N))
	if none := *new(C); u.Card != none {
		text.Args["card"] = u.Card.Word()
	}
	return &engine.Refusal{Text: text, Override: u.Override}
}

// If returns the reason where it holds, else the zero value.
func (u Unfit[C]) If(holds bool) Unfit[C] {
	if holds {
		return u
	}
	return Unfit[C]{}
}

// Why says why a card cannot be meant.
func (q *Question[C]) Why(c C) Unfit[C] {
	switch {
	case q.Of != nil && !slices.Contains(q.Of, c):
		return Unfit[C]{Key: "refusal.not-this-one", Card: c}
	case q.Fits != nil:
		return q.Fits(c)
	}
	return Unfit[C]{}
}

// Takes reports whether a card can be meant.
func (q *Question[C]) Takes(c C) bool { return q.Why(c).Key == "" }

// prompt returns what the question says.
func (q *Question[C]) prompt() engine.Text {
	args := engine.Args{"n": q.N}
	var none C
	if q.About != none {
		args["card"] = q.About.Word()
	}
	return engine.Text{Key: "prompt." + q.Key, Args: args}
}

// At returns the seat that inputs name to answer the question.
func (q *Question[C]) At() engine.Seat {
	if q.Seat == "" {
		return engine.Table
	}
	return q.Seat
}
