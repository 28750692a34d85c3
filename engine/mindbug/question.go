package mindbug

import "tableside/engine"

// A question is what the table waits for. A card that may lie in one of the
// places answers it, or one of the fixed answers.
type question struct {
	player *player // nil: anybody may answer
	key    string  // of the prompt; "" when nothing is asked
	card   *card   // what it is about
	n      int

	places Place              // where a tapped card may lie
	shut   Place              // of these, from where a card is refused all the same
	fits   func(*card) reason // why a card that lies there cannot be meant; nil takes any
	tap    func(*card)
	open   string             // how the answer of an open card is called; "" for "tap-card"
	opens  func(*card) string // the same, where not all are called alike
	hidden string             // the same of a hidden one; "" for "tap-hand"

	fixed  []answer
	chosen func(answer)

	roll int // dice to be thrown

	silent bool // a tap says no to it, and is taken for the turn that follows

	again func() // asks it anew after cards were corrected by hand; nil where that changes nothing
}

// A reason says why a card cannot be meant; the zero one that it can.
type reason struct {
	key  string // of the refusal
	card *Kind  // that it is about, where everybody sees it
	n    int
}

func (r reason) refusal() error {
	if r.card == nil {
		return engine.Refuse(r.key)
	}
	return engine.Refuse(r.key, "card", engine.CardWord(r.card.ID), "n", r.n)
}

// refuses asks whether a card that lies where it was asked for can be meant.
func (q *question) refuses(c *card) reason {
	if q.fits == nil {
		return reason{}
	}
	return q.fits(c)
}

// args are what the prompt is said with.
func (q *question) args() engine.Args {
	args := engine.Args{"n": q.n}
	if q.card != nil {
		args["card"] = engine.CardWord(q.card.kind.ID)
	}
	return args
}

// asks is the prompt, with the name of who is asked.
func (q *question) asks() engine.Text {
	text := engine.Text{Key: "prompt." + q.key, Args: q.args()}
	if q.player == nil {
		return text
	}
	return engine.T("asks", "seat", q.player.seat, "ask", text)
}

// first refuses what answers nothing: the question comes first.
func (q *question) first() error { return engine.Refuse("refusal.answer-first", "ask", q.asks()) }

// still adds the question to the reason why a card is refused. Where yes would
// use a Mindbug it does not insist.
func (q *question) still(err error) error {
	r, ok := engine.AsRefusal(err)
	if !ok {
		return err
	}
	return &engine.Refusal{Override: r.Override && !q.silent, Text: engine.T("refusal.still-asked", "why", r.Text, "ask", q.asks())}
}

// An answer is given by a key or a word.
type answer struct {
	verb  engine.Verb
	word  string
	label string // its text; "" for the word itself
	seat  engine.Seat
	about engine.Word
	step  *Step // that it chooses
}

func key(word, label string) answer { return answer{verb: engine.Key, word: word, label: label} }

func choose(word, label string) answer {
	return answer{verb: engine.Choose, word: word, label: label}
}

var yesNo = []answer{key("yes", ""), key("no", "")}

func (s *state) ask(q question) { s.question = q }

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
		return s.takeRoll(in)
	}
}

// takeAnswer is a key or a word.
func (s *state) takeAnswer(in engine.Input) error {
	q := s.question
	p := s.at(in.Seat)
	word := in.Arg(0)
	if p == nil || q.player == nil || q.player == p {
		for _, a := range q.fixed {
			if a.verb == in.Verb && a.word == word && len(in.Args) == 1 {
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
	if in.Verb == engine.Key && s.begun {
		switch {
		case word == "plus":
			s.gainLife(p, 1)
			s.askAgain()
			return nil
		case word == "minus":
			s.dropLife(p, 1)
			s.askAgain()
			return nil
		case word == "yes" && !s.rules.cards && p.index != s.active:
			return s.freeMindbug(p)
		}
	}
	if in.Verb == engine.Choose && s.begun && len(in.Args) == 1 && s.takeCube(p, word) {
		s.askAgain()
		return nil
	}
	if q.player != nil && q.player != p {
		return q.first()
	}
	return engine.RefuseAnswer(in)
}

// takeTap is a card on a reader.
func (s *state) takeTap(in engine.Input) error {
	if !s.rules.cards {
		return engine.Refuse("refusal.no-cards")
	}
	q := s.question
	if p := s.at(in.Seat); q.places == 0 || p != nil && q.player != nil && q.player != p {
		return q.first()
	}
	c, err := s.find(in.Arg(0), q.places, in.Confirmed() && !q.silent)
	if err != nil {
		if c := s.named(in.Arg(0)); c != nil && !c.open() && q.places&hidden == 0 {
			return q.first()
		}
		return q.still(err)
	}
	if q.silent {
		s.tapper = s.at(in.Seat)
		return s.tapNext(q, c)
	}
	if why := q.refuses(c); why.key != "" {
		return q.still(why.refusal())
	}
	s.question, s.tapper = question{}, s.at(in.Seat)
	if ambiguous(c) {
		s.askWhose(q, c)
		return nil
	}
	q.tap(c)
	return nil
}
