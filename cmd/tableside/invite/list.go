// Package invite keeps the list of the tables that a hall has invited to its broker. Each
// table has a password of its own. The package also writes the files from which the broker
// knows these tables. The list holds only hashes of passwords. A password is known only when
// it is made.
package invite

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/engine"
	"tableside/mqtt"
)

// HallUser is the name of the hall's own user at the broker.
const HallUser = "hall"

// A Guest is a user of the broker: a table, or the hall.
type Guest struct {
	Name      string      `json:"name"`
	Discovery string      `json:"discovery,omitempty"` // its prefix in Home Assistant, if any
	Since     time.Time   `json:"since"`
	Hashes    mqtt.Hashes `json:"hashes"`
}

// A Ticket holds a guest and its password, which is shown once and not kept.
type Ticket struct {
	Guest
	Password string
}

// A List holds the users of a broker. Its methods change it in memory only; Save writes it.
type List struct {
	Hall   string  `json:"hall"`             // the hall's name
	Beside string  `json:"beside,omitempty"` // the table beside the hall, which uses its user
	Files  string  `json:"files"`            // folder of the broker's files
	Guests []Guest `json:"guests"`           // the hall first, then the tables as they came

	data      string
	lockedDir *os.File // the hall's folder; nil where there is none
}

// Invite adds tables to the list. If the list is empty, Invite adds the hall before the
// tables. discovery is the tables' prefix in Home Assistant. If renew is set, the tables must
// be on the list, and Invite only gives them new passwords. If renew is set and discovery is
// "", each table keeps its old prefix.
//
// Invite returns a ticket for each added or changed guest. After an error, the list may be
// half changed, and must not be saved.
func (l *List) Invite(tables []string, discovery string, renew bool) ([]Ticket, error) {
	var tickets []Ticket
	first := len(l.Guests) == 0 && !renew
	if first {
		tables = slices.Insert(slices.Clone(tables), 0, HallUser)
	}
	for i, name := range tables {
		at := l.find(name)
		isHall := name == HallUser
		switch {
		case isHall && !renew && !(first && i == 0):
			return nil, config.Errorf(name, "give the table another [table] name", "this is the hall's own user")
		case slices.Contains(tables[:i], name):
			return nil, config.Errorf(name, "", "named twice")
		case at >= 0 && !renew:
			return nil, config.Errorf(name, "--again gives it another password, --remove takes it off the list",
				"this table is invited already")
		case at < 0 && renew:
			return nil, config.Errorf(name, "without --again it is invited", "this table is not invited yet")
		case !isHall:
			if err := l.check(name); err != nil {
				return nil, err
			}
		}
		password, hashes, err := mqtt.NewPassword()
		if err != nil {
			return nil, err
		}
		guest := Guest{Name: name, Since: time.Now().UTC().Truncate(time.Second), Hashes: hashes}
		if !isHall || l.Beside != "" {
			guest.Discovery = discovery
		}
		if at >= 0 {
			guest.Discovery = cmp.Or(discovery, l.Guests[at].Discovery)
			l.Guests[at] = guest
		} else {
			l.Guests = append(l.Guests, guest)
		}
		tickets = append(tickets, Ticket{guest, password})
	}
	return tickets, nil
}

// check returns an error if a table cannot be invited under the given name. The name may be
// invalid, may belong to the table beside the hall, or may be too similar to the name of
// another guest.
func (l *List) check(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	others := slices.Clone(l.Guests)
	if l.Beside != "" {
		others = append(others, Guest{Name: l.Beside})
	}
	for _, g := range others {
		switch {
		case g.Name == name && name == l.Beside:
			return config.Errorf(name, "it uses the hall's user: user = \""+HallUser+"\"", "the hall is beside this table")
		case g.Name != name && mqtt.SameTopics(g.Name, name):
			return config.Errorf(name, "give one of them another name",
				"Home Assistant cannot tell this table from %s", g.Name)
		}
	}
	return nil
}

// CheckName returns an error if a table cannot have this name.
func CheckName(name string) error {
	if !engine.IsWord(name) {
		return config.Errorf(fmt.Sprintf("%q", name),
			"small letters, digits and single hyphens, such as table-1: as in [table] name", "this cannot name a table")
	}
	return nil
}

// CheckDiscovery returns an error if the broker's files cannot hold this prefix for Home
// Assistant.
func CheckDiscovery(prefix string) error {
	for _, level := range strings.Split(prefix, "/") {
		if prefix != "" && !mqtt.IsTable(level) {
			return fmt.Errorf("got %q, want a topic such as %s, of letters, digits and hyphens", prefix, mqtt.DefaultDiscovery)
		}
	}
	return nil
}

// Remove takes tables off the list. After an error the list may be half changed, and must not
// be saved.
func (l *List) Remove(tables []string) error {
	for _, name := range tables {
		at := l.find(name)
		switch {
		case at < 0:
			return config.Errorf(fmt.Sprintf("%q", name), "tableside hall invite says who is", "this table is not invited")
		case name == HallUser:
			return config.Errorf(name, "", "this is the hall's own user: without it the hall hears nobody")
		}
		l.Guests = slices.Delete(l.Guests, at, at+1)
	}
	return nil
}

// find returns the index of the guest with this name, or -1 if there is none.
func (l *List) find(name string) int {
	return slices.IndexFunc(l.Guests, func(g Guest) bool { return g.Name == name })
}

// users returns the guests as users of the broker, with their rights.
func (l *List) users() []mqtt.User {
	var all []mqtt.User
	for _, g := range l.Guests {
		u := mqtt.User{Name: g.Name, Hashes: g.Hashes}
		switch {
		case g.Name != HallUser:
			u.Rights = mqtt.TableRights(g.Name, l.Hall, g.Discovery)
		case l.Beside != "":
			u.Rights = slices.Concat(mqtt.HallRights(l.Hall), mqtt.TableRights(l.Beside, l.Hall, g.Discovery))
		default:
			u.Rights = mqtt.HallRights(l.Hall)
		}
		all = append(all, u)
	}
	return all
}
