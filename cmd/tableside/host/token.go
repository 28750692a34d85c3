package host

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

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

// key returns the query with the token, which lets a browser write.
func key(token string) string { return "?token=" + token }

// JoinURL returns the URL with which a phone joins the table of a configuration: the
// page, with the token.
func JoinURL(c config.Config) (string, error) {
	addr, err := net.ResolveTCPAddr("tcp", c.HTTP.Listen)
	if err != nil {
		return "", wrong("page "+c.HTTP.Listen, err.Error(), "")
	}
	if addr.Port == 0 {
		return "", wrong("join", "port 0 is another port at each start",
			"give --http with the port that the table has printed")
	}
	if addr.IP == nil {
		addr.IP = net.IPv6unspecified
	}
	token, err := readToken(c.Table.Data)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "", failed(tokenFile(c.Table.Data), config.Reason(err),
			"only the table's own user reads it: sudo -u tableside tableside join")
	case err != nil:
		return "", failed(tokenFile(c.Table.Data), config.Reason(err), "")
	case token == "" && isLoopback(addr) && !c.HTTP.LocalNeedsToken():
		return "", failed("join", "the page is for this machine only, and asks for no token",
			`http.listen = "0.0.0.0:8080" lets phones in`)
	case token == "":
		return "", failed(tokenFile(c.Table.Data), "there is no token yet", "the table makes one when it starts")
	}
	to := door(c.HTTP, addr)
	if to == "" {
		to = "http://" + local(addr) + "/"
	}
	return to + key(token), nil
}
