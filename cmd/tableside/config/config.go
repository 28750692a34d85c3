package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/mqtt/homeassistant"
)

// Config holds the whole configuration of a table.
type Config struct {
	Table Table `toml:"table"`
	HTTP  HTTP  `toml:"http"`
	MQTT  MQTT  `toml:"mqtt"`
	Hall  Hall  `toml:"hall"`
	Game  Game  `toml:"game"`
	Wiring

	FileWiring Wiring `toml:"-"` // the part of Wiring that is in the configuration file
	Setup      Wiring `toml:"-"` // the parts that the page may change: those in the setup file
	HasSetup   bool   `toml:"-"` // the setup file exists and was read
	LeftOut    Errors `toml:"-"` // why parts of the setup file are not in Wiring
	SetupError error  `toml:"-"` // why the setup file is not read, or nil
}

// Table names the table, its folder and its seats.
type Table struct {
	Name string `toml:"name"` // in topics: tableside/<name>
	Lang string `toml:"lang"`
	Data string `toml:"data"` // folder of journals, tags and owner's cards

	Seats []string `toml:"seats"` // "red" or "red=Alice", clockwise

	Chances bool `toml:"chances"` // whether the table says who is ahead after each input
}

// HTTP holds the address of the page, and who may use it.
type HTTP struct {
	Listen string   `toml:"listen"`
	Hosts  []string `toml:"hosts"` // public names of proxies on this machine
	Frame  []string `toml:"frame"` // origins whose pages may show this page in a frame
	Local  string   `toml:"local"` // who on this machine may write: LocalOpen or LocalToken
	TLS    string   `toml:"tls"`   // "" or TLSOwn
	Cert   string   `toml:"tls_cert"`
	Key    string   `toml:"tls_key"`
}

// TLSOwn is the value of http.tls with which the table makes its own certificate.
const TLSOwn = "own"

// HasTLS reports whether the page answers other machines over TLS.
func (h HTTP) HasTLS() bool { return h.TLS != "" || h.Cert != "" }

// CheckTLS returns a mistake in the TLS settings, or nil. It does not open the files, which only
// the table's user may read.
func (h HTTP) CheckTLS() *Error {
	const both = "name both: the certificate, and the private key that fits"
	switch {
	case h.TLS != "" && h.TLS != TLSOwn:
		return Errorf("http.tls", "files from elsewhere have keys of their own: tls_cert and tls_key",
			"got %q, want %q", h.TLS, TLSOwn)
	case h.TLS != "" && (h.Cert != "" || h.Key != ""):
		return Errorf("http", "set tls for a certificate of the table's own, or tls_cert and tls_key for one from elsewhere",
			"tls and tls_cert exclude each other")
	case h.Cert == "" && h.Key != "":
		return Errorf("http.tls_key", both, "a key without tls_cert")
	case h.Cert != "" && h.Key == "":
		return Errorf("http.tls_cert", both, "a certificate without tls_key")
	case h.Cert != "" && !filepath.IsAbs(h.Cert):
		return Errorf("http.tls_cert", "", "got %q, want an absolute path", h.Cert)
	case h.Key != "" && !filepath.IsAbs(h.Key):
		return Errorf("http.tls_key", "", "got %q, want an absolute path", h.Key)
	}
	return nil
}

// LocalNeedsToken reports whether even browsers on this machine need the token.
func (h HTTP) LocalNeedsToken() bool { return h.Local == LocalToken }

// These are the values of http.local: who may use the page on this machine.
const (
	LocalOpen  = "open"  // everybody
	LocalToken = "token" // whoever has the token, as from other machines
)

// CheckLocal returns a mistake in a value of http.local, or nil.
func CheckLocal(value string) *Error {
	known := []string{LocalOpen, LocalToken}
	if slices.Contains(known, value) {
		return nil
	}
	return Errorf("http.local", Suggest(value, known, LocalToken+" asks browsers on this machine for the token, too"),
		"got %q, want one of %s", value, strings.Join(known, ", "))
}

