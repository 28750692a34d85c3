package cardgame

import (
	"cmp"
	"slices"

	"tableside/engine"
)

// Cards constrains the type that a game uses for a card, which is a pointer.
type Cards interface {
	comparable
	Word() engine.Word // the key of its title
}

// Desk holds the pending question, the steps still to be taken, and the events of
// the last input.
type Desk[C Cards] struct {
	engine.Agenda
	Question Question[C]
	Winners  []engine.Seat
	Events   []engine.Event
	Actor    engine.Seat // who made the last input
	Guide    Guide       // of the set-up; its steps are shown beside the question

	// RepeatsQuestion makes every refusal repeat the question, instead of naming
	// the player who is asked.
	RepeatsQuestion bool
}

// Rules holds the methods that a Desk needs from its game.
type Rules interface {
	Set(in engine.Input) error // a correction by hand
	BreakOff()                 // drops everything in progress: the match is over

	// Tap and Unasked change nothing. They return what an input does, or its refusal. Tap is for a
	// card on a reader. Unasked is for a key or a word that answers no question, and returns
	// neither if the rules do not know it.
	Tap(in engine.Input) (act func(), err error)
	Unasked(in engine.Input) (act func(), err error)
}

// Ask asks a question. No step runs until it is answered.
func (d *Desk[C]) Ask(q Question[C]) { d.Question = q }

// AskFirst asks whether players are ready to resolve by hand what older rules could read. No
// journal of those rules has the answer, and nothing else is accepted: the rest of such a journal
// is refused.
func (d *Desk[C]) AskFirst(q Question[C], then func()) {
	q.Closed, q.Fixed = true, []Answer{Choose("by-hand", "by-hand")}
	q.Chosen = func(Answer) { then() }
	d.Ask(q)
}

// CheckClosed returns the refusal of an input that a closed question does not accept.
func (d *Desk[C]) CheckClosed(in engine.Input) error {
	given := func(a Answer) bool { return a.isGivenBy(in) }
	if d.Question.Closed && !slices.ContainsFunc(d.Question.Fixed, given) {
		return d.NotAsked()
	}
	return nil
}

// Emit adds an event to those of the current input.
func (d *Desk[C]) Emit(e engine.Event) { d.Events = append(d.Events, e) }

// Tell emits an event that has only a name, a seat and the number n.
func (d *Desk[C]) Tell(name string, seat engine.Seat, n int) {
	d.Emit(engine.Event{Name: name, Seat: seat, N: n})
}

// Apply applies the next input by the rules. The method Apply of the game's engine.State calls
// it. If the input answers the Guide, the pending question remains open.
func (d *Desk[C]) Apply(in engine.Input, r Rules) ([]engine.Event, error) {
	if d.Guide.Take(in) {
		return nil, nil
	}
	d.Begin(in)
	if in.Verb == engine.Set {
		err := d.CheckClosed(in)
		if err == nil {
			err = r.Set(in)
		}
		if err != nil {
			return nil, err
		}
	} else {
		act, err := d.Check(in, r)
		if err != nil {
			return nil, err
		}
		act()
	}
	d.Guide.End()
	err := d.Run(r)
	return d.Events, err
}

// Takes is the method Takes of an engine.Judge.
func (d *Desk[C]) Takes(in engine.Input, r Rules) error {
	if d.Guide.Takes(in) {
		return nil
	}
	_, err := d.Check(in, r)
	return err
}

// Unasked is for games in which every input answers a question: it accepts no other input.
func (d *Desk[C]) Unasked(engine.Input) (act func(), err error) { return nil, nil }

// Run runs steps until a player has to answer, the match is over, or no step is left. Once the
// match is over, Run calls r.BreakOff. If the steps do not end, Run returns a *Refusal.
func (d *Desk[C]) Run(r Rules) error {
	err := d.Agenda.Run(func() bool { return d.Question.Key != "" || len(d.Winners) > 0 })
	if len(d.Winners) > 0 {
		r.BreakOff()
	}
	return err
}

// BreakOff drops everything in progress.
func (d *Desk[C]) BreakOff() {
	d.Clear()
	d.Question = Question[C]{}
}

// AskAgain makes the next Run ask the pending question again, with the present cards. If the
// field Again of the question is nil, AskAgain does nothing.
func (d *Desk[C]) AskAgain() {
	if again := d.Question.Again; again != nil {
		d.Question = Question[C]{}
		d.Do(again)
	}
}

// Begin discards the events of the last input, and records the seat that makes the next input.
func (d *Desk[C]) Begin(in engine.Input) { d.Events, d.Actor = d.Events[:0], in.Seat }

// Check returns what an input does, or its refusal, and changes nothing. The consequences of the
// input are left to Run. A correction is not checked.
func (d *Desk[C]) Check(in engine.Input, r Rules) (act func(), err error) {
	if len(d.Winners) > 0 {
		return nil, engine.Refuse("refusal.over")
	}
	if err := d.CheckClosed(in); err != nil {
		return nil, err
	}
	switch in.Verb {
	case engine.Tap:
		return r.Tap(in)
	case engine.Key, engine.Choose:
		return d.CheckAnswer(&d.Question, in, r)
	case engine.Roll:
		return d.checkRoll(in)
	default:
		return nil, engine.Refuse("refusal.lift")
	}
}

// CheckAnswer is Check for a key or a word, given the question that it answers.
func (d *Desk[C]) CheckAnswer(q *Question[C], in engine.Input, r Rules) (act func(), err error) {
	if q.mayAnswer(in.Seat) {
		for i := range q.Fixed {
			a := &q.Fixed[i]
			switch {
			case !a.isGivenBy(in):
			case a.Doubt != nil && !in.Confirmed():
				return nil, a.Doubt
			default:
				return func() { d.choose(q, *a) }, nil
			}
		}
	}
	act, err = r.Unasked(in)
	switch {
	case act != nil || err != nil:
		return act, err
	case !q.mayAnswer(in.Seat):
		return nil, d.NotAsked()
	}
	return nil, engine.RefuseAnswer(in)
}

