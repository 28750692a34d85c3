package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"tableside/engine"
)

// A cardBox is the card data of one edition, as this command needs it.
type cardBox interface {
	Game() string
	// Define checks the text of an owner's file and returns its lines. An
	// error is an *engine.SyntaxError.
	Define(file, source string) ([]string, error)
	// Cards are the cards with an owner's lines, and what is not known of
	// them, in words.
	Cards(lang engine.Lang, standIn bool, own []string) ([]cardSheet, []string, error)
}

// A cardSheet is one kind of card in words.
type cardSheet struct {
	ID      string   `json:"card"`
	Name    string   `json:"name"`
	Lines   []string `json:"lines"` // what it is and does
	StandIn bool     `json:"stand_in"`
}

func cardsCommand() command {
	return command{
		name: "cards", usage: "list|check [GAME] [--file FILE]... [--stand-in] [--json]", short: "the cards that are known, and an owner's file",
		help: `"cards list" prints every card of a game with what is known of it; a "?" is
what nobody has entered yet. GAME may be left out where one game has cards.

"cards check" says whether card data is sound. With --file it checks an owner's
file, which adds what the box in your hands says (docs/cards.md has the
format): a mistake is named with file, line and column, and the exit code is 1.
Then it lists what is still not known.

With --stand-in, what is not known is filled with what this project made up, as
demo plays it.

Reading tags and writing them needs a reader: that comes with the hardware.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			c := &cards{program: p}
			flags.Func("file", "read an owner's `FILE` too; may be given more than once", func(s string) error {
				c.files = append(c.files, s)
				return nil
			})
			flags.BoolVar(&c.standIn, "stand-in", false, "fill what is not known with stand-ins")
			flags.BoolVar(&c.asJSON, "json", false, "print JSON")
			return func(_ context.Context, args []string) error { return c.run(args) }
		},
	}
}

type cards struct {
	*program
	files   []string
	standIn bool
	asJSON  bool
}

func (c *cards) run(args []string) error {
	if err := takes("cards", args, 1, 2, "list or check"); err != nil {
		return err
	}
	if args[0] != "list" && args[0] != "check" {
		return wrong("cards", fmt.Sprintf("%q is neither list nor check", args[0]), suggest(args[0], []string{"list", "check"}, "tableside help cards tells more"))
	}
	box, err := c.box(args[1:])
	if err != nil {
		return err
	}
	own, err := c.own(box)
	if err != nil {
		return err
	}
	sheets, gaps, err := box.Cards(c.lang, c.standIn, own)
	if err != nil {
		return no(box.Game(), err.Error(), "")
	}
	if args[0] == "list" {
		return c.list(box, sheets)
	}
	return c.check(box, len(sheets), gaps)
}

// box finds the game whose cards are meant.
func (c *cards) box(args []string) (cardBox, error) {
	boxes := cardBoxes()
	if len(args) == 0 {
		if len(boxes) == 0 {
			return nil, no("cards", "no game here has cards", "")
		}
		return boxes[len(boxes)-1], nil
	}
	var known []string
	for _, b := range boxes {
		known = append(known, b.Game())
	}
	for i := len(boxes) - 1; i >= 0; i-- { // of several editions the newest
		if name := boxes[i].Game(); name == args[0] || strings.HasPrefix(name, args[0]+"/") {
			return boxes[i], nil
		}
	}
	if _, err := c.games.find(args[0]); err == nil {
		return nil, no("game "+args[0], "it has no cards", "known are "+strings.Join(known, ", "))
	}
	return nil, wrong("game "+args[0], "there is no such game with cards", suggest(args[0], known, "known are "+strings.Join(known, ", ")))
}

// own reads the owner's files.
func (c *cards) own(box cardBox) ([]string, error) {
	var own []string
	for _, file := range c.files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, wrong(file, reason(err), "")
		}
		lines, err := box.Define(file, string(data))
		var syntax *engine.SyntaxError
		if errors.As(err, &syntax) {
			return nil, no(fmt.Sprintf("%s:%d:%d", syntax.File, syntax.Line, syntax.Column), syntax.Reason, "")
		}
		if err != nil {
			return nil, no(file, err.Error(), "")
		}
		own = append(own, lines...)
	}
	return own, nil
}

func (c *cards) list(box cardBox, sheets []cardSheet) error {
	if c.asJSON {
		return c.printJSON(sheets)
	}
	fmt.Fprintln(c.out, box.Game())
	for _, s := range sheets {
		fmt.Fprintf(c.out, "%-18s %s\n", s.ID, s.Name)
		for _, line := range s.Lines {
			fmt.Fprintf(c.out, "    %s\n", line)
		}
	}
	return nil
}

func (c *cards) check(box cardBox, n int, gaps []string) error {
	if c.asJSON {
		return c.printJSON(map[string]any{"game": box.Game(), "cards": n, "missing": append([]string{}, gaps...)})
	}
	fmt.Fprintln(c.out, c.say("cli.cards-sound", "game", box.Game(), "n", n, "missing", len(gaps)))
	for _, gap := range gaps {
		fmt.Fprintf(c.out, "  %s\n", gap)
	}
	return nil
}
