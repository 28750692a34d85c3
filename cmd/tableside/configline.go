package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// located is a file with the line of a key, where that can be told.
func located(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// lineOf finds the line of a key, which the decoder does not tell, in the nth
// section of its name, from 0; below 0 in any. It is 0 where a key is written
// in an unusual way.
func lineOf(source string, key toml.Key, nth int) int {
	var section []string
	number, sections := 0, 0 // sections so far in which the key may stand
	for line := range strings.Lines(source) {
		number++
		line = strings.TrimSpace(line)
		if inside, ok := strings.CutPrefix(line, "["); ok {
			inside, _, _ = strings.Cut(inside, "]")
			section = split(strings.Trim(inside, "["))
			if slices.Equal(section, key) {
				if nth <= 0 {
					return number
				}
				nth--
			}
			if slices.Equal(section, key[:len(key)-1]) {
				sections++
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && (nth < 0 || max(sections-1, 0) == nth) && slices.Equal(slices.Concat(section, split(name)), key) {
			return number
		}
	}
	return 0
}

// split divides a dotted key into its words.
func split(key string) []string {
	words := strings.Split(key, ".")
	for i := range words {
		words[i] = strings.Trim(strings.TrimSpace(words[i]), `"'`)
	}
	return words
}

// line is that of the key which is wrong, or of its section where that lacks
// it; 0 for what is wrong between two parts.
func (f *fault) line(source string) int {
	if f.section == "" {
		return 0
	}
	if _, name, ok := strings.Cut(f.where, ": "); ok {
		if line := lineOf(source, toml.Key{f.section, name}, f.nth); line > 0 {
			return line
		}
	}
	return lineOf(source, toml.Key{f.section}, f.nth)
}

// in says in which section a fault is: the nth of its name, from 0.
func in(section string, nth int, err error) error {
	if f, ok := err.(*fault); ok {
		f.section, f.nth = section, nth
	}
	return err
}
