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

// avahiSocket is the socket of avahi-daemon for programs that do not use D-Bus (avahi-daemon,
// simple-protocol.c). On Raspberry Pi OS, avahi-daemon is installed.
const avahiSocket = "/run/avahi-daemon/socket"

// A resolver finds the addresses of names. A name that ends in .local is resolved by multicast
// DNS (RFC 6762). Go's own resolver does not support multicast DNS, so the resolver asks
// avahi-daemon for such names.
type resolver struct {
	avahi  string                                                                // its socket
	system func(ctx context.Context, network, name string) ([]netip.Addr, error) // for all other names
}

func newResolver() resolver {
	return resolver{avahi: avahiSocket, system: net.DefaultResolver.LookupNetIP}
}

// Client returns the configuration of the MQTT client, with a dialer that resolves .local
// names. The table and the doctor both use this configuration, so that the doctor tests what
// the table does.
func Client(c *config.Config) mqtt.Config {
	m := c.Client()
	m.Dial = newResolver().dial
	return m
}

// dial connects to an address. The name of the host may end in .local.
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
	err = errNameNotFound
	for _, one := range all {
		var conn net.Conn
		if conn, err = d.DialContext(ctx, network, net.JoinHostPort(one.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// isLocal reports whether a name ends in .local, and so is resolved by multicast DNS (RFC
// 6762, section 3).
func isLocal(name string) bool {
	const domain = ".local"
	name = strings.TrimSuffix(name, ".")
	return len(name) > len(domain) && strings.EqualFold(name[len(name)-len(domain):], domain)
}

// addresses returns the addresses of a name. For a .local name, it asks avahi-daemon. For any
// other name, it asks the system's resolver.
//
// If avahi-daemon does not find the name, or does not answer before the context ends, the
// error is errNameNotFound. If avahi-daemon does not run, addresses asks the system's resolver
// for the .local name. If the resolver also fails, the error is a *NoAvahiError.
func (r resolver) addresses(ctx context.Context, name string) ([]netip.Addr, error) {
	if !isLocal(name) {
		return r.system(ctx, "ip", name)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", r.avahi)
	if err != nil { // systemd-resolved or a router may know the name
		all, err := r.system(ctx, "ip", name)
		if err != nil {
			return nil, &NoAvahiError{err}
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
			return nil, errNameNotFound
		}
		return nil, fmt.Errorf("ask avahi-daemon: %w", err)
	}
	return parseAvahi(answer)
}

var errNameNotFound = errors.New("nobody on this network has that name")

// parseAvahi parses an answer of avahi-daemon. An answer with an address looks like
// "+ 2 0 wled-table.local 192.168.1.40". After a failure, the answer is "-" and the reason.
func parseAvahi(answer string) ([]netip.Addr, error) {
	words := strings.Fields(answer)
	if len(words) == 5 && words[0] == "+" {
		if address, err := netip.ParseAddr(words[4]); err == nil {
			return []netip.Addr{address}, nil
		}
	}
	if strings.HasPrefix(answer, "-") {
		return nil, errNameNotFound
	}
	return nil, fmt.Errorf("got %q from avahi-daemon, want an address", strings.TrimSpace(answer))
}

// NoAvahiError is the error for a name ending in .local that could not be resolved because
// avahi-daemon does not run.
type NoAvahiError struct{ Err error }

func (n *NoAvahiError) Error() string { return n.Err.Error() + ", and avahi-daemon does not run" }
func (n *NoAvahiError) Unwrap() error { return n.Err }
