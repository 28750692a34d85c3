package invite

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tableside/cmd/tableside/config"
)

// TablePasswordFile is the file in which a table has its password, as docs/install.md says.
const TablePasswordFile = "/etc/tableside/mqtt-password"

// HallLines returns the lines that the hall's own configuration needs to log in to the broker.
func (l *List) HallLines() string {
	return fmt.Sprintf("[mqtt]\nuser = %q\npassword_file = %q\n", HallUser, l.PasswordFile())
}

// TableLines returns the configuration lines with which a table uses the hall's brokers. m
// holds the brokers.
func (l *List) TableLines(table Guest, m config.MQTT) string {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s = %s\n", key, value) }
	quoted := strconv.Quote
	line("[table]\nname", quoted(table.Name))
	b.WriteString("\n[mqtt]\n")
	here := ""
	if slices.ContainsFunc(m.Addresses(), isHere) {
		here = "    # write this machine's address instead"
	}
	switch brokers := m.Addresses(); len(brokers) {
	case 0:
		line("broker", `"tcp://HOST:1883"    # where the broker is`)
	case 1:
		line("broker", quoted(brokers[0])+here)
	default:
		line("brokers", `["`+strings.Join(brokers, `", "`)+`"]`+here)
	}
	if m.CA != "" {
		line("ca", quoted(m.CA)+"    # copy this file, too")
	}
	line("user", quoted(table.Name))
	line("password_file", quoted(TablePasswordFile))
	line("hall", quoted(l.Hall))
	line("discovery", quoted(table.Discovery))
	return b.String()
}

// isHere reports whether only this machine can reach the address of a broker.
func isHere(broker string) bool {
	_, address, found := strings.Cut(broker, "://")
	if !found {
		address = broker // a lone host:port
	}
	u, err := url.Parse("tcp://" + address)
	return err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
}

// BrokerLines returns a text for people who run mosquitto or nats-server. The text says what
// they must do once, and what they must do after each change, so that mosquitto or nats-server
// uses the files that Save writes.
func (l *List) BrokerLines() string {
	in := func(name string) string { return filepath.Join(l.Files, name) }
	return fmt.Sprintf(`mosquitto needs, once, in mosquitto.conf:

allow_anonymous false
password_file %s
acl_file %s

which the user mosquitto has to be able to read (--files puts them elsewhere), and
"sudo systemctl reload mosquitto" after each change. nats-server needs, once, in
nats-server.conf:

authorization { include %q }

and after each change a copy of %s
beside that file on each machine, and there "nats-server --signal reload".
`, in(passwordsName), in(accessListName), natsUsersName, in(natsUsersName))
}
