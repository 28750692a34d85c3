// Package tally counts scores, lives or energy for any boxed game. A match goes up to a
// target, for a number of rounds, or until the players end it.
//
// This package is the smallest game, and the best one to copy for a new game. A game has these
// parts:
//
//   - tally.go: the [engine.Game], with its options;
//   - rules.go: what the options of a match mean together;
//   - state.go: the [engine.State] of one match, which applies the inputs, with count.go
//     and correct.go;
//   - sheet.go: the score sheet, with the points of each round;
//   - bids.go: the bids of the score sheet;
//   - view.go: the view, with prompts.go and sheetview.go;
//   - deals.go: the deals that are scored from what is entered, with dealgames.go;
//   - dice.go: dice, which count nothing by themselves;
//   - ends.go and winner.go: what ends and decides a match besides the first counter;
//   - words.txt: all texts, in every language;
//   - presets: the options of well-known games, a file for each.
package tally

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"tableside/engine"
)

//go:embed words.txt
var words string

//go:embed presets
var presets embed.FS

// Games lists the games of this package.
func Games() []engine.Game { return games() }

var games = sync.OnceValue(func() []engine.Game {
	g := game{engine.MustWords("tally/words.txt", words), engine.MustPresets(presets)}
	for _, p := range g.presets {
		g.words["preset."+p.Name] = p.Wording()
	}
	for i := range g.presets {
		if err := g.presets[i].Fit(g); err != nil {
			panic(err)
		}
	}
	return []engine.Game{g}
})

type game struct {
	words   engine.Words
	presets []engine.Preset
}

// none is the value that leaves an option unset: a match whose target is none has no target.
const none = "none"

// lastStandingVersion is the first version of the rules in which a match for lives continues
// until one seat is left. In older journals the match ends as soon as one seat has fallen.
const lastStandingVersion = 2

// sheetVersion is the first version of the rules whose views have the score sheet. From this
// version on, players of a match with a sheet may also enter an amount without a sign.
const sheetVersion = 3

// restVersion is the first version of the rules in which the losers of a round whose points add
// up to 0 share what is left, and in which nobody gets less than nothing of another sum.
const restVersion = 4

// winnerVersion is the first version of the rules whose views ask who has won after a tie, and in which
// a row that is filled may end the last round of the option "minutes".
const winnerVersion = 5

// maxNumber is the greatest absolute value of a number in a match. It keeps sums far from
// overflow, and numbers short enough to draw.
const maxNumber = 99999

func (g game) Info() engine.Info {
	return engine.Info{
		Name: "tally/score", Rules: winnerVersion, MinSeats: 1, MaxSeats: 8, Words: g.words, Presets: g.presets,
		Options: []engine.Option{
			{Name: "counters", Default: "score", Check: checkCounters},
			{Name: "start", Default: "0", Check: each(checkNumber)},
			{Name: "step", Default: "1", Check: engine.Between(1, maxNumber)},
			{Name: "target", Default: none, Check: each(numberOr("setup.bound", none))},
			{Name: "goal", Default: "high", Values: []string{"high", "low"}},
			{Name: "rounds", Default: "0", Check: checkRounds},
			{Name: "turns", Default: "on", Values: []string{"on", "off"}},
			{Name: "teams", Default: "0", Check: engine.Between(0, 4)},
			{Name: "bids", Default: none, Check: check(readBids), Advanced: true},
			{Name: "rows", Default: none, Check: check(readRows), Advanced: true},
			{Name: "bonus", Default: none, Check: check(readBonus), Advanced: true},
			{Name: "sum", Default: none, Check: numberOr("setup.bound", none), Advanced: true},
			{Name: "over", Default: counts, Check: numberOr("setup.over", counts, bust), Advanced: true},
			{Name: "deal", Default: "off", Values: []string{"on", "off"}, Advanced: true},
			{Name: "deals", Default: none, Values: []string{none, "tarot", "belote", "coinche", "spades", "hearts"},
				Advanced: true, Newer: true},
			{Name: "dice", Default: none, Check: check(readDice), Advanced: true},
			{Name: "minutes", Default: "0", Check: engine.Between(0, 999), Advanced: true},
			{Name: "low", Default: none, Check: numberOr("setup.bound", none), Advanced: true},
			{Name: "limit", Default: none, Check: numberOr("setup.bound", none), Advanced: true},
			{Name: "result", Default: byPoints, Values: []string{byPoints, byWinner, together}, Advanced: true},
			{Name: "tie", Default: none, Check: checkItems("setup.ties", -1, -1), Advanced: true},
			{Name: "out", Default: none, Check: checkItems("setup.conditions", 0, maxNumber), Advanced: true},
			{Name: "finish", Default: none, Check: checkItems("setup.conditions", 1, maxNumber), Advanced: true},
		},
	}
}

