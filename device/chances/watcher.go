package chances

import (
	"context"

	"tableside/device"
	"tableside/engine"
)

// A Watcher tells a table the chances after each input. The table shows it a frame only when it has looked at the one
// before, so that it always looks at the newest.
type Watcher struct {
	*Finder
	Emit device.Emit

	match engine.Null // that it has looked at, and how far
	seq   int
}

// Show implements device.Output.
func (w *Watcher) Show(ctx context.Context, f engine.Frame) error {
	v := f.View
	seen := v.Match == w.match && v.Seq == w.seq
	if w.match, w.seq = v.Match, v.Seq; seen || v.Match == "" || len(v.Winners) > 0 {
		return nil
	}
	if m, err := w.At(ctx, string(v.Match), v.Seq); err == nil { // else nobody knows them in this game
		w.Emit(device.Foreseen{Match: string(v.Match), Chances: m.Chances})
	}
	return nil
}
