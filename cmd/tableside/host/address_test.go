package host

import (
	"net"
	"testing"

	"tableside/cmd/tableside/config"
)

// TestDoor tests that there is a link only where other machines reach the page, be
// it through a proxy.
func TestDoor(t *testing.T) {
	proxy := config.HTTP{Hosts: []string{"table.example.org"}, Local: config.LocalToken}
	for _, c := range []struct {
		addr, want string
		config     config.HTTP
	}{
		{"127.0.0.1:8080", "", config.HTTP{}},
		{"[::1]:8080", "", config.HTTP{Hosts: proxy.Hosts}},
		{"127.0.0.1:8080", "https://table.example.org/", proxy},
		{"192.168.1.5:80", "http://192.168.1.5:80/", proxy},
		{"[fd00::1]:8080", "http://[fd00::1]:8080/", config.HTTP{}},
		{"192.168.1.5:80", "https://192.168.1.5:80/", config.HTTP{TLS: config.TLSOwn}},
	} {
		a, err := net.ResolveTCPAddr("tcp", c.addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := reachableURL(c.config, a); got != c.want {
			t.Errorf("%s: %q, want %q", c.addr, got, c.want)
		}
	}
}
