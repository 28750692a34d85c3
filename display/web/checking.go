package web

import (
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// A queue bounds work that everybody may ask for and that takes a while: it runs one piece of
// work at a time, and lets few wait.
type queue struct {
	ofOne, ofAll int // limits for one visitor and for all; work that waits counts, too

	turn sync.Mutex // held by the work that runs

	mu  sync.Mutex
	of  map[netip.Prefix]int // how much is running or waits, by visitor
	all int
}

// Limits of the queues. A page that checks a card file while somebody types asks again
// before the answer; all pages of a table ask for a match's result when it is over.
const (
	mostChecksOfOne, mostChecks = 2, 8
	mostFoldsOfOne, mostFolds   = 16, 32
)

// begin waits for the turn of a visitor, and returns the function to call at the end. It
// returns nil at once if too much is under way.
func (q *queue) begin(visitor netip.Prefix) (end func()) {
	q.mu.Lock()
	if q.of == nil {
		q.of = map[netip.Prefix]int{}
	}
	if q.of[visitor] >= q.ofOne || q.all >= q.ofAll {
		q.mu.Unlock()
		return nil
	}
	q.of[visitor]++
	q.all++
	q.mu.Unlock()
	q.turn.Lock()
	return func() {
		q.turn.Unlock()
		q.mu.Lock()
		defer q.mu.Unlock()
		q.all--
		if q.of[visitor]--; q.of[visitor] == 0 {
			delete(q.of, visitor)
		}
	}
}

// fold calls work, which folds matches or lists a box, in its turn. If too much is asked of
// the table, it writes an error response and returns false. If the visitor has left meanwhile,
// it only returns false.
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
