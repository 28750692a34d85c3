package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/device/catalogue"
	"tableside/display/labels"
	"tableside/engine"
)

// printing holds the flags of "cards print".
type printing struct {
	paper, size, out string
	missing          bool
}

// print writes a sheet of labels for the cards of a box.
func (c *cards) print(d catalogue.Deck, tags *catalogue.Catalogue, box cardBox) error {
	size, err := labels.FindSize(c.printing.size)
	if err != nil {
		return wrong("--size", err.Error(), "")
	}
	paper, err := labels.FindPaper(cmp.Or(c.printing.paper, size.OnlyPaper(), "a4"))
	if err != nil {
		return wrong("--paper", err.Error(), "")
	}
	copies := d.Copies
	if c.printing.missing {
		copies = d.Compare(tags.Entries(), c.boxes()).Missing
	}
	if c.card != "" {
		all := func(copy string) bool {
			kind, _ := engine.SplitCopy(copy)
			return copy != c.card && kind != c.card
		}
		if copies = slices.DeleteFunc(slices.Clone(copies), all); len(copies) == 0 {
			return no("--card "+c.card, "there is no such card to print", "tableside cards list "+box.Info().Name+" lists them")
		}
	}
	if len(copies) == 0 {
		fmt.Fprintln(c.out, c.say("cli.print-none", "box", d.Box))
		return nil
	}
	game, name := c.nameOf(box.Info())
	sheet := labels.Sheet{Title: name, Paper: paper, Size: size, Footer: func(page, pages int) string {
		return c.say("cli.print-footer", "name", name, "page", page, "pages", pages, "n", labels.Ruler)
	}}
	file := c.printing.out
	if file == "" {
		file = strings.ReplaceAll(box.Info().Name, "/", "-") + "-labels.pdf"
	}
	var b strings.Builder
	pages, err := sheet.Write(&b, labelsOf(d, copies, game))
	if err != nil {
		return wrong("cards print", err.Error(), "choose another --size or --paper")
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		return wrong(file, config.Reason(err), "")
	}
	fmt.Fprintln(c.out, c.say("cli.print-done", "file", file, "n", len(copies), "pages", pages))
	return nil
}

// nameOf returns the name of a game, and that with its edition where it has a name.
func (p *program) nameOf(info engine.Info) (game, full string) {
	word := func(key string) string { return info.Words.Say(p.lang, engine.T(key), nil) }
	game = word("game." + engine.Title(info.Name))
	if key := "edition." + engine.Edition(info.Name); info.Words.Has(key) {
		return game, game + ", " + word(key)
	}
	return game, game
}

// labelsOf returns the labels of copies: what their tags would say, the printed title and
// the number of the copy in the box.
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
