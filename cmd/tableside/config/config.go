package config

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"tableside/engine"
	"tableside/mqtt"
)

// Config holds the whole configuration of a table.
type Config struct {
	Table Table `toml:"table"`
	HTTP  HTTP  `toml:"http"`
	MQTT  MQTT  `toml:"mqtt"`
	Hall  Hall  `toml:"hall"`
	Game  Game  `toml:"game"`
	Wiring

	FileWiring Wiring  `toml:"-"` // the part of Wiring that is in the configuration file
	Setup      Wiring  `toml:"-"` // the parts in the setup file
	HasSetup   bool    `toml:"-"` // the setup file exists and was read
	LeftOut    []error `toml:"-"` // why parts of the setup file are not in Wiring
	SetupError error   `toml:"-"` // why the setup file is not read, or nil
}

// Table names the table, its folder and its seats.
type Table struct {
	Name string `toml:"name"` // in topics: tableside/<name>
	Lang string `toml:"lang"`
	Data string `toml:"data"` // folder of journals, tags and owner's cards

	Seats []string `toml:"seats"` // "red" or "red=Alice", clockwise
}

// HTTP holds the address of the page, and who may use it.
type HTTP struct {
	Listen string   `toml:"listen"`
	Hosts  []string `toml:"hosts"` // public names of proxies on this machine
	Local  string   `toml:"local"` // who on this machine may write: LocalOpen or LocalToken
	TLS    string   `toml:"tls"`   // "" or TLSOwn
	Cert   string   `toml:"tls_cert"`
	Key    string   `toml:"tls_key"`
}

// TLSOwn is the value of http.tls with which the table makes its own certificate.
const TLSOwn = "own"

// HasTLS reports whether the page answers other machines over TLS.
func (h HTTP) HasTLS() bool { return h.TLS != "" || h.Cert != "" }

// CheckTLS returns the first key of the TLS settings that has an invalid value. It also
// returns the reason and a hint. If all values are valid, key is "". CheckTLS does not open
// the files, which only the table's user may read.
func (h HTTP) CheckTLS() (key, why, hint string) {
	const both = "name both: the certificate, and the private key that fits"
	switch {
	case h.TLS != "" && h.TLS != TLSOwn:
		return "http.tls", fmt.Sprintf("got %q, want %q", h.TLS, TLSOwn),
			"files from elsewhere have keys of their own: tls_cert and tls_key"
	case h.TLS != "" && (h.Cert != "" || h.Key != ""):
		return "http", "tls and tls_cert exclude each other",
			"set tls for a certificate of the table's own, or tls_cert and tls_key for one from elsewhere"
	case h.Cert == "" && h.Key != "":
		return "http.tls_key", "a key without tls_cert", both
	case h.Cert != "" && h.Key == "":
		return "http.tls_cert", "a certificate without tls_key", both
	case h.Cert != "" && !filepath.IsAbs(h.Cert):
		return "http.tls_cert", fmt.Sprintf("got %q, want an absolute path", h.Cert), ""
	case h.Key != "" && !filepath.IsAbs(h.Key):
		return "http.tls_key", fmt.Sprintf("got %q, want an absolute path", h.Key), ""
	}
	return "", "", ""
}

// LocalNeedsToken reports whether even browsers on this machine need the token.
func (h HTTP) LocalNeedsToken() bool { return h.Local == LocalToken }

// These are the values of http.local: who may use the page on this machine.
const (
	LocalOpen  = "open"  // everybody
	LocalToken = "token" // whoever has the token, as from other machines
)

// CheckLocal returns the reason why http.local cannot have this value, and a hint. If the
// value is allowed, both are "".
func CheckLocal(value string) (why, hint string) {
	known := []string{LocalOpen, LocalToken}
	if slices.Contains(known, value) {
		return "", ""
	}
	return fmt.Sprintf("got %q, want one of %s", value, strings.Join(known, ", ")),
		Suggest(value, known, LocalToken+" asks browsers on this machine for the token, too")
}

// checkHost returns an error unless host can be the name of a proxy, such as
// "table.example.org" or "table.example.org:8443".
func checkHost(host string) error {
	u, err := url.Parse("https://" + host + "/")
	if err != nil || u.Host != host || u.Hostname() == "" || strings.ContainsAny(host, "@ ") {
		return fmt.Errorf("got %q, want a name such as table.example.org, with a port only where that is not 443", host)
	}
	return nil
}

// Game describes the match that begins at startup if no match is unfinished.
type Game struct {
	Name    string            `toml:"name"`
	Seats   []string          `toml:"seats"` // written as table.seats, which is the default
	First   string            `toml:"first"`
	Options map[string]string `toml:"options"`

	location string // file, line and section
}

