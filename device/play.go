package device

import (
	"slices"
	"strings"
	"time"

	"tableside/device/disk"
	"tableside/engine"
)

// handleSignal handles a signal of a source. A tag or a key becomes an input. A report sets
// the health of a part.
func (l *loop) handleSignal(s Signal, at time.Time) engine.Receipt {
	switch s := s.(type) {
	case TagOn:
		return l.tagOn(s, at)
	case TagOff:
		return l.tagOff(TagOn(s), at)
	case Press:
		return l.press(s, at)
	case Report:
		l.outbox.setHealth(s.Part)
	case Foreseen:
		if l.game.playing() && s.Match == l.keeper.journal.id {
			l.game.chances, l.outbox.stale = &s.Chances, true
		}
	case Asked:
		l.outbox.stale = true
	}
	return engine.Receipt{Outcome: engine.Accepted}
}

func seatOr(seat engine.Seat) engine.Seat {
	if seat == "" {
		return engine.Table
	}
	return seat
}

// applyLine applies an input that was sent as text. The input has the same effect as in a
// journal, except that a key may go to the cursor. A key goes to the cursor if there is no
// match. It also goes to the cursor if the match refuses the key, and the key "yes" cannot
// override the refusal.
func (l *loop) applyLine(in engine.Input, at time.Time) engine.Receipt {
	if _, err := engine.ParseInput(in.Command()); err != nil {
		why := engine.T("receipt.malformed", "reason", engine.ErrorSaid(err))
		return l.note(engine.Receipt{Outcome: engine.Malformed, Seat: in.Seat, Text: why})
	}
	if in.Verb != engine.Key || l.game.match == nil {
		return l.input(in, "", at)
	}
	in.At = l.game.clock(at)
	err := l.play(in)
	if refusal, ok := engine.AsRefusal(err); ok && !refusal.Override {
		return l.input(in, "", at)
	}
	return l.noteResult(in, "", err)
}

func (l *loop) playLine(in engine.Input, at time.Time) engine.Receipt {
	if l.game.match == nil {
		return l.note(engine.Receipt{Outcome: engine.Refused, Seat: in.Seat, Text: engine.T("receipt.no-match")})
	}
	l.game.advanceClock(in.At, at)
	return l.noteResult(in, "", l.play(in))
}

// input passes one input to the cursor, to the empty table or to the match.
func (l *loop) input(in engine.Input, place string, at time.Time) engine.Receipt {
	in.At = l.game.clock(at)
	if in.Verb == engine.Key && !l.isOverride(in) {
		view, moved := l.view(), false
		cursor := &l.game.cursor
		if cursor.at, in, moved = steer(view, cursor.at, in); moved {
			return l.note(engine.Receipt{Outcome: engine.Accepted, Seat: in.Seat, Place: place})
		}
		if match := l.game.match; match != nil {
			in = l.game.dice.throwForKey(view, in, match.Position())
		}
	}
	return l.give(in, place, at)
}

// give passes an input to the empty table or to the match, without the cursor. After the end
// of a match, give itself carries out the table's answers "rematch", "seated" and "new".
func (l *loop) give(in engine.Input, place string, at time.Time) engine.Receipt {
	if in.Seat == engine.Table && in.Verb == engine.Choose {
		l.noteEnd(l.view())
	}
	if l.game.match == nil {
		return l.choose(in, place, at)
	}
	if l.game.ended() && in.Seat == engine.Table && in.Verb == engine.Choose {
		switch in.Arg(0) {
		case "rematch":
			return l.order(engine.Order{Do: "rematch"}, at)
		case "seated":
			if order, ok := l.lobby.accept(); ok {
				return l.order(order, at)
			}
		case "new":
			_, declined := l.lobby.accept() // declined if the hall's proposal was another answer
			l.leave()
			l.lobby.proposal.declined = declined
			return l.note(engine.Receipt{Outcome: engine.Accepted, Seat: in.Seat, Place: place})
		}
	}
	return l.noteResult(in, place, l.play(in))
}

func (l *loop) noteResult(in engine.Input, place string, err error) engine.Receipt {
	r := engine.Receipt{Outcome: engine.Accepted, Seat: in.Seat, Place: place}
	if refusal, ok := engine.AsRefusal(err); ok {
		r.Outcome, r.Text, r.Override = engine.Refused, l.game.explainSet(in, refusal.Text), refusal.Override
	} else if err != nil {
		l.Log.Error("the rules fail", "match", l.keeper.journal.id, "seq", l.game.match.Seq(), "error", anonymous(err, in))
		r.Outcome, r.Text = engine.Failed, engine.T("receipt.failed")
	}
	return l.note(r)
}

