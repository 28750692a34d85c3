package genegrafter

import (
	"slices"

	"tableside/engine"
)

// A state is a match of Genegrafter at one moment.
//
// A step that asks may be taken again, when something has happened in
// between: what it changes before it asks is nothing that a second time would
// change more.
type state struct {
	rules   *rules
	players []*player // clockwise
	setUp   int       // step of it that is shown, 0 for none
	begun   bool      // whether the first player is known
	first   int       // who began
	active  int       // whose turn it is
	played  int       // characters, this turn
	geared  bool      // a gear was played this turn
	cards   []*card
	own     []Statement // the owner's, and what was entered in this match

	deck    int
	discard []*card // nil for a card that nobody has named
	dna     []*card // 004 "Phase de Genegrafter"
	closing bool    // the last turns are played

	finished bool // only the winner is still to be found

	declared []declaration // attacks to be resolved
	battle   *battle
	waiting  []readied // abilities that found no dice in the battles so far
	dice     []die     // of the last throw

	agenda   engine.Agenda
	question question
	winners  []int
	events   []engine.Event
}

// A player is a seat.
type player struct {
	seat   engine.Seat
	index  int
	health int
	tokens [2]int // attack, defence
	hand   int
	play   []*card // characters
	battle []*card // laid in this battle; nil while face down
	pool   []*card // 004: "réserve génétique"

	special string // face that the special die has shown; "" while it is to be used
	thrown  int    // to find the first player, or a winner
	owes    bool   // has one of the last turns to take
	out     bool   // eliminated
}

// A question is what the table waits for. A card that may lie in one of the
// places answers it, or one of the fixed answers, or dice.
type question struct {
	player *player // nil: anybody may answer
	key    string  // of the prompt; "" when nothing is asked
	card   *card   // what it is about
	n      int

	places   Place             // where a tapped card may lie
	unlisted Place             // where it may lie, too; no answer says so
	fits     func(*card) error // refuses a card that lies there and cannot be meant; nil takes any
	tap      func(*card)
	open     string // how the answer of an open card is called; "" for "tap-card"
	hidden   string // the same of a hidden one; "" for "tap-hand"

	fixed  []answer
	chosen func(answer)

	roll   int // dice to be thrown
	die    dieKind
	rolled func(faces []string)
}

// An answer is given by a key or a word.
type answer struct {
	verb   engine.Verb
	word   string
	label  string // its text; "" for the word itself
	seat   engine.Seat
	n      int
	about  engine.Word // what it is about
	unless *card       // it cannot be, unless the players know better of this card; then it is not offered
}

func key(word, label string) answer { return answer{verb: engine.Key, word: word, label: label} }

func choice(word, label string) answer {
	return answer{verb: engine.Choose, word: word, label: label}
}

// 004 "Débuter" and "Remportez la partie".
const (
	startHealth = 6
	startTokens = 3
	handSize    = 5
	boxSize     = 54
	strandCount = 3
)

func (g *game) New(setup engine.Setup) (engine.State, error) {
	begin, err := g.Prepare(setup)
	if err != nil {
		return nil, err
	}
	return begin()
}

func (g *game) Prepare(setup engine.Setup) (func() (engine.State, error), error) {
	r, err := g.rulesFor(setup)
	if err != nil {
		return nil, err
	}
	return func() (engine.State, error) { return r.begin(setup) }, nil
}

func (r *rules) begin(setup engine.Setup) (engine.State, error) {
	s := &state{rules: r, own: slices.Clone(r.own)}
	if r.guided {
		s.setUp = 1
	}
	for i, seat := range setup.Seats {
		s.players = append(s.players, &player{seat: seat.Seat, index: i, health: startHealth, tokens: [2]int{startTokens, startTokens}})
		if seat.Seat == setup.First {
			s.first, s.active, s.begun = i, i, true
		}
	}
	if err := s.deal(); err != nil {
		return nil, err
	}
	s.do(s.chooseFirst, s.beginTurn)
	return s, s.run()
}

func (s *state) do(steps ...func()) { s.agenda.Do(steps...) }

