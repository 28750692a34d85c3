package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"tableside/cmd/tableside/shelf"
	"tableside/engine"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

// allGames returns the list of all games in this program. Whoever adds a game adds a line
// for it here.
func allGames() shelf.List {
	return slices.Concat(
		mutants.Games(),
		mindbug.Games(),
		genegrafter.Games(),
		tally.Games(),
	)
}

// defaultBox is the default game of the command "cards".
const defaultBox = "mutants/second-edition"

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
				if err := checkArgCount("games", args, 0, 1, ""); err != nil {
					return err
				}
				list := p.games()
				if len(args) == 1 {
					var err error
					if list, err = list.FindAll(args[0]); err != nil {
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

// A gameSheet describes one game in the form that the command "games" prints.
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

	common bool // every game has it
}

func (p *program) sheets(list shelf.List) []gameSheet {
	sheets := []gameSheet{}
	for _, g := range list {
		info := g.Info()
		words := engine.Merge(engine.CoreWords(), info.Words)
		sheet := gameSheet{
			Name: info.Name, Title: words.Say(p.lang, engine.T("game."+engine.Title(info.Name)), nil), Rules: info.Rules,
			Seats: seatRange{info.MinSeats, info.MaxSeats}, Cards: len(info.Cards), Options: []optionSheet{},
		}
		if box := list.Box(info.Name); box != nil {
			if known, err := box.Cards(false, nil); err == nil {
				sheet.Cards = len(known.Sheets) // in the box, without stand-ins
			}
		}
		for i, o := range info.AllOptions() {
			help := words.Say(p.lang, engine.T("option."+o.Name+".help"), nil)
			common := i >= len(info.Options)
			sheet.Options = append(sheet.Options, optionSheet{o.Name, o.Default, o.Values, o.List, help, o.Advanced, common})
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
		if !o.common {
			p.printOption(o)
		}
	}
}

func (p *program) printEvery(options []optionSheet) {
	fmt.Fprintln(p.out, p.say("cli.every-game"))
	for _, o := range options {
		if o.common {
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
