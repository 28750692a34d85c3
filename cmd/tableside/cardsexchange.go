package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tableside/cmd/tableside/shelf"
	"tableside/device"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// An exchange holds the flags of "cards export" and "cards import".
type exchange struct {
	csv, wholeBox      bool
	allMine, allTheirs bool
	decisions          map[string]string // see cardfile.Difference.Decision
	journal            string
}

func (e *exchange) flags(flags *flag.FlagSet) {
	e.decisions = map[string]string{}
	flags.BoolVar(&e.csv, "csv", false, "export as a spreadsheet, as --out FILE.csv does")
	flags.BoolVar(&e.wholeBox, "all", false, "export a spreadsheet with a row for each card of the box")
	flags.BoolVar(&e.allMine, "mine", false, "import what you lack, and keep what you have where two differ")
	flags.BoolVar(&e.allTheirs, "theirs", false, "import what you lack, and take the other's where two differ")
	flags.Func("decide", "import, with this `CHOICE`, as zombie=mine or bat/en=theirs, for each", func(s string) error {
		card, choice, _ := strings.Cut(s, "=")
		if card == "" || choice != "mine" && choice != "theirs" {
			return errors.New("want a card or one of its fields, and mine or theirs, as in zombie/freeze=theirs")
		}
		e.decisions[card] = choice
		return nil
	})
	flags.StringVar(&e.journal, "journal", "", "import what was entered before or during a match, from this `FILE`")
}

// owner returns the owner's files in the folder that --data or the configuration names.
func (c *cards) owner() (device.Owner, error) {
	data, err := c.dataFolder(c.data, c.config)
	return c.games().Owner(data), err
}