// originPattern matches an origin that may stand in a Content-Security-Policy.
var originPattern = regexp.MustCompile(`^https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$`)

func (h HTTP) check(f *Errors) {
	f.address("http.listen", h.Listen)
	for _, host := range h.Hosts {
		u, err := url.Parse("https://" + host + "/")
		f.wrong(err != nil || u.Host != host || u.Hostname() == "" || strings.ContainsAny(host, "@ "), "http.hosts", "",
			"got %q, want a name such as table.example.org, with a port only where that is not 443", host)
	}
	for _, origin := range h.Frame {
		f.wrong(!originPattern.MatchString(origin), "http.frame",
			"it is the beginning of the other page's address, up to the first slash after the name",
			"got %q, want an origin such as http://homeassistant.local:8123", origin)
	}
	f.add(CheckLocal(h.Local), h.CheckTLS())
}

// Game describes the match that begins at startup if no match is unfinished.
type Game struct {
	Name    string            `toml:"name"`
	Seats   []string          `toml:"seats"` // written as table.seats, which is the default
	First   string            `toml:"first"`
	Options map[string]string `toml:"options"`

	Computer []string `toml:"computer"` // seats that the table itself plays, and how strong: "blue", "red=strong"

	file, source string // where it was read
}

// Where returns where the section [game] has a key, or else where it begins, for errors.
func (g *Game) Where(key string) string {
	section, _, _ := strings.Cut(key, ".") // options.target
	line := cmp.Or(lineOf(g.source, "game."+key, 0), lineOf(g.source, "game."+section, 0), lineOf(g.source, "game", 0))
	return (&Error{File: g.file, Line: line, Key: "game"}).Where()
}

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
	c.Table.Data = cmp.Or(env("STATE_DIRECTORY"), defaultData)
	c.HTTP.Listen, c.HTTP.Local = DefaultHTTP, LocalOpen
	c.MQTT.Discovery = homeassistant.DefaultDiscovery
	c.Hall.Name = "hall"
	c.Pi5 = IsPi5(Model(""))
	return c
}

// read reads the text of a file, validates the whole configuration, fills in defaults and reads
// the password file, so that no later code has to do this. Errors name the file and a line in it.
func (c *Config) read(file, source string) error {
	faults := decode(file, source, c)
	if len(faults) > 0 && faults[0].Unread {
		return faults[0]
	}
	var found Errors
	c.Table.check(&found)
	c.HTTP.check(&found)
	c.checkMQTT(&found)
	c.checkHall(&found)
	c.Wiring.check(&found, c.Seats())
	c.readPassword(&found) // last: "hall invite" goes on if only this file is missing, and makes it
	if len(c.Game.Seats) == 0 {
		c.Game.Seats = c.Table.Seats
	}
	c.Game.file, c.Game.source = file, source
	wrong := map[int]bool{}
	for _, e := range faults {
		wrong[e.Line] = true
	}
	for _, e := range found {
		if e.File, e.Line = file, e.line(source); !wrong[e.Line] { // a value that was not read is not missing
			faults = append(faults, e)
		}
	}
	return faults.err()
}

func (t Table) check(f *Errors) {
	f.wrong(!engine.IsWord(t.Name), "table.name", nameHint, "%q cannot name a table", t.Name)
	f.wrong(t.Lang != "" && !slices.Contains(engine.Languages, engine.Lang(t.Lang)), "table.lang", "",
		"got %q, want en or fr", t.Lang)
	f.wrong(!filepath.IsAbs(t.Data), "table.data", "", "got %q, want an absolute path", t.Data)
	const hint = "write each as a colour or a word, such as \"red\" or \"red=Alice\""
	seen := map[engine.Seat]bool{}
	for _, p := range Players(t.Seats) {
		f.wrong(!engine.IsWord(string(p.Seat)) || p.Seat == engine.Table, "table.seats", hint, "%q cannot be a seat", p.Seat)
		f.wrong(seen[p.Seat], "table.seats", hint, "duplicate %s", p.Seat)
		seen[p.Seat] = true
	}
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
