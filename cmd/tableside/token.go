package main

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/config"
)

// tokenFile is where a table keeps its token.
func tokenFile(dir string) string { return filepath.Join(dir, "token") }

// readToken reads the token that lets browsers write; "" where there is none.
func readToken(dir string) (string, error) {
	data, err := os.ReadFile(tokenFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(data)), err
}

// loadToken reads the token or makes one. It stays the same over restarts, so
// that phones stay joined. It comes before the table, whose frames hold it, and
// so makes the folder.
func loadToken(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	token, err := readToken(dir)
	if err != nil || token != "" {
		return token, err
	}
	token = rand.Text()
	return token, os.WriteFile(tokenFile(dir), []byte(token+"\n"), 0o600)
}

// door returns the address, without the token, under which phones reach the
// page: a proxy's, where the page itself listens on this machine only. It is
// "" where they do not reach it.
func door(c config.HTTP, addr net.Addr) string {
	switch {
	case !isLoopback(addr):
		return "http://" + reachable(addr) + "/"
	case c.LocalNeedsToken() && len(c.Hosts) > 0:
		return "https://" + c.Hosts[0] + "/"
	}
	return ""
}

// key is what an address needs to let a browser write.
func key(token string) string { return "?token=" + token }

// isTerminal reports whether people read what is written, and no log.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// isLoopback reports whether only this machine reaches the address.
func isLoopback(addr net.Addr) bool {
	port, err := netip.ParseAddrPort(addr.String())
	return err == nil && port.Addr().Unmap().IsLoopback()
}

// local is the address under which this machine reaches a listener.
func local(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// reachable is the address under which other machines reach a listener: that
// of the first interface, where it listens on all of them.
func reachable(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	ip := net.ParseIP(host)
	if ip == nil || !ip.IsUnspecified() {
		return net.JoinHostPort(host, port)
	}
	addrs, _ := net.InterfaceAddrs()
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return net.JoinHostPort(n.IP.String(), port)
		}
	}
	return net.JoinHostPort("127.0.0.1", port)
}
