package core

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"
)

// Places are what visitors share, such as open pages: so many for all, and so many for each.
type Places struct {
	Most, Each int

	mu        sync.Mutex
	Total     int
	ByVisitor map[netip.Prefix]int
}

// Take takes a place for a visitor, who must call leave. If no place is free, leave is nil; greedy
// says that the visitor has all of its own.
func (p *Places) Take(visitor netip.Prefix) (leave func(), greedy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ByVisitor == nil {
		p.ByVisitor = map[netip.Prefix]int{}
	}
	if p.Total >= p.Most || p.ByVisitor[visitor] >= p.Each {
		return nil, p.Total < p.Most
	}
	p.Total++
	p.ByVisitor[visitor]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.Total--
		if p.ByVisitor[visitor]--; p.ByVisitor[visitor] == 0 {
			delete(p.ByVisitor, visitor)
		}
	}, false
}

// These limit the folds (replays of a match) that run or wait. They are that high because all
// pages of a table ask for the result when a match is over.
const MaxFoldsPerVisitor, MaxFolds = 16, 32

// These limit the checks of card files. A visitor may have two, because the page begins the next
// while somebody types.
const MaxChecksPerVisitor, MaxChecks = 2, 8

// ErrBusy says that too much work is waiting.
var ErrBusy = Failf(http.StatusTooManyRequests, "the table has much to do: try again in a moment")
var errBug = Failf(http.StatusInternalServerError, "the program has a bug here: its log says where")

// Fold waits for its turn, and then returns what the given function returns. The function does
// something that everybody may ask for and that takes a while, such as folding (replaying) a
// match; one does at a time. If too much work is waiting, or if the visitor has left in the
// meantime, Fold returns an error instead.
func (s *Site) Fold(w http.ResponseWriter, r *http.Request, work func() error) error {
	leave, _ := s.Folds.Take(s.Client(r))
	if leave == nil {
		return ErrBusy
	}
	defer leave()
	s.FoldTurn.Lock()
	defer s.FoldTurn.Unlock()
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	// Thousands of matches without their index take a minute. The method Do sets a limit again.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	return work()
}

// FoldShared is like fold, for work whose result many ask for at the same time, such as all pages
// when a match is over. Requests with the same key that come before the work begins share its
// result, also if the first of them has left.
func (s *Site) FoldShared(w http.ResponseWriter, r *http.Request, key string, work func() (any, error)) (any, error) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // others may be before it
	r = r.WithContext(context.WithoutCancel(r.Context()))
	result, err, _ := s.sharedFolds.Do(key, func() (result any, err error) {
		defer func() {
			if p := recover(); p != nil { // else everybody who waits would panic, too
				s.config.Log.Error("page", "panic", p, "fold", key, "stack", string(debug.Stack()))
				err = errBug
			}
		}()
		err = s.Fold(w, r, func() (err error) {
			s.sharedFolds.Forget(key) // whoever comes from now on may want to see what has changed since
			result, err = work()
			return err
		})
		return result, err
	})
	return result, err
}

// ErrTooLong says that a match cannot be folded in a bearable time.
var ErrTooLong = errors.New("it is too long")

// LimitTime returns a limit for engine.Replay, which returns ErrTooLong after the given time.
// Without a limit of time it returns nil.
func LimitTime(limit time.Duration) func() error {
	if limit == 0 {
		return nil
	}
	end := time.Now().Add(limit)
	return func() error {
		if time.Now().After(end) {
			return ErrTooLong
		}
		return nil
	}
}
