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
	"tableside/display/web"
	"tableside/engine"
)

// These files in the data folder hold the secrets of the page.
const (
	tokenFile = "token"       // for players
	ownerFile = "owner-token" // for the owner, who begins and ends matches, too
)

// readToken reads a token from a file; it returns "" if there is no such file.
func readToken(file string) (string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(data)), err
}

// loadToken reads the token in a file of the data folder dir. If there is no token, loadToken
// makes a token. The token stays the same over restarts, so that phones stay joined.
//
// If the data folder is missing, loadToken makes it. The table's frames contain the token.
// Therefore the token is loaded before the table opens the folder.
func loadToken(dir, name string) (string, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	file := filepath.Join(dir, name)
	token, err := readToken(file)
	if err != nil || token != "" {
		return token, err
	}
	token = rand.Text()
	return token, os.WriteFile(file, []byte(token+"\n"), 0o600)
}

// key returns the part of a URL that holds the token, such as "?token=secret".
func key(token string) string { return "?token=" + token }

// A Guest says whom a URL admits: any player, the player of one seat, or the owner.
type Guest struct {
	Seat   engine.Seat // "" for every seat
	Owner  bool
	Reader bool // to the page that makes a phone a reader
}

// JoinURL returns the URL with which a phone joins the table of a configuration. The URL
// contains the token for the guest. Usually the URL leads to the page of the table. If
// guest.Reader is set, the URL leads to the page that makes a phone a card reader.
func JoinURL(c config.Config, guest Guest) (string, error) {
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
	file := filepath.Join(c.Table.Data, tokenFile)
	if guest.Owner {
		file = filepath.Join(c.Table.Data, ownerFile)
	}
	token, err := readToken(file)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "", failed(file, config.Reason(err),
			"only the table's own user reads it: sudo -u tableside tableside join")
	case err != nil:
		return "", failed(file, config.Reason(err), "")
	case token == "" && isLoopback(addr) && !c.HTTP.LocalNeedsToken():
		return "", failed("join", "the page is for this machine only, and asks for no token",
			`http.listen = "0.0.0.0:8080" lets phones in`)
	case token == "":
		return "", failed(file, "there is no token yet", "the table makes one when it starts")
	case guest.Seat != "":
		token = web.SeatCode(token, guest.Seat)
	}
	to := reachableURL(c.HTTP, addr)
	if to == "" {
		to = "http://" + local(addr) + "/"
	}
	if guest.Reader {
		to += "reader"
	}
	return to + key(token), nil
}
