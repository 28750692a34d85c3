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
	Set(in engine.Input) error             // a correction by hand
	Tap(in engine.Input) error             // a card on a reader
	Unasked(in engine.Input) (bool, error) // a key or word that answers no question; reports whether the rules accept it
	BreakOff()                             // drops everything in progress: the match is over
}

// Ask asks a question. No step runs until it is answered.
func (d *Desk[C]) Ask(q Question[C]) { d.Question = q }

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
	if err := d.Take(in, r); err != nil {
		return nil, err
	}
	err := d.Run(r)
	return d.Events, err
}

// Unasked is for games in which every input answers a question: it accepts no other input.
func (d *Desk[C]) Unasked(engine.Input) (bool, error) { return false, nil }

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

// Take applies an input after Begin, and leaves its consequences to Run.
func (d *Desk[C]) Take(in engine.Input, r Rules) error {
	if in.Verb == engine.Set {
		return r.Set(in)
	}
	if len(d.Winners) > 0 {
		return engine.Refuse("refusal.over")
	}
	switch in.Verb {
	case engine.Tap:
		return r.Tap(in)
	case engine.Key, engine.Choose:
		return d.applyAnswer(in, r)
	case engine.Roll:
		return d.roll(in)
	default:
		return engine.Refuse("refusal.lift")
	}
}

// applyAnswer applies an input that is a key or a word.
func (d *Desk[C]) applyAnswer(in engine.Input, r Rules) error {
	q := &d.Question
	if q.mayAnswer(in.Seat) {
		for i := range q.Fixed {
			if a := &q.Fixed[i]; a.isGivenBy(in) {
				return d.choose(a, in.Confirmed())
			}
		}
	}
	if known, err := r.Unasked(in); known || err != nil {
		return err
	}
	if !q.mayAnswer(in.Seat) {
		return d.NotAsked()
	}
	return engine.RefuseAnswer(in)
}

func (a *Answer) isGivenBy(in engine.Input) bool {
	return a.Verb == in.Verb && a.Word == in.Arg(0) && (len(in.Args) == 1 || len(in.Args) == 2 && in.Confirmed())
}

func (d *Desk[C]) choose(a *Answer, insists bool) error {
	if a.Doubt != nil && !insists {
		return a.Doubt
	}
	chosen := d.Question.Chosen
	if d.Question = (Question[C]{}); chosen != nil {
		chosen(*a)
	}
	return nil
}

// Answer answers the question with a card that was tapped in the right place. If the card is not
// accepted, Answer returns the refusal, unless the players insist and may.
func (d *Desk[C]) Answer(c C, insists bool) error {
	if why := d.Question.Why(c); why.Key != "" && !(why.Override && insists) {
		return d.AddQuestion(why.Refusal())
	}
	tap := d.Question.Tap
	d.Question = Question[C]{}
	tap(c)
	return nil
}

// roll applies the faces of dice that were thrown. The input may hold fewer faces than the
// question asks for, because tagged faces come one by one.
func (d *Desk[C]) roll(in engine.Input) error {
	q := &d.Question
	switch {
	case q.Roll == 0:
		return engine.Refuse("refusal.no-dice")
	case !q.mayAnswer(in.Seat):
		return d.NotAsked()
	case len(in.Args) > q.Roll:
		return engine.Refuse("refusal.dice", "n", q.Roll)
	}
	for _, face := range in.Args {
		if !slices.Contains(q.Die.Faces, face) {
			return engine.Refuse("refusal.face", "name", face)
		}
	}
	rolled := q.Rolled
	d.Question = Question[C]{}
	rolled(in.Args)
	return nil
}

// NotAsked returns the refusal of an input that does not answer the question. If
// RepeatsQuestion is set, the refusal repeats the question. Otherwise it names the seat that
// has to answer.
func (d *Desk[C]) NotAsked() error {
	if !d.RepeatsQuestion {
		return engine.Refuse("refusal.not-asked", "seat", d.Question.Seat)
	}
	return engine.Refuse("refusal.answer-first", "ask", d.promptText())
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
		Override: r.Override && !d.Question.hasKey("yes"),
		Text:     engine.T("refusal.still-asked", "why", r.Text, "ask", d.promptText()),
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

// View returns an answer as views show it.
func (a *Answer) View(seat engine.Seat, args engine.Args) engine.Answer {
	input := string(seat) + " " + string(a.Verb) + " " + a.Word
	return engine.Answer{Key: cmp.Or(a.Label, a.Word), Args: args, Input: input}
}
