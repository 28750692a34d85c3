package catalogue

import (
	"fmt"
	"slices"
	"strconv"

	"tableside/device"
	"tableside/engine"
)

// A Deck holds every copy in the box of a game, in printed order.
type Deck struct {
	Box    string // its name, such as "mutants"
	Copies []string

	titles        map[string]string // by kind
	counts        map[string]int    // copies, by kind
	otherEditions map[string]bool   // copies that only other editions have
}

// A Kind is a kind of card in a box.
type Kind struct {
	ID     string // such as "zombie"
	Title  string // as printed
	Copies int
}

// NewDeck returns the deck of a game with these kinds of card. editions holds the kinds of
// card of the game's other editions. Only Compare needs these.
func NewDeck(game string, kinds []Kind, editions ...[]Kind) Deck {
	d := Deck{Box: engine.Title(game), titles: map[string]string{}, counts: map[string]int{},
		otherEditions: map[string]bool{}}
	for _, k := range kinds {
		d.titles[k.ID], d.counts[k.ID] = k.Title, k.Copies
		d.Copies = append(d.Copies, k.copies()...)
	}
	for _, kinds := range editions {
		for _, k := range kinds {
			for _, copy := range k.copies() {
				d.otherEditions[copy] = !slices.Contains(d.Copies, copy)
			}
		}
	}
	return d
}

func (k Kind) copies() []string {
	var names []string
	for n := range k.Copies {
		names = append(names, k.ID+"."+strconv.Itoa(n+1))
	}
	return names
}

// Meaning returns the meaning of a copy's tag.
func (d Deck) Meaning(copy string) device.Meaning {
	return device.Meaning{Kind: device.CardTag, Box: d.Box, Name: copy}
}

// Title returns the printed title of a copy, and how many copies of that card the box has.
func (d Deck) Title(copy string) (title string, of int) {
	kind, _ := engine.SplitCopy(copy)
	return d.titles[kind], d.counts[kind]
}

func (d Deck) title(copy string) string {
	kind, n := engine.SplitCopy(copy)
	return fmt.Sprintf("%s, %d/%d", d.titles[kind], n, d.counts[kind])
}

// A Comparison holds the differences between the tags of a catalogue and the copies in a deck.
type Comparison struct {
	Missing   []string     // copies without a tag
	Duplicate []TaggedCard // copies with several tags
	Unknown   []TaggedCard // cards that are in no box
	Elsewhere int          // tags of other boxes and editions, of keys and of dice
}

// A TaggedCard is a card with a mistake in the catalogue. The card has several tags, or it is
// in no box.
type TaggedCard struct {
	Card string   `json:"card"`
	Tags []string `json:"tags"`
	Line int      `json:"line"` // where the last of these tags is in the file
}

// Compare compares a catalogue with the deck. boxes are the names of the boxes of all games.
func (d Deck) Compare(entries []Entry, boxes []string) Comparison {
	c := Comparison{Missing: []string{}, Duplicate: []TaggedCard{}, Unknown: []TaggedCard{}}
	tags := map[string]*TaggedCard{}
	for _, e := range entries {
		m := e.Meaning
		switch {
		case m.Kind != device.CardTag, m.Box != d.Box && slices.Contains(boxes, m.Box),
			m.Box == d.Box && d.otherEditions[m.Name]:
			c.Elsewhere++
		case m.Box != d.Box || !slices.Contains(d.Copies, m.Name):
			c.Unknown = append(c.Unknown, TaggedCard{Card: m.String(), Tags: []string{e.Tag}, Line: e.Line})
		case tags[m.Name] != nil:
			tags[m.Name].Tags = append(tags[m.Name].Tags, e.Tag)
			tags[m.Name].Line = e.Line
		default:
			tags[m.Name] = &TaggedCard{Card: m.String(), Tags: []string{e.Tag}, Line: e.Line}
		}
	}
	for _, copy := range d.Copies {
		switch t := tags[copy]; {
		case t == nil:
			c.Missing = append(c.Missing, copy)
		case len(t.Tags) > 1:
			c.Duplicate = append(c.Duplicate, *t)
		}
	}
	return c
}
