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

// tokenFile returns the path of a table's token.
func tokenFile(dir string) string { return filepath.Join(dir, "token") }

// readToken reads the token that lets browsers write; "" where there is none.
func readToken(dir string) (string, error) {
	data, err := os.ReadFile(tokenFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(data)), err
}

// loadToken reads the token or creates one. It stays the same over restarts, so that
// phones stay joined. It makes the data folder, because the table, whose frames hold
// the token, is opened later.
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

// door returns the URL, without the token, at which phones reach the page: that of a
// proxy where the page itself listens on this machine only; "" where they cannot
// reach it.
func door(c config.HTTP, addr net.Addr) string {
	switch {
	case !isLoopback(addr):
		return "http://" + reachable(addr) + "/"
	case c.LocalNeedsToken() && len(c.Hosts) > 0:
		return "https://" + c.Hosts[0] + "/"
	}
	return ""
}

// key returns the query with the token, which lets a browser write.
func key(token string) string { return "?token=" + token }

// isTerminal reports whether w is a terminal, not a file or log.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// isLoopback reports whether only this machine can reach the address.
func isLoopback(addr net.Addr) bool {
	port, err := netip.ParseAddrPort(addr.String())
	return err == nil && port.Addr().Unmap().IsLoopback()
}

// local returns the address at which this machine reaches a listener.
func local(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// reachable returns the address at which other machines reach a listener: that of
// the first interface, where it listens on all of them.
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
