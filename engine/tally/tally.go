// Package tally counts scores, lives or energy for any boxed game: up to a
// target, for a number of rounds, or until the players end the match.
//
// It is the smallest game and the one to copy from. The parts of a game:
//
//   - tally.go: the [engine.Game], with its options;
//   - rules.go: what the options of a match mean together;
//   - state.go: the [engine.State] of one match, which applies the inputs, with count.go
//     and correct.go;
//   - sheet.go: the score sheet, with the points of each round, and bids.go its bids;
//   - view.go: the view, with prompts.go and sheetview.go;
//   - dice.go: dice, which count nothing by themselves;
//   - words.txt: all texts, in every language;
//   - presets.txt: the options of well-known games.
package tally

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tableside/engine"
)

//go:embed words.txt
var words string

//go:embed presets.txt
var presets []byte

// Games lists the games of this package.
func Games() []engine.Game {
	return []engine.Game{game{engine.MustWords("tally/words.txt", words),
		engine.MustPresets("tally/presets.txt", presets)}}
}

type game struct {
	words   engine.Words
	presets []engine.Preset
}

// none is the value that leaves an option unset: a match whose target is none has no target.
const none = "none"

// lastStanding is the version of the rules since which a match for lives continues until one
// seat is left. In older journals it ends as soon as one seat has fallen.
const lastStanding = 2

// withSheet is the version of the rules since which views have the score sheet. Since then,
// too, amounts need no sign in a match with a sheet.
const withSheet = 3

// maxNumber bounds every number of a match, so that sums are far from overflow and numbers are
// short enough to draw.
const maxNumber = 99999

func (g game) Info() engine.Info {
	return engine.Info{
		Name: "tally/score", Rules: withSheet, MinSeats: 1, MaxSeats: 8, Words: g.words, Presets: g.presets,
		Options: []engine.Option{
			{Name: "counters", Default: "score", Check: checkCounters},
			{Name: "start", Default: "0", Check: checkStart},
			{Name: "step", Default: "1", Check: engine.Between(1, maxNumber)},
			{Name: "target", Default: none, Check: checkBound},
			{Name: "goal", Default: "high", Values: []string{"high", "low"}},
			{Name: "rounds", Default: "0", Check: checkRounds},
			{Name: "turns", Default: "on", Values: []string{"on", "off"}},
			{Name: "teams", Default: "0", Check: engine.Between(0, 4)},
			{Name: "bids", Default: none, Check: checkBids, Advanced: true},
			{Name: "rows", Default: none, Check: checkRows, Advanced: true},
			{Name: "bonus", Default: none, Check: checkBonus, Advanced: true},
			{Name: "sum", Default: none, Check: checkBound, Advanced: true},
			{Name: "over", Default: "count", Check: checkOver, Advanced: true},
			{Name: "deal", Default: "off", Values: []string{"on", "off"}, Advanced: true},
			{Name: "dice", Default: none, Check: checkDice, Advanced: true},
			{Name: "minutes", Default: "0", Check: engine.Between(0, 999), Advanced: true},
			{Name: "low", Default: none, Check: checkBound, Advanced: true},
			{Name: "limit", Default: none, Check: checkBound, Advanced: true},
		},
	}
}

// number returns the value of a checked option as a number. If the value is a word, such as
// "none", it returns the parameter otherwise.
func number(s string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return otherwise
	}
	return n
}

var checkNumber = engine.Between(-maxNumber, maxNumber)

func checkBound(s string) error {
	if s != none && checkNumber(s) != nil {
		return engine.NewSetupError("setup.bound")
	}
	return nil
}

func checkStart(s string) error {
	for _, one := range strings.Split(s, ",") {
		if err := checkNumber(strings.TrimSpace(one)); err != nil {
			return err
		}
	}
	return nil
}

// counterNames splits a list of counters, "Victory Points, life", at the commas. It returns
// the titles as they were typed, and the names for views, topics and corrections:
// "victory-points" and "life". A title in another script, such as "Очки", is named by its
// place: "counter-1".
func counterNames(s string) (names, titles []string) {
	for title := range strings.SplitSeq(s, ",") {
		title = strings.Join(strings.Fields(title), " ")
		titles = append(titles, title)
		name := nameOf(title)
		if !engine.IsWord(name) && inScript(title) {
			name = "counter-" + strconv.Itoa(len(titles))
		}
		names = append(names, name)
	}
	return names, titles
}

// nameOf returns the name of a title in English or French letters: small letters without
// accents, and hyphens for spaces and apostrophes. For a title in another script, such as
// "Очки", the result is not a valid name.
func nameOf(title string) string {
	return strings.Join(strings.Fields(nameReplacer.Replace(strings.ToLower(title))), "-")
}

// inScript reports whether a title has letters outside ASCII, begins with a letter, and holds
// at most 40 characters, all of them letters, digits, spaces or hyphens.
func inScript(title string) bool {
	other := false
	for i, r := range title {
		other = other || r > unicode.MaxASCII
		if !unicode.IsLetter(r) && (i == 0 || !unicode.In(r, unicode.Mark, unicode.Digit) && r != ' ' && r != '-') {
			return false
		}
	}
	return other && utf8.RuneCountInString(title) <= 40
}

// titleMatcher returns a function that reports whether another title equals this one, with no
// difference between small and capital letters.
func titleMatcher(title string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(title, other) }
}

// nameReplacer replaces what names cannot contain, in titles that are already in small letters:
// accented letters become plain ones, "œ" becomes "oe", and apostrophes become hyphens.
var nameReplacer = strings.NewReplacer("à", "a", "â", "a", "ä", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e",
	"î", "i", "ï", "i", "ô", "o", "ö", "o", "œ", "oe", "ù", "u", "û", "u", "ü", "u", "'", "-", "’", "-")

// checkCounters returns an error if a counter's name is empty, malformed or used twice, or if
// another kind of correction has that name. It also returns an error for more than six
// counters. A counter in words.txt is named in the players' language, any other as it was
// typed.
func checkCounters(s string) error {
	names, titles := counterNames(s)
	for i, name := range names {
		switch {
		case name == "":
			return engine.NewSetupError("setup.counter-empty")
		case slices.Contains([]string{"name", "round", "turn"}, name):
			return engine.NewSetupError("setup.counter-taken", "name", titles[i])
		case !engine.IsWord(name):
			return engine.NewSetupError("setup.counter-name", "name", titles[i])
		case slices.Contains(names[:i], name), slices.ContainsFunc(titles[:i], titleMatcher(titles[i])):
			return engine.NewSetupError("setup.counter-twice", "name", titles[i])
		}
	}
	if len(names) > 6 {
		return engine.NewSetupError("setup.counters")
	}
	return nil
}
