package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/cmd/tableside/shelf"
	"tableside/engine"
)

func cardsCommand() command {
	return command{
		name: "cards", usage: "list|check|learn|write|print|export|import [GAME] [FLAGS]",
		short: "the cards that are known, their tags, and an owner's file",
		help: `"cards list" prints every card of a game and what the program knows of it; "not
known yet" marks what nobody has entered. GAME may be a title alone, such as
"mindbug", which selects the edition with the most cards; "mutants" is its second
edition, and the default.

"cards check" looks for mistakes in card data. "cards check cards/genegrafter.txt"
checks an owner's file, which adds what your box says (docs/cards.md describes the
format), and takes the game from the file's name; --file does the same for the
game that you name. It prints every mistake with file, line and column, and exits
with 1. Without mistakes it lists what is still unknown, and ends with the number
of lines it read and the cards they are about.

"cards check --tags" checks the catalogue of tags instead. It lists the copies
that have no tag or several, and the tags whose card is not in the box, and exits
with 1 unless every copy has one tag.

--stand-in fills what is unknown with values made up by this project, as demo
does.

"cards learn" teaches the catalogue which tag is which card. It names every copy
in printed order, and the next tag on the reader becomes that copy: one tap per
card. Each tag is saved at once; after an interruption the same command continues
where it stopped. u takes the last one back, and so does a tag that means the key
undo; s skips a copy, y accepts a tag that meant something else, q ends. Press
Enter after each. --card learns a single copy, a key or the face of a die.

"cards write" does the same, and also writes the card's name on its tag, reads it
back and compares. Every table knows such a tag. Cards that already have a tag may
be laid down in any order.

Both need a configured reader that no running table uses; with --chips an emulated
hand lays blank tags on an emulated reader.

"cards print" writes a PDF with a label for every copy: a code for cameras, the
card's name and its number. --size sets the size of the labels: sleeve is a slip
that goes into the sleeve with the card, mini one for small cards, sticker is 30
by 30 mm, 40x25 any other size, and l7160, l7651 and 5160 are sheets of stickers
that are already cut. Print at 100 %: the line at the lower edge is 50 mm long.
The code names the card, so nothing has to be taught. --missing prints the copies
that have no tag in the catalogue, --card one copy, or all copies of a card.

"cards export" prints what you have entered, for other owners: no tags, no
comments and no names of people. --out writes it to a file, and --csv or a FILE
that ends with .csv makes it a spreadsheet, in which --all gives each card of the
box a row. "cards import GAME FILE" adds such a file, or a spreadsheet, to yours;
--journal adds what was entered before or during a match. Where two cards differ
it prints both, yours with - and the other with +, and changes nothing until
--mine, --theirs or --decide zombie=theirs says which of them counts. The file is
read whole before anything is kept, and your former version stays in the folder
"history" beside yours.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			c := &cards{program: p, ports: &rig.Raspberry{}}
			flags.Func("file", "read an owner's `FILE` too; may be given more than once", func(s string) error {
				c.files = append(c.files, s)
				return nil
			})
			flags.BoolVar(&c.standIn, "stand-in", false, "fill what is not known with stand-ins")
			flags.BoolVar(&c.asJSON, "json", false, "print JSON")
			flags.BoolVar(&c.tags, "tags", false, "check the catalogue of tags")
			flags.StringVar(&c.reader, "reader", "", "the `NAME` of the reader, where there are several")
			flags.StringVar(&c.card, "card", "",
				"learn, write or print this `COPY`: zombie.2, key/undo, roll/growth-2")
			flags.StringVar(&c.set, "set", "", "learn, write, print or check this `BOX` alone, of several")
			flags.StringVar(&c.printing.size, "size", "sleeve", "print labels of this `SIZE`")
			flags.StringVar(&c.printing.paper, "paper", "", "print on this `PAPER`, a4 or letter")
			flags.StringVar(&c.printing.out, "out", "", "print or export to this `FILE` (default GAME-labels.pdf)")
			flags.BoolVar(&c.printing.missing, "missing", false, "print what has no tag in the catalogue")
			c.exchange.flags(flags)
			flags.StringVar(&c.config, "config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			flags.StringVar(&c.data, "data", "", "the catalogue of this data `DIR` instead of the configured one")
			flags.BoolVar(&c.chips, "chips", false, "learn or write on an emulated reader, with an emulated hand")
			return func(ctx context.Context, args []string) error { return c.run(ctx, args) }
		},
	}
}

type cards struct {
	*program
	files   []string
	standIn bool
	asJSON  bool

	tags         bool
	reader, card string
	set          string
	config, data string
	chips        bool
	ports        rig.Ports
	printing     printing
	exchange
}

var cardsVerbs = []string{"list", "check", "learn", "write", "print", "export", "import"}

func (c *cards) run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usageFailure("cards", c.say("cli.cards-verb", "known", strings.Join(cardsVerbs, ", ")),
			c.say("cli.cards-verb-fix"))
	}
	verb, most := args[0], 2
	if verb == "import" {
		most = 3
	}
	if err := checkArgCount("cards", args, 1, most, ""); err != nil {
		return err
	}
	if !slices.Contains(cardsVerbs, verb) {
		hint := c.say("cli.cards-help")
		if near := config.Nearest(verb, cardsVerbs); near != "" {
			hint = c.say("shelf.meant", "name", near)
		}
		known := strings.Join(cardsVerbs, ", ")
		return usageFailure("cards", c.say("cli.cards-not-verb", "verb", fmt.Sprintf("%q", verb), "known", known), hint)
	}
	name := args[1:]
	if n := len(name); verb == "import" && n > 0 && (n == 2 || strings.Contains(name[0], ".")) {
		c.files, name = append(c.files, name[n-1]), name[:n-1]
	}
	if len(name) == 1 && c.games().TitleOf(name[0]) != "" && exists(name[0]) {
		c.files, name = append(c.files, name[0]), nil
	}
	if len(name) == 0 && len(c.files) > 0 {
		if title := c.games().TitleOf(c.files[0]); title != "" {
			name = []string{title}
		}
	}
	if verb == "import" && len(name) == 0 && c.journal != "" {
		file, err := c.readJournal(c.journal)
		if err != nil {
			return err
		}
		name = []string{file.Setup.Game}
	}
	if verb == "import" && len(name) == 0 && len(c.files) > 0 {
		return usageFailure("cards import", c.say("cli.cards-which-game", "file", c.files[0]), "")
	}
	box, err := c.box(name)
	if err != nil {
		return err
	}
	switch verb {
	case "export":
		return c.export(box)
	case "import":
		return c.importCards(box)
	}
	if verb == "learn" || verb == "write" || verb == "print" || c.tags {
		return c.withTags(ctx, verb, box)
	}
	own, err := c.readOwnFiles(box)
	if err != nil {
		return err
	}
	known, err := box.Cards(c.standIn, linesOf(own))
	if err != nil {
		return negativeFailure(box.Info().Name, c.reason(err), "")
	}
	sheets, gaps := shelf.InWords(known, c.lang)
	if verb == "list" {
		return c.list(box, sheets)
	}
	for i := range own {
		own[i].addCardIDs(sheets)
	}
	return c.check(box, own, len(sheets), gaps)
}

// box returns the game that the first argument names. If there are no arguments, or if the
// first argument is the title of the default game without an edition, box returns the default
// game (defaultBox).
//
// Any other title without an edition stands for the edition with the most cards. If several
// editions have equally many cards, the title stands for the last of these editions in the
// list. If there is no such game, or if the game has no cards, box fails.
func (c *cards) box(args []string) (shelf.Box, error) {
	name := defaultBox
	if len(args) > 0 && args[0] != engine.Title(defaultBox) {
		name = args[0]
	}
	editions, err := c.games().FindAll(name)
	if err != nil {
		return nil, usageFailure("game "+name, c.say("cli.cards-no-game"), c.games().Meant(name, c.lang))
	}
	var found shelf.Box
	most := 0
	for _, b := range editions.Boxes() {
		printed, err := b.Cards(false, nil)
		if err != nil {
			return nil, negativeFailure(b.Info().Name, c.reason(err), "")
		}
		if n := len(printed.Sheets); n >= most {
			found, most = b, n
		}
	}
	if found == nil {
		var known []string
		for _, b := range c.games().Boxes() {
			known = append(known, b.Info().Name)
		}
		hint := c.say("shelf.one-of", "known", strings.Join(known, ", "))
		return nil, negativeFailure("game "+name, c.say("cli.cards-no-cards"), hint)
	}
	return found, nil
}

// An ownFile holds the lines of an owner's file.
type ownFile struct {
	File  string   `json:"file"`
	Lines int      `json:"lines"` // how many statements it has
	Cards []string `json:"cards"` // of the box, in the order of the file
	lines []string
}

func (f *ownFile) addCardIDs(sheets []shelf.Sheet) {
	for _, line := range f.lines {
		words := strings.Fields(line)
		of := func(s shelf.Sheet) bool { return len(words) > 1 && s.ID == words[1] }
		if slices.ContainsFunc(sheets, of) && !slices.Contains(f.Cards, words[1]) {
			f.Cards = append(f.Cards, words[1])
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func linesOf(own []ownFile) []string {
	var lines []string
	for _, f := range own {
		lines = append(lines, f.lines...)
	}
	return lines
}

// readOwnFiles reads the owner's files that the --file flags of the command name. If a file
// has faults, readOwnFiles prints the faults and returns a failure.
func (c *cards) readOwnFiles(box shelf.Box) ([]ownFile, error) {
	own := []ownFile{}
	for _, file := range c.files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, usageFailure(file, c.reason(err), "")
		}
		lines, faults := box.Owners().Define(file, string(data))
		if len(faults) > 0 {
			return nil, c.faultsOf(faults)
		}
		own = append(own, ownFile{File: file, Lines: len(lines), Cards: []string{}, lines: lines})
	}
	return own, nil
}

// faultsOf returns the faults of a file as the failure of the command.
func (c *cards) faultsOf(faults []*engine.SyntaxError) (all config.Errors) {
	for _, e := range faults {
		fault := &config.Error{Key: place(e), Reason: e.In(c.lang), Failed: true}
		if e.Suggest != "" && !strings.Contains(e.Reason, e.Suggest) {
			fault.Hint = c.say("cli.cards-suggest", "words", e.Suggest)
		}
		all = append(all, fault)
	}
	return all
}

func (c *cards) list(box shelf.Box, sheets []shelf.Sheet) error {
	if c.asJSON {
		return c.printJSON(sheets)
	}
	fmt.Fprintln(c.out, box.Info().Name)
	for _, s := range sheets {
		fmt.Fprintf(c.out, "%-18s %s\n", s.ID, s.Name)
		for _, line := range s.Lines {
			fmt.Fprintf(c.out, "    %s\n", line)
		}
	}
	return nil
}

func (c *cards) check(box shelf.Box, own []ownFile, n int, gaps []string) error {
	if c.asJSON {
		return c.printJSON(map[string]any{"game": box.Info().Name, "cards": n, "missing": append([]string{}, gaps...),
			"files": own})
	}
	// The gaps may be a hundred lines, so the result comes after them.
	for _, gap := range gaps {
		fmt.Fprintf(c.out, "  %s\n", gap)
	}
	fmt.Fprintln(c.out, c.say("cli.cards-sound", "game", box.Info().Name, "n", n, "missing", len(gaps)))
	for _, f := range own {
		key := "cli.cards-read"
		if len(f.Cards) == 0 {
			key = "cli.cards-read-none"
		}
		fmt.Fprintln(c.out, c.say(key, "file", f.File, "n", f.Lines, "cards", strings.Join(f.Cards, ", ")))
	}
	return nil
}
