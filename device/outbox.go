package device

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"tableside/engine"
)

// An outbox holds the outputs of the table, and everything that waits for the end of a sync:
// frames for the outputs, and the receipts of the inputs that the sync covers.
type outbox struct {
	log   *slog.Logger
	lang  engine.Lang
	frame *atomic.Pointer[engine.Frame] // the newest frame

	waiting   atomic.Int32   // inputs without a receipt
	stale     bool           // there is something new to show
	events    []engine.Event // since the newest frame
	postponed []func()       // calls to make after the next sync
	answers   []answer
	receipt   *engine.Receipt // the newest
	count     int             // receipts so far
	health    []engine.Part

	ctx         context.Context // of outputs; nil before the table runs
	outputs     sync.WaitGroup
	boxes       []mailbox
	directParts []Part
}

type answer struct {
	to      chan<- engine.Receipt // has room for the receipt, so that sending never waits
	receipt engine.Receipt
}

// A batch is one frame, with the calls and receipts that wait for the same sync.
type batch struct {
	frame     <-chan *engine.Frame // nil when there is nothing new to show
	postponed []func()
	answers   []answer
}

func (o *outbox) waits() bool { return o.stale || len(o.answers) > 0 }

// postpone puts off a call until all accepted inputs are saved. If the sync fails or takes too
// long, the call is made all the same.
func (o *outbox) postpone(do func()) { o.postponed = append(o.postponed, do) }

func (o *outbox) answer(to chan<- engine.Receipt, r engine.Receipt) {
	o.answers = append(o.answers, answer{to, r})
}

func (o *outbox) note(r engine.Receipt) engine.Receipt {
	o.count++
	r.N = o.count
	o.receipt, o.stale = &r, true
	return r
}

func (o *outbox) setHealth(part engine.Part) (changed bool) {
	part = part.Said(o.lang)
	i := slices.IndexFunc(o.health, func(p engine.Part) bool { return p.Name == part.Name })
	switch {
	case part.Health == "":
		if i < 0 {
			return false
		}
		o.health = slices.Delete(o.health, i, i+1)
	case i < 0:
		o.health = append(o.health, part)
	case o.health[i] == part:
		return false
	default:
		o.health[i] = part
	}
	o.stale = true
	return true
}

func (o *outbox) pack(frame <-chan *engine.Frame) batch {
	b := batch{frame: frame, postponed: o.postponed, answers: o.answers}
	o.postponed, o.answers, o.events, o.stale = nil, nil, nil, false
	return b
}

// settle makes the postponed calls of a batch, shows its frame and sends its receipts. trouble
// says why nothing is saved. While everything is saved, the key of trouble is "". The frame
// shows the trouble and the health of the parts at the present moment, not at the moment when
// the batch was packed.
func (o *outbox) settle(b batch, trouble engine.Text) {
	for _, do := range b.postponed {
		do()
	}
	if b.frame != nil {
		f := <-b.frame
		f.Status.Keeping = trouble.Key == ""
		f.Status.Health = slices.Clone(o.health)
		if !f.Status.Keeping {
			f.Status.Trouble = f.Words.Say(f.Lang, trouble, nil)
		}
		o.frame.Store(f)
		for _, part := range o.directParts {
			if err := o.showDirect(part, *f); err != nil {
				o.log.Error("output failed", "part", part.Name, "error", err)
			}
		}
		for _, box := range o.boxes {
			box.put(*f)
		}
	}
	for _, a := range b.answers {
		a.to <- a.receipt
		o.waiting.Add(-1)
	}
}

// showDirect shows a frame to an output that never waits.
func (o *outbox) showDirect(part Part, f engine.Frame) error {
	return guard(o.log, part.Name, func() error { return part.Output.Show(o.ctx, f) })
}

// connectDirect adds an output that never waits. The output first gets the newest frame,
// without the events of that frame. Then it gets every later frame.
func (o *outbox) connectDirect(part Part) {
	o.directParts = append(o.directParts, part)
	_ = o.showDirect(part, o.newest())
}

// connect adds an output that may be slow. The output first gets the newest frame, without the
// events of that frame. Once the output has ended, onEnd is called. The returned function
// disconnects the output, and cancels a call of Show that is under way.
func (o *outbox) connect(part Part, report func(engine.Part), onEnd func()) (disconnect func()) {
	ctx, cancel := context.WithCancel(o.ctx)
	box := newMailbox()
	o.boxes = append(o.boxes, box)
	box.put(o.newest())
	o.outputs.Go(func() {
		defer onEnd()
		defer cancel()
		box.deliver(ctx, part, report, o.log)
	})
	return func() {
		o.boxes = slices.DeleteFunc(o.boxes, func(b mailbox) bool { return b == box })
		cancel()
	}
}

func (o *outbox) newest() engine.Frame {
	f := *o.frame.Load()
	f.Events = nil
	return f
}

// close waits until the outputs have shown their last frame. If this takes longer than
// gracePeriod, it calls stop to cancel the remaining outputs.
func (o *outbox) close(stop func()) {
	for _, box := range o.boxes {
		close(box)
	}
	if waitFor(&o.outputs) {
		return
	}
	stop()
	if !waitFor(&o.outputs) {
		o.log.Warn("an output does not end")
	}
}
