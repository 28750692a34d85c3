package device

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"tableside/device/history"
	"tableside/engine"
)

// Rewrite calls a function that replaces, moves or removes the journal of a match. Nothing else
// may do so while the table runs. Until Rewrite returns, the table neither begins, resumes nor
// abandons the match. Afterwards the list of matches has its new entry. The argument of the
// function says whether the table asks to continue the match.
//
// If the match is on the table, or the disk does not have all of it yet, the function is not
// called, and the error is history.ErrInUse. Any other error comes from the function or the context, or
// says that the table is switched off.
func (t *Table) Rewrite(ctx context.Context, id string, change func(waits bool) error) error {
	type answer struct{ free, waits bool }
	var free bool // of the loop
	got, ok := inLoop(ctx, t, func(l *loop) answer {
		free = l.claim(id)
		return answer{free, l.lobby.waitsFor(id)}
	})
	if !ok {
		t.inbox.put(func(l *loop) {
			if free {
				l.release(id)
			}
		})
		return cmp.Or(ctx.Err(), engine.Faultf(0, "the table is being switched off"))
	}
	if !got.free {
		return history.ErrInUse
	}
	err := change(got.waits)
	relist := func(*loop) {}
	if err == history.ErrUnchanged {
		err = nil
	} else if data, e := t.past.Journal(id); e == nil {
		info := t.past.Info(id, data)
		relist = func(l *loop) { l.relist(id, &info) }
	} else if errors.Is(e, fs.ErrNotExist) {
		relist = func(l *loop) { l.relist(id, nil) }
	}
	inLoop(context.Background(), t, func(l *loop) bool {
		l.release(id)
		relist(l)
		return true
	})
	return err
}

// claim keeps the loop away from the files of a match until release is called as often. It
// reports false if the loop itself may still write the journal.
func (l *loop) claim(id string) bool {
	if l.keeper.holds(id) {
		return false
	}
	l.claims[id]++
	return true
}

func (l *loop) release(id string) {
	if l.claims[id]--; l.claims[id] == 0 {
		delete(l.claims, id)
	}
}

func (l *loop) relist(id string, info *engine.MatchInfo) {
	list, damaged := &l.table.list, l.table.list.damaged()
	if info != nil {
		list.put(*info)
	} else {
		list.put(engine.MatchInfo{ID: id})
		l.outbox.stale = l.lobby.forget(id) || l.outbox.stale
	}
	l.outbox.stale = l.outbox.stale || list.damaged() != damaged
}
