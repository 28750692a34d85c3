package engine

import (
	"strconv"
	"strings"
)

// Digits returns what to type on a number pad for each answer, or "" for an answer that cannot
// be typed. asked is true if the prompt asks for a number, such as a number of cards or the
// face of a die thrown by hand. Then an answer that enters a number has that number as its
// digits, and no other answer has any. If asked is false, an answer has the number that the
// page gives it, 1 to 9; but if Counts returns true, no answer has digits.
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

// number returns the number that an answer enters, or "" if it enters none. The face of a die
// is such a number only if r asks for a single die.
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
