package config

import (
	"net"
	"os"
	"path/filepath"
	"strings"

	"tableside/engine"
	"tableside/mqtt"
	"tableside/mqtt/homeassistant"
)

// MQTT holds the broker of the table and the credentials for it.
type MQTT struct {
	Broker       string   `toml:"broker"`   // "tcp://host:1883", "ssl://host:8883"
	Brokers      []string `toml:"brokers"`  // several instead, of which one is used at a time
	Embedded     string   `toml:"embedded"` // address of the program's own broker, used instead
	User         string   `toml:"user"`
	Password     string   `toml:"password"`
	PasswordFile string   `toml:"password_file"`
	CA           string   `toml:"ca"`
	Discovery    string   `toml:"discovery"` // Home Assistant's prefix; "" announces nothing
	Hall         string   `toml:"hall"`      // the hall that the table obeys; "" obeys none
}

// Hall holds the settings of the hall, which is a page that shows all tables of the broker.
type Hall struct {
	Name   string `toml:"name"`   // as tables name it in mqtt.hall
	Data   string `toml:"data"`   // folder with what tables send it; "": it keeps nothing
	Listen string `toml:"listen"` // address of the page; "": the table shows none
}

// nameHint tells the owner which names tables and halls can have.
const nameHint = "small letters, digits and single hyphens"

// noBrokerHint tells the owner what is missing where MQTT is needed.
const noBrokerHint = "set mqtt.broker, mqtt.brokers or mqtt.embedded"

// checkHall checks the settings of the hall. These settings must also agree with the settings
// of the table.
func (c *Config) checkHall(f *Errors) {
	h := c.Hall
	f.wrong(!engine.IsWord(h.Name), "hall.name", nameHint, "%q cannot name a hall", h.Name)
	f.wrong(h.Data != "" && !filepath.IsAbs(h.Data), "hall.data", "", "got %q, want an absolute path", h.Data)
	f.wrong(h.Data != "" && filepath.Clean(h.Data) == filepath.Clean(c.Table.Data), "hall.data",
		"give the hall a folder of its own", "the same folder as table.data")
	if h.Listen == "" {
		return
	}
	const listen = "hall.listen"
	f.address(listen, h.Listen)
	f.wrong(!c.MQTT.hasBroker(), listen, noBrokerHint, "a hall without a broker hears nobody")
	f.wrong(c.HTTP.HasTLS(), listen, "remove http.tls or http.tls_cert; a proxy has TLS for both (docs/proxy.md)",
		"the page of a hall has no TLS")
	const hint = "give the hall a port of its own"
	anyPort := strings.HasSuffix(h.Listen, ":0")
	f.wrong(!anyPort && h.Listen == c.HTTP.Listen, listen, hint, "the same address as http.listen")
	f.wrong(!anyPort && h.Listen == c.MQTT.Embedded, listen, hint, "the same address as mqtt.embedded")
}

// Addresses returns the addresses of all brokers. If there is no MQTT, or if there is only the
// embedded broker, Addresses returns no addresses.
func (m MQTT) Addresses() []string {
	if m.Broker != "" {
		return []string{m.Broker}
	}
	return m.Brokers
}

func (m MQTT) hasBroker() bool { return len(m.Addresses()) > 0 || m.Embedded != "" }

// checkMQTT checks the settings of the broker, except for the password file.
func (c *Config) checkMQTT(f *Errors) {
	m := c.MQTT
	f.wrong(m.Broker != "" && len(m.Brokers) > 0, "mqtt.brokers", "write all addresses in brokers",
		"broker and brokers exclude each other")
	f.wrong(len(m.Addresses()) > 0 && m.Embedded != "", "mqtt",
		"set broker to use an existing one, or embedded to let the program be one", "broker and embedded exclude each other")
	f.wrong(m.Password != "" && m.PasswordFile != "", "mqtt.password_file", "", "password and password_file exclude each other")
	if m.Embedded != "" {
		f.address("mqtt.embedded", m.Embedded)
	}
	f.wrong(m.Hall != "" && !engine.IsWord(m.Hall), "mqtt.hall", nameHint, "%q cannot name a hall", m.Hall)
	f.wrong(m.Hall != "" && !m.hasBroker(), "mqtt.hall", noBrokerHint, "a table without a broker hears no hall")
	f.wrong(!m.hasBroker() && (m.User != "" || m.Password != "" || m.PasswordFile != "" || m.CA != ""), "mqtt",
		"set broker or embedded", "credentials without a broker")
	if err := homeassistant.CheckDiscovery(m.Discovery); err != nil {
		f.wrong(true, "mqtt.discovery", "", "%s", err)
	}
	if len(m.Addresses()) > 0 {
		why := c.CheckBrokers()
		f.wrong(why != "", "mqtt", BrokerHint+"; ca is the PEM file of its certificate authority", "%s", why)
	}
}

// BrokerHint tells the owner how to write the address of a broker.
const BrokerHint = `write broker as "tcp://host:1883" or "ssl://host:8883"`

// CheckBrokers returns the reason why a client cannot use the settings of the brokers. If a
// client can use them, the reason is "".
func (c *Config) CheckBrokers() string {
	if _, err := mqtt.New(c.Client()); err != nil {
		return strings.TrimPrefix(err.Error(), "mqtt: ")
	}
	return ""
}

// readPassword reads the password file, if the configuration names one. Then it checks that
// the user and the password are enough for the embedded broker.
func (c *Config) readPassword(f *Errors) {
	m := &c.MQTT
	if m.PasswordFile != "" && m.Password == "" {
		data, err := os.ReadFile(m.PasswordFile)
		if err != nil {
			f.wrong(true, "mqtt.password_file", "", "%s: %s", m.PasswordFile, Reason(err))
			return
		}
		m.Password = strings.TrimRight(string(data), "\r\n")
	}
	const hint = "set mqtt.user and mqtt.password, or listen on 127.0.0.1"
	switch {
	case m.Embedded == "":
	case (m.User == "") != (m.Password == ""):
		f.wrong(true, "mqtt", hint, "the embedded broker needs both a user and a password, or neither")
	case m.User == "":
		f.wrong(!isLoopback(m.Embedded), "mqtt.embedded", hint, "%s is open to the network, and asks for no password", m.Embedded)
	}
}

// isLoopback reports whether only this machine can reach an address, which must be valid.
func isLoopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// Client returns the configuration of the table's MQTT client.
func (c *Config) Client() mqtt.Config {
	return mqtt.Config{
		Brokers: c.MQTT.Addresses(), User: c.MQTT.User, Password: c.MQTT.Password, CAFile: c.MQTT.CA,
		Table: c.Table.Name, Lang: engine.Lang(c.Table.Lang), Home: homeassistant.Config{Discovery: c.MQTT.Discovery},
		Hall: c.MQTT.Hall,
	}
}
