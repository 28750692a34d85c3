package mutants

import (
	"cmp"
	"slices"

	"tableside/engine"
)

// A state is a match of Mutants at one moment.
type state struct {
	rules   *rules
	players []*player // clockwise; a boss comes last
	boss    *player   // FR "La Révolte": one of the players; nil in other editions
	power   track
	score   track
	round   int // from 1
	first   int // who began the round; -1 before that is known
	active  int // whose turn it is
	phase   string
	crusher int              // EN: who has crushed the competition this round, or -1
	ongoing bool             // whether ongoing abilities are active
	learned map[string]Value // freeze values that were entered at the table
	draft   *draft           // while the gene pools are drafted; else nil

	agenda   engine.Agenda
	steps    steps
	question question
	tapped   map[string]*card // by name, every card that was tapped
	winners  []int
	nested   int // deployments within the effects of others: see deploy
	events   []engine.Event
}

// steps are those of every turn, made once: a method as a value is garbage
// each time.
type steps struct {
	turn, crush, startTurn, moveActive, takeAction, nextTurn, unnest func()
}

// A question is what the table waits for. A card that may lie in one of the
// zones answers it, or one of the fixed answers.
type question struct {
	player *player   // nil: anybody may answer
	each   []*player // several are asked, each for itself, and a shared key answers for all; nil: only player
	key    string    // of the prompt; "" when nothing is asked
	card   *card     // what it is about
	n      int
	byHand bool // players resolve an ability meanwhile

	zones  Zone              // where a tapped card may lie
	fits   func(*card) error // refuses a card that lies there and cannot be meant; nil takes any
	tap    func(*card)
	fixed  []answer
	chosen func(answer)

	again func() // asks it anew after cards were corrected by hand; nil where that changes nothing
}

// An answer is given by a key or a word.
type answer struct {
	verb  engine.Verb
	word  string
	label string // its text; "" for the word itself
	n     int
	seat  engine.Seat
	gene  Gene
	by    *player // who gave it; nil for the table
	step  *Step   // of several effects
}

var (
	yesNo = []answer{{verb: engine.Key, word: "yes"}, {verb: engine.Key, word: "no"}}
	noOne = []answer{{verb: engine.Key, word: "no"}}
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
	return func() (engine.State, error) {
		if r.boss == nil {
			return r.copy().begin(setup)
		}
		fresh, err := g.rulesFor(setup) // a match changes the boss's cards: their unknown values are asked for
		if err != nil {
			return nil, err
		}
		return fresh.copy().begin(setup)
	}, nil
}

func (r *rules) begin(setup engine.Setup) (engine.State, error) {
	s := &state{
		rules: r, round: 1, first: -1, crusher: -1, ongoing: true, phase: "set-up",
		tapped: map[string]*card{}, learned: map[string]Value{},
	}
	s.steps = steps{s.turn, s.crush, s.startTurn, s.moveActive, s.takeAction, s.nextTurn, s.unnest}
	for i, seat := range setup.Seats {
		p := newPlayer(seat.Seat, i)
		if seat.Seat == setup.First {
			s.first = i
		}
		s.players = append(s.players, p)
	}
	if err := s.mayDraft(setup); err != nil {
		return nil, err
	}
	if r.cards {
		if err := s.dealCards(setup); err != nil {
			return nil, err
		}
	}
	steps := []func(){s.chooseFirst, s.askBoard, s.placeMarkers, s.draftPools, s.showPools, s.mulligans, s.beginRound}
	if r.boss != nil {
		s.joinBoss()
		steps = []func(){s.askBoard, s.placePowerMarkers, s.placeHealth, s.showPools, s.mulligans, s.setUpBoss, s.beginRound}
	}
	s.power, s.score = newTrack(len(s.players)), newTrack(len(s.players))
	s.do(steps...)
	return s, s.run()
}

func (s *state) do(steps ...func()) { s.agenda.Do(steps...) }

// run takes steps until somebody has to answer, or the match is over.
func (s *state) run() error {
	if s.nested > mostNested {
		return engine.Refuse("refusal.endless")
	}
	return s.agenda.Run(func() bool { return s.question.key != "" || len(s.winners) > 0 })
}

func (s *state) ask(q question) { s.question = q }

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
	if s.boss != nil && in.Verb != engine.Set {
		s.watchWeaknesses()
	}
	err := s.run()
	return s.events, err
}

func (s *state) take(in engine.Input) error {
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
		return engine.Refuse("refusal.no-dice")
	}
}

// takeAnswer is a key or a word.
func (s *state) takeAnswer(in engine.Input) error {
	q := s.question
	p := s.at(in.Seat)
	word := in.Arg(0)
	asked := s.mind(q.player)
	if p != nil && q.each != nil && !slices.Contains(q.each, p) {
		return engine.Refuse("refusal.draft-waits", "seat", q.each[0].seat)
	}
	if q.each != nil {
		q = s.takes(q, cmp.Or(p, q.each[0]))
	}
	if in.Verb == engine.Choose && len(in.Args) == 1 && s.inWords() && s.takeDeed(p, word) {
		return nil
	}
	if p == nil || asked == nil || asked == p {
		for _, a := range q.fixed {
			if a.verb == in.Verb && a.word == word {
				s.question = question{}
				a.by = p
				q.chosen(a)
				return nil
			}
		}
	}
	if in.Verb == engine.Key && (word == "plus" || word == "minus") && s.phase == "turn" {
		return s.byHand(p, word)
	}
	if s.mayMulligan(p) && in.Verb == engine.Choose && word == "mulligan" {
		s.lateMulligan(p)
		return nil
	}
	if s.boss != nil && s.phase != "set-up" && in.Verb == engine.Choose {
		if done, err := s.anyTime(word, in.Arg(1)); done || err != nil {
			return err
		}
	}
	if asked != nil && p != nil && asked != p {
		return engine.Refuse("refusal.not-asked", "seat", asked.seat)
	}
	return engine.RefuseAnswer(in)
}

// byHand moves a marker by the rules, at any time during turns: for abilities
// that the data does not know, and for matches without tagged cards.
func (s *state) byHand(p *player, word string) error {
	if p == nil {
		p = s.mind(cmp.Or(s.question.player, s.players[s.active]))
	}
	if word == "plus" {
		s.gainPower(p, 1)
	} else {
		s.losePower(p, 1)
	}
	return nil
}

// at finds the player of a seat, nil for the table.
func (s *state) at(seat engine.Seat) *player {
	for _, p := range s.players {
		if p.seat == seat && p != s.boss {
			return p
		}
	}
	return nil
}

// clockwise is the player i seats after another.
func (s *state) clockwise(from, i int) *player { return s.players[(from+i)%len(s.players)] }

// opponents lists the others, in turn order beginning with the active player:
// EN, FR "Icons effects & special rules".
func (s *state) opponents(p *player) []*player {
	list := make([]*player, 0, len(s.players)-1)
	for i := range s.players {
		if o := s.clockwise(s.active, i); o != p {
			list = append(list, o)
		}
	}
	return list
}
