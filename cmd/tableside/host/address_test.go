package host

import (
	"net"
	"testing"

	"tableside/cmd/tableside/config"
)

// TestPageFor tests that there is a link only where other machines reach the page.
func TestPageFor(t *testing.T) {
	own := config.HTTP{TLS: config.TLSOwn}
	if got := pageFor(own, &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 80}); got != "https://192.168.1.5:80/" {
		t.Errorf("with a certificate: %q", got)
	}
	for addr, want := range map[string]string{"127.0.0.1:8080": "", "[::1]:8080": "",
		"192.168.1.5:80": "http://192.168.1.5:80/", "[fd00::1]:8080": "http://[fd00::1]:8080/"} {
		a, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := pageFor(config.HTTP{}, a); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
}
