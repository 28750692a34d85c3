package device

import (
	"strings"
	"time"

	"tableside/engine"
)

// messageLasts is how long a message of the hall is shown, unless somebody dismisses it.
const messageLasts = 10 * time.Minute

// A hearing holds the call for help from this table, and the newest message of the hall.
type hearing struct {
	callSince time.Time   // since when the players want somebody to come; zero: they do not
	message   engine.Text // the newest, without a key if there is none
	n         int         // counts the messages
	fade      *time.Timer // ends the newest message; nil before the first
}

// Hear shows a message of the hall. The caller must have checked the message. A message that
// is empty or has only spaces says that somebody is coming. If m.Call is the present call for
// help, the message ends that call. If m.Call is any other call, the message is ignored.
func (t *Table) Hear(m engine.HallMessage) {
	t.inbox.put(func(l *loop) {
		h, text := &l.hearing, engine.T("hall.says", "text", engine.Literal(m.Text))
		if !m.Call.IsZero() {
			if !m.Call.Equal(h.callSince) {
				return
			}
			h.callSince = time.Time{}
		}
		if strings.TrimSpace(m.Text) == "" {
			text = engine.T("hall.coming")
		}
		l.say(text)
	})
}

// say shows a message of the hall for ten minutes. It also makes an accepted receipt the
// newest receipt, so that the lights react. But if the newest receipt is a refusal that the
// players may still override, that refusal stays the newest.
func (l *loop) say(text engine.Text) {
	h := &l.hearing
	h.n++
	n := h.n
	h.message, l.outbox.stale = text, true
	if r := l.outbox.receipt; r == nil || !r.Override {
		l.note(engine.Receipt{Outcome: engine.Accepted, Seat: engine.Table})
	}
	if h.fade != nil { // else a hall that sends without end leaves a timer for each message
		h.fade.Stop()
	}
	h.fade = time.AfterFunc(messageLasts, func() {
		l.table.inbox.put(func(l *loop) {
			if l.hearing.n == n {
				l.hearing.message, l.outbox.stale = engine.Text{}, true
			}
		})
	})
}

// toHall carries out an order that concerns the hall. The order calls for help, withdraws the
// call, or puts the hall's message away. A second call keeps the time of the first. Without a
// hall, the order is refused.
func (l *loop) toHall(do string, at time.Time) engine.Receipt {
	h := &l.hearing
	switch {
	case l.Hall == "":
		return refused("receipt.no-hall")
	case do == "dismiss":
		h.message = engine.Text{}
	case do == "call-off":
		h.callSince = time.Time{}
	case h.callSince.IsZero():
		h.callSince = at.UTC().Truncate(time.Second)
	}
	return engine.Receipt{Outcome: engine.Accepted}
}
