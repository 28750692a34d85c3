package chances

import (
	"context"
	"sync/atomic"

	"tableside/device"
	"tableside/engine"
)

// A Watcher tells a table the chances after each input. The table shows it a frame only when it has looked at the one
// before, so that it always looks at the newest.
type Watcher struct {
	*Finder
	emit atomic.Pointer[device.Emit]
	told engine.View // the last that it has looked at; of Show's goroutine
}

// Run implements device.Source.
func (w *Watcher) Run(ctx context.Context, emit device.Emit) error {
	w.emit.Store(&emit)
	<-ctx.Done()
	return nil
}

// Show implements device.Output.
func (w *Watcher) Show(ctx context.Context, f engine.Frame) error {
	v, emit := f.View, w.emit.Load()
	if emit == nil || v.Match == "" || len(v.Winners) > 0 || v.Match == w.told.Match && v.Seq == w.told.Seq {
		return nil
	}
	w.told = v
	if m, err := w.At(ctx, string(v.Match), v.Seq, false); err == nil { // else nobody knows them in this game
		(*emit)(device.Foreseen{Match: string(v.Match), Chances: m.Chances})
	}
	return nil
}
