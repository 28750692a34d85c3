package rig

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"testing"
	"time"
)

// TestResolver tests names with an emulated avahi-daemon, and without one.
func TestResolver(t *testing.T) {
	system := func(_ context.Context, _, name string) ([]netip.Addr, error) {
		if name == "router.lan" || name == "known.local" {
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
		}
		return nil, errors.New("no such host")
	}
	socket := filepath.Join(t.TempDir(), "socket")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{ // avahi-daemon 0.8
		"RESOLVE-HOSTNAME-IPV4 wled-table.local\n":    "+ 2 0 wled-table.local 192.0.2.7\n",
		"RESOLVE-HOSTNAME-IPV4 homeassistant.local\n": "+ 1 0 homeassistant.local 127.0.0.1\n",
		"RESOLVE-HOSTNAME-IPV4 nobody.local\n":        "-15 Timeout reached\n",
		"RESOLVE-HOSTNAME-IPV4 odd.local\n":           "+ 2 0 odd.local\n",
		"RESOLVE-HOSTNAME-IPV4 gone.local\n":          "",
	}
	serving := make(chan error, 1)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				serving <- nil
				return
			}
			line, _ := bufio.NewReader(conn).ReadString('\n')
			if answer, known := answers[line]; known {
				io.WriteString(conn, answer)
			} else {
				io.Copy(io.Discard, conn) // until the other one hangs up
			}
			conn.Close()
		}
	}()
	// dial connects to a broker under a .local name.
	broker, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(broker.Addr().String())
	for host, want := range map[string]string{
		"homeassistant.local": "", "127.0.0.1": "", "nobody.local": "find nobody.local: nobody on this network has that name",
	} {
		conn, err := resolver{socket, system}.dial(t.Context(), "tcp", net.JoinHostPort(host, port))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %s", host, err, want)
		}
		if err == nil {
			conn.Close()
		}
	}
	if err := broker.Close(); err != nil {
		t.Error(err)
	}
	for _, test := range []struct{ name, avahi, want string }{
		{"wled-table.local", socket, "[192.0.2.7] <nil>"},
		{"wled-table.local.", socket, "[192.0.2.7] <nil>"},
		{"nobody.local", socket, "[] nobody on this network has that name"},
		{"silent.LOCAL", socket, "[] nobody on this network has that name"},
		{"odd.local", socket, `[] got "+ 2 0 odd.local" from avahi-daemon, want an address`},
		{"gone.local", socket, "[] ask avahi-daemon: EOF"},
		{"router.lan", socket, "[192.0.2.1] <nil>"},
		{"known.local", socket + "-none", "[192.0.2.1] <nil>"},
		{"nobody.local", socket + "-none", "[] no such host, and avahi-daemon does not run"},
		{"local", socket + "-none", "[] no such host"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		got, err := resolver{test.avahi, system}.addresses(ctx, test.name)
		cancel()
		if said := fmt.Sprint(got, " ", err); said != test.want {
			t.Errorf("%s: %s, want %s", test.name, said, test.want)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	<-serving
}
