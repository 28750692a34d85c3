package rig

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/mqtt"
)

// avahiSocket is where avahi-daemon, which Raspberry Pi OS comes with, answers
// programs that know no D-Bus (avahi-daemon, simple-protocol.c).
const avahiSocket = "/run/avahi-daemon/socket"

// A resolver finds the addresses of names at home. Names that end in .local are
// answered by their owners (multicast DNS, RFC 6762), which the resolver of a Go
// program without C does not know: avahi-daemon is asked for them.
type resolver struct {
	avahi  string                                                                // its socket
	system func(ctx context.Context, network, name string) ([]netip.Addr, error) // for all other names
}

// home returns the resolver of this computer.
func home() resolver {
	return resolver{avahi: avahiSocket, system: net.DefaultResolver.LookupNetIP}
}

// Client returns what a client of the configured broker needs to know: the
// table's and doctor's are the same.
func Client(c *config.Config) mqtt.Config {
	m := c.Client()
	m.Dial = home().dial
	return m
}

// dial connects to a host, whose name may end in .local.
func (r resolver) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	host, port, err := net.SplitHostPort(address)
	if err != nil || !isLocal(host) {
		return d.DialContext(ctx, network, address)
	}
	all, err := r.addresses(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", host, err)
	}
	err = errNobody
	for _, one := range all {
		var conn net.Conn
		if conn, err = d.DialContext(ctx, network, net.JoinHostPort(one.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// isLocal reports whether a name is one of multicast DNS (RFC 6762, 3).
func isLocal(name string) bool {
	const domain = ".local"
	name = strings.TrimSuffix(name, ".")
	return len(name) > len(domain) && strings.EqualFold(name[len(name)-len(domain):], domain)
}

// addresses returns the addresses of a name before the context ends.
func (r resolver) addresses(ctx context.Context, name string) ([]netip.Addr, error) {
	if !isLocal(name) {
		return r.system(ctx, "ip", name)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", r.avahi)
	if err != nil { // systemd-resolved or a router may know the name
		all, err := r.system(ctx, "ip", name)
		if err != nil {
			return nil, &NoAvahi{err}
		}
		return all, nil
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := fmt.Fprintf(conn, "RESOLVE-HOSTNAME-IPV4 %s\n", strings.TrimSuffix(name, ".")); err != nil {
		return nil, fmt.Errorf("ask avahi-daemon: %w", err)
	}
	answer, err := bufio.NewReader(io.LimitReader(conn, 1024)).ReadString('\n')
	if err != nil {
		if ctx.Err() != nil {
			return nil, errNobody
		}
		return nil, fmt.Errorf("ask avahi-daemon: %w", err)
	}
	return fromAvahi(answer)
}

var errNobody = errors.New("nobody on this network has that name")

// fromAvahi reads an answer: "+ 2 0 wled-table.local 192.168.1.40", or a line
// that begins with "-" and says why there is none.
func fromAvahi(answer string) ([]netip.Addr, error) {
	words := strings.Fields(answer)
	if len(words) == 5 && words[0] == "+" {
		if address, err := netip.ParseAddr(words[4]); err == nil {
			return []netip.Addr{address}, nil
		}
	}
	if strings.HasPrefix(answer, "-") {
		return nil, errNobody
	}
	return nil, fmt.Errorf("avahi-daemon says %q", strings.TrimSpace(answer))
}

// NoAvahi says that a name ending in .local was looked for without
// avahi-daemon.
type NoAvahi struct{ Err error }

func (n *NoAvahi) Error() string { return n.Err.Error() + ", and avahi-daemon does not run" }
func (n *NoAvahi) Unwrap() error { return n.Err }
