package mutants

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A state is a match of Mutants at one moment.
type state struct {
	cardgame.Desk[*card]
	rules   *rules
	players []*player // clockwise; a boss comes last
	boss    *player   // FR "La Révolte": one of the players; nil in other editions
	power   track
	score   track
	round   int // from 1
	first   int // who began the round; -1 while unknown
	active  int // whose turn it is
	turns   int // how many have begun
	phase   string
	crusher int              // EN: who has crushed the competition this round, or -1
	ongoing bool             // whether ongoing abilities are active
	learned map[string]Value // freeze values that were entered at the table
	draft   *draft           // while the gene pools are drafted; else nil

	insisted bool // gene pools share a card, so one has another: see correctPool

	tapped map[string]*card // by name, every card that was tapped
	nested int              // deployments within the effects of others: see deploy
}

type (
	question = cardgame.Question[*card]
	answer   = cardgame.Answer
	unfit    = cardgame.Unfit[*card]
)

// Word returns the catalogue key of the card's title.
func (c *card) Word() engine.Word { return engine.CardWord(c.kind.ID) }

var (
	yesNo = []answer{cardgame.Key("yes", ""), cardgame.Key("no", "")}
	noOne = []answer{cardgame.Key("no", "")}
)

func (r *rules) begin(setup engine.Setup) (engine.State, error) {
	s := &state{
		rules: r, round: 1, first: -1, crusher: -1, ongoing: true, phase: "set-up",
		tapped: map[string]*card{}, learned: map[string]Value{},
	}
	for i, seat := range setup.Seats {
		p := &player{seat: seat.Seat, index: i}
		if seat.Seat == setup.First {
			s.first = i
		}
		s.players = append(s.players, p)
	}
	if err := s.startDraft(setup); err != nil {
		return nil, err
	}
	if r.cards {
		if err := s.dealCards(setup); err != nil {
			return nil, err
		}
	}
	steps := []func(){s.chooseFirst, s.askBoard, s.placeMarkers, s.draftPools, s.constructPools, s.showPools,
		s.offerMulligans, s.beginRound}
	if r.boss != nil {
		s.joinBoss()
		steps = []func(){s.askBoard, s.placePowerMarkers, s.placeHealth, s.constructPools, s.showPools,
			s.offerMulligans, s.setUpBoss, s.beginRound}
	}
	if r.revision >= rules3 && setup.Option("guide") == "on" {
		s.Guide = cardgame.NewGuide(s.guideSteps()...)
	}
	s.power, s.score = newTrack(len(s.players)), newTrack(len(s.players))
	s.Do(steps...)
	return s, s.Run(s)
}

func (s *state) tell(name string, p *player, n int) {
	s.Tell(name, p.seat, n)
}

// Apply applies the next input. It refuses an input that leads to more than maxNested nested
// deployments. If the input answers the set-up guide, the pending question remains open.
func (s *state) Apply(in engine.Input) ([]engine.Event, error) {
	if s.Guide.Take(in) {
		return nil, nil
	}
	s.Begin(in)
	if in.Verb == engine.Set {
		err := s.CheckClosed(in)
		if err == nil {
			err = s.Set(in)
		}
		if err != nil {
			return nil, err
		}
	} else {
		act, err := s.check(in)
		if err != nil {
			return nil, err
		}
		act()
	}
	s.Guide.End()
	if s.boss != nil && in.Verb != engine.Set {
		s.watchWeaknesses()
	}
	if s.nested > maxNested {
		return nil, engine.Refuse("refusal.endless")
	}
	if err := s.checkPools(in.Confirmed()); err != nil {
		return nil, err
	}
	err := s.Run(s)
	return s.Events, err
}

// Takes is the method of an engine.Judge. It does not say that gene pools share a card, because
// that would tell a seat what another seat has picked.
func (s *state) Takes(in engine.Input) error {
	if s.Guide.Takes(in) {
		return nil
	}
	_, err := s.check(in)
	return err
}

