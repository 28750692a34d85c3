package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/shelf"
	"tableside/device/catalogue"
	"tableside/engine"
)

// withTags runs the verbs "check", "print", "learn" and "write" of the command "cards". These
// verbs need the catalogue of tags.
func (c *cards) withTags(ctx context.Context, verb string, box shelf.Box) error {
	if verb == "list" {
		return usageFailure("cards list", "--tags is for check", "")
	}
	settings, err := c.loadConfig(c.config)
	if err != nil {
		return err
	}
	if c.data != "" {
		settings.Table.Data = c.data
	}
	if verb != "check" && c.chips && c.data == "" {
		if settings.Table.Data, err = os.MkdirTemp("", "tableside-cards-"); err != nil {
			return negativeFailure("data folder", config.Reason(err), "--data DIR names another")
		}
		defer os.RemoveAll(settings.Table.Data)
	}
	tags, err := catalogue.Open(filepath.Join(settings.Table.Data, catalogue.FileName))
	if err != nil {
		return negativeFailure("tags", err.Error(), "")
	}
	for _, fault := range tags.Faults() {
		fmt.Fprintln(c.err, "tags: "+engine.ErrorIn(fault, c.lang))
	}
	d, err := c.deck(box, settings.Table.Data)
	if err != nil {
		return err
	}
	switch verb {
	case "check":
		return c.checkTags(d, tags)
	case "print":
		return c.print(d, tags, box)
	}
	return c.teach(ctx, verb == "write", d, tags, settings)
}

// deck returns the deck of a box. The deck includes the cards of the owner's files in the data
// folder. It also includes the cards of the files that --file names.
func (c *cards) deck(box shelf.Box, data string) (catalogue.Deck, error) {
	owner := c.games().Owner(data)
	own, _, err := owner.Read(box.Info().Name)
	if err != nil {
		return catalogue.Deck{}, negativeFailure("cards", err.Error(), shelf.CheckCommand(owner, box))
	}
	more, err := c.readOwnFiles(box)
	if err != nil {
		return catalogue.Deck{}, err
	}
	own = append(own, linesOf(more)...)
	kinds, err := c.kinds(box, own)
	if err != nil {
		return catalogue.Deck{}, err
	}
	var editions [][]catalogue.Kind
	for _, other := range c.games().Boxes() {
		if engine.Title(other.Info().Name) != engine.Title(box.Info().Name) {
			continue
		}
		all := *c
		all.set = ""
		kinds, err := all.kinds(other, own)
		if err != nil {
			return catalogue.Deck{}, err
		}
		editions = append(editions, kinds)
	}
	return catalogue.NewDeck(box.Info().Name, kinds, editions...), nil
}

// kinds returns the kinds of card in a game. If --set names a box of the game, kinds returns
// only the kinds in that box. If the game has no such box, kinds fails.
func (c *cards) kinds(box shelf.Box, own []string) ([]catalogue.Kind, error) {
	known, err := box.Cards(c.standIn, own)
	if err != nil {
		return nil, negativeFailure(box.Info().Name, err.Error(), "")
	}
	sheets, _ := shelf.InWords(known, c.lang)
	var kinds []catalogue.Kind
	var sets []string
	for _, s := range sheets {
		if !slices.Contains(sets, s.Set) && s.Set != "" {
			sets = append(sets, s.Set)
		}
		if c.set != "" && s.Set != c.set {
			continue
		}
		kinds = append(kinds, catalogue.Kind{ID: s.ID, Title: s.Name, Copies: s.Copies})
	}
	if c.set != "" && len(kinds) == 0 {
		if len(sets) == 0 {
			return nil, usageFailure("--set", box.Info().Name+" is a single box", "")
		}
		return nil, usageFailure("--set", fmt.Sprintf("%q is no box of %s", c.set, box.Info().Name),
			config.Suggest(c.set, sets, "must be one of "+strings.Join(sets, ", ")))
	}
	return kinds, nil
}

// checkTags prints how the tags in the catalogue differ from the copies in the box. If a copy
// has no tag or several tags, checkTags returns a failure. So it does if a tag of the box
// belongs to no copy in the box, or if a line of the catalogue is not used.
func (c *cards) checkTags(d catalogue.Deck, tags *catalogue.Catalogue) error {
	found := d.Compare(tags.Entries(), c.boxes())
	known := len(d.Copies) - len(found.Missing)
	unused := tags.Faults()
	if c.asJSON {
		err := c.printJSON(map[string]any{
			"box": d.Box, "copies": len(d.Copies), "known": known, "elsewhere": found.Elsewhere,
			"missing": found.Missing, "duplicate": found.Duplicate, "unknown": found.Unknown,
			"unused": len(unused),
		})
		if err != nil {
			return err
		}
	} else {
		fmt.Fprintln(c.out, c.say("lesson.known", "box", d.Box, "n", len(d.Copies), "known", known))
		if len(found.Missing) > 0 {
			fmt.Fprintln(c.out, c.say("cli.tags-missing", "cards", strings.Join(ranges(found.Missing), " ")))
		}
		for _, t := range found.Duplicate {
			fmt.Fprintln(c.out, c.say("cli.tags-twice", "card", t.Card, "tags", strings.Join(t.Tags, ", ")))
		}
		for _, t := range found.Unknown {
			fmt.Fprintln(c.out, c.say("cli.tags-unknown", "tag", t.Tags[0], "card", t.Card, "n", t.Line))
		}
	}
	if len(found.Missing)+len(found.Duplicate)+len(found.Unknown)+len(unused) > 0 {
		return exitCode(exitNo)
	}
	return nil
}

// ranges shortens a list of copies: it joins consecutive copies of a card to one text, such as
// "zombie.3-8".
func ranges(copies []string) []string {
	var all []string
	for i := 0; i < len(copies); {
		kind, first := engine.SplitCopy(copies[i])
		last := first
		for i++; i < len(copies); i++ {
			if next, n := engine.SplitCopy(copies[i]); next != kind || n != last+1 {
				break
			}
			last++
		}
		name := kind + "." + strconv.Itoa(first)
		if last > first {
			name += "-" + strconv.Itoa(last)
		}
		all = append(all, name)
	}
	return all
}

func (c *cards) boxes() []string {
	var boxes []string
	for _, g := range c.games() {
		boxes = append(boxes, engine.Title(g.Info().Name))
	}
	return boxes
}
