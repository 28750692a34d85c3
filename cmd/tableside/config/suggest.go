package config

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"

	"tableside/engine"
)

// Suggest returns "did you mean …?" with the word in among that was probably meant. If no word
// is close, it returns fallback.
func Suggest(word string, among []string, fallback string) string {
	if near := Nearest(word, among); near != "" {
		return "did you mean " + near + "?"
	}
	return fallback
}

// Nearest returns the word in among that was probably meant: one with a similar spelling. If
// there is none and word has two letters or more, it returns the first that begins with word.
// It returns "" if it finds none.
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

// suggestPart returns "did you mean …?" with the part that was probably meant. That is one of
// parts whose name differs only in upper and lower case, or the chip on a board of this name.
// If there is none, suggestPart returns what Suggest returns.
func suggestPart(value string, parts []string) string {
	for _, name := range parts {
		if strings.EqualFold(name, value) || name == boardNames[strings.ToLower(value)] {
			return "did you mean " + name + "?"
		}
	}
	return Suggest(value, parts, "")
}

// Reason returns the text of an error. If the error is about a path, it is the operating
// system's text without the path.
func Reason(err error) string { return Cause(err).Error() }

// Cause returns the operating system's error from inside an error about a path. It returns any
// other error as it is.
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