// check is Check, but in a draft it first finds the question that the input answers, and an input
// may carry out an ability by hand.
func (s *state) check(in engine.Input) (act func(), err error) {
	if err := s.CheckClosed(in); err != nil {
		return nil, err
	}
	if in.Verb != engine.Key && in.Verb != engine.Choose || len(s.Winners) > 0 {
		return s.Check(in, s)
	}
	if in.Arg(0) != "weakness" {
		in.Args = in.Args[:1] // a second word was never read, but journals may have one
	}
	p, q := s.playerAt(in.Seat), &s.Question
	if each := s.playersAsked(); each != nil {
		if p != nil && !slices.Contains(each, p) {
			return nil, engine.Refuse("refusal.draft-waits", "seat", each[0].seat)
		}
		drafted := s.questionFor(s.Question, cmp.Or(p, each[0]))
		q = &drafted
	}
	deeds := s.resolvesByHand() && s.rules.revision >= rules2 // older journals have only corrections
	if in.Verb == engine.Choose && deeds {
		if act := s.deedNamed(p, in.Arg(0)); act != nil {
			return act, nil
		}
	}
	return s.CheckAnswer(q, in, s)
}

func (s *state) playerAsked(q *question) *player {
	for _, p := range s.players {
		if p.seat == q.Seat {
			return p
		}
	}
	return nil
}

func (s *state) playersAsked() []*player {
	if s.draft == nil || s.draft.phase == draftDealing || !strings.HasPrefix(s.Question.Key, "draft-") {
		return nil
	}
	return s.draft.waiting
}

// Unasked checks an input that is allowed although it does not answer the question. Such an input
// moves a marker by hand, asks for a late mulligan, or is something that the hero may say at any
// time.
func (s *state) Unasked(in engine.Input) (act func(), err error) {
	p, word := s.playerAt(in.Seat), in.Arg(0)
	switch {
	case in.Verb == engine.Key && (word == "plus" || word == "minus") && s.phase == "turn":
		return func() { s.byHand(p, word) }, nil
	case p != nil && p.unlisted && in.Verb == engine.Choose && s.mayTake(p, s.rules.precon(word)):
		return func() {
			s.dealList(p, s.rules.precon(word))
			s.AskAgain()
		}, nil
	case s.mayMulligan(p) && in.Verb == engine.Choose && word == "mulligan":
		return func() { s.lateMulligan(p) }, nil
	case s.boss != nil && s.phase != "set-up" && in.Verb == engine.Choose:
		return s.anyTime(word, in.Arg(1))
	}
	return nil, nil
}

// BreakOff does nothing. When the match is over, nothing is dropped, because a correction may
// reopen it.
func (s *state) BreakOff() {}

// byHand moves a player's power marker up for the word "plus", and down for any other word.
// During turns, players may do this at any time, for unknown abilities and for matches without
// tagged cards. If p is nil, byHand moves the marker of the player who is asked, or of the
// player whose turn it is if nobody is asked. If that player is the boss, the hero's marker
// moves instead.
func (s *state) byHand(p *player, word string) {
	if p == nil {
		p = s.decider(cmp.Or(s.playerAsked(&s.Question), s.players[s.active]))
	}
	if word == "plus" {
		s.gainPower(p, 1)
	} else {
		s.losePower(p, 1)
	}
}

func (s *state) playerAt(seat engine.Seat) *player {
	for _, p := range s.players {
		if p.seat == seat && p != s.boss {
			return p
		}
	}
	return nil
}

// clockwise returns a player, counted clockwise from the seat with the given index. For i = 0
// it is the player of that seat, for i = 1 the next player, and so on. After the last player
// comes the first again.
func (s *state) clockwise(from, i int) *player { return s.players[(from+i)%len(s.players)] }

func (s *state) clockwiseFromFirst() []*player {
	list := make([]*player, len(s.players))
	for i := range list {
		list[i] = s.clockwise(s.first, i)
	}
	return list
}

func (s *state) inTurn(do func(*player)) {
	for i := range s.players { // the last player first, as each step comes before those already there
		if p := s.clockwise(s.first, len(s.players)-1-i); p != s.boss {
			s.Do(func() { do(p) })
		}
	}
}

// opponents lists all players except p (EN, FR "Icons effects & special rules"). The list is
// in turn order and begins with the active player.
func (s *state) opponents(p *player) []*player {
	list := make([]*player, 0, len(s.players)-1)
	for i := range s.players {
		if o := s.clockwise(s.active, i); o != p {
			list = append(list, o)
		}
	}
	return list
}
