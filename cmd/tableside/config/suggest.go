package config

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"

	"tableside/engine"
)

// Suggest returns "did you mean …?" with the word that was probably meant, or the given other
// text if no word is close.
func Suggest(word string, among []string, otherwise string) string {
	if near := Nearest(word, among); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// Nearest returns the word in among that was probably meant: one with a similar spelling or, if
// there is none, the first that begins with the given word, which then needs two letters. It
// returns "" if it finds none.
func Nearest(word string, among []string) string {
	if near := engine.Nearest(word, among); near != "" || len(word) < 2 {
		return near
	}
	for _, candidate := range among {
		if strings.HasPrefix(candidate, word) {
			return candidate
		}
	}
	return ""
}

// boardNames maps the names under which boards are sold to the chips on them.
var boardNames = map[string]string{
	"rc522": "mfrc522", "mfrc-522": "mfrc522", "rfid-rc522": "mfrc522", "neopixel": "ws2812", "dotstar": "apa102",
}

// suggestPart returns "did you mean …?" with the part whose name differs only in upper and
// lower case, or with the chip on a board of this name; else what Suggest returns.
func suggestPart(value string, known []string) string {
	for _, name := range known {
		if strings.EqualFold(name, value) || name == boardNames[strings.ToLower(value)] {
			return "did you mean " + name + "?"
		}
	}
	return Suggest(value, known, "")
}

// Reason returns the operating system's error text without the path.
func Reason(err error) string { return Cause(err).Error() }

// Cause returns the operating system's error in a path error; other errors it returns as they
// are.
func Cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// ListenReason returns why a server cannot listen on an address.
func ListenReason(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "the port is in use"
	case errors.Is(err, syscall.EACCES):
		return "the port needs privileges"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "this machine has no such address"
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err.Error()
	}
	return err.Error()
}
