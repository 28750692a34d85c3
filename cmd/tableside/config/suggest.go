package config

import (
	"errors"
	"os"
	"strings"

	"tableside/engine"
)

// Suggest returns a hint: the word that was probably meant, else what follows.
func Suggest(word string, among []string, otherwise string) string {
	if near := Nearest(word, among); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// Nearest finds the word that was probably meant: one that is written much
// the same, or begins so.
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

// Reason returns what the operating system says of a file, without the name again.
func Reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