// Where returns the file and line of the section [game], for errors.
func (g *Game) Where() string { return g.location }

// These are the default paths and addresses of a table.
const (
	DefaultFile     = "/etc/tableside/tableside.toml"
	defaultData     = "/var/lib/tableside"
	DefaultHTTP     = "127.0.0.1:8080"
	DefaultEmbedded = "127.0.0.1:1883"
)

// New returns the default configuration for this computer. The function env returns
// environment variables. If systemd has set STATE_DIRECTORY, its value is the data folder.
func New(env func(string) string) Config {
	var c Config
	c.Table.Name = "table"
	c.Table.Data = defaultData
	if folder := env("STATE_DIRECTORY"); folder != "" { // set by systemd
		c.Table.Data = folder
	}
	c.HTTP.Listen, c.HTTP.Local = DefaultHTTP, LocalOpen
	c.MQTT.Discovery = mqtt.DefaultDiscovery
	c.Hall.Name = "hall"
	c.Pi5 = IsPi5(Model(""))
	return c
}

// check validates the whole configuration, fills in defaults and reads the password file, so
// that no later code has to do this. Errors name the file and a line in the file. To find the
// line, check gets the text of the file (source).
func (c *Config) check(file, source string) error {
	fail := func(key, why, hint string) error {
		return &Error{File: file, Line: lineOf(source, split(key), 0), Key: key, Reason: why, Hint: hint}
	}
	if !engine.IsWord(c.Table.Name) {
		return fail("table.name", fmt.Sprintf("%q cannot name a table", c.Table.Name),
			nameHint)
	}
	if c.Table.Lang != "" && !slices.Contains(engine.Languages, engine.Lang(c.Table.Lang)) {
		return fail("table.lang", fmt.Sprintf("got %q, want en or fr", c.Table.Lang), "")
	}
	if !filepath.IsAbs(c.Table.Data) {
		return fail("table.data", fmt.Sprintf("got %q, want an absolute path", c.Table.Data), "")
	}
	if err := CheckAddr(c.HTTP.Listen); err != nil {
		return fail("http.listen", err.Error(), "")
	}
	for _, host := range c.HTTP.Hosts {
		if err := checkHost(host); err != nil {
			return fail("http.hosts", err.Error(), "")
		}
	}
	if why, hint := CheckLocal(c.HTTP.Local); why != "" {
		return fail("http.local", why, hint)
	}
	if key, why, hint := c.HTTP.CheckTLS(); why != "" {
		return fail(key, why, hint)
	}
	if err := c.checkMQTT(fail); err != nil {
		return err
	}
	if key, why, hint := c.checkHall(); why != "" {
		return fail(key, why, hint)
	}
	if err := c.checkSeats(); err != nil {
		return fail("table.seats", err.Error(), "write each as a colour or a word, such as \"red\" or \"red=Alice\"")
	}
	if err := c.Wiring.check(c.Seats()); err != nil {
		return withLine(file, source, err)
	}
	if len(c.Game.Seats) == 0 {
		c.Game.Seats = c.Table.Seats
	}
	c.Game.location = fileLine(file, lineOf(source, toml.Key{"game"}, 0)) + ": game"
	return c.readPassword(fail) // last: "hall invite" goes on if only this file is missing, and makes it
}

func (c *Config) checkSeats() error {
	seen := map[engine.Seat]bool{}
	for _, seat := range c.Seats() {
		if !engine.IsWord(string(seat)) || seat == engine.Table {
			return fmt.Errorf("%q cannot be a seat", seat)
		}
		if seen[seat] {
			return fmt.Errorf("duplicate %s", seat)
		}
		seen[seat] = true
	}
	return nil
}

// Seats returns the seats of the table. If the configuration names no seats, Seats returns the
// usual ones.
func (c *Config) Seats() []engine.Seat {
	if len(c.Table.Seats) == 0 {
		return engine.UsualSeats
	}
	var seats []engine.Seat
	for _, p := range Players(c.Table.Seats) {
		seats = append(seats, p.Seat)
	}
	return seats
}

// CheckAddr returns an error unless addr is an address that a server can listen on.
func CheckAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8080", addr)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%q: %q is not a port", addr, port)
	}
	if host != "" && host != "localhost" && net.ParseIP(host) == nil {
		return fmt.Errorf("%q: %q is not an address of this machine", addr, host)
	}
	return nil
}

// Players parses seats such as "red" and "red=Alice", where Alice is the player's name.
func Players(seats []string) []engine.Player {
	var all []engine.Player
	for _, seat := range seats {
		id, name, _ := strings.Cut(seat, "=")
		all = append(all, engine.Player{Seat: engine.Seat(strings.TrimSpace(id)), Name: strings.TrimSpace(name)})
	}
	return all
}
