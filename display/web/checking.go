package web

import (
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// A queue limits work that everybody may ask for and that takes a while. It runs one piece of
// work at a time. If too much work is waiting, the queue refuses more.
type queue struct {
	maxPerVisitor, maxTotal int // work that waits counts, too

	turn sync.Mutex // held by the work that runs

	mu        sync.Mutex
	byVisitor map[netip.Prefix]int // how much is running or waits
	total     int
}

// These are the limits of the queues. A visitor may have two checks in the queue, because the
// page checks a card file while somebody types. The page may thus begin the next check before
// it has the result of the last one. The limits for folds (replays of a match) are higher,
// because all pages of a table ask for the result when a match is over.
const (
	maxChecksPerVisitor, maxChecks = 2, 8
	maxFoldsPerVisitor, maxFolds   = 16, 32
)

// begin waits until the visitor's work may run. The caller must call the returned function
// when the work is done. If too much work is running or waiting, begin returns nil without
// waiting.
func (q *queue) begin(visitor netip.Prefix) (end func()) {
	q.mu.Lock()
	if q.byVisitor == nil {
		q.byVisitor = map[netip.Prefix]int{}
	}
	if q.byVisitor[visitor] >= q.maxPerVisitor || q.total >= q.maxTotal {
		q.mu.Unlock()
		return nil
	}
	q.byVisitor[visitor]++
	q.total++
	q.mu.Unlock()
	q.turn.Lock()
	return func() {
		q.turn.Unlock()
		q.mu.Lock()
		defer q.mu.Unlock()
		q.total--
		if q.byVisitor[visitor]--; q.byVisitor[visitor] == 0 {
			delete(q.byVisitor, visitor)
		}
	}
}

// fold waits in the queue of folds, calls the given function and returns true. The function
// does something that takes a while, such as folding (replaying) a match. If too much work is
// waiting, fold writes an error response and returns false. If the visitor has left in the
// meantime, fold returns false and writes nothing.
func (s *Server) fold(w http.ResponseWriter, r *http.Request, work func()) bool {
	end := s.folds.begin(s.client(r))
	if end == nil {
		s.failf(w, r, http.StatusTooManyRequests, "the table has much to do: try again in a moment")
		return false
	}
	defer end()
	if r.Context().Err() != nil {
		return false // the visitor has left
	}
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{}) // thousands of matches without their index take a minute
	work()
	_ = control.SetWriteDeadline(time.Now().Add(answerLimit))
	return true
}
