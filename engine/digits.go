package engine

import (
	"strconv"
	"strings"
)

// Digits returns the digits that a player types on a number pad to give each answer. If an
// answer cannot be typed, its digits are "".
//
// If the prompt asks for a number, the second result is true. The number may be a number of
// cards, or the face of a die thrown by hand. Each answer that enters a number then has this
// number as its digits, and the other answers have no digits. If the prompt does not ask for a
// number, the digits of an answer are its number on the page, from 1 to 9. If an answer of
// such a prompt changes a counter (see Counts), no answer has digits.
func (p *Prompt) Digits() (digits []string, asked bool) {
	digits = make([]string, len(p.Options))
	for i, o := range p.Options {
		digits[i] = o.number(p.Roll)
		asked = asked || digits[i] != ""
	}
	if asked || p.Counts() {
		return digits, asked
	}
	number := 0
	for i, o := range p.Options {
		if o.Zone != "" || p.Roll != nil && (o.Key == "throw" || o.Key == "face") {
			continue
		}
		number++
		// The answer that ends the turn has a key of its own and leaves its number unused. The
		// answer that ends the match must not be given by a single digit.
		if number < 10 && o.Key != "end-turn" && !strings.HasSuffix(o.Input, " choose end") {
			digits[i] = strconv.Itoa(number)
		}
	}
	return digits, false
}

func (a *Answer) number(r *RollRequest) string {
	in, err := ParseInput(a.Input)
	if err != nil || len(in.Args) != 1 || in.Verb != Choose && (in.Verb != Roll || r == nil || r.N != 1) {
		return ""
	}
	if n, err := strconv.Atoi(in.Args[0]); err != nil || strconv.Itoa(n) != in.Args[0] || n < 0 {
		return ""
	}
	return in.Args[0]
}

// Counts reports whether the prompt has an answer that changes a counter by some amount, such
// as "choose +5".
func (p *Prompt) Counts() bool {
	for _, o := range p.Options {
		if in, err := ParseInput(o.Input); err == nil && in.Verb == Choose && strings.HasPrefix(in.Arg(0), "+") {
			return true
		}
	}
	return false
}
