package shelf

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tableside/device"
	"tableside/device/catalogue"
	"tableside/display/web/cards"
	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// A workshop gathers, for one game, the contents of the page on which players enter the
// owner's cards.
type workshop struct {
	title  string
	lang   engine.Lang
	words  engine.Words
	things map[string]*cardfile.Thing // by their ids
	page   cards.Workshop

	sheets, madeUp map[string]cardfile.Sheet // by id: sheets without stand-ins, madeUp with them
	faultyCards    []string                  // as cardfile.Named lists them
	tagCounts      map[string]int            // copies with a tag, by kind
	tagged         map[string]bool           // copies with a tag
}

// Workshop returns what the page for the owner's cards shows about a game. The game is given
// by its title, and must have cards. The page shows the cards of all editions, and the forms
// to change the cards. The cards are shown as changed by text, the text of the owner's file.
// Workshop reads the tags of the cards from the catalogue in the data folder (data).
func (l List) Workshop(data, title, text string, lang engine.Lang) (cards.Workshop, error) {
	owners := l.Owners(title)
	lines, faults := owners.Define("", text)
	w := workshop{title: title, lang: lang, things: map[string]*cardfile.Thing{}, tagCounts: map[string]int{},
		tagged: map[string]bool{}, words: engine.CoreWords()}
	for _, e := range faults {
		if all := strings.Split(text, "\n"); e.Line <= len(all) {
			w.faultyCards = append(w.faultyCards, cardfile.Named(all[e.Line-1])...)
		}
	}
	order, err := w.readBoxes(l.editions(title), lines)
	if err != nil {
		return w.page, err
	}
	w.page.Game, w.page.Title = title, w.say("game."+title, title)
	w.readTags(data)
	things := owners.Things(text)
	for _, t := range things {
		w.things[t.ID] = t
	}
	for _, form := range owners.Forms {
		w.addForm(form)
		for _, t := range things {
			if t.Line == form.Line && t.ID == "" {
				w.add(t, form)
			}
		}
	}
	for _, id := range order {
		w.addSheet(id, owners.Forms)
	}
	for _, t := range things { // what no edition has, because of its mistakes
		if t.ID != "" && len(t.Own) > 0 && !slices.Contains(order, t.ID) {
			w.addSheet(t.ID, owners.Forms)
		}
	}
	return w.page, nil
}

