package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		line string
		want string // words with their columns
		err  string
	}{
		{"", "", ""},
		{"  \t ", "", ""},
		{"# all of it", "", ""},
		{"red tap zombie.1", "red@1 tap@5 zombie.1@9", ""},
		{"\tred  key\tleft # why", "red@2 key@7 left@11", ""},
		{`seat red "Mary Ann"`, "seat@1 red@6 Mary Ann@10", ""},
		{`seat red "Mary \"M\" Ann" #x`, `seat@1 red@6 Mary "M" Ann@10`, ""},
		{`a "" b`, "a@1 @3 b@6", ""},
		{"seat red Zoé x", "seat@1 red@6 Zoé@10 x@15", ""}, // columns count bytes
		{"a#b", "a#b@1", ""},                               // a comment begins a word
		{`a "b`, "", "column 3: quoted word has no end"},
		{`a "b"c`, "", "column 6: missing space after a quoted word"},
		{`a "b\n"`, "", "column 3: unprintable character in a quoted word"},
		{"a b\x07", "", "column 3: unprintable character in a word"},
		{"a \u200b", "", "column 3: unprintable character in a word"},
		{"a \xff", "", "column 1: line is not UTF-8 text"},
		{strings.Repeat("a", MaxLine+1), "", "column 4096: line is longer than 4096 bytes"},
	} {
		tokens, err := Tokens(c.line)
		var got []string
		for _, token := range tokens {
			got = append(got, token.Text+"@"+strconv.Itoa(token.Column))
		}
		if message(err) != c.err || strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, %q; want %q, %q", c.line, got, message(err), c.want, c.err)
		}
	}
}

func TestQuoteReadsBack(t *testing.T) {
	for _, word := range []string{"", "a", "a b", `"`, "#", `a\`, "é", "a\tb", "'"} {
		tokens, err := Tokens("x " + Quote(word) + " y")
		if word == "a\tb" { // cannot be printed, so nobody may name anything so
			if err == nil {
				t.Errorf("%q was read", word)
			}
			continue
		}
		if err != nil || len(tokens) != 3 || tokens[1].Text != word {
			t.Errorf("%q reads back as %v, %v", word, tokens, err)
		}
	}
}

func TestSyntaxErrorSaysWhere(t *testing.T) {
	for _, c := range []struct {
		err  SyntaxError
		want string
	}{
		{SyntaxError{Reason: "no"}, "no"},
		{SyntaxError{Column: 3, Reason: "no"}, "column 3: no"},
		{SyntaxError{Line: 2, Column: 3, Reason: "no"}, "2:3: no"},
		{SyntaxError{File: "f", Line: 2, Column: 3, Reason: "no"}, "f:2:3: no"},
		{SyntaxError{File: "f", Line: 2, Reason: "no"}, "f:2: no"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestIsWord(t *testing.T) {
	good := []string{"red", "a", "zombie-king", "a1", "pool-1", "bo_dollar"}
	bad := []string{"", "1a", "-a", "a-", "Red", "a b", "é", "a.1", "a/b", strings.Repeat("a", 41)}
	for _, s := range slices.Concat(good, bad) {
		if IsWord(s) != slices.Contains(good, s) {
			t.Errorf("IsWord(%q) = %t", s, IsWord(s))
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestErrorIn checks that an error that was written for a log follows its cause in French.
func TestErrorIn(t *testing.T) {
	absent, busy := errors.New("not plugged in"), errors.New("device or resource busy")
	for _, c := range []struct {
		err          error
		want, french string
	}{
		{absent, "not plugged in", "n'est pas branché"},
		{fmt.Errorf("evdev: pad: %w", absent), "evdev: pad: not plugged in",
			"n'est pas branché (evdev: pad: not plugged in)"},
		{fmt.Errorf("register 3: %w: %w", errors.New("odd"), busy), "register 3: odd: device or resource busy",
			"un autre programme s'en sert (register 3: odd: device or resource busy)"},
		{errors.New("register 3: odd"), "register 3: odd", "cela ne marche pas (register 3: odd)"},
		{Faultf(0, "%.0f %% of the polls fail: %v", 25.0, absent), "25 % of the polls fail: not plugged in",
			"25 % des lectures échouent : n'est pas branché"},
		{FaultOf(absent, "there is no key %s", "dance"), "there is no key dance", "il n'y a pas de touche dance"},
	} {
		if got := ErrorIn(c.err, English); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if got := ErrorIn(c.err, French); got != c.french {
			t.Errorf("got %q, want %q", got, c.french)
		}
		part := Part{Name: "pad", Err: c.err}.Said(French)
		if part != (Part{Name: "pad", Reason: c.french}) {
			t.Errorf("got the part %+v, want the reason %q", part, c.french)
		}
		if !errors.Is(FaultOf(absent, "gone"), absent) {
			t.Error("a fault is not of its kind")
		}
	}
}
