package mindbug

import (
	"tableside/engine"
	"tableside/engine/cardgame"
)

// state is a match of Mindbug at one moment.
type state struct {
	cardgame.Table[*card]
	rules      *rules
	players    [2]*player
	begun      bool // the first player is known
	active     int  // whose turn it is
	playsAgain bool // a Mindbug gives the active player another action or turn
	turns      int  // that have begun

	unused   int     // cards in the unused pile
	revealed []*card // cards of the unused pile, revealed to find the first player
	stage    []*card // cards just played, open to a Mindbug; Energy cards while they resolve

	energyDeck            int
	energyRow, energyGone []*card
	market                bool // the turn has just begun: Energy cards may be bought
	dice                  []die
	thrower               *player // who throws the dice
	rerolls               int
	turnRules             []activeRule

	battle  *battle   // nil if nobody attacks
	pending []trigger // to be resolved

	declined *declinedMindbug // a Mindbug declined by a tap for the next turn
}

// player holds a seat, and the cards and counters of this seat.
type player struct {
	seat           engine.Seat
	index          int
	life, mindbugs int
	energy         int
	hand, deck     int
	heap           int // cards of the discard pile that nobody has named
	play, discard  []*card
}

const (
	startLife     = 3 // 001 "Mise en place", Étape 5
	startMindbugs = 2 // 001 "Mise en place", Étape 1
	deckSize      = 10
	handSize      = 5 // 001 "Mise en place", Étape 4, and "Piocher des cartes"
)

func (r *rules) begin(setup engine.Setup) (engine.State, error) {
	s := &state{rules: r}
	s.RepeatsQuestion = true
	for i, seat := range setup.Seats {
		s.players[i] = &player{seat: seat.Seat, index: i, life: startLife, mindbugs: startMindbugs,
			play: make([]*card, 0, deckSize), discard: make([]*card, 0, deckSize)}
		if seat.Seat == setup.First {
			s.active, s.begun = i, true
		}
	}
	if r.guided {
		s.Guide = cardgame.NewGuide(r.guideSteps()...)
	}
	if r.cards {
		if err := s.deal(); err != nil {
			return nil, err
		}
	}
	s.Do(s.fillRow, s.chooseFirst, s.beginTurn)
	return s, s.Run(s)
}

// guideSteps returns the steps that players carry out by hand (001 and 002 "Mise en place").
func (r *rules) guideSteps() []string {
	steps := []string{"set-up-mindbugs"}
	if r.energy {
		steps = []string{"set-up-dice", "set-up-energy"}
	}
	if len(r.levels) > 0 {
		steps = append(steps, "set-up-levels")
	}
	return append(steps, "set-up-deal", "set-up-hand", "set-up-life")
}

// Turns returns how many turns have begun. The method makes the state an engine.TurnCounter.
// Callers cannot count the turns by the change of players, because a Mindbug may give a player
// another turn.
func (s *state) Turns() int { return s.turns }

// BreakOff drops everything in progress.
func (s *state) BreakOff() {
	s.Table.BreakOff()
	s.pending = nil
}

func (s *state) playerAt(seat engine.Seat) *player {
	for _, p := range s.players {
		if p.seat == seat {
			return p
		}
	}
	return nil
}

func (s *state) eitherSeat(label string) []answer {
	return []answer{cardgame.ChooseSeat(s.players[0].seat, label), cardgame.ChooseSeat(s.players[1].seat, label)}
}

func (s *state) opponentOf(p *player) *player { return s.players[1-p.index] }

// gainLife gives a player life: 001 "Points de Vie". There is no upper limit.
func (s *state) gainLife(p *player, n int) {
	if n > 0 {
		p.life += n
		s.Tell("gains-life", p.seat, n)
	}
}

// loseLife takes n life from a player. It also triggers the effects that wait for a loss of
// life. A player without life immediately loses the match (001 "But du jeu"). A rule that
// makes a player lose more life increases this loss and does not cause another one.
func (s *state) loseLife(p *player, n int) {
	for f := range s.inForce {
		if n > 0 && f.rule.Ruling == LosesMore && f.p != p && s.holds(f.rule.While, f.p) {
			n += f.rule.Power
		}
	}
	if n = min(n, p.life); n <= 0 {
		return
	}
	s.dropLife(p, n)
	for _, c := range p.discard {
		s.trigger(p, c, "life-lost")
	}
}