// play applies an input to the match and adds its line to the journal.
func (l *loop) play(in engine.Input) error {
	step, err := l.game.apply(in)
	if err != nil {
		return err
	}
	l.keeper.keep(step.Input.String())
	if l.game.match.Seq()%markEvery == 0 {
		l.keeper.keep(l.game.mark())
	}
	l.outbox.events = append(l.outbox.events, step.Events...)
	if len(l.Followers) > 0 {
		followed := step // without this copy every step would be allocated on the heap
		learned := l.game.match.Learned()
		l.outbox.postpone(func() {
			for _, f := range l.Followers {
				f.Follow(followed, learned)
			}
		})
	}
	return nil
}

// noteEnd checks whether the match has just ended, whether an undo has taken the end back, or whether
// a correction has changed who won.
// After an end, noteEnd writes the result to the journal. To the owner's file it writes the
// values that players were asked for at the table. When the end was taken back, noteEnd
// records that the match is under way again. The next end of the match is then written, too.
func (l *loop) noteEnd(view engine.View) {
	over := len(view.Winners) > 0
	if l.game.match == nil || slices.Equal(view.Winners, l.game.winners) {
		return
	}
	l.game.setEnded(view.Winners)
	info := l.matchInfo("playing")
	if over {
		l.keeper.keep(l.game.mark())
		l.keeper.keep(engine.End{State: "finished", Winners: view.Winners}.String())
		info.State, info.Winners = "finished", view.Winners
		l.learn(l.game.match)
	}
	l.table.list.put(info)
}

func (l *loop) matchInfo(state string) engine.MatchInfo {
	return l.game.info(l.keeper.journal.id, state)
}

// learn takes the values that players were asked for at the table, and writes them to the
// owner's file after the next sync. It is called when the match is over or left, or the table
// is switched off.
func (l *loop) learn(match *engine.Match) {
	if l.Learn == nil {
		return
	}
	setup := match.Setup()
	defines := match.Learned()
	l.outbox.postpone(func() { l.define(setup.Game, defines) })
}

// define writes definitions to the owner's file, and reports the result as the health of a part.
// If the disk does not answer in time, the result comes later.
func (l *loop) define(game string, defines []string) {
	if len(defines) == 0 {
		return
	}
	report := func(err error) {
		part := engine.Part{Name: "definitions", Health: engine.OK}
		if err != nil {
			l.Log.Error("definitions are not kept in the owner's file", "game", game, "defines", defines, "error", err)
			part.Health, part.Reason = engine.Broken, disk.Reason(err, l.Lang)
		}
		l.outbox.setHealth(part)
	}
	result := make(chan error, 1)
	l.learner.give(func() { result <- l.Learn(game, defines) })
	if l.learner.wait() {
		report(<-result)
		return
	}
	report(errLate())
	l.learner.give(func() {
		err := <-result
		l.table.inbox.put(func(*loop) { report(err) })
	})
}

// isOverride reports whether an input is a press of the key "yes" that overrides the last
// refusal. The cursor does not get such a key.
func (l *loop) isOverride(in engine.Input) bool {
	r := l.outbox.receipt
	if l.game.match == nil || r == nil || !r.Override {
		return false
	}
	return in.Arg(0) == "yes" && (in.Seat == r.Seat || in.Seat == engine.Table)
}

func anonymous(err error, in engine.Input) string {
	text := err.Error()
	if in.Verb == engine.Tap || in.Verb == engine.Lift {
		text = strings.ReplaceAll(text, in.Arg(0), "(a card)")
	}
	return text
}

// choose passes an input to the lobby. If the input leads to an order, choose carries out the
// order. If the input answers no question, choose refuses the input.
func (l *loop) choose(in engine.Input, place string, at time.Time) engine.Receipt {
	w := l.lobby.waiting
	if w != nil && l.claims[w.id] > 0 { // the question stays
		r := refused("receipt.changing", "name", w.id)
		r.Seat, r.Place = in.Seat, place
		return l.note(r)
	}
	order, ok := l.lobby.take(in)
	r := engine.Receipt{Outcome: engine.Accepted}
	switch {
	case !ok && in.Verb != engine.Key && in.Verb != engine.Choose:
		r = refused("receipt.no-match")
	case !ok:
		r = refused("receipt.not-now")
	case order == nil:
	case order.Do == "resume":
		return l.note(l.resume(order.Match, w.stop != nil, at))
	default:
		return l.order(*order, at)
	}
	r.Seat, r.Place = in.Seat, place
	return l.note(r)
}
