package config

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"tableside/engine"
	"tableside/mqtt"
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

// checkHall checks the settings of the hall. These settings must also agree with the settings
// of the table. checkHall returns the key at fault, the reason and a hint. If nothing is
// wrong, the reason is "".
func (c *Config) checkHall() (key, why, hint string) {
	h := c.Hall
	const listen = "hall.listen"
	switch {
	case !engine.IsWord(h.Name):
		return "hall.name", fmt.Sprintf("%q cannot name a hall", h.Name), nameHint
	case h.Data != "" && !filepath.IsAbs(h.Data):
		return "hall.data", fmt.Sprintf("got %q, want an absolute path", h.Data), ""
	case h.Data != "" && filepath.Clean(h.Data) == filepath.Clean(c.Table.Data):
		return "hall.data", "the same folder as table.data", "give the hall a folder of its own"
	case h.Listen == "":
		return "", "", ""
	case CheckAddr(h.Listen) != nil:
		return listen, CheckAddr(h.Listen).Error(), ""
	case !c.MQTT.hasBroker():
		return listen, "a hall without a broker hears nobody", "set mqtt.broker, mqtt.brokers or mqtt.embedded"
	case c.HTTP.HasTLS():
		return listen, "the page of a hall has no TLS",
			"remove http.tls or http.tls_cert; a proxy has TLS for both (docs/proxy.md)"
	}
	if _, port, _ := net.SplitHostPort(h.Listen); port == "0" {
		return "", "", ""
	}
	for key, other := range map[string]string{"http.listen": c.HTTP.Listen, "mqtt.embedded": c.MQTT.Embedded} {
		if h.Listen == other {
			return listen, "the same address as " + key, "give the hall a port of its own"
		}
	}
	return "", "", ""
}

// Addresses returns the addresses of all brokers. If there is no MQTT, or if there is only the
// embedded broker, Addresses returns no addresses.
func (m MQTT) Addresses() []string {
	if m.Broker != "" {
		return []string{m.Broker}
	}
	return m.Brokers
}

// hasBroker reports whether a broker is configured; the embedded one counts, too.
func (m MQTT) hasBroker() bool { return len(m.Addresses()) > 0 || m.Embedded != "" }

// checkMQTT checks the settings of the broker, except for the password file. If a setting is
// wrong, it calls the given function, which makes the error.
func (c *Config) checkMQTT(fail func(key, why, hint string) error) error {
	m := c.MQTT
	switch {
	case m.Broker != "" && len(m.Brokers) > 0:
		return fail("mqtt.brokers", "broker and brokers exclude each other", "write all addresses in brokers")
	case len(m.Addresses()) > 0 && m.Embedded != "":
		return fail("mqtt", "broker and embedded exclude each other",
			"set broker to use an existing one, or embedded to let the program be one")
	case m.Password != "" && m.PasswordFile != "":
		return fail("mqtt", "password and password_file exclude each other", "")
	case m.Embedded != "" && CheckAddr(m.Embedded) != nil:
		return fail("mqtt.embedded", CheckAddr(m.Embedded).Error(), "")
	case m.Hall != "" && !engine.IsWord(m.Hall):
		return fail("mqtt.hall", fmt.Sprintf("%q cannot name a hall", m.Hall), nameHint)
	case m.Hall != "" && !m.hasBroker():
		return fail("mqtt.hall", "a table without a broker hears no hall", "set mqtt.broker, mqtt.brokers or mqtt.embedded")
	case !m.hasBroker() && (m.User != "" || m.Password != "" || m.PasswordFile != "" || m.CA != ""):
		return fail("mqtt", "credentials without a broker", "set broker or embedded")
	}
	if err := mqtt.CheckDiscovery(m.Discovery); err != nil {
		return fail("mqtt.discovery", err.Error(), "")
	}
	if len(m.Addresses()) > 0 {
		if why := c.CheckBrokers(); why != "" {
			return fail("mqtt", why, BrokerHint+"; ca is the PEM file of its certificate authority")
		}
	}
	return nil
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
// the user and the password are enough for the embedded broker. If something is wrong, it
// calls the given function, which makes the error.
func (c *Config) readPassword(fail func(key, why, hint string) error) error {
	if file := c.MQTT.PasswordFile; file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return fail("mqtt.password_file", file+": "+Reason(err), "")
		}
		c.MQTT.Password = strings.TrimRight(string(data), "\r\n")
	}
	if key, why := c.openEmbedded(); why != "" {
		return fail(key, why, "set mqtt.user and mqtt.password, or listen on 127.0.0.1")
	}
	return nil
}

// openEmbedded returns the setting that would keep the embedded broker from starting, and the
// reason. If the broker would start, the reason is "". The caller has checked the address and
// read the password.
func (c *Config) openEmbedded() (key, why string) {
	m := c.MQTT
	switch {
	case m.Embedded == "":
		return "", ""
	case (m.User == "") != (m.Password == ""):
		return "mqtt", "the embedded broker needs both a user and a password, or neither"
	case m.User == "" && !isLoopback(m.Embedded):
		return "mqtt.embedded", fmt.Sprintf("%s is open to the network, and asks for no password", m.Embedded)
	}
	return "", ""
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
		Table: c.Table.Name, Lang: engine.Lang(c.Table.Lang), Discovery: c.MQTT.Discovery,
		Hall: c.MQTT.Hall,
	}
}
