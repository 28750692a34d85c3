package device

import "sync"

// A queue holds the tasks of the loop, in order and without limit. No tap is ever dropped, and
// a source that reports a tap never waits.
type queue struct {
	ready chan struct{} // holds a value while a task waits

	mu     sync.Mutex
	tasks  []task
	closed bool
}

// A task runs in the goroutine of the loop.
type task func(*loop)

// put adds a task, and reports whether the loop will still run it.
func (q *queue) put(do task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.tasks = append(q.tasks, do)
	select {
	case q.ready <- struct{}{}:
	default:
	}
	return true
}

func (q *queue) take() []task {
	q.mu.Lock()
	defer q.mu.Unlock()
	tasks := q.tasks
	q.tasks = nil
	return tasks
}

func (q *queue) close() []task {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	return q.take()
}
