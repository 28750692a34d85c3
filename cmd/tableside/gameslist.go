package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"tableside/engine"
)

func gamesCommand() command {
	return command{
		name: "games", usage: "[NAME] [--json]", short: "games, editions, options, seats allowed",
		help: `Lists the games, one for each edition, with the number of seats and every
option: its default, what else it may be and what it does. With a NAME, only
that game. Options are given to demo as --option NAME=VALUE, and stand in a
journal as "option NAME VALUE".`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print one JSON array")
			return func(_ context.Context, args []string) error {
				if err := takes("games", args, 0, 1, ""); err != nil {
					return err
				}
				list := p.games
				if len(args) == 1 {
					game, err := list.find(args[0])
					if err != nil {
						return err
					}
					list = gameList{game}
				}
				if *asJSON {
					return p.printJSON(p.sheets(list))
				}
				for i, sheet := range p.sheets(list) {
					if i > 0 {
						fmt.Fprintln(p.out)
					}
					p.printSheet(sheet)
				}
				return nil
			}
		},
	}
}

// A gameSheet is what games tells about one game.
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
	Values   []string `json:"values,omitempty"` // all it may be, where they can be listed
	List     bool     `json:"list"`             // it may be several of them, with commas between
	Help     string   `json:"help"`
	Advanced bool     `json:"advanced"`
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
				sheet.Cards = len(known.Sheets) // in the box, without what was made up
			}
		}
		for _, o := range info.Options {
			help := words.Say(p.lang, engine.T("option."+o.Name+".help"), nil)
			sheet.Options = append(sheet.Options, optionSheet{o.Name, o.Default, o.Values, o.List, help, o.Advanced})
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
}
