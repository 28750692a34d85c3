package engine

import (
	"maps"
	"slices"
)

// A speaker says the texts of one view, and collects the words for its labels.
type speaker struct {
	words  Words
	lang   Lang
	names  map[Seat]string
	labels map[string]string
}

// TitleOf returns the title of a game, or of the preset whose name is known: a score sheet is that of a game.
func (w Words) TitleOf(lang Lang, game, preset string) string {
	if key := "preset." + preset; w.Has(key) {
		return w.Say(lang, Text{Key: key}, nil)
	}
	return w.Say(lang, Text{Key: "game." + Title(game)}, nil)
}

// SpeakView returns the view with all texts and labels in a language.
func (w Words) SpeakView(lang Lang, v View) View {
	s := speaker{w, lang, v.Names(), map[string]string{}}
	if v.Game != "" {
		v.Title = w.TitleOf(lang, string(v.Game), v.Preset)
	}
	s.label("phase.", v.Phase)
	for _, notice := range v.Notices {
		s.label("notice.", notice)
	}
	if v.TablePlays() {
		s.label("seat.", string(Table)) // a boss, in the words of its match
	}
	v.Seats = slices.Clone(v.Seats)
	for i := range v.Seats {
		if v.Seats[i].Name == "" {
			s.label("seat.", string(v.Seats[i].ID))
		}
		for _, state := range v.Seats[i].State {
			s.label("state.", state)
		}
		v.Seats[i].Zones = s.zones(v.Seats[i].Zones)
		s.counters(v.Seats[i].Counters)
	}
	v.Zones = s.zones(v.Zones)
	s.counters(v.Counters)
	for _, t := range v.Tracks {
		s.label("track.", t.ID)
		for _, a := range t.Areas {
			s.label("area.", a.ID)
		}
	}
	for _, d := range v.Dice {
		s.label("face.", string(d.Face))
	}
	v.Sheet = s.sheet(v.Sheet)
	v.Prompts = slices.Clone(v.Prompts)
	for i := range v.Prompts {
		s.prompt(&v.Prompts[i])
	}
	v.Labels = s.labels
	return v
}

func (s *speaker) say(key string, args Args) string {
	return s.words.Say(s.lang, Text{Key: key, Args: args}, s.names)
}

func (s *speaker) label(kind, name string) {
	if key := kind + name; s.words.Has(key) {
		s.labels[key] = s.say(key, nil)
	}
}

func (s *speaker) prompt(p *Prompt) {
	args := Args{"seat": p.Seat}
	maps.Copy(args, p.Args)
	p.Text = s.say("prompt."+p.Key, args)
	if printed, _ := p.Args["printed"].(string); printed != "" {
		p.Text = s.say("prompt-printed", Args{"first": p.Text, "printed": T("printed", "text", printed)})
	}
	p.Form = s.form(p.Form)
	p.Options = slices.Clone(p.Options)
	for i := range p.Options {
		p.Options[i].Text = s.say("answer."+p.Options[i].Key, p.Options[i].Args)
	}
	if p.Roll != nil {
		for _, face := range p.Roll.Faces {
			s.label("face.", face)
		}
	}
}

func (s *speaker) counters(counters Counters) {
	for _, c := range counters {
		s.label("counter.", c.Name)
	}
}

func (s *speaker) zones(zones Zones) Zones {
	zones = slices.Clone(zones)
	for i := range zones {
		s.label("zone.", zones[i].Name)
		zones[i].Cards = s.cards(zones[i].Cards)
	}
	return zones
}

func (s *speaker) cards(cards []Card) []Card {
	cards = slices.Clone(cards)
	for i := range cards {
		c := &cards[i]
		if c.Kind != "" {
			c.Name = s.say("card."+string(c.Kind), nil)
		}
		for _, state := range c.State {
			s.label("state.", state)
		}
		for _, keyword := range c.Keywords {
			s.label("keyword.", keyword)
		}
		s.counters(c.Counters)
		c.Under = s.cards(c.Under)
		c.Attached = s.cards(c.Attached)
	}
	return cards
}

// SpeakEvents returns the events with their texts in a language.
func (w Words) SpeakEvents(lang Lang, events []Event, names map[Seat]string) []Event {
	events = slices.Clone(events)
	for i := range events {
		events[i].Spoken = w.Say(lang, events[i].Text(), names)
	}
	return events
}

// SpeakStatus returns the status with two of its texts in a language: the text of the receipt,
// and what the hall says.
func (w Words) SpeakStatus(lang Lang, s Status, names map[Seat]string) Status {
	if s.Receipt != nil && s.Receipt.Text.Key != "" {
		receipt := *s.Receipt
		receipt.Spoken = w.Say(lang, receipt.Text, names)
		s.Receipt = &receipt
	}
	if s.HallText.Key != "" {
		s.Says = w.Say(lang, s.HallText, names)
	}
	return s
}

// form returns a copy of a card form with its texts in the language of the speaker. The
// original form stays unchanged, because views share the form.
func (s *speaker) form(f *CardForm) *CardForm {
	if f == nil {
		return nil
	}
	said := *f
	if said.Name = s.words.Say(s.lang, f.Title, s.names); f.Card != "" {
		said.Name = s.say(string(CardWord(f.Card)), nil)
	}
	said.Fields = slices.Clone(f.Fields)
	for i := range said.Fields {
		field := &said.Fields[i]
		if field.Text = s.words.Say(s.lang, field.Label, s.names); field.Label.Key == "" {
			field.Text = s.say("field."+field.Field, nil)
		}
		field.Words = s.formWords(field.Words)
	}
	return &said
}

func (s *speaker) formWords(words []FormWord) []FormWord {
	words = slices.Clone(words)
	for i := range words {
		if w := &words[i]; w.Key == "" {
			w.Text = w.Word
		} else {
			w.Text = s.say(string(w.Key), w.Args)
		}
	}
	return words
}
