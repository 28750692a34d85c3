package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tableside/cmd/tableside/shelf"
	"tableside/device/catalogue"
	"tableside/display/labels"
	room "tableside/display/web/cards"
	"tableside/engine"
)

// printing holds the flags of "cards print".
type printing struct {
	paper, size, out string
	missing          bool
	preview          bool // the first page as a PNG
}

// A sheetInfo holds the numbers of labels (n) and pages that were printed. If there was
// nothing to print, n is 0.
type sheetInfo struct{ n, pages int }

// print writes the labels of a box to a file. If there are no labels, print only says so.
func (c *cards) print(d catalogue.Deck, tags *catalogue.Catalogue, box shelf.Box) error {
	var pdf bytes.Buffer
	info, err := c.writeSheet(&pdf, d, tags, box)
	if err != nil {
		return err
	}
	if info.n == 0 {
		fmt.Fprintln(c.out, c.say("cli.print-none", "box", d.Box))
		return nil
	}
	file := cmp.Or(c.printing.out, strings.ReplaceAll(box.Info().Name, "/", "-")+"-labels.pdf")
	err = c.writeFile(file, func(w io.Writer) error {
		_, err := pdf.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, c.say("cli.print-done", "file", file, "n", info.n, "pages", info.pages))
	return nil
}

// writeSheet writes the labels that the flags select. It writes all pages as a PDF or, for a
// preview, the first page as a PNG. If the flags select no labels, writeSheet writes nothing.
// In that case, it fails if the flag --card was given, and otherwise returns no error.
func (c *cards) writeSheet(w io.Writer, d catalogue.Deck, tags *catalogue.Catalogue, box shelf.Box) (sheetInfo, error) {
	size, err := labels.FindSize(cmp.Or(c.printing.size, "sleeve"))
	if err != nil {
		return sheetInfo{}, usageFailure("--size", c.reason(err), "")
	}
	paper, err := labels.FindPaper(cmp.Or(c.printing.paper, size.OnlyPaper(), "a4"))
	if err != nil {
		return sheetInfo{}, usageFailure("--paper", c.reason(err), "")
	}
	copies := d.Copies
	if c.printing.missing {
		copies = d.Compare(tags.Entries(), c.boxes()).Missing
	}
	if c.card != "" {
		other := func(copy string) bool {
			kind, _ := engine.SplitCopy(copy)
			return copy != c.card && kind != c.card
		}
		if copies = slices.DeleteFunc(slices.Clone(copies), other); len(copies) == 0 {
			return sheetInfo{}, negativeFailure("--card "+c.card, c.say("cli.print-no-card"),
				c.say("cli.print-list", "command", "tableside cards list "+box.Info().Name))
		}
	}
	if len(copies) == 0 {
		return sheetInfo{}, nil
	}
	game, name := c.nameOf(box.Info())
	sheet := labels.Sheet{Title: name, Paper: paper, Size: size, Footer: func(page, pages int) string {
		return c.say("cli.print-footer", "name", name, "page", page, "pages", pages, "n", labels.Ruler)
	}}
	write := sheet.Write
	if c.printing.preview {
		write = sheet.Preview
	}
	pages, err := write(w, labelsOf(d, copies, game))
	if err != nil {
		return sheetInfo{}, usageFailure("cards print", c.reason(err), c.say("cli.print-other"))
	}
	return sheetInfo{len(copies), pages}, nil
}

// printLabels writes to w the labels that somebody asks for on the web page. The labels
// include the owner's cards in the folder data. If there are no labels to print, printLabels
// fails. The errors of printLabels name no flags and no files.
func (p *program) printLabels(data string, w io.Writer, ask room.PrintOrder) (done room.PrintResult, err error) {
	visitor := *p
	visitor.lang = ask.Lang
	c := &cards{program: &visitor, set: ask.Set,
		printing: printing{paper: ask.Paper, size: ask.Size, missing: ask.Missing, preview: ask.Preview}}
	plain := func(err error) error { // without the names of flags and files
		return engine.Faultf(0, "%s", errorOf(err).Reason)
	}
	box, err := c.box([]string{ask.Game})
	if err != nil {
		return done, plain(err)
	}
	if done.Sets, err = c.sets(box); err != nil {
		return done, plain(err)
	}
	d, err := c.deck(box, data)
	if err != nil {
		return done, plain(err)
	}
	tags, err := catalogue.Open(filepath.Join(data, catalogue.FileName))
	if err != nil {
		return done, engine.Faultf(0, "the catalogue of tags cannot be read; tableside doctor says why")
	}
	info, err := c.writeSheet(w, d, tags, box)
	done.Labels, done.Pages = info.n, info.pages
	switch {
	case err != nil:
		return done, plain(err)
	case info.n == 0:
		return done, engine.Faultf(0, "%s", c.say("cli.print-none", "box", d.Box))
	}
	return done, nil
}

// sets returns the names of the boxes that a game consists of, or nil if there is only one.
func (c *cards) sets(box shelf.Box) ([]string, error) {
	known, err := box.Cards(c.standIn, nil)
	if err != nil {
		return nil, negativeFailure(box.Info().Name, c.reason(err), "")
	}
	var sets []string
	for _, s := range known.Sheets {
		if s.Set != "" && !slices.Contains(sets, s.Set) {
			sets = append(sets, s.Set)
		}
	}
	if len(sets) < 2 {
		return nil, nil
	}
	return sets, nil
}

// nameOf returns two names of a game. The second name also contains the name of the edition.
// If the edition has no name, both names of the game are the same.
func (p *program) nameOf(info engine.Info) (game, full string) {
	word := func(key string) string { return info.Words.Say(p.lang, engine.T(key), nil) }
	game = word("game." + engine.Title(info.Name))
	if key := "edition." + engine.Edition(info.Name); info.Words.Has(key) {
		return game, game + ", " + word(key)
	}
	return game, game
}

func labelsOf(d catalogue.Deck, copies []string, game string) []labels.Label {
	var all []labels.Label
	for _, copy := range copies {
		_, n := engine.SplitCopy(copy)
		title, count := d.Title(copy)
		all = append(all, labels.Label{Code: d.Meaning(copy).TagText(), Name: title,
			Number: game + " " + strconv.Itoa(n) + "/" + strconv.Itoa(count)})
	}
	return all
}
