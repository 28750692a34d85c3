package pcsctest

import (
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// A lateListener accepts its only connection while it is closed, once everything else waits.
type lateListener struct {
	net.Listener
	conn   chan net.Conn
	closed chan struct{}
}

func (l *lateListener) Close() error {
	close(l.closed)
	return nil
}

func (l *lateListener) Accept() (net.Conn, error) {
	<-l.closed
	synctest.Wait()
	select {
	case c := <-l.conn:
		return c, nil
	default:
		return nil, net.ErrClosed
	}
}

// TestCloseEndsALateClient checks that Close also ends a connection that is accepted during it.
func TestCloseEndsALateClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		l := &lateListener{conn: make(chan net.Conn, 1), closed: make(chan struct{})}
		l.conn <- theirs
		s := serve(l)
		closed := make(chan error)
		go func() { closed <- s.Close() }()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("the server waits for a client that came late")
			_ = ours.Close()
			<-closed
		}
	})
}
