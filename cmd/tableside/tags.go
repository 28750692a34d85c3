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
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/engine"
)

// A deck holds every copy in the box of a game, in printed order.
type deck struct {
	box    string // "mutants"
	copies []string
	titles map[string]string // by kind
	counts map[string]int
	also   map[string]bool // copies that only other editions have
}

func newDeck(game string, sheets []cardSheet) deck {
	d := deck{box: engine.Title(game), titles: map[string]string{}, counts: map[string]int{}, also: map[string]bool{}}
	for _, s := range sheets {
		d.titles[s.ID], d.counts[s.ID] = s.Name, s.Copies
		for n := range s.Copies {
			d.copies = append(d.copies, s.ID+"."+strconv.Itoa(n+1))
		}
	}
	return d
}

// meaning returns the meaning of a copy's tag.
func (d deck) meaning(copy string) device.Meaning {
	return device.Meaning{Kind: device.CardTag, Box: d.box, Name: copy}
}

// title returns the printed title, with the number of the copy.
func (d deck) title(copy string) string {
	kind, n := engine.SplitCopy(copy)
	return fmt.Sprintf("%s, %d/%d", d.titles[kind], n, d.counts[kind])
}

// withTags runs the verbs that need the catalogue of tags.
func (c *cards) withTags(ctx context.Context, verb string, box cardBox) error {
	if verb == "list" {
		return wrong("cards list", "--tags is for check", "")
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
			return no("data folder", config.Reason(err), "--data DIR names another")
		}
		defer os.RemoveAll(settings.Table.Data)
	}
	tags, err := catalogue.Open(filepath.Join(settings.Table.Data, rig.TagsFile), nil)
	if err != nil {
		return no("tags", err.Error(), "mend the line, or set the file aside")
	}
	d, err := c.deck(box, settings.Table.Data)
	if err != nil {
		return err
	}
	if verb == "check" {
		return c.checkTags(d, tags)
	}
	return c.teach(ctx, verb == "write", d, tags, settings)
}

// deck returns the deck of a box, with the owner's files.
func (c *cards) deck(box cardBox, data string) (deck, error) {
	owners := ownersFile{data, c.games}
	own, err := owners.definitions(box.Info().Name)
	if err != nil {
		return deck{}, no("cards", err.Error(), owners.check(box))
	}
	more, err := c.own(box)
	if err != nil {
		return deck{}, err
	}
	own = append(own, linesOf(more)...)
	known, err := box.Cards(c.standIn, own)
	if err != nil {
		return deck{}, no(box.Info().Name, err.Error(), "")
	}
	sheets, _ := inWords(known, c.lang)
	d := newDeck(box.Info().Name, sheets)
	for _, other := range c.games.boxes() {
		if engine.Title(other.Info().Name) != d.box {
			continue
		}
		cards, err := other.Cards(c.standIn, own)
		if err != nil {
			return deck{}, no(other.Info().Name, err.Error(), "")
		}
		sheets, _ := inWords(cards, c.lang)
		for _, copy := range newDeck(other.Info().Name, sheets).copies {
			d.also[copy] = true
		}
	}
	return d, nil
}

// A tagged is a mistake in the catalogue: a card with several tags, or the tag of an
// unknown card.
type tagged struct {
	Card string   `json:"card"`
	Tags []string `json:"tags"`
	Line int      `json:"line"` // in the file, of the last tag
}

// checkTags compares the catalogue with the box.
func (c *cards) checkTags(d deck, tags *catalogue.Catalogue) error {
	missing, twice, unknown, others := d.compare(tags.Entries(), c.boxes())
	known := len(d.copies) - len(missing)
	if c.asJSON {
		err := c.printJSON(map[string]any{
			"box": d.box, "copies": len(d.copies), "known": known, "elsewhere": others,
			"missing": missing, "duplicate": twice, "unknown": unknown,
		})
		if err != nil {
			return err
		}
	} else {
		fmt.Fprintln(c.out, c.say("cli.tags-known", "box", d.box, "n", len(d.copies), "known", known))
		if len(missing) > 0 {
			fmt.Fprintln(c.out, c.say("cli.tags-missing", "cards", strings.Join(ranges(missing), " ")))
		}
		for _, t := range twice {
			fmt.Fprintln(c.out, c.say("cli.tags-twice", "card", t.Card, "tags", strings.Join(t.Tags, ", ")))
		}
		for _, t := range unknown {
			fmt.Fprintln(c.out, c.say("cli.tags-unknown", "tag", t.Tags[0], "card", t.Card, "n", t.Line))
		}
	}
	if len(missing)+len(twice)+len(unknown) > 0 {
		return &failure{code: exitNo}
	}
	return nil
}

// ranges joins consecutive copies of a card: "zombie.3-8".
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

// boxes returns the names of all boxes.
func (c *cards) boxes() []string {
	var boxes []string
	for _, g := range c.games {
		boxes = append(boxes, engine.Title(g.Info().Name))
	}
	return boxes
}

// compare returns the copies without a tag, those with several, and the tags of
// cards that are in no box. It only counts the tags of other boxes and editions, of
// keys and of dice.
func (d deck) compare(entries []catalogue.Entry, boxes []string) (missing []string, twice, unknown []tagged,
	others int) {
	missing, twice, unknown = []string{}, []tagged{}, []tagged{}
	tags := map[string]*tagged{}
	for _, e := range entries {
		m := e.Meaning
		switch {
		case m.Kind != device.CardTag, m.Box != d.box && slices.Contains(boxes, m.Box),
			m.Box == d.box && d.also[m.Name] && !slices.Contains(d.copies, m.Name):
			others++
		case m.Box != d.box || !slices.Contains(d.copies, m.Name):
			unknown = append(unknown, tagged{Card: m.String(), Tags: []string{e.Tag}, Line: e.Line})
		case tags[m.Name] != nil:
			tags[m.Name].Tags = append(tags[m.Name].Tags, e.Tag)
			tags[m.Name].Line = e.Line
		default:
			tags[m.Name] = &tagged{Card: m.String(), Tags: []string{e.Tag}, Line: e.Line}
		}
	}
	for _, copy := range d.copies {
		switch t := tags[copy]; {
		case t == nil:
			missing = append(missing, copy)
		case len(t.Tags) > 1:
			twice = append(twice, *t)
		}
	}
	return missing, twice, unknown, others
}
