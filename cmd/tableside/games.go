package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/web"
	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

// allGames returns the list of games; a new game adds its line here.
func allGames() gameList {
	return slices.Concat(
		mutants.Games(),
		mindbug.Games(),
		genegrafter.Games(),
		tally.Games(),
	)
}

// defaultBox is the default game of the command cards.
const defaultBox = "mutants/second-edition"

// A gameList holds the games, one for each edition.
type gameList []engine.Game

func (l gameList) names() []string {
	var names []string
	for _, g := range l {
		names = append(names, g.Info().Name)
	}
	return names
}

// find returns the game of this name. The title alone, such as "mutants", is enough
// where there is one edition.
func (l gameList) find(name string) (engine.Game, error) {
	found, err := l.findAll(name)
	if len(found) > 1 {
		return nil, wrong("game "+name, "there is more than one edition",
			"choose one of "+strings.Join(found.names(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// findAll returns the game of this name, or all editions of this title.
func (l gameList) findAll(name string) (gameList, error) {
	var editions gameList
	for _, g := range l {
		full := g.Info().Name
		if full == name {
			return gameList{g}, nil
		}
		if strings.HasPrefix(full, name+"/") {
			editions = append(editions, g)
		}
	}
	if len(editions) == 0 {
		return nil, wrong("game "+name, "there is no such game", l.meant(name, engine.English))
	}
	return editions, nil
}

// meant returns a hint with the game that a misspelt name probably means. It
// compares title and edition separately, and a title alone is enough.
func (l gameList) meant(name string, lang engine.Lang) string {
	say := func(key string, pairs ...any) string { return cliWords().Say(lang, engine.T(key, pairs...), nil) }
	var titles, editions []string
	for _, full := range l.names() {
		titles = append(titles, engine.Title(full))
	}
	title, edition, divided := strings.Cut(name, "/")
	if !slices.Contains(titles, title) {
		title = config.Nearest(title, titles)
	}
	for _, full := range l.names() {
		if engine.Title(full) == title {
			editions = append(editions, engine.Edition(full))
		}
	}
	near := edition
	if !slices.Contains(editions, edition) {
		near = config.Nearest(edition, editions)
	}
	switch {
	case title == "":
		if near := config.Nearest(name, l.names()); near != "" {
			return say("cli.meant", "name", near)
		}
		return say("cli.games-list")
	case !divided && len(editions) > 1:
		return say("cli.meant-edition", "name", title, "known", title+"/"+strings.Join(editions, ", "+title+"/"))
	case !divided:
		return say("cli.meant", "name", title)
	case near != "":
		return say("cli.meant", "name", title+"/"+near)
	}
	return say("cli.cards-one-of", "known", title+"/"+strings.Join(editions, ", "+title+"/"))
}

// box returns the card data of a game; nil for one without cards.
func (l gameList) box(name string) cardBox {
	for _, g := range l {
		if s, ok := g.(demoGame); ok {
			g = s.Game
		}
		if box, ok := g.(cardBox); ok && g.Info().Name == name {
			return box
		}
	}
	return nil
}

// boxes returns all games that have card data.
func (l gameList) boxes() []cardBox {
	var boxes []cardBox
	for _, name := range l.names() {
		if box := l.box(name); box != nil {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// owner returns the owner's card data in a table's data folder.
func (l gameList) owner(data string) device.Owner {
	return device.Owner{Dir: data, Box: func(game string) device.Box { return l.box(game) }}
}

// owners returns how the game of a title reads an owner's file; nil without cards.
func (l gameList) owners(title string) cardfile.Owners {
	for _, box := range l.boxes() {
		if engine.Title(box.Info().Name) == title {
			return box.Owners()
		}
	}
	return nil
}

// cards returns the cards in the box of a game, with the owner's lines, and with
// stand-ins where they are the game's default.
func (l gameList) cards(game string, own []string, lang engine.Lang) ([]web.Card, error) {
	box := l.box(game)
	if box == nil {
		return nil, nil
	}
	standIn := func(o engine.Option) bool { return o.Name == "data" && o.Default == "stand-in" }
	byDefault := slices.ContainsFunc(l, func(g engine.Game) bool {
		info := g.Info()
		return info.Name == game && slices.ContainsFunc(info.Options, standIn)
	})
	known, err := box.Cards(byDefault, own)
	if err != nil {
		return nil, err
	}
	sheets, _ := inWords(known, lang)
	var cards []web.Card
	for _, sheet := range sheets {
		cards = append(cards, web.Card{Kind: sheet.ID, Name: sheet.Name, Copies: sheet.Copies})
	}
	return cards, nil
}

func gamesCommand() command {
	return command{
		name: "games", usage: "[NAME] [--json]", short: "games, editions, options, seats allowed",
		help: `Lists the games, one for each edition, with the number of seats and every option:
its default, its other values and what it does. A NAME selects one game; a title
alone, such as "mindbug", selects all its editions. demo takes options as
--option NAME=VALUE, a journal has them as lines "option NAME VALUE".`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print one JSON array")
			return func(_ context.Context, args []string) error {
				if err := takes("games", args, 0, 1, ""); err != nil {
					return err
				}
				list := p.games
				if len(args) == 1 {
					var err error
					if list, err = list.findAll(args[0]); err != nil {
						return err
					}
				}
				if *asJSON {
					return p.printJSON(p.sheets(list))
				}
				sheets := p.sheets(list)
				for _, sheet := range sheets {
					p.printSheet(sheet)
					fmt.Fprintln(p.out)
				}
				p.printEvery(sheets[0].Options)
				return nil
			}
		},
	}
}

// A gameSheet is the description of one game by the command games.
type gameSheet struct {
	Name    string        `json:"name"`
	Title   string        `json:"title"`
	Rules   int           `json:"rules"`
	Seats   seatRange     `json:"seats"`
	Cards   int           `json:"cards"` // kinds
	Options []optionSheet `json:"options"`
}

type seatRange struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

type optionSheet struct {
	Name     string   `json:"name"`
	Default  string   `json:"default"`
	Values   []string `json:"values,omitempty"` // all possible ones, where they can be listed
	List     bool     `json:"list"`             // several of them are possible, with commas between
	Help     string   `json:"help"`
	Advanced bool     `json:"advanced"`

	every bool // that every game has
}

func (p *program) sheets(list gameList) []gameSheet {
	sheets := []gameSheet{}
	for _, g := range list {
		info := g.Info()
		words := engine.Merge(engine.CoreWords(), info.Words)
		sheet := gameSheet{
			Name: info.Name, Title: words.Say(p.lang, engine.T("game."+engine.Title(info.Name)), nil), Rules: info.Rules,
			Seats: seatRange{info.MinSeats, info.MaxSeats}, Cards: len(info.Cards), Options: []optionSheet{},
		}
		if box := list.box(info.Name); box != nil {
			if known, err := box.Cards(false, nil); err == nil {
				sheet.Cards = len(known.Sheets) // in the box, without stand-ins
			}
		}
		for i, o := range info.AllOptions() {
			help := words.Say(p.lang, engine.T("option."+o.Name+".help"), nil)
			every := i >= len(info.Options)
			sheet.Options = append(sheet.Options, optionSheet{o.Name, o.Default, o.Values, o.List, help, o.Advanced, every})
		}
		sheets = append(sheets, sheet)
	}
	return sheets
}

func (p *program) printSheet(s gameSheet) {
	fmt.Fprintf(p.out, "%s\n", s.Name)
	seats := p.say("cli.seats", "min", s.Seats.Min, "max", s.Seats.Max)
	if s.Seats.Min == s.Seats.Max {
		seats = p.say("cli.seats-fixed", "n", s.Seats.Min)
	}
	line := p.say("cli.game", "title", s.Title, "seats", seats)
	if s.Cards > 0 {
		line = p.say("cli.game-cards", "title", s.Title, "seats", seats, "n", s.Cards)
	}
	fmt.Fprintf(p.out, "  %s\n", line)
	for _, o := range s.Options {
		if !o.every {
			p.printOption(o)
		}
	}
}

// printEvery prints the options that every game has.
func (p *program) printEvery(options []optionSheet) {
	fmt.Fprintln(p.out, p.say("cli.every-game"))
	for _, o := range options {
		if o.every {
			p.printOption(o)
		}
	}
}

func (p *program) printOption(o optionSheet) {
	value := o.Default
	if value == "" {
		value = `""`
	}
	fmt.Fprintf(p.out, "  option %s=%s", o.Name, value)
	if known := strings.Join(o.Values, ", "); o.List {
		fmt.Fprintf(p.out, "  (%s)", p.say("cli.option-list", "known", known))
	} else if known != "" {
		fmt.Fprintf(p.out, "  (%s)", known)
	}
	fmt.Fprintf(p.out, "\n      %s\n", o.Help)
}