func (a *Answer) isGivenBy(in engine.Input) bool {
	return a.Verb == in.Verb && a.Word == in.Arg(0) && (len(in.Args) == 1 || len(in.Args) == 2 && in.Confirmed())
}

func (d *Desk[C]) choose(q *Question[C], a Answer) {
	chosen := q.Chosen
	if d.Question = (Question[C]{}); chosen != nil {
		chosen(a)
	}
}

// Refusal returns the refusal of a card that was tapped in the right place. If the card is
// accepted, or the players insist and may, Refusal returns nil.
func (d *Desk[C]) Refusal(c C, insists bool) error {
	if why := d.Question.Why(c); why.Key != "" && !(why.Override && insists) {
		return d.AddQuestion(why.Refusal())
	}
	return nil
}

// Accept answers the question with a card.
func (d *Desk[C]) Accept(c C) {
	tap := d.Question.Tap
	d.Question = Question[C]{}
	tap(c)
}

// checkRoll checks the faces of dice that were thrown. The input may hold fewer faces than the
// question asks for, because tagged faces come one by one.
func (d *Desk[C]) checkRoll(in engine.Input) (act func(), err error) {
	q := &d.Question
	switch {
	case q.Roll == 0:
		return nil, engine.Refuse("refusal.no-dice")
	case !q.mayAnswer(in.Seat):
		return nil, d.NotAsked()
	case len(in.Args) > q.Roll:
		return nil, engine.Refuse("refusal.dice", "n", q.Roll)
	}
	for _, face := range in.Args {
		if !slices.Contains(q.Die.Faces, face) {
			return nil, engine.Refuse("refusal.face", "name", face)
		}
	}
	return func() {
		rolled := q.Rolled
		d.Question = Question[C]{}
		rolled(in.Args)
	}, nil
}

// NotAsked returns the refusal of an input that does not answer the question. If
// RepeatsQuestion is set, the refusal repeats the question. Otherwise it names the seat that
// has to answer.
func (d *Desk[C]) NotAsked() error {
	if !d.RepeatsQuestion {
		return engine.RefuseReach("refusal.not-asked", "seat", d.Question.Seat)
	}
	return engine.RefuseReach("refusal.answer-first", "ask", d.promptText())
}

func (d *Desk[C]) promptText() engine.Text {
	q := &d.Question
	if q.Seat == "" {
		return q.prompt()
	}
	return engine.T("asks", "seat", q.Seat, "ask", q.prompt())
}

// AddQuestion adds the pending question to the refusal of a card and returns the
// result. If the key "yes" answers the pending question, the result allows no override,
// because the same key cannot also insist on the card. If RepeatsQuestion is not set, or if
// the error is no refusal, AddQuestion returns the error unchanged.
func (d *Desk[C]) AddQuestion(err error) error {
	r, ok := engine.AsRefusal(err)
	if !ok || !d.RepeatsQuestion {
		return err
	}
	return &engine.Refusal{
		Override:   r.Override && !d.Question.hasKey("yes"),
		Text:       engine.T("refusal.still-asked", "why", r.Text, "ask", d.promptText()),
		OutOfReach: r.OutOfReach,
	}
}

// Prompt returns a question in the form in which views show it. The options begin with the
// taps, which stand for the cards that may be tapped. The fixed answers follow, unless the
// question asks for dice. The callback returns the arguments for the text of a fixed answer.
// It may be nil.
func (q *Question[C]) Prompt(taps []engine.Answer, args func(*Answer) engine.Args) engine.Prompt {
	prompt := engine.Prompt{Seat: q.At(), Key: q.Key, Args: q.prompt().Args, Options: taps}
	if q.Roll > 0 { // only that, so that every display asks for the dice
		prompt.Roll = &engine.RollRequest{Kind: q.Die.Kind, N: q.Roll, Faces: q.Die.Faces}
		return prompt
	}
	prompt.Options = slices.Grow(taps, len(q.Fixed))
	for i := range q.Fixed {
		a := &q.Fixed[i]
		if a.Doubt != nil {
			continue
		}
		var said engine.Args
		if args != nil {
			said = args(a)
		}
		prompt.Options = append(prompt.Options, a.View(q.At(), said))
	}
	return prompt
}

// Replies appends the answers of a question to a list, except taps.
func (q *Question[C]) Replies(list []engine.Reply) []engine.Reply {
	if q.Roll > 0 {
		dice := &engine.RollRequest{Kind: q.Die.Kind, N: q.Roll, Faces: q.Die.Faces}
		return append(list, engine.Reply{Input: engine.Input{Seat: q.At(), Verb: engine.Roll}, Roll: dice})
	}
	for i := range q.Fixed {
		if a := &q.Fixed[i]; a.Doubt == nil {
			r := a.reply(q.At())
			r.Deed = q.ByHand && a.Word != "yes"
			list = append(list, r)
		}
	}
	return list
}

func (a *Answer) reply(seat engine.Seat) engine.Reply {
	return engine.Reply{Input: engine.Input{Seat: seat, Verb: a.Verb, Args: []string{a.Word}}}
}

// View returns an answer as views show it.
func (a *Answer) View(seat engine.Seat, args engine.Args) engine.Answer {
	input := string(seat) + " " + string(a.Verb) + " " + a.Word
	return engine.Answer{Key: cmp.Or(a.Label, a.Word), Args: args, Input: input}
}
