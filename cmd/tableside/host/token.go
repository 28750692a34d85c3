package host

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/device/disk"
	"tableside/display/web/core"
	"tableside/engine"
)

// These files in the data folder hold the secrets of the page.
const (
	tokenFile = "token"       // for players
	ownerFile = "owner-token" // for the owner, who begins and ends matches, too
)

// minTokenLen is the length of the shortest token that counts. A shorter text is the rest of a
// token, or can be guessed.
const minTokenLen = 20

// readToken reads a token from a file; it returns "" if there is no such file. exposed says that
// others than the file's owner may read or write it.
func readToken(file string) (token string, exposed bool, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", false, err
	}
	token = strings.TrimSpace(string(data))
	isStrange := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(token) < minTokenLen || strings.ContainsFunc(token, isStrange) {
		return "", false, engine.Faultf(0, "this is no token: it has fewer than %d letters, or is damaged", minTokenLen)
	}
	return token, info.Mode().Perm()&0o077 != 0, nil
}

// loadToken reads the token in a file of the data folder dir. If there is no token, loadToken
// makes one, and the folder if necessary. If the token is damaged, loadToken makes another, and
// whoever has joined with the old one must join again. If others may read the file, they no
// longer may. The token stays the same over restarts, so that phones stay joined.
//
// Even with an error there is a token. It is the one in the file, if that is whole; else it is for
// this start only.
//
// The table's frames contain the token. Therefore the token is loaded before the table opens
// the folder.
func loadToken(dir, name string, log *slog.Logger) (token string, isNew bool, err error) {
	file := filepath.Join(dir, name)
	token, exposed, err := readToken(file)
	switch damaged := (*engine.SyntaxError)(nil); {
	case errors.As(err, &damaged):
		log.Warn("a token is made anew; whoever has joined must join again", "file", file, "error", err)
	case err != nil:
		return rand.Text(), false, err
	case token != "" && !exposed:
		return token, false, nil
	case exposed:
		log.Warn("others could read a token; now they cannot. Delete the file to get another", "file", file)
	}
	if isNew = token == ""; isNew {
		token = rand.Text()
	}
	if err := disk.ReplacePrivate(file, token+"\n"); err != nil {
		return token, false, err // phones that have joined stay joined
	}
	return token, isNew, nil
}

func tokenFaults(file string, lang engine.Lang) []string {
	_, exposed, err := readToken(file)
	switch {
	case err != nil:
		return []string{engine.ErrorIn(err, lang)}
	case exposed:
		return []string{engine.ErrorIn(engine.Faultf(0, "others may read it"), lang)}
	}
	return nil
}

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
		return "", config.Wrong("page "+c.HTTP.Listen, err.Error(), "")
	}
	if addr.Port == 0 {
		return "", config.Wrong("join", "port 0 is another port at each start",
			"give --http with the port that the table has printed")
	}
	if addr.IP == nil {
		addr.IP = net.IPv6unspecified
	}
	file := filepath.Join(c.Table.Data, tokenFile)
	if guest.Owner {
		file = filepath.Join(c.Table.Data, ownerFile)
	}
	token, _, err := readToken(file)
	switch {
	case errors.As(err, new(*engine.SyntaxError)):
		return "", config.Failed(file, err.Error(), "restart the table: it makes another")
	case errors.Is(err, fs.ErrPermission):
		return "", config.Failed(file, config.Reason(err),
			"only the table's own user reads it: sudo -u tableside tableside join")
	case err != nil:
		return "", config.Failed(file, config.Reason(err), "")
	case token == "" && isLoopback(addr) && !c.HTTP.LocalNeedsToken():
		return "", config.Failed("join", "the page is for this machine only, and asks for no token",
			`http.listen = "0.0.0.0:8080" lets phones in`)
	case token == "":
		return "", config.Failed(file, "there is no token yet", "the table makes one when it starts")
	case guest.Seat != "":
		token = core.SeatCode(token, guest.Seat)
	}
	to := cmp.Or(reachableURL(c.HTTP, addr), "http://"+local(addr)+"/")
	if guest.Reader {
		to += "reader"
	}
	return to + key(token), nil
}
