package config

import (
	"errors"
	"net"
	"strings"
	"syscall"

	"tableside/device/disk"
	"tableside/engine"
)

// Suggest returns "did you mean …?" with the known word that was probably meant. The second
// argument holds all known words. If no known word is similar to the given word, Suggest
// returns the last argument.
func Suggest(word string, among []string, fallback string) string {
	if near := Nearest(word, among); near != "" {
		return "did you mean " + near + "?"
	}
	return fallback
}

// Nearest returns the known word that was probably meant. The second argument holds all known
// words. Nearest first looks for a known word with a similar spelling. If it finds none, it
// looks for the first known word that begins with the given word, which must then have two
// letters or more. If it finds none either way, Nearest returns "".
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

func suggestPart(value string, parts []string) string {
	for _, name := range parts {
		if strings.EqualFold(name, value) || name == boardNames[strings.ToLower(value)] {
			return "did you mean " + name + "?"
		}
	}
	return Suggest(value, parts, "")
}

// Reason returns the text of an error. If the error is about a path, Reason returns the
// operating system's text without the path.
func Reason(err error) string { return disk.Cause(err).Error() }

// ListenReason returns the reason why a server cannot listen on an address.
func ListenReason(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "the port is in use"
	case errors.Is(err, syscall.EACCES):
		return "the port needs privileges"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "this machine has no such address"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err.Error()
	}
	return err.Error()
}
