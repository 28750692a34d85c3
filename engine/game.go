package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Game is the immutable rules of one edition. One goroutine may use it at
// any number of tables.
type Game interface {
	Info() Info
	// New begins a match. The setup has gone through Info.Complete; what is
	// left to find, such as a card that the game does not know, is an error
	// for people.
	New(Setup) (State, error)
}

// A Preparer is a Game that reads a setup once for each match and not at every
// fold: what the owner's definitions come to stays the same. It returns the
// function that begins the match, which may be called any number of times; New
// calls both.
type Preparer interface {
	Game
	Prepare(Setup) (begin func() (State, error), err error)
}

// A State is a match at one moment. One goroutine owns it.
//
// Apply takes the next input. A *Refusal means that the rules forbid it; any
// other error is a bug. After an error the state may be half changed and must
// be thrown away: Match folds a new one, so that a refused input changes
// nothing. The events may be reused by the next Apply.
type State interface {
	Apply(Input) ([]Event, error)
	View() View
}

// A Speaker state has words of its own: an owner's cards have titles that the
// game does not know.
type Speaker interface {
	Words() Words
}

// Info describes a game to those who choose one.
type Info struct {
	Name               string // "mutants/second-edition"
	Rules              int    // counts the changes after which old journals fold differently
	MinSeats, MaxSeats int
	Options            []Option
	Words              Words    // all that the game says; game.<name before the slash>, option.<name>.help, card.<kind>…
	Cards              []string // kinds of card, in printed order; empty for a game without cards
	Pools              []string // ready-made pools that a seat may declare, said as precon.<id>
	FindsFirst         bool     // whether its rules find who begins; else the table draws one
	Lifts              bool     // whether taking a card off a reader means something
}

// An Option is something that is chosen before a match begins.
type Option struct {
	Name     string
	Default  string
	Values   []string           // all that it may be; nil leaves it to Check
	List     bool               // it may be several of Values, with commas between, and is one at least
	Check    func(string) error // nil accepts anything; a *SetupError is said in the table's language
	Advanced bool               // not asked for by key at the table
}

// Title returns the title of a game, which its editions share: "mutants" of
// "mutants/second-edition". The cards of one title lie in one box.
func Title(game string) string {
	title, _, _ := strings.Cut(game, "/")
	return title
}

// Edition returns the edition of a game, "second-edition" of
// "mutants/second-edition".
func Edition(game string) string {
	_, edition, _ := strings.Cut(game, "/")
	return edition
}

// A Refusal is what players read when an input cannot be: it is no bug and
// is not journalled. With Override, the key yes right afterwards says that
// the table is right and the engine wrong.
type Refusal struct {
	Text     Text
	Override bool
}

func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString("refused: " + r.Text.Key)
	names := make([]string, 0, len(r.Text.Args))
	for name := range r.Text.Args {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, " %s=%v", name, r.Text.Args[name])
	}
	return b.String()
}

// Refuse makes a refusal from a key of the catalogue and pairs of argument
// name and value.
func Refuse(key string, pairs ...any) error { return &Refusal{Text: T(key, pairs...)} }

// RefuseUnless makes a refusal that players may override with the key yes.
func RefuseUnless(key string, pairs ...any) error {
	return &Refusal{Text: T(key, pairs...), Override: true}
}

// RefuseAnswer says that an input answers nothing that is asked: a key by the
// name that stands on it, anything else as it was typed.
func RefuseAnswer(in Input) error {
	if in.Verb == Key {
		return Refuse("refusal.no-answer", "word", Word("key."+in.Arg(0)))
	}
	return Refuse("refusal.no-answer", "word", in.Arg(0))
}

// RefuseSet says that a correction is none that a game knows.
func RefuseSet(in Input) error {
	return Refuse("refusal.set", "what", in.Arg(0), "value", strings.Join(in.Args[min(1, len(in.Args)):], " "))
}

// AsRefusal finds the refusal in an error.
func AsRefusal(err error) (*Refusal, bool) {
	var r *Refusal
	ok := errors.As(err, &r)
	return r, ok
}

// An Event is one thing that came of an input. It is said as the text
// "event.<Name>" with the other fields as arguments seat, other, card, from,
// to, n and word.
//
// Cards that move say so with From and To, each a "seat/zone" or a zone of
// the table, a Card where it is known, and N cards where it is not: a
// simulated table follows them.
type Event struct {
	Name   string `json:"event"`
	Seat   Seat   `json:"seat,omitempty"`
	Other  Seat   `json:"other,omitempty"`
	Card   string `json:"card,omitempty"` // a copy, "zombie.2"
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	N      int    `json:"n,omitempty"`
	Word   string `json:"word,omitempty"`   // a key of the catalogue, or what Literal.Word returns
	Define string `json:"define,omitempty"` // a definition to keep in the owner's file
	Spoken string `json:"text,omitempty"`   // in the table's language; filled by Words.Speak

	// Of the input that it came of, filled by Match.Apply.
	Seq      int `json:"-"` // its number among those accepted, undo and redo included
	Position int `json:"-"` // the number of inputs in force after it

	// Unseen are copies that move from From to To and that nobody at the
	// table may see: only the dealer of a simulated table reads them.
	Unseen []string `json:"-"`
}

// Names of events that more than the words of their match depend on.
const (
	EventUndo    = "undo"    // the first of its input: Position tells how far back that goes
	EventRedo    = "redo"    // the first of its input; those of the move that is done again follow
	EventReveals = "reveals" // a card is seen where it lies, on top of From
	EventShuffle = "shuffle" // all of From goes into To; so does an event of a longer name, "shuffle-pool"
)

// Text returns what the event says.
func (e Event) Text() Text {
	args := Args{"seat": e.Seat, "other": e.Other, "n": e.N, "word": ParseWord(e.Word)}
	args["card"] = CardWord(e.Card)
	args["from"], args["to"] = zoneWord(e.From), zoneWord(e.To)
	return Text{Key: "event." + e.Name, Args: args}
}

// CardWord returns the key of the title of a card, given its kind or a copy.
func CardWord(card string) Word {
	kind, _ := SplitCopy(card)
	if kind == "" {
		return "card"
	}
	return Word("card." + kind)
}

func zoneWord(place string) Word {
	_, zone, found := strings.Cut(place, "/")
	if !found {
		zone = place
	}
	return Word("zone." + zone)
}

// SplitCopy divides "zombie.2" into its kind and its number, 0 where there is
// none.
func SplitCopy(card string) (kind string, copy int) {
	kind, number, found := strings.Cut(card, ".")
	if !found {
		return kind, 0
	}
	copy, err := strconv.Atoi(number)
	if err != nil {
		return card, 0
	}
	return kind, copy
}