// export writes the owner's cards to --out or to standard output. The text is for other
// owners, so it has no tags and no comments. export leaves out lines with mistakes, and warns
// of such lines. If the owner has no file for the game, export writes a spreadsheet to fill in,
// and fails for a text.
func (c *cards) export(box shelf.Box) error {
	owner, err := c.owner()
	if err != nil {
		return err
	}
	title := engine.Title(box.Info().Name)
	source, err := owner.Text(title)
	if err != nil {
		return negativeFailure(owner.File(title), c.reason(err), "")
	}
	sheet := c.csv || c.wholeBox || strings.EqualFold(filepath.Ext(c.printing.out), ".csv")
	if source == "" && !sheet {
		return negativeFailure(owner.File(title), c.say("cli.cards-none"), "")
	}
	text, owners := cardfile.Shared(box.Owners(), source), box.Owners()
	if _, faults := owners.Define(owner.File(title), source); len(faults) > 0 {
		fmt.Fprintf(c.err, "tableside: %s\n", shelf.LeftOut(owner.File(title), faults, strings.Split(text, "\n"), c.lang))
	}
	if sheet {
		text = owners.CSV(text, c.wholeBox || source == "")
	}
	return c.writeFile(cmp.Or(c.printing.out, "-"), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// A foreignFile holds the card definitions to be imported, as the text of a card file.
type foreignFile struct {
	name, text string
	rows       []int // the row of each line of text, if the file was a spreadsheet; else nil
}

func (f foreignFile) placeFaults(faults []*engine.SyntaxError) []*engine.SyntaxError {
	if f.rows != nil {
		faults = cardfile.InRows(faults, f.rows)
	}
	return inFile(f.name, faults)
}

func inFile(name string, faults []*engine.SyntaxError) []*engine.SyntaxError {
	for _, e := range faults {
		e.File = name
	}
	return faults
}

// readForeign returns the card definitions to import. With --journal, it returns the
// definitions that were entered for a match. Otherwise it reads the definitions from a file.
func (c *cards) readForeign(box shelf.Box) (f foreignFile, err error) {
	if c.journal != "" {
		return c.readMatch(box)
	}
	f.name = c.files[0]
	data, err := os.ReadFile(f.name)
	if err != nil {
		return f, usageFailure(f.name, c.reason(err), "")
	}
	if len(data) > cardfile.MaxFile {
		return f, negativeFailure(f.name, c.say("cli.cards-large"), "")
	}
	f.text = string(data)
	if strings.EqualFold(filepath.Ext(f.name), ".csv") {
		f.text, f.rows, err = box.Owners().FromCSV(f.name, f.text)
	}
	if e := (*engine.SyntaxError)(nil); errors.As(err, &e) {
		return f, c.faultsOf([]*engine.SyntaxError{e})
	}
	return f, err
}

// readMatch returns the card definitions that were entered before or during a match. The flag
// --journal names the match. If the match is of another game, readMatch fails.
func (c *cards) readMatch(box shelf.Box) (foreignFile, error) {
	none := foreignFile{}
	file, err := c.readJournal(c.journal)
	if err != nil {
		return none, err
	}
	title := engine.Title(box.Info().Name)
	if of := engine.Title(file.Setup.Game); of != title {
		return none, usageFailure(c.journal, c.say("cli.cards-other-game", "game", of, "want", title), "")
	}
	game, err := c.games().Find(file.Setup.Game)
	if err != nil {
		return none, err
	}
	lines, err := file.Definitions(game)
	if err != nil {
		return none, c.setupFailure(c.journal, game, file.Setup, err)
	}
	return foreignFile{name: c.journal, text: strings.Join(lines, "\n")}, nil
}

// importCards adds the cards of another file to the owner's file. It prints the cards that the
// two files describe differently. If the flags do not choose one of the two descriptions for
// each of these cards, importCards changes nothing.
func (c *cards) importCards(box shelf.Box) error {
	switch {
	case len(c.files) > 1, len(c.files) == 1 && c.journal != "":
		return usageFailure("cards import", c.say("cli.cards-one-file"), "")
	case len(c.files) == 0 && c.journal == "":
		return usageFailure("cards import", c.say("cli.cards-no-file"), "")
	case c.allMine && c.allTheirs:
		return usageFailure("cards import", c.say("cli.cards-mine-or-theirs"), "")
	}
	owner, err := c.owner()
	if err != nil {
		return err
	}
	theirs, err := c.readForeign(box)
	if err != nil {
		return err
	}
	title := engine.Title(box.Info().Name)
	var join cardfile.JoinResult
	err = owner.Change(title, func(before string) (string, error) {
		join, err = cardfile.Join(box.Owners(), before, theirs.text, c.decisionFor)
		return join.Joined, err
	})
	switch {
	case errors.Is(err, cardfile.ErrFaults):
		return c.faultsOf(theirs.placeFaults(join.Faults))
	case errors.Is(err, cardfile.ErrIncompatible):
		return c.faultsOf(inFile(owner.File(title), join.Faults))
	case errors.Is(err, cardfile.ErrTooLong):
		return negativeFailure(owner.File(title), c.say("cli.cards-large"), "")
	case err != nil && !errors.Is(err, cardfile.ErrUndecided):
		return negativeFailure(owner.File(title), c.reason(err), "")
	}
	return c.printImport(owner.File(title), join, err)
}

// decisionFor returns what the flags choose where two files contradict each other: "mine" or
// "theirs". If no flag decides, the result is "".
func (c *cards) decisionFor(d cardfile.Difference) string {
	switch choice := d.Decision(c.decisions); {
	case choice != "":
		return choice
	case c.allMine:
		return "mine"
	case c.allTheirs:
		return "theirs"
	}
	return ""
}

// printImport prints the result of an import: the cards that are new, and the cards that the
// two files describe differently. If err is nil, the cards were imported. If err is
// cardfile.ErrUndecided, the flags do not choose a description for each of these cards. Then
// nothing was imported, and printImport returns a failure.
func (c *cards) printImport(file string, join cardfile.JoinResult, err error) error {
	for _, d := range join.Differences {
		fmt.Fprintln(c.out, c.say("cli.cards-differ", "card", strings.TrimSuffix(d.Card+"/"+d.Field, "/")))
		for _, line := range d.Mine {
			fmt.Fprintf(c.out, "  - %s\n", line)
		}
		for _, line := range d.Theirs {
			fmt.Fprintf(c.out, "  + %s\n", line)
		}
	}
	if len(join.Completed) > 0 {
		fmt.Fprintln(c.out, c.say("cli.cards-completed", "n", len(join.Completed), "cards", strings.Join(join.Completed, ", ")))
	}
	if len(join.Added) > 0 {
		fmt.Fprintln(c.out, c.say("cli.cards-added", "n", len(join.Added), "cards", strings.Join(join.Added, ", ")))
	}
	if err != nil {
		n := 0
		for _, d := range join.Differences {
			if c.decisionFor(d) == "" {
				n++
			}
		}
		return negativeFailure(file, c.say("cli.cards-open", "n", n), c.say("cli.cards-decide"))
	}
	key := "cli.cards-imported"
	if len(join.Added)+len(join.Completed)+len(join.Differences) == 0 {
		key = "cli.cards-nothing-new"
	}
	fmt.Fprintln(c.out, c.say(key, "file", file))
	return nil
}
