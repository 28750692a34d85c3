// Package porttest picks ports for servers that a test starts later, or more than once.
package porttest

import (
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
)

const (
	firstPort = 10_000
	ports     = 32_768 - firstPort // Linux gives connections the ports from 32768 on
)

// picked counts the ports that Pick has tried. Tests of several packages run at the same time, so
// each process begins elsewhere.
var picked atomic.Int64

var held sync.Map // the sockets by which other processes see which ports are picked

// Pick returns a TCP port on which nothing listens on 127.0.0.1, another one each time, also beside
// other processes that pick. The system gives it to no connection. A client that dials a server
// which is not there could otherwise get the server's port, and be connected to itself. If all ports
// are in use, Pick panics.
func Pick() int {
	for range ports {
		port := firstPort + (int(picked.Add(1))+997*os.Getpid())%ports
		hold, err := net.Listen("unix", fmt.Sprint("@tableside-test-", port))
		if err != nil {
			continue
		}
		if l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			l.Close()
			held.Store(port, hold)
			return port
		}
		hold.Close()
	}
	panic("porttest: all ports are in use")
}
