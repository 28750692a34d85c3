package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"tableside/engine"
	"tableside/mqtt"
)

// A config is the whole configuration of a table: docs/configuration.md tells
// what each key means.
type config struct {
	Table tableConfig `toml:"table"`
	HTTP  httpConfig  `toml:"http"`
	MQTT  mqttConfig  `toml:"mqtt"`
	Game  gameConfig  `toml:"game"`
	wiring
}

type tableConfig struct {
	Name string `toml:"name"` // in topics: tableside/<name>
	Lang string `toml:"lang"`
	Data string `toml:"data"` // folder of journals, tags and owner's cards

	Seats []string `toml:"seats"` // "red" or "red=Alice", clockwise
}

type httpConfig struct {
	Listen string   `toml:"listen"`
	Hosts  []string `toml:"hosts"` // names under which a proxy on this machine asks
	Local  string   `toml:"local"` // who on this machine may write: localOpen or localToken
}

// Values of http.local.
const (
	localOpen  = "open"  // everybody
	localToken = "token" // whoever has the token, as everywhere else
)

// checkLocal finds what cannot be in http.local.
func checkLocal(value string) (why, hint string) {
	known := []string{localOpen, localToken}
	if slices.Contains(known, value) {
		return "", ""
	}
	return fmt.Sprintf("got %q, want one of %s", value, strings.Join(known, ", ")), suggest(value, known, localToken+" asks browsers on this machine for the token too")
}

// checkHost finds what cannot be the name of a proxy, "table.example.org" or
// "table.example.org:8443".
func checkHost(host string) error {
	u, err := url.Parse("https://" + host + "/")
	if err != nil || u.Host != host || u.Hostname() == "" || strings.ContainsAny(host, "@ ") {
		return fmt.Errorf("got %q, want a name such as table.example.org, with a port only where that is not 443", host)
	}
	return nil
}

type mqttConfig struct {
	Broker       string `toml:"broker"`   // "tcp://host:1883", "ssl://host:8883"
	Embedded     string `toml:"embedded"` // where the program's own broker listens instead
	User         string `toml:"user"`
	Password     string `toml:"password"`
	PasswordFile string `toml:"password_file"`
	CA           string `toml:"ca"`
	Discovery    string `toml:"discovery"` // Home Assistant's prefix; "" announces nothing
}

// gameConfig is the match that begins where none is unfinished.
type gameConfig struct {
	Name    string            `toml:"name"`
	Seats   []string          `toml:"seats"` // as those of the table, whose are the default
	First   string            `toml:"first"`
	Options map[string]string `toml:"options"`
}

// Defaults of a table.
const (
	defaultConfig   = "/etc/tableside/tableside.toml"
	defaultData     = "/var/lib/tableside"
	defaultHTTP     = "127.0.0.1:8080"
	defaultEmbedded = "127.0.0.1:1883"
)

// newConfig is what holds where a file says nothing.
func newConfig(env func(string) string) config {
	var c config
	c.Table.Name = "table"
	c.Table.Data = defaultData
	if folder := env("STATE_DIRECTORY"); folder != "" { // set by systemd
		c.Table.Data = folder
	}
	c.HTTP.Listen, c.HTTP.Local = defaultHTTP, localOpen
	c.MQTT.Discovery = mqtt.DefaultDiscovery
	c.pi5 = isPi5(model(""))
	return c
}

// loadConfig reads and checks a file. Without a name it is the usual one,
// which need not be there.
func (p *program) loadConfig(file string) (config, error) {
	c := newConfig(p.env)
	usual := file == ""
	if usual {
		file = defaultConfig
	}
	data, err := os.ReadFile(file)
	if usual && errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, wrong(file, reason(err), "")
	}
	if err := c.decode(file, string(data)); err != nil {
		return c, err
	}
	if err := c.check(p, file, string(data)); err != nil {
		return c, err
	}
	return c, nil
}

