package engine

import (
	"bytes"
	"embed"
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
	Source  string            // which book or page gives the rule; "" if nobody says
	BGG     int               // the number of the game at boardgamegeek.com; 0 if unknown
	Own     bool              // it is in the table's own file, and can be removed at the table

	MinSeats, MaxSeats int // with which the game accepts it: see Fit
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
	maxTitle       = 40  // runes
	maxSource      = 400 // runes
	presetsMagic   = "tableside-presets 1"
	presetsExample = `title en "Skull King"`
)

// MustPresets reads the presets that a game brings along: all files of its folder "presets". It
// panics on a mistake.
func MustPresets(files embed.FS) (all []Preset) {
	entries, err := files.ReadDir("presets")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		data, err := files.ReadFile("presets/" + e.Name())
		if err != nil {
			panic(err)
		}
		presets, err := ParsePresets(e.Name(), data)
		if err != nil {
			panic(err)
		}
		all = append(all, presets...)
	}
	return all
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
	case len(words) != map[string]int{"title": 3, "option": 3, "source": 2, "bgg": 2}[words[0]]:
		return malformed(1, "want a line such as %q, %q, %s, %q, %q or %q", "game tally/score", "preset skull-king",
			presetsExample, "option rounds 10", "source Rulebook", "bgg 150145")
	case len(p.presets) == 0:
		return malformed(1, "want a line such as %q before this one", "preset skull-king")
	}
	return p.presets[len(p.presets)-1].add(words)
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

// add adds the words of one line, such as "option rounds 10".
func (p *Preset) add(words []string) error {
	name, value := words[1], words[len(words)-1]
	letters := utf8.RuneCountInString(value)
	switch words[0] {
	case "option":
		if _, twice := p.Options[name]; twice {
			return malformed(1, "duplicate option %q", name)
		}
		p.Options[name] = value
	case "source":
		if letters == 0 || letters > maxSource || !printable(value) {
			return malformed(1, "a source has 1 to %d letters", maxSource)
		}
		p.Source = value
	case "bgg":
		n, ok := Whole(value, 1, 1e9)
		if !ok {
			return malformed(1, "%q is not a number of BoardGameGeek; want a line such as %q", value, "bgg 150145")
		}
		p.BGG = n
	default:
		if !slices.Contains(Languages, Lang(name)) {
			return malformed(1, "%q is not a language; want a line such as %s", name, presetsExample)
		}
		if letters == 0 || letters > maxTitle || !printable(value) {
			return malformed(1, "a title has 1 to %d letters", maxTitle)
		}
		p.Titles[Lang(name)] = value
	}
	return nil
}

// With returns the game as a preset of it is played: with as many seats as that takes. A preset that the
// game does not bring changes nothing.
func (i Info) With(preset string) Info {
	for _, p := range i.Presets {
		if p.Name == preset && p.MaxSeats > 0 {
			i.MinSeats, i.MaxSeats = p.MinSeats, p.MaxSeats
		}
	}
	return i
}

// Fit finds the numbers of seats with which the game accepts the options of the preset. If there is
// none, it returns the error for the smallest.
func (p *Preset) Fit(game Game) error {
	info := game.Info()
	var err error
	p.MinSeats, p.MaxSeats = 0, 0
	for n := info.MaxSeats; n >= info.MinSeats; n-- {
		setup := Setup{Game: info.Name, Options: maps.Clone(p.Options)}
		for _, seat := range UsualSeats[:min(n, len(UsualSeats))] {
			setup.Seats = append(setup.Seats, Player{Seat: seat})
		}
		if setup, err = info.Complete(setup); err == nil {
			_, err = NewMatch(game, setup)
		}
		if err == nil {
			p.MinSeats, p.MaxSeats = n, max(p.MaxSeats, n)
		}
	}
	if p.MaxSeats > 0 {
		return nil
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
		if p.Source != "" {
			fmt.Fprintf(&b, "source %s\n", Quote(p.Source))
		}
		if p.BGG > 0 {
			fmt.Fprintf(&b, "bgg %d\n", p.BGG)
		}
		for _, name := range slices.Sorted(maps.Keys(p.Options)) {
			fmt.Fprintf(&b, "option %s %s\n", Quote(name), Quote(p.Options[name]))
		}
	}
	return b.Bytes()
}
