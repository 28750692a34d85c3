package mqtt

import (
	"fmt"
	"strings"
)

// A User is a client that a broker lets in. PasswordFile, AccessList and NATSUsers return
// users in the formats of brokers' files.
type User struct {
	Name   string // a word
	Hashes Hashes // of its password
	Rights []Right
}

// PasswordFile returns the password file for mosquitto. The owner's own lines come first, and
// the lines of the users follow. The file has no comment, because mosquitto would take a
// comment for a user.
func PasswordFile(users []User, own string) string {
	var b strings.Builder
	b.WriteString(own)
	for _, u := range users {
		fmt.Fprintf(&b, "%s:%s\n", u.Name, u.Hashes.Mosquitto)
	}
	return b.String()
}

// madeHeader is the first line of the files that AccessList and NATSUsers return.
const madeHeader = "# Made by \"tableside hall invite\", which replaces it.\n"

// AccessList returns the access list for mosquitto. The list begins with the owner's own
// lines. Lines before the first user apply to clients without a user.
func AccessList(users []User, own string) string {
	var b strings.Builder
	b.WriteString(madeHeader + own)
	access := map[[2]bool]string{{true, false}: "read", {false, true}: "write", {true, true}: "readwrite"}
	for _, u := range users {
		fmt.Fprintf(&b, "\nuser %s\n", u.Name)
		for _, r := range u.Rights {
			fmt.Fprintf(&b, "topic %s %s\n", access[[2]bool{r.Read, r.Write}], r.Filter)
		}
	}
	return b.String()
}

// NATSUsers returns a file that lists users for nats-server. The authorization block of
// nats-server includes this file. The owner's own users come first, and the given users
// follow.
func NATSUsers(users []User, own string) string {
	var b strings.Builder
	b.WriteString(madeHeader + "users: [\n" + own)
	for _, u := range users {
		var publish, subscribe []string
		for _, r := range u.Rights {
			if r.Write {
				publish = append(publish, subject(r.Filter))
			}
			if r.Read {
				if parent, all := strings.CutSuffix(r.Filter, "/#"); all { // a/# also matches a
					subscribe = append(subscribe, subject(parent))
				}
				subscribe = append(subscribe, subject(r.Filter))
			}
		}
		fmt.Fprintf(&b, "  { user: %q, password: %q, permissions: {\n", u.Name, u.Hashes.NATS)
		fmt.Fprintf(&b, "      publish: [ %s ]\n      subscribe: [ %s ] } }\n", quote(publish), quote(subscribe))
	}
	b.WriteString("]\n")
	return b.String()
}

// subject returns the NATS subject for an MQTT topic filter, as described in
// https://docs.nats.io/running-a-nats-service/configuration/mqtt, "MQTT Topics and NATS
// Subjects".
func subject(filter string) string {
	return strings.NewReplacer(".", "//", "/", ".", "+", "*", "#", ">").Replace(filter)
}

// quote returns the subjects quoted, one on a line.
func quote(subjects []string) string {
	return `"` + strings.Join(subjects, "\"\n                   \"") + `"`
}