// decode reads strictly: a key that nobody knows is an error.
func (c *config) decode(file, source string) error {
	meta, err := toml.Decode(source, c)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return wrong(fmt.Sprintf("%s:%d:%d", file, syntax.Position.Line, syntax.Position.Col), syntax.Message, "")
	case err != nil:
		return badType(file, strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, key := range meta.Undecoded() {
		where := located(file, lineOf(source, key, -1))
		known := keysOf(reflect.TypeFor[config](), key[:len(key)-1])
		return wrong(where, fmt.Sprintf("there is no key %s", key), suggest(key[len(key)-1], known, "known here: "+strings.Join(known, ", ")))
	}
	return nil
}

// badType says a value of the wrong kind in words of the file: the decoder
// speaks of the types of Go.
func badType(file, text string) error {
	m := regexp.MustCompile(`^line (\d+) \(last key "([^"]+)"\): incompatible types: TOML value has type (\S+); destination has type (\S+)$`).FindStringSubmatch(text)
	if m == nil {
		m = regexp.MustCompile(`^line (\d+) \(last key "([^"]+)"\): type mismatch for \S+: expected (\S+) but found (\S+)$`).FindStringSubmatch(text)
		if m == nil {
			return wrong(file, text, "")
		}
		m[3], m[4] = m[4], m[3]
	}
	kind := func(name string) string {
		switch strings.TrimLeft(name, "[]") {
		case "string":
			return "text in quotes"
		case "int64", "integer", "float64", "float":
			return "a number"
		case "bool", "boolean":
			return "true or false"
		case "slice", "array", "any", "interface":
			return "a list"
		case "map", "struct", "table", "map[string]any", "map[string]interface {}":
			return "a section"
		}
		return name
	}
	return wrong(file+":"+m[1], fmt.Sprintf("%s: %s is needed, not %s", m[2], kind(m[4]), kind(m[3])), "")
}

// keysOf lists the keys of a section.
func keysOf(section reflect.Type, path []string) []string {
	for section.Kind() == reflect.Slice || section.Kind() == reflect.Pointer {
		section = section.Elem()
	}
	if section.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(section) {
		name := f.Tag.Get("toml")
		if name == "" { // an embedded part, whose fields are seen too
			continue
		}
		if len(path) > 0 && name == path[0] {
			return keysOf(f.Type, path[1:])
		}
		names = append(names, name)
	}
	if len(path) > 0 { // below a section that is itself unknown
		return nil
	}
	return names
}

// check finds what cannot be, once, so that nobody later has to.
func (c *config) check(p *program, file, source string) error {
	fail := func(key, why, hint string) error {
		return wrong(located(file, lineOf(source, split(key), 0))+": "+key, why, hint)
	}
	if !engine.IsWord(c.Table.Name) {
		return fail("table.name", fmt.Sprintf("%q cannot name a table", c.Table.Name), "small letters, digits and single hyphens")
	}
	if c.Table.Lang != "" && !slices.Contains(engine.Languages, engine.Lang(c.Table.Lang)) {
		return fail("table.lang", fmt.Sprintf("%q is not spoken here", c.Table.Lang), "en and fr are")
	}
	if !filepath.IsAbs(c.Table.Data) {
		return fail("table.data", fmt.Sprintf("%q is not an absolute folder", c.Table.Data), "")
	}
	if err := checkAddr(c.HTTP.Listen); err != nil {
		return fail("http.listen", err.Error(), "")
	}
	for _, host := range c.HTTP.Hosts {
		if err := checkHost(host); err != nil {
			return fail("http.hosts", err.Error(), "")
		}
	}
	if why, hint := checkLocal(c.HTTP.Local); why != "" {
		return fail("http.local", why, hint)
	}
	m := c.MQTT
	switch {
	case m.Broker != "" && m.Embedded != "":
		return fail("mqtt", "broker and embedded exclude each other", "name the broker that there is, or let the program be one")
	case m.Password != "" && m.PasswordFile != "":
		return fail("mqtt", "password and password_file exclude each other", "")
	case m.Embedded != "" && checkAddr(m.Embedded) != nil:
		return fail("mqtt.embedded", checkAddr(m.Embedded).Error(), "")
	case m.Broker == "" && m.Embedded == "" && (m.User != "" || m.Password != "" || m.PasswordFile != "" || m.CA != ""):
		return fail("mqtt", "there are credentials and no broker", "set broker or embedded")
	}
	if err := mqtt.CheckDiscovery(m.Discovery); err != nil {
		return fail("mqtt.discovery", err.Error(), "")
	}
	if m.PasswordFile != "" {
		data, err := os.ReadFile(m.PasswordFile)
		if err != nil {
			return fail("mqtt.password_file", m.PasswordFile+": "+reason(err), "")
		}
		c.MQTT.Password = strings.TrimRight(string(data), "\r\n")
	}
	if m.Broker != "" {
		if _, err := mqtt.New(c.mqtt()); err != nil {
			return fail("mqtt", brokerReason(err), `broker is such as "tcp://host:1883" or "ssl://host:8883", ca the PEM file of its authority`)
		}
	}
	if err := c.checkSeats(); err != nil {
		return fail("table.seats", err.Error(), "each is a colour or a word, as \"red\" or \"red=Alice\"")
	}
	var f *fault
	if err := c.wiring.check(c.seats()); errors.As(err, &f) {
		return wrong(located(file, f.line(source))+": "+f.where, f.why, f.hint)
	}
	if len(c.Game.Seats) == 0 {
		c.Game.Seats = c.Table.Seats
	}
	if c.Game.Name == "" {
		return nil
	}
	_, err := p.setup(located(file, lineOf(source, toml.Key{"game"}, 0))+": game", c.Game)
	return err
}

func (c *config) checkSeats() error {
	seen := map[engine.Seat]bool{}
	for _, seat := range c.seats() {
		if !engine.IsWord(string(seat)) || seat == engine.Table {
			return fmt.Errorf("%q cannot be a seat", seat)
		}
		if seen[seat] {
			return fmt.Errorf("%s stands there twice", seat)
		}
		seen[seat] = true
	}
	return nil
}

// seats are those of the table; any of the usual ones where it names none.
func (c *config) seats() []engine.Seat {
	if len(c.Table.Seats) == 0 {
		return engine.UsualSeats
	}
	var seats []engine.Seat
	for _, p := range players(c.Table.Seats) {
		seats = append(seats, p.Seat)
	}
	return seats
}

// mqtt is what the client of a broker needs to know.
func (c *config) mqtt() mqtt.Config {
	return mqtt.Config{
		Broker: c.MQTT.Broker, User: c.MQTT.User, Password: c.MQTT.Password, CAFile: c.MQTT.CA,
		Table: c.Table.Name, Lang: engine.Lang(c.Table.Lang), Discovery: c.MQTT.Discovery, Version: release,
		Dial: home().dial,
	}
}

func checkAddr(addr string) error {
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

// setup makes the match that somebody asked for by name, seats and options.
func (p *program) setup(what string, c gameConfig) (engine.Setup, error) {
	game, err := p.games.find(c.Name)
	if err != nil {
		return engine.Setup{}, err
	}
	info := game.Info()
	s := engine.Setup{Game: info.Name, Options: c.Options, First: engine.Seat(c.First), Seats: players(c.Seats)}
	if len(s.Seats) == 0 {
		for _, id := range engine.UsualSeats[:min(max(2, info.MinSeats), info.MaxSeats)] {
			s.Seats = append(s.Seats, engine.Player{Seat: id})
		}
	}
	if _, err := engine.NewMatch(game, s); err != nil {
		return s, p.setupFailure(what, game, err)
	}
	return s, nil
}

// players reads seats such as "red" and "red=Alice".
func players(seats []string) []engine.Player {
	var all []engine.Player
	for _, seat := range seats {
		id, name, _ := strings.Cut(seat, "=")
		all = append(all, engine.Player{Seat: engine.Seat(strings.TrimSpace(id)), Name: strings.TrimSpace(name)})
	}
	return all
}
