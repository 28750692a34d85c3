package enginetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"tableside/engine"
)

// judgeNow reports whether everything is judged in this position: often in a thorough match, and at
// most once in another one, early or late.
func (w *witness) judgeNow() bool {
	if w.judgeIn--; w.judgeIn >= 0 {
		return false
	}
	if w.judgeIn = w.judging.IntN(8 << w.judging.IntN(5)); !w.thorough {
		w.judgeIn = maxInputs
	}
	return true
}

// judgeAll checks that the match judges every answer to its prompts and every card in reach as a
// trial does, and that judging changes nothing.
func (w *witness) judgeAll() {
	w.t.Helper()
	v := w.view()
	replies := w.match.Replies(nil)
	if got, want := linesOf(replies), linesOf(engine.AppendReplies(nil, v.Prompts)); !slices.Equal(got, want) {
		w.fail("the replies are\n%s\nand not those of the prompts\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	was := w.match.State().View()
	copied, err := w.match.InitialState()
	for _, in := range w.match.Inputs() {
		if err == nil {
			_, err = copied.Apply(in)
		}
	}
	if err != nil {
		w.fail("the match cannot be copied: %v", err)
	}
	for _, r := range replies {
		in := r.Input
		switch {
		case r.Zone != "":
			continue // each of its cards is in reach
		case r.Roll != nil:
			for range r.Roll.N {
				in.Args = append(in.Args, r.Roll.Faces[w.judging.IntN(len(r.Roll.Faces))])
			}
		}
		if err := w.judge(copied, in); err != nil {
			w.fail("%q is offered, but %v", in.Command(), err)
		}
	}
	for _, card := range w.cardsInReach(v) {
		w.judge(copied, engine.Input{Seat: w.anySeat(), Verb: engine.Tap, Args: []string{card}})
	}
	w.checkVerdicts(v, copied, replies)
	for _, s := range []engine.State{w.match.State(), copied} {
		if now := s.View(); !reflect.DeepEqual(now, was) {
			w.fail("judging inputs has changed the view\nfrom %s\nto   %s", mustJSON(was), mustJSON(now))
		}
	}
}

// checkVerdicts checks that verdicts are what a trial says. There has to be a verdict on every card
// that a reply offers. A move without a verdict has to be refused as out of reach, or takes a trial.
func (w *witness) checkVerdicts(v *engine.View, copied engine.State, replies []engine.Reply) {
	w.t.Helper()
	judge, ok := copied.(engine.Judge)
	if !ok {
		return
	}
	moves := engine.Moves(v, w.dealer.Piles())
	verdicts, next := w.match.Judge(moves), 0
	for _, move := range moves {
		in := move.Input
		err := w.judge(copied, in)
		refusal, refused := engine.AsRefusal(err)
		if next == len(verdicts) || !reflect.DeepEqual(verdicts[next].Move, move) {
			if !(refused && refusal.OutOfReach) && !errors.Is(judge.Takes(in), engine.ErrTry) {
				w.fail("there is no verdict on %q, but a trial says: %v", in.Command(), err)
			}
			continue
		}
		verdict := verdicts[next]
		next++
		switch {
		case refused && (refusal.OutOfReach || !reflect.DeepEqual(verdict.Why, refusal.Reason())), refused != (verdict.Why.Key != ""):
			w.fail("the verdict on %q is %v, but a trial says: %v", in.Command(), verdict.Why, err)
		}
		for _, text := range []engine.Text{verdict.Why, verdict.Unpaid} {
			if text.Key != "" {
				for _, problem := range sayProblems(w.words, text, v.Names()) {
					w.fail("the verdict on %q: %s", in.Command(), problem)
				}
			}
		}
	}
	for _, r := range replies {
		cards := r.Input.Args
		if r.Zone != "" {
			cards = w.listTappable(v, r.Zone)
		}
		for _, card := range cards {
			offered := func(m engine.Move) bool { return m.Input.Arg(0) == card && m.Input.Seat == r.Input.Seat }
			if r.Input.Verb == engine.Tap && len(v.Winners) == 0 && !slices.ContainsFunc(moves, offered) {
				w.fail("%s offers %q of %q, which is not judged for its seat", r.Input.Seat, card, r.Zone)
			}
		}
	}
}

// unforeseen are refusals of what an input leads to. Takes does not tell of them.
var unforeseen = []string{"refusal.endless", "refusal.pools-share"}

// judge fails the test unless the match judges an input as a trial does, and returns the error.
// What a Judge refuses is applied to a copy of the state, which this must not change.
func (w *witness) judge(copied engine.State, in engine.Input) error {
	w.t.Helper()
	var tried error
	judged := w.match.Takes(in)
	if judge, ok := copied.(engine.Judge); judged != nil && ok && !errors.Is(judge.Takes(in), engine.ErrTry) {
		_, tried = copied.Apply(in)
	} else {
		_, tried = w.match.Try(in)
	}
	if r, ok := engine.AsRefusal(tried); ok && judged == nil && slices.Contains(unforeseen, r.Text.Key) {
		return nil
	}
	if !reflect.DeepEqual(judged, tried) {
		w.fail("%q is judged as: %v\nbut a trial says: %v", in.Command(), judged, tried)
	}
	return judged
}

func (w *witness) anySeat() engine.Seat {
	seats := w.match.Setup().Seats
	if i := w.judging.IntN(len(seats) + 1); i > 0 {
		return seats[i-1].Seat
	}
	return engine.Table
}

// cardsInReach returns the cards that the view names, those of hands, and the tops of other piles.
func (w *witness) cardsInReach(v *engine.View) []string {
	var cards []string
	var add func(list []engine.Card)
	add = func(list []engine.Card) {
		for _, c := range list {
			if c.Kind != "" {
				cards = append(cards, c.ID())
			}
			add(c.Under)
			add(c.Attached)
		}
	}
	zones := v.Zones
	for _, s := range v.Seats {
		zones = slices.Concat(zones, s.Zones)
	}
	for _, z := range zones {
		add(z.Cards)
	}
	for _, p := range w.dealer.Piles() {
		cards = append(cards, w.listTappable(v, p.Place)...)
	}
	slices.Sort(cards)
	return slices.Compact(cards)
}

func linesOf(replies []engine.Reply) []string {
	var lines []string
	for _, r := range replies {
		line := r.Input.Command() + " " + r.Zone
		if r.Roll != nil {
			line += fmt.Sprint(*r.Roll)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
