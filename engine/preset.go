package engine

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Preset holds options of a game under a name. A preset for a score sheet bears the name of
// the game that people score on the sheet.
type Preset struct {
	Game    string
	Name    string // see IsWord
	Titles  map[Lang]string
	Options map[string]string // those that differ from the defaults
	Own     bool              // it is in the table's own file, and can be removed at the table
}

// Title returns the title in the given language if there is one. Otherwise it returns the
// title in any other language, or else the name of the preset.
func (p Preset) Title(lang Lang) string {
	for _, l := range append([]Lang{lang}, Languages...) {
		if title := p.Titles[l]; title != "" {
			return title
		}
	}
	return p.Name
}

// Wording returns the title as an entry of Words.
func (p Preset) Wording() Wording { return Wording{p.Title(English), p.Title(French)} }

// FromPreset returns a setup with the game and the options of the preset that it names. What the
// setup itself says counts. A preset may also be named as if it were a game. An unknown one
// changes nothing.
func (s Setup) FromPreset(games []Info) Setup {
	for _, info := range games {
		for _, p := range info.Presets {
			byName := p.Name == s.Preset && (s.Game == "" || s.Game == p.Game)
			if byName || s.Preset == "" && p.Name == s.Game {
				options := maps.Clone(p.Options)
				maps.Copy(options, s.Options)
				s.Game, s.Preset, s.Options = p.Game, p.Name, options
				return s
			}
		}
	}
	return s
}

// These constants are the bounds of a file of presets, the first line of such a file, and an
// example of a line with a title.
const (
	MaxPresetFile  = 1 << 20 // bytes
	maxPresets     = 200
	maxTitle       = 40 // runes
	presetsMagic   = "tableside-presets 1"
	presetsExample = `title en "Skull King"`
)

// MustPresets reads the presets that a game brings along; it panics on a mistake.
func MustPresets(file string, data []byte) []Preset {
	presets, err := ParsePresets(file, data)
	if err != nil {
		panic(err)
	}
	return presets
}

// ParsePresets reads a whole file of presets. The error is a *SyntaxError with the number of
// the line. Only the game knows whether the options of a preset make sense. To ask the game,
// call Check.
func ParsePresets(file string, data []byte) ([]Preset, error) {
	if len(data) > MaxPresetFile {
		return nil, locate(malformed(0, "larger than %d bytes; share fewer presets", MaxPresetFile), file, 0)
	}
	p := presetParser{}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if err := p.line(strings.TrimSpace(line)); err != nil {
			return nil, locate(err, file, number)
		}
	}
	if !p.magic {
		return nil, locate(malformed(1, "a file of presets begins with the line %q", presetsMagic), file, 1)
	}
	return p.presets, nil
}

type presetParser struct {
	magic   bool
	game    string
	presets []Preset
}

func (p *presetParser) line(text string) error {
	if !utf8.ValidString(text) {
		return malformed(1, "the line is not UTF-8 text")
	}
	words, err := wordsOf(text)
	if err != nil || len(words) == 0 {
		return err
	}
	if !p.magic {
		if p.magic = strings.Join(words, " ") == presetsMagic; !p.magic {
			return malformed(1, "a file of presets begins with the line %q", presetsMagic)
		}
		return nil
	}
	switch {
	case words[0] == "game" && len(words) == 2:
		p.game = words[1]
		return nil
	case words[0] == "preset" && len(words) == 2:
		return p.begin(words[1])
	case len(words) != 3 || words[0] != "title" && words[0] != "option":
		return malformed(1, "want a line such as %q, %q, %s or %q", "game tally/score", "preset skull-king",
			presetsExample, "option rounds 10")
	case len(p.presets) == 0:
		return malformed(1, "want a line such as %q before this one", "preset skull-king")
	}
	return p.presets[len(p.presets)-1].add(words[0], words[1], words[2])
}

func (p *presetParser) begin(name string) error {
	switch {
	case p.game == "":
		return malformed(1, "want a line such as %q before the presets", "game tally/score")
	case !IsWord(name):
		return malformed(1, "%q cannot name a preset: use small letters, digits and hyphens", name)
	case slices.ContainsFunc(p.presets, func(o Preset) bool { return o.Name == name && o.Game == p.game }):
		return malformed(1, "duplicate preset %q", name)
	case len(p.presets) == maxPresets:
		return malformed(1, "too many presets: want at most %d in a file", maxPresets)
	}
	p.presets = append(p.presets,
		Preset{Game: p.game, Name: name, Titles: map[Lang]string{}, Options: map[string]string{}})
	return nil
}

// add sets an option or a title of the preset. If kind is "option", name is the name of the
// option. Otherwise, name is the language of the title.
func (p *Preset) add(kind, name, value string) error {
	if kind == "option" {
		if _, twice := p.Options[name]; twice {
			return malformed(1, "duplicate option %q", name)
		}
		p.Options[name] = value
		return nil
	}
	if !slices.Contains(Languages, Lang(name)) {
		return malformed(1, "%q is not a language; want a line such as %s", name, presetsExample)
	}
	if n := utf8.RuneCountInString(value); n == 0 || n > maxTitle || !printable(value) {
		return malformed(1, "a title has 1 to %d letters", maxTitle)
	}
	p.Titles[Lang(name)] = value
	return nil
}

// Check reports whether the game accepts the options of the preset. If the game accepts the
// options for some number of seats, Check returns nil. Otherwise it returns the error for the
// smallest number of seats.
func (p Preset) Check(game Game) error {
	info := game.Info()
	var err error
	for n := info.MaxSeats; n >= info.MinSeats; n-- {
		setup := Setup{Game: info.Name, Options: maps.Clone(p.Options)}
		for _, seat := range UsualSeats[:min(n, len(UsualSeats))] {
			setup.Seats = append(setup.Seats, Player{Seat: seat})
		}
		if setup, err = info.Complete(setup); err == nil {
			_, err = NewMatch(game, setup)
		}
		if err == nil {
			return nil
		}
	}
	return err
}

// FormatPresets returns the text of a file of presets, in the form that ParsePresets reads.
func FormatPresets(presets []Preset) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, presetsMagic)
	game := ""
	for _, p := range presets {
		if p.Game != game {
			game = p.Game
			fmt.Fprintf(&b, "game %s\n", Quote(game))
		}
		fmt.Fprintf(&b, "\npreset %s\n", p.Name)
		for _, lang := range Languages {
			if title := p.Titles[lang]; title != "" {
				fmt.Fprintf(&b, "title %s %s\n", lang, Quote(title))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.Options)) {
			fmt.Fprintf(&b, "option %s %s\n", Quote(name), Quote(p.Options[name]))
		}
	}
	return b.Bytes()
}
