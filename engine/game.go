package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Game holds the immutable rules of one edition. One goroutine may use it at
// any number of tables.
type Game interface {
	Info() Info
	// New reads the setup of a match, which has passed Info.Complete, and returns the function
	// that begins the match. An undo calls that function again. For a fault that Complete does
	// not look for, such as an unknown card, New returns an error for people to read.
	New(Setup) (begin func() (State, error), err error)
}

// A State is a match at one moment. Only one goroutine may use a State.
//
// Apply takes the next input. A *Refusal means that the rules forbid the input. Any other
// error is a bug. After an error, the state may be half changed and must not be used. Match
// then folds a new state, so that a refused input changes nothing. The next Apply may reuse
// the slice of events.
type State interface {
	Apply(Input) ([]Event, error)
	View() View
}

// A Speaker is a State with words of its own: the titles of an owner's cards.
type Speaker interface {
	Words() Words
}

// Info describes a game to those who choose one.
type Info struct {
	Name               string // "mutants/second-edition"
	Rules              int    // counts the changes after which old journals fold differently
	MinSeats, MaxSeats int
	Options            []Option
	Words              Words    // all its texts: game.<name before the slash>, option.<name>.help, card.<kind>…
	Cards              []string // kinds of card, in printed order; empty for a game without cards
	Figures            Figures
	Presets            []Preset // options with a name, such as those of a well-known game
	Pools              []string // ids of ready-made pools to declare; precon.<id> is the title
	FindsFirst         bool     // whether its rules decide who begins; else the table draws lots
	Lifts              bool     // whether taking a card off a reader means something
}

// An Option is a choice before a match begins.
type Option struct {
	Name     string
	Default  string
	Values   []string           // the allowed values; nil leaves it to Check
	List     bool               // takes one or more of Values, separated by commas
	Check    func(string) error // not for Default; nil accepts anything; a *SetupError is said in the table's language
	Advanced bool               // not asked for by key at the table
	Newer    bool               // older journals of a preset that has it lack it
}

// AllOptions returns the options of the game itself, followed by the common options, which
// every game has. Info.Complete takes each common option that has its default value out of the
// setup.
func (i Info) AllOptions() []Option { return append(slices.Clip(i.Options), clockOptions()...) }

// Title returns the title of a game. All editions of a game share its title. For example, the
// title of "mutants/second-edition" is "mutants". The cards of one title lie in one box.
func Title(game string) string {
	title, _, _ := strings.Cut(game, "/")
	return title
}

// Find returns the game with a name, or nil.
func Find(games []Game, name string) Game {
	for _, g := range games {
		if g.Info().Name == name {
			return g
		}
	}
	return nil
}

// Edition returns the edition in the name of a game. For "mutants/second-edition", it is
// "second-edition". For a name without an edition, it is "".
func Edition(game string) string {
	_, edition, _ := strings.Cut(game, "/")
	return edition
}

// A Refusal tells players why the rules forbid an input. A refused input is not journalled. If
// Override is true, players may insist: they press the key "yes" right after the refusal. Then
// the players are right and the engine is wrong.
type Refusal struct {
	Text     Text
	Override bool

	// OutOfReach says that a tap is refused only for where its card lies or who taps it. Text then
	// tells nothing about the card itself.
	OutOfReach bool
}

// Reason returns the text without the question that it repeats.
func (r *Refusal) Reason() Text {
	if why, ok := r.Text.Args["why"].(Text); ok {
		return why
	}
	return r.Text
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

// Refuse returns a refusal, given a key of the catalogue and pairs of argument
// name and value.
func Refuse(key string, pairs ...any) error { return &Refusal{Text: T(key, pairs...)} }

// RefuseReach returns a refusal that is OutOfReach.
func RefuseReach(key string, pairs ...any) error {
	return &Refusal{Text: T(key, pairs...), OutOfReach: true}
}

// RefuseUnless returns a refusal that players may override with the key "yes".
func RefuseUnless(key string, pairs ...any) error {
	return &Refusal{Text: T(key, pairs...), Override: true}
}

// RefuseAnswer returns the refusal of an input that answers no prompt. If the input is a key,
// the refusal names the label of the key. Otherwise the refusal repeats the first argument of
// the input as it was typed.
func RefuseAnswer(in Input) error {
	if in.Verb == Key {
		return Refuse("refusal.no-answer", "word", Word("key."+in.Arg(0)))
	}
	return Refuse("refusal.no-answer", "word", in.Arg(0))
}

// RefuseSet returns the refusal of an unknown correction.
func RefuseSet(in Input) error {
	return Refuse("refusal.set", "what", in.Arg(0), "value", strings.Join(in.Args[min(1, len(in.Args)):], " "))
}

// AsRefusal returns the *Refusal in an error, and whether there is one.
func AsRefusal(err error) (*Refusal, bool) {
	var r *Refusal
	ok := errors.As(err, &r)
	return r, ok
}

// An Event is one effect of an input. The catalogue has the text of an event under the key
// "event.<Name>". The text has the arguments seat, other, card, from, to, n and word, which
// come from the fields of the same names.
//
// If an event moves cards, the field To says where they go. The field From says where they
// come from, unless this is not known. Both fields hold a "seat/zone" or a zone of the table.
// The field Card or Unseen names the cards. If the cards are unknown, the field N holds their
// number instead. A simulated table moves its cards by these fields.
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
	Spoken string `json:"text,omitempty"`   // in the table's language; filled by Words.SpeakEvents

	// Deed is the first event of the input that was undone. It is nil if that input had no
	// event.
	Deed *Event `json:"-"`

	// Match.Apply fills these two fields from the input that led to the event.
	Seq      int `json:"-"` // the input's number among the accepted ones, including undo and redo
	Position int `json:"-"` // the number of inputs in force after the input

	// Unseen lists copies of cards that the event moves in secret. Nobody at the table may see
	// these cards. Only the dealer of a simulated table reads the list.
	Unseen []string `json:"-"`
}

// Names of events that other packages depend on.
const (
	EventUndo    = "undo"    // the first event of an undo: Position tells how far back it goes
	EventRedo    = "redo"    // the first event of a redo; the events of the repeated move follow
	EventReveals = "reveals" // a card is shown on top of From
	EventShuffle = "shuffle" // all of From goes into To; also with a suffix: "shuffle-pool"
)

// Text returns the event as a text. The text of an undo names the undone event, which is the
// field Deed. If Deed is nil, the text says just "the last move".
func (e Event) Text() Text {
	args := Args{"seat": e.Seat, "other": e.Other, "n": e.N, "word": ParseWord(e.Word)}
	args["card"] = CardWord(e.Card)
	args["from"], args["to"] = zoneWord(e.From), zoneWord(e.To)
	if e.Name == EventUndo {
		args["deed"] = T("move")
		if e.Deed != nil {
			args["deed"] = e.Deed.Text()
		}
	}
	return Text{Key: "event." + e.Name, Args: args}
}

// CardWord returns the catalogue key of a card's title. The card is given as a kind or as a
// copy. For "", CardWord returns the key of the words "a card".
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

// SameKind reports whether two cards are copies of the same.
func SameKind(a, b string) bool {
	a, _ = SplitCopy(a)
	b, _ = SplitCopy(b)
	return a == b
}

// SplitCopy splits the name of a copy, such as "zombie.2", into the kind and the number of the
// copy. If the text has no number, the kind is the whole text and the number is 0.
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
