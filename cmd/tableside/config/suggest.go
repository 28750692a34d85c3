package config

import (
	"errors"
	"os"
	"strings"

	"tableside/engine"
)

// Suggest returns "did you mean …?" with the word that was probably meant, or
// otherwise where no word is close.
func Suggest(word string, among []string, otherwise string) string {
	if near := Nearest(word, among); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// Nearest returns the word that was probably meant, one of a similar spelling or
// with word as its prefix; "" if there is none.
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

// Reason returns the operating system's error text without the path.
func Reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
