package main

import (
	"context"
	"net"
	"strconv"
	"strings"
	"time"

	"tableside/device"
)

// A notifier tells systemd how the daemon does (sd_notify(3)). One without a
// socket, as outside of systemd, tells nobody.
type notifier struct {
	socket string        // NOTIFY_SOCKET
	every  time.Duration // how often the watchdog wants to hear; 0 is never
}

// newNotifier reads what systemd has put into the environment.
func newNotifier(env func(string) string) notifier {
	n := notifier{socket: env("NOTIFY_SOCKET")}
	if strings.HasPrefix(n.socket, "@") { // of the abstract name space
		n.socket = "\x00" + n.socket[1:]
	}
	if us, err := strconv.Atoi(env("WATCHDOG_USEC")); err == nil && us > 0 {
		n.every = time.Duration(us) * time.Microsecond / 3 // twice late is not dead
	}
	return n
}

// tell sends a state such as "READY=1". That nobody listens is no failure.
func (n notifier) tell(state string) {
	if n.socket == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: n.socket, Net: "unixgram"})
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(state))
}

// feed keeps the watchdog quiet as long as the table's loop turns: a program
// that is there and does nothing is restarted.
func (n notifier) feed(ctx context.Context, t *device.Table) error {
	if n.every == 0 || n.socket == "" {
		return nil
	}
	ticker := time.NewTicker(n.every)
	defer ticker.Stop()
	for {
		if t.Alive(ctx) {
			n.tell("WATCHDOG=1")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
