package engine

import (
	"slices"
	"time"
)

// A Frame is what outputs draw: the match as it is now, what has just
// happened, and how the table around it does. A frame is never changed after
// it was handed on.
type Frame struct {
	View   View    `json:"view"`   // spoken in the table's language
	Events []Event `json:"events"` // since the frame before; spoken
	Past   []Event `json:"-"`      // of a match that was resumed: what happened until then; unspoken, for pages to tell but nothing to act on
	Status Status  `json:"status"`
	Words  Words   `json:"-"` // to speak it in another language
	Lang   Lang    `json:"lang"`
}

// In returns the frame in another language.
func (f Frame) In(lang Lang) Frame {
	if lang == f.Lang || f.Words == nil {
		return f
	}
	f.Lang = lang
	f.View = f.Words.SpeakView(lang, f.View)
	f.Events = f.Words.SpeakEvents(lang, f.Events, f.View.Names())
	f.Status = f.Words.SpeakStatus(lang, f.Status, f.View.Names())
	return f
}

// A Status is what is true of the table but not of the match. It is never
// journalled.
type Status struct {
	Receipt   *Receipt `json:"receipt"`   // the answer to the last thing that was done; nil at first
	Cursor    int      `json:"cursor"`    // the answer of the first prompt that left and right point at; -1 for none
	Keeping   bool     `json:"keeping"`   // whether inputs reach the disk
	Trouble   string   `json:"trouble"`   // why not, and what to do; spoken
	Unfinish  string   `json:"continue"`  // the match that waits for "continue?", or ""
	Address   string   `json:"address"`   // where phones find the page, with its token; "" on loopback
	Health    []Part   `json:"health"`    // readers, panel, strip, broker, journal
	Simulated bool     `json:"simulated"` // whether the readers are on the page
}

// An Outcome is how the table answered.
type Outcome string

const (
	Accepted  Outcome = "accepted"
	Refused   Outcome = "refused"   // the rules forbid it; Text says why
	Unknown   Outcome = "unknown"   // a tag that no catalogue knows
	Malformed Outcome = "malformed" // no input at all
	Failed    Outcome = "failed"    // a bug or a broken part
)

// A Receipt is the answer to an input or a match command.
type Receipt struct {
	Outcome  Outcome `json:"outcome"`
	Seat     Seat    `json:"seat,omitempty"`
	Place    string  `json:"place,omitempty"` // the reader or key, as the configuration names it
	Seq      int     `json:"seq"`             // of the view it led to
	N        int     `json:"n"`               // counts receipts, so that a repeated one is seen
	Text     Text    `json:"reason,omitzero"`
	Spoken   string  `json:"text"`
	Override bool    `json:"override,omitempty"` // the key yes insists
}

// A Health says how a part does.
type Health string

const (
	OK       Health = "ok"
	Degraded Health = "degraded"
	Broken   Health = "failed"
)

// A Part is a reader, a panel, a broker… and how it does. What a part cannot
// tell of itself is left zero.
type Part struct {
	Name      string    `json:"part"`
	Health    Health    `json:"health"`
	Reason    string    `json:"reason,omitempty"`
	Firmware  string    `json:"firmware,omitempty"`   // of its chip, as "PN532 1.6"
	Resets    int       `json:"resets,omitempty"`     // times it was set up again after errors
	ErrorRate float64   `json:"error_rate,omitempty"` // of what was asked of it lately, 0 to 1
	LastGood  time.Time `json:"last_good,omitzero"`   // when it last did what was asked of it
}

// SpeakView returns the view with every text and label in a language.
func (w Words) SpeakView(lang Lang, v View) View {
	names := v.Names()
	say := func(key string, args Args) string { return w.Say(lang, Text{Key: key, Args: args}, names) }
	labels := map[string]string{}
	label := func(key string) {
		if key != "" && w.Has(key) {
			labels[key] = say(key, nil)
		}
	}
	if v.Game != "" {
		v.Title = say("game."+Title(string(v.Game)), nil)
	}
	label("phase." + v.Phase)
	for _, notice := range v.Notices {
		label("notice." + notice)
	}
	if v.TablePlays() {
		label("seat." + string(Table)) // a boss, in the words of its match
	}
	v.Seats = slices.Clone(v.Seats)
	for i := range v.Seats {
		if v.Seats[i].Name == "" {
			label("seat." + string(v.Seats[i].ID))
		}
		for _, state := range v.Seats[i].State {
			label("state." + state)
		}
		v.Seats[i].Zones = w.speakZones(lang, v.Seats[i].Zones, label)
		labelCounters(v.Seats[i].Counters, label)
	}
	v.Zones = w.speakZones(lang, v.Zones, label)
	labelCounters(v.Counters, label)
	for _, t := range v.Tracks {
		label("track." + t.ID)
		for _, a := range t.Areas {
			label("area." + a.ID)
		}
	}
	for _, d := range v.Dice {
		label("face." + string(d.Face))
	}
	v.Prompts = slices.Clone(v.Prompts)
	for i := range v.Prompts {
		p := &v.Prompts[i]
		args := Args{"seat": p.Seat}
		for k, value := range p.Args {
			args[k] = value
		}
		p.Text = say("prompt."+p.Key, args)
		p.Options = slices.Clone(p.Options)
		for j := range p.Options {
			p.Options[j].Text = say("answer."+p.Options[j].Key, p.Options[j].Args)
		}
		if p.Roll != nil {
			for _, face := range p.Roll.Faces {
				label("face." + face)
			}
		}
	}
	v.Labels = labels
	return v
}

func labelCounters(counters Counters, label func(string)) {
	for _, c := range counters {
		label("counter." + c.Name)
	}
}

func (w Words) speakZones(lang Lang, zones Zones, label func(string)) Zones {
	zones = slices.Clone(zones)
	for i := range zones {
		label("zone." + zones[i].Name)
		zones[i].Cards = w.speakCards(lang, zones[i].Cards, label)
	}
	return zones
}

func (w Words) speakCards(lang Lang, cards []Card, label func(string)) []Card {
	cards = slices.Clone(cards)
	for i := range cards {
		c := &cards[i]
		if c.Kind != "" {
			c.Name = w.Say(lang, Text{Key: "card." + string(c.Kind)}, nil)
		}
		for _, state := range c.State {
			label("state." + state)
		}
		for _, keyword := range c.Keywords {
			label("keyword." + keyword)
		}
		labelCounters(c.Counters, label)
		c.Under = w.speakCards(lang, c.Under, label)
		c.Attached = w.speakCards(lang, c.Attached, label)
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

// SpeakStatus returns the status with its receipt in a language.
func (w Words) SpeakStatus(lang Lang, s Status, names map[Seat]string) Status {
	if s.Receipt != nil && s.Receipt.Text.Key != "" {
		receipt := *s.Receipt
		receipt.Spoken = w.Say(lang, receipt.Text, names)
		s.Receipt = &receipt
	}
	return s
}