// parseNumber reads the number in a checked text, such as the value of an option. If the text
// is a word, such as "none", parseNumber returns its second argument.
func parseNumber(s string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return otherwise
	}
	return n
}

// check returns the check of an option, given the function that reads its value.
func check[T any](read func(string) (T, error)) func(string) error {
	return func(s string) error {
		_, err := read(s)
		return err
	}
}

var checkNumber = engine.Between(-maxNumber, maxNumber)

// numberOr returns the check of an option that is a number or one of the words. The key tells what it
// has to be.
func numberOr(key string, words ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(words, s) && checkNumber(s) != nil {
			return engine.NewSetupError(key)
		}
		return nil
	}
}

// each returns the check of a list, given that of one value.
func each(check func(string) error) func(string) error {
	return func(s string) error {
		for _, one := range engine.SplitList(s) {
			if err := check(one); err != nil {
				return err
			}
		}
		return nil
	}
}

// counterNames splits a list of counters, such as "Victory Points, life", at the commas. It
// returns the titles as they were typed, and the names that views, topics and corrections use,
// such as "victory-points" and "life". A title in another script, such as "Очки", gets a name
// that gives its place in the list, such as "counter-1". A title may have a part for each
// language, such as "Eggs/Œufs"; its first part gives the name.
func counterNames(s string) (names, titles []string) {
	for title := range strings.SplitSeq(s, ",") {
		title = strings.Join(strings.Fields(title), " ")
		titles = append(titles, title)
		first := titleIn(title, engine.Languages[0])
		name := nameOf(first)
		if !engine.IsWord(name) && inScript(first) {
			name = "counter-" + strconv.Itoa(len(titles))
		}
		names = append(names, name)
	}
	return names, titles
}

func nameOf(title string) string {
	return strings.Join(strings.Fields(nameReplacer.Replace(strings.ToLower(title))), "-")
}

// inScript reports whether a title may be used in its own script, such as Cyrillic. The title
// must begin with a letter and have at least one character outside ASCII. It may have at most
// 40 characters, all of them letters, digits, spaces or hyphens.
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

const titleSeparator = "/"

// titleIn returns the part of a title for a language. The parts stand in the order of
// engine.Languages; a language without one has the first.
func titleIn(title string, lang engine.Lang) string {
	parts := strings.Split(title, titleSeparator)
	if at := slices.Index(engine.Languages, lang); at < len(parts) {
		return strings.TrimSpace(parts[max(at, 0)])
	}
	return strings.TrimSpace(parts[0])
}

// titleMatcher returns whether a title, in some language, is the one given.
func titleMatcher(one string) func(title string) bool {
	return func(title string) bool {
		return slices.ContainsFunc(engine.Languages, func(lang engine.Lang) bool {
			return strings.EqualFold(titleIn(title, lang), one)
		})
	}
}

// wordFor returns the word with which texts name a counter or a row: its key if the catalogue has
// it, or if the title has languages, which state.Words adds; else the title as it was typed.
func wordFor(words engine.Words, key, title string) string {
	if words.Has(key) || strings.Contains(title, titleSeparator) {
		return key
	}
	return engine.Literal(title).Word()
}

// hasLanguages reports whether the parts of a title are at most one for each language, and each
// of them could be a title.
func hasLanguages(title string) bool {
	parts := strings.Split(title, titleSeparator)
	return len(parts) <= len(engine.Languages) && !slices.ContainsFunc(parts, func(part string) bool {
		part = strings.TrimSpace(part)
		return !engine.IsWord(nameOf(part)) && !inScript(part)
	})
}

// nameReplacer replaces the characters of a title that a name cannot contain. Accented letters
// lose their accents, "œ" becomes "oe", and apostrophes become hyphens. The title must already
// be in small letters.
var nameReplacer = strings.NewReplacer("à", "a", "â", "a", "ä", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e",
	"î", "i", "ï", "i", "ô", "o", "ö", "o", "œ", "oe", "ù", "u", "û", "u", "ü", "u", "'", "-", "’", "-")

// checkCounters returns an error if a list of counters cannot be used. The name of a counter
// must not be empty, malformed or used twice. It must not be the name of something else that
// can be corrected, such as "round". There may be at most six counters.
//
// If words.txt has a counter's name, players see its title in their language. Otherwise they
// see the title as it was typed.
func checkCounters(s string) error {
	names, titles := counterNames(s)
	for i, name := range names {
		switch {
		case name == "":
			return engine.NewSetupError("setup.counter-empty")
		case slices.Contains([]string{"name", "round", "turn"}, name):
			return engine.NewSetupError("setup.counter-taken", "name", titles[i])
		case !engine.IsWord(name), !hasLanguages(titles[i]):
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