// run takes steps until somebody has to answer, or the match is over.
func (s *state) run() error {
	err := s.agenda.Run(func() bool { return s.question.key != "" || len(s.winners) > 0 })
	if len(s.winners) > 0 {
		s.breakOff()
	}
	return err
}

// breakOff leaves all that was going on unfinished.
func (s *state) breakOff() {
	s.agenda.Clear()
	s.question = question{}
	s.declared = nil
}

func (s *state) ask(q question) { s.question = q }

// before does something before the question that waits, which is then asked
// anew.
func (s *state) before(steps ...func()) {
	if s.question.key != "" {
		s.question = question{}
		s.agenda.Again()
	}
	s.do(steps...)
}

func (s *state) emit(e engine.Event) { s.events = append(s.events, e) }

// tell emits an event of a player with a number.
func (s *state) tell(name string, p *player, n int) {
	s.emit(engine.Event{Name: name, Seat: p.seat, N: n})
}

// Apply takes the next input.
func (s *state) Apply(in engine.Input) ([]engine.Event, error) {
	s.events = s.events[:0]
	if err := s.take(in); err != nil {
		return nil, err
	}
	err := s.run()
	return s.events, err
}

func (s *state) take(in engine.Input) error {
	if s.takeGuide(in) {
		return nil
	}
	if in.Verb == engine.Set {
		return s.set(in)
	}
	if len(s.winners) > 0 {
		return engine.Refuse("refusal.over")
	}
	switch in.Verb {
	case engine.Tap:
		return s.takeTap(in)
	case engine.Key, engine.Choose:
		return s.takeAnswer(in)
	case engine.Lift:
		return engine.Refuse("refusal.lift")
	default:
		return s.takeRoll(in)
	}
}

// takeAnswer is a key or a word.
func (s *state) takeAnswer(in engine.Input) error {
	q := s.question
	p := s.at(in.Seat)
	word, words := in.Arg(0), len(in.Args)
	if in.Confirmed() {
		words--
	}
	if p == nil || q.player == nil || q.player == p {
		for _, a := range q.fixed {
			if a.verb == in.Verb && a.word == word && words == 1 {
				if a.unless != nil {
					if !in.Confirmed() {
						return engine.RefuseUnless("refusal.must-play", "card", engine.CardWord(a.unless.name))
					}
					s.unsettle()
				}
				s.question = question{}
				q.chosen(a)
				return nil
			}
		}
	}
	if p == nil {
		if p = q.player; p == nil {
			p = s.players[s.active]
		}
	}
	switch {
	case isSpecial(in) && (in.Verb == engine.Choose || q.roll == 0 || q.player != p):
		return s.throwSpecial(p)
	case q.player != nil && q.player != p:
		return engine.Refuse("refusal.not-asked", "seat", q.player.seat)
	}
	return engine.RefuseAnswer(in)
}

// takeTap is a card on a reader.
func (s *state) takeTap(in engine.Input) error {
	q := s.question
	if p := s.at(in.Seat); p != nil && q.player != nil && q.player != p {
		return engine.Refuse("refusal.not-asked", "seat", q.player.seat)
	}
	if q.places|q.unlisted == 0 {
		return engine.Refuse("refusal.no-card-asked")
	}
	c, err := s.find(in.Arg(0), q.places|q.unlisted, in.Confirmed())
	if err != nil {
		return err
	}
	if q.fits != nil {
		if err := q.fits(c); err != nil {
			return err
		}
	}
	s.question = question{}
	q.tap(c)
	return nil
}

// at finds the player of a seat, nil for the table.
func (s *state) at(seat engine.Seat) *player {
	for _, p := range s.players {
		if p.seat == seat {
			return p
		}
	}
	return nil
}

// from lists the players who are still in, clockwise, beginning with one.
func (s *state) from(p *player) []*player {
	var list []*player
	for i := range s.players {
		if q := s.players[(p.index+i)%len(s.players)]; !q.out {
			list = append(list, q)
		}
	}
	return list
}

// opponents are the others who are still in, clockwise.
func (s *state) opponents(p *player) []*player {
	var list []*player
	for _, q := range s.from(p) {
		if q != p {
			list = append(list, q)
		}
	}
	return list
}