func (s *state) dropLife(p *player, n int) {
	p.life -= n
	s.Tell("loses-life", p.seat, n)
	if p.life == 0 {
		s.win(s.opponentOf(p))
	}
}

func (s *state) win(p *player) {
	if len(s.Winners) == 0 {
		s.wins(p)
	}
}

// wins adds a winner. There can be two, because corrections may leave both players without
// life.
func (s *state) wins(p *player) {
	s.Winners = append(s.Winners, p.seat)
	s.Tell("wins", p.seat, p.life)
}

type (
	question = cardgame.Question[*card]
	answer   = cardgame.Answer
	unfit    = cardgame.Unfit[*card]
)

// The fixed answers that questions offer, made once.
var (
	yesNo         = []answer{cardgame.Key("yes", ""), cardgame.Key("no", "")}
	noHunt        = []answer{cardgame.Key("no", "no-hunt")}
	noBlock       = []answer{cardgame.Key("no", "no-block")}
	frenzyAnswers = []answer{cardgame.Key("yes", "attack-again"), cardgame.Key("no", "enough")}
	enough        = []answer{cardgame.Key("no", "enough")}
	byHandAnswers = []answer{cardgame.Key("plus", "gain-one"), cardgame.Key("minus", "lose-one"),
		cardgame.Key("yes", "done")}
	nothingFits       = []answer{cardgame.Key("no", "nothing-fits")}
	playOrKeepAnswers = []answer{cardgame.Key("yes", "play-it"), cardgame.Key("no", "keep-it")}
	discardRest       = []answer{cardgame.Key("next", "discard-rest")}
	giveUp            = []answer{cardgame.Key("no", "give-up")}
	mindbugAnswers    = []answer{cardgame.Key("yes", "use-mindbug"), cardgame.Key("no", "no-mindbug")}
	actionAnswers     = []answer{cardgame.Choose("attack", "attack-with"), cardgame.Choose("action", "action"),
		cardgame.Key("no", "something-else")}
)

// Apply applies the next input. If the option "silent-no" is on, one tap may both decline a
// Mindbug and act in the next turn.
func (s *state) Apply(in engine.Input) ([]engine.Event, error) {
	events, err := s.Table.Apply(in, s)
	if err == nil && s.declined != nil {
		err = s.tapNext()
		events = s.Events
	}
	return events, err
}

// Takes is the method of an engine.Judge. Only a trial tells whether something is asked before the
// next turn, in which a tap that declines a Mindbug acts.
func (s *state) Takes(in engine.Input) error {
	err := s.Table.Takes(in, s)
	if err == nil && in.Verb == engine.Tap && s.Question.Key == "mindbug" {
		return engine.ErrTry
	}
	return err
}

// Replies is the method of an engine.Judge.
func (s *state) Replies(list []engine.Reply) []engine.Reply {
	list = s.Table.Replies(list, s.openTo(&s.Question))
	if !s.rules.cards && s.begun && len(s.Winners) == 0 {
		list = engine.AppendReplies(list, []engine.Prompt{s.freePrompt()})
	}
	return list
}

// Tap checks an input that reports the tap of a card.
func (s *state) Tap(in engine.Input) (func(), error) {
	if !s.rules.cards {
		return nil, engine.Refuse("refusal.no-cards")
	}
	return s.CheckTap(in, s)
}

// Unasked checks an input that any seat may give at any time. A seat may change its own life. In a
// match without tagged cards, a seat may also use a Mindbug or change its cubes.
func (s *state) Unasked(in engine.Input) (func(), error) {
	p := s.playerAt(in.Seat)
	if p == nil {
		if p = s.playerAt(s.Question.Seat); p == nil {
			p = s.players[s.active]
		}
	}
	var deed func()
	word := in.Arg(0)
	switch key := in.Verb == engine.Key; {
	case !s.begun:
		return nil, nil
	case key && word == "plus":
		deed = func() { s.gainLife(p, 1) }
	case key && word == "minus":
		deed = func() { s.dropLife(p, 1) }
	case key && word == "yes" && !s.rules.cards && p.index != s.active:
		return func() { s.freeMindbug(p) }, s.mindbugRefusal(p)
	case key || len(in.Args) != 1 || !s.mayTakeCube(p, word):
		return nil, nil
	default:
		deed = func() { s.takeCube(p, word) }
	}
	return func() {
		deed()
		s.AskAgain()
	}, nil
}
