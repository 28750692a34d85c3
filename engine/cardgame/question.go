package cardgame

import (
	"slices"
	"strconv"

	"tableside/engine"
)

// A Question describes the answer that the table waits for. The answer is a card in one of
// some places, one of the fixed answers, or dice.
type Question[C Cards] struct {
	Seat  engine.Seat // who is asked; "" for anybody
	Key   string      // of the prompt; "" if nothing is asked
	About C           // the card that the question is about
	Other engine.Seat // whose deed the question is about
	N     int         // a number in its text

	ByHand  bool   // players resolve a card: every answer but the key "yes" is a deed (engine.Reply)
	Printed string // on that card; may be empty
	Closed  bool   // nothing but its fixed answers is accepted, not even a correction

	In       Place            // where a tapped card may lie
	Unlisted Place            // where a tapped card may also lie, though no answer offers it
	Cards    []C              // the only cards that are accepted; nil for any
	Fits     func(C) Unfit[C] // why a card is not accepted; nil accepts any
	Tap      func(C)          // called with the card that was tapped and accepted
	Label    string           // key of the answer of an open card; "" for "tap-card"
	LabelFor func(C) string   // instead of Label if the key differs by card; "" offers no answer
	Hidden   string           // key of the answer of a hidden card; "" for the one in its Spot

	Fixed  []Answer
	Chosen func(Answer) // called with the answer that was given; nil if there is nothing to do

	Roll   int // how many dice are to be thrown; 0 for none
	Die    *Die
	Rolled func(faces []string) // called with the faces thrown, of some or all of the dice

	Again func() // asks the question again after cards were corrected; nil if that changes nothing
}

// Answer is a fixed answer to a question, given by a key or a word.
type Answer struct {
	Verb  engine.Verb
	Word  string
	Label string // key of its text; "" for the word itself
	N     int
	Seat  engine.Seat
	About any   // arguments of its text
	Doubt error // refuses it unless the players insist; a doubtful answer is not offered
}

// Die is a kind of die.
type Die struct {
	Kind  string
	Faces []string
}

// Key returns an answer that is a key.
func Key(word, label string) Answer { return Answer{Verb: engine.Key, Word: word, Label: label} }

// Choose returns an answer that is a word.
func Choose(word, label string) Answer { return Answer{Verb: engine.Choose, Word: word, Label: label} }

// ChooseSeat returns an answer that is a seat.
func ChooseSeat(seat engine.Seat, label string) Answer {
	return Answer{Verb: engine.Choose, Word: string(seat), Label: label, Seat: seat}
}

// ChooseNumber returns an answer that is a number.
func ChooseNumber(n int) Answer {
	return Answer{Verb: engine.Choose, Word: strconv.Itoa(n), Label: "number", N: n}
}

// Places returns the set of places in which a tapped card may lie.
func (q *Question[C]) Places() Place { return q.In | q.Unlisted }

func (q *Question[C]) mayAnswer(seat engine.Seat) bool {
	return q.At() == engine.Table || seat == engine.Table || seat == q.Seat
}

func (q *Question[C]) hasKey(key string) bool {
	for i := range q.Fixed {
		if q.Fixed[i].Verb == engine.Key && q.Fixed[i].Word == key {
			return true
		}
	}
	return false
}

// An Unfit says why a card in the right place is not accepted. The zero value accepts the
// card. An Unfit is not an error yet, because most Unfits are computed only to find the cards
// to offer.
type Unfit[C Cards] struct {
	Key      string // of the refusal; "" if there is none
	Card     C      // named in the refusal; none if the card may be hidden
	N        int32  // in the refusal, if not 0; 32 bits keep an Unfit small enough for registers
	Override bool   // players may insist
}

// Refusal returns the reason as an error.
func (u Unfit[C]) Refusal() error {
	args := engine.Args{}
	if u.N != 0 {
		args["n"] = int(u.N)
	}
	if none := *new(C); u.Card != none {
		args["card"] = u.Card.Word()
	}
	return &engine.Refusal{Text: engine.Text{Key: u.Key, Args: args}, Override: u.Override}
}

// If returns the reason u if the given condition is true. Otherwise it returns the zero value.
func (u Unfit[C]) If(condition bool) Unfit[C] {
	if condition {
		return u
	}
	return Unfit[C]{}
}

// Why returns the reason why a card is not accepted. For an accepted card, it returns the zero
// value.
func (q *Question[C]) Why(c C) Unfit[C] {
	switch {
	case q.Cards != nil && !slices.Contains(q.Cards, c):
		return Unfit[C]{Key: "refusal.not-this-one", Card: c}
	case q.Fits != nil:
		return q.Fits(c)
	}
	return Unfit[C]{}
}

// Takes reports whether a card is accepted.
func (q *Question[C]) Takes(c C) bool { return q.Why(c).Key == "" }

// prompt returns the text of the question.
func (q *Question[C]) prompt() engine.Text {
	args := engine.Args{"n": q.N}
	var none C
	if q.About != none {
		args["card"] = q.About.Word()
	}
	if q.Other != "" {
		args["other"] = q.Other
	}
	if q.Printed != "" {
		args["printed"] = q.Printed
	}
	return engine.Text{Key: "prompt." + q.Key, Args: args}
}

// At returns the seat to name in an input that answers the question: Table if anybody may
// answer.
func (q *Question[C]) At() engine.Seat {
	if q.Seat == "" {
		return engine.Table
	}
	return q.Seat
}
