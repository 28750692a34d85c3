package host

import (
	"context"
	"net"
	"strconv"
	"strings"
	"time"

	"tableside/device"
)

// A notifier reports the daemon's state to systemd (sd_notify(3)). Outside of systemd there is
// no socket. Then the notifier does nothing.
type notifier struct {
	socket   string        // NOTIFY_SOCKET
	interval time.Duration // of watchdog messages; 0 is none
}

// newNotifier reads systemd's environment variables with the function env. The notifier's
// interval is a third of the watchdog's timeout.
func newNotifier(env func(string) string) notifier {
	n := notifier{socket: env("NOTIFY_SOCKET")}
	if strings.HasPrefix(n.socket, "@") { // in the abstract namespace
		n.socket = "\x00" + n.socket[1:]
	}
	if us, err := strconv.Atoi(env("WATCHDOG_USEC")); err == nil && us > 0 {
		n.interval = time.Duration(us) * time.Microsecond / 3 // two late messages are no failure
	}
	return n
}

// tell sends a state, such as "READY=1", to systemd. If the state cannot be sent, nothing
// happens.
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

// feed tells systemd's watchdog at every interval that the table's loop runs. If the loop
// hangs, feed sends nothing, and systemd restarts the program.
func (n notifier) feed(ctx context.Context, t *device.Table) error {
	if n.interval == 0 || n.socket == "" {
		return nil
	}
	ticker := time.NewTicker(n.interval)
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
