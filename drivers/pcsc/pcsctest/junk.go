package pcsctest

import (
	"net"
	"sync"
	"testing"
)

// Junk listens on a socket, sends the same bytes to everybody, and hangs up.
func Junk(t testing.TB, socket string, junk []byte) (stop func()) {
	t.Helper()
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write(junk) // who has hung up misses nothing
			_ = c.Close()
		}
	})
	return func() { _ = l.Close(); serving.Wait() }
}