func (l List) editions(title string) (boxes []Box) {
	for _, box := range l.Boxes() {
		if engine.Title(box.Info().Name) == title {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// readBoxes reads the cards of all editions, and returns their ids in printed order. If a box
// has places for cards that nobody has named yet, readBoxes returns no ids of made-up cards.
func (w *workshop) readBoxes(boxes []Box, own []string) (order []string, err error) {
	w.sheets, w.madeUp = map[string]cardfile.Sheet{}, map[string]cardfile.Sheet{}
	slots := false
	for _, box := range boxes {
		known, err := box.Cards(false, own)
		if err != nil {
			return nil, err
		}
		w.words = engine.Merge(w.words, box.Info().Words, known.Words)
		for _, sheet := range known.Sheets {
			if _, found := w.sheets[sheet.ID]; !found {
				order = append(order, sheet.ID)
			}
			w.sheets[sheet.ID] = sheet
			slots = slots || sheet.Slot
		}
	}
	for _, box := range boxes {
		all, err := box.Cards(true, own)
		if err != nil {
			return nil, err
		}
		w.words = engine.Merge(all.Words, w.words)
		for _, sheet := range all.Sheets {
			_, known := w.sheets[sheet.ID]
			_, found := w.madeUp[sheet.ID]
			if !known && !found && !slots {
				order = append(order, sheet.ID)
			}
			w.madeUp[sheet.ID] = sheet
		}
	}
	return order, nil
}

// readTags records which copies have a tag, and how many copies of each card have one. If
// readTags cannot read the catalogue, it records nothing.
func (w *workshop) readTags(data string) {
	tags, err := catalogue.Open(filepath.Join(data, catalogue.FileName))
	if err != nil {
		return
	}
	for _, e := range tags.Entries() {
		if e.Meaning.Kind == device.CardTag && e.Meaning.Box == w.title && !w.tagged[e.Meaning.Name] {
			kind, _ := engine.SplitCopy(e.Meaning.Name)
			w.tagCounts[kind]++
			w.tagged[e.Meaning.Name] = true
		}
	}
}

func (w *workshop) say(key, fallback string) string {
	if !w.words.Has(key) {
		return fallback
	}
	return w.words.Say(w.lang, engine.T(key), nil)
}

// addForm adds a form to what the page shows, with titles for its fields, and with the effects
// that these offer.
func (w *workshop) addForm(form cardfile.Form) {
	f := cards.WorkshopForm{Line: form.Line, Title: w.say("line."+form.Line, form.Line)}
	for _, row := range form.Rows {
		last := row.Field[strings.LastIndex(row.Field, " ")+1:]
		title := w.say("form."+last, w.say("field."+last, last))
		if first, _, two := strings.Cut(row.Field, " "); two {
			title = w.say("keyword."+first, first)
		}
		titled := func(words []string) (list []core.Value) {
			for _, word := range words {
				list = append(list, core.Value{Value: word, Title: w.word(last, word)})
			}
			return list
		}
		said := cards.WorkshopRow{Row: row, Title: title,
			Words: titled(row.Words), Others: titled(row.Others), Per: titled(row.Per)}
		if row.Table != nil {
			said.None, said.Tiles = true, row.Tiles(w.lang)
		}
		f.Rows = append(f.Rows, said)
	}
	w.page.Forms = append(w.page.Forms, f)
}

func (w *workshop) word(field, word string) string {
	title := strings.ReplaceAll(word, "-", " ")
	for _, group := range []string{"option.sets.", "arrow.", "colour.", "kind.", "keyword.", field + "."} {
		title = w.say(group+word, title)
	}
	return title
}

// addSheet adds a card, or another thing, to what the page shows. The thing has the given id.
// If only stand-ins describe a thing that is no card, such as a boss, addSheet leaves the
// thing out.
func (w *workshop) addSheet(id string, forms []cardfile.Form) {
	t := w.things[id]
	if t == nil {
		t = &cardfile.Thing{Line: "card", ID: id}
	}
	i := slices.IndexFunc(forms, func(f cardfile.Form) bool { return f.Line == t.Line })
	_, known := w.sheets[id]
	if i >= 0 && (known || len(t.Own) > 0 || t.Line == "card") { // a boss that only stand-ins have is not shown
		w.add(t, forms[i])
	}
}

func (w *workshop) add(t *cardfile.Thing, form cardfile.Form) {
	c := cards.WorkshopCard{Line: t.Line, ID: t.ID, About: cmp.Or(t.ID, t.Line), Box: t.Box, StandIn: t.StandIn, Own: t.Own,
		Gaps: []string{}, Says: []string{}}
	if t.Box == nil {
		c.Box, c.StandIn = map[string]string{}, map[string]string{}
	}
	if t.Own == nil {
		c.Own = []cardfile.OwnLine{}
	}
	sheet, known := w.sheets[t.ID]
	full, filled := w.madeUp[t.ID]
	if !known {
		sheet = full
	}
	gaps, open := sheet.Gaps, full.Gaps
	if t.ID == "" {
		c.Name = w.say("line."+t.Line, t.Line)
		gaps, open = missingFields(t, form)
		known, filled = true, true
	} else {
		c.Name = w.say("card."+t.ID, t.ID)
	}
	title := func(field string) bool { return slices.Contains(cardfile.LanguageFields, field) }
	c.Gaps = append(c.Gaps, slices.DeleteFunc(slices.Clone(gaps), title)...)
	open = slices.DeleteFunc(slices.Clone(open), title)
	switch {
	case slices.Contains(w.faultyCards, c.About):
		c.State = "wrong"
	case known && len(c.Gaps) == 0 && len(t.Own) > 0:
		c.State = "yours"
	case known && len(c.Gaps) == 0:
		c.State = "known"
	case filled && len(open) == 0:
		c.State = "stand-in"
	default:
		c.State = "missing"
	}
	for _, line := range sheet.Lines {
		c.Says = append(c.Says, w.words.Say(w.lang, line, nil))
	}
	c.Copies, c.Taught = sheet.Copies, w.tagCounts[t.ID]
	if sheet.Set != "" {
		c.Set = w.word("set", sheet.Set)
	}
	for n := 1; n <= c.Copies && c.Next == ""; n++ {
		if name := t.ID + "." + strconv.Itoa(n); !w.tagged[name] {
			c.Next = w.title + "/" + name
		}
	}
	w.page.Cards = append(w.page.Cards, c)
}

// missingFields returns two lists of fields of a thing. The first list holds the fields whose
// value is not known. The second list holds those of them for which there is no made-up value
// either.
func missingFields(t *cardfile.Thing, form cardfile.Form) (gaps, open []string) {
	for _, row := range form.Rows {
		own := func(line cardfile.OwnLine) bool { return line.Field == row.Field && line.Value != "?" }
		if !row.Gap || t.Box[row.Field] != "" && !strings.Contains(t.Box[row.Field], "?") ||
			slices.ContainsFunc(t.Own, own) {
			continue
		}
		gaps = append(gaps, row.Field)
		if t.StandIn[row.Field] == "" {
			open = append(open, row.Field)
		}
	}
	return gaps, open
}

// SayCard returns the name of a card and lines that describe the card. The arguments are the
// title of the game, the text of the owner's file, which may change the card, and the id of
// the card. If there is no such card, the name is "".
func (l List) SayCard(title, text, card string, lang engine.Lang) (name string, says []string) {
	var lines []string
	if text != "" {
		lines = strings.Split(text, "\n")
	}
	editions := l.editions(title)
	for _, standIn := range []bool{false, true} {
		for _, box := range slices.Backward(editions) {
			known, err := box.Cards(standIn, lines)
			if err != nil {
				continue
			}
			i := slices.IndexFunc(known.Sheets, func(s cardfile.Sheet) bool { return s.ID == card })
			if i >= 0 {
				known.Sheets = known.Sheets[i : i+1]
				sheets, _ := InWords(known, lang)
				return sheets[0].Name, sheets[0].Lines
			}
		}
	}
	return "", nil
}
