package host

import "context"

// A task is a goroutine that the program can stop. The code that starts a task also stops the
// task, and waits for its end.
type task struct {
	name   string
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended
	err    error         // read after done
}

func start(ctx context.Context, name string, do func(context.Context) error) *task {
	ctx, cancel := context.WithCancel(ctx)
	r := &task{name: name, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.err = do(ctx)
	}()
	return r
}

func (r *task) stop() error {
	r.cancel()
	<-r.done
	return r.err
}
