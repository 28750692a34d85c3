package displaytest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tableside/engine"
)

// madeUpWords holds texts that are difficult to fit into a line. Some have accents above and
// below, long words or wide words. Others have scripts that no font has, or spaces at which a
// line must not break.
var madeUpWords = []string{
	"a", "Élan", "Zombie", "Gorthaur the Cruel", "Reptireur d'élite", "l'incubateur du Grand Maître",
	"Anticonstitutionnellement", "Où ça, « là » ?", "Où ça,\u00a0«\u00a0là\u00a0»\u00a0?", "À l'Île",
	"WWWWWWWWWWWWWWWWWWWWWWWW", "Ø", "Ågot Ünsal Ğ", "李小龍", "g̈jpqy",
}

// A maker makes up random frames.
type maker struct{ *rand.Rand }

// MadeUp returns a random frame that is hard to draw. No game makes such frames today, but one
// might.
func MadeUp(chance *rand.Rand) engine.Frame {
	m := maker{chance}
	v := m.view()
	f := engine.Frame{View: v, Lang: engine.Languages[m.IntN(2)], Status: engine.Status{
		Keeping: m.IntN(5) > 0, Trouble: m.sentence(), Cursor: m.IntN(16) - 1}}
	switch m.IntN(8) {
	case 0:
		f.View.Match, f.Status.Address = "", "http://table.local:8080/"+strings.Repeat("x", m.IntN(80))
		if m.IntN(2) == 0 {
			f.View.Seats, f.View.Turn, f.Status.Unfinish = nil, "", "m"
		}
	case 1:
		f.View.Winners = []engine.Seat{m.anySeat(v), m.anySeat(v)}[:1+m.IntN(2)]
	case 2:
		f.Status.Receipt = &engine.Receipt{
			Outcome: engine.Refused, Seat: m.anySeat(v), Spoken: m.sentence(), Override: m.IntN(2) == 0}
	}
	return f
}

func (m maker) view() engine.View {
	v := engine.View{
		Match: "m", Title: m.word(), Round: m.IntN(12), Rounds: m.IntN(12), Counters: m.counters(3), Zones: m.zones(2)}
	for i := range 1 + m.IntN(8) {
		v.Seats = append(v.Seats, engine.SeatView{
			ID: engine.Seat(fmt.Sprint("seat", i)), Name: m.word(), Counters: m.counters(7), Zones: m.zones(6)})
	}
	if m.IntN(4) > 0 {
		v.Turn = engine.Null(m.anySeat(v))
	}
	for range m.IntN(3) {
		v.Tracks = append(v.Tracks, m.track(v.Seats))
	}
	for range m.IntN(5) {
		state := []string{"", "kept"}[m.IntN(2)]
		v.Dice = append(v.Dice, engine.Die{Seat: m.anySeat(v), Face: engine.Null(m.word()), State: state})
	}
	for range m.IntN(3) {
		v.Prompts = append(v.Prompts, m.prompt(v))
	}
	if m.IntN(5) == 0 {
		v.Notices = []string{m.word(), m.word()}
	}
	return v
}

func (m maker) word() string { return madeUpWords[m.IntN(len(madeUpWords))] }

func (m maker) sentence() string {
	s := make([]string, 1+m.IntN(12))
	for i := range s {
		s[i] = m.word()
	}
	return strings.Join(s, " ")
}

func (m maker) anySeat(v engine.View) engine.Seat { return v.Seats[m.IntN(len(v.Seats))].ID }

func (m maker) counters(most int) engine.Counters {
	var all engine.Counters
	for range m.IntN(most + 1) {
		all = append(all, engine.Counter{Name: m.word(), Value: m.IntN(200_000) - 99_999>>m.IntN(17)})
	}
	return all
}

func (m maker) cards(most int) []engine.Card {
	all := make([]engine.Card, m.IntN(most+1))
	for i := range all {
		if m.IntN(5) > 0 {
			all[i] = engine.Card{Kind: "k", Copy: i, Name: m.word(), Counters: m.counters(2),
				Keywords: slices.Clone(madeUpWords[:m.IntN(3)]), Attached: m.cards(1)}
		}
		if m.IntN(3) == 0 {
			all[i].State = []string{m.word()}
		}
	}
	return all
}

func (m maker) zones(most int) engine.Zones {
	var all engine.Zones
	for range m.IntN(most + 1) {
		all = append(all, engine.Zone{Name: m.word(), Cards: m.cards(9)})
	}
	return all
}

// track returns a track with an area of several spaces and two areas of a single space. Every
// seat's marker is near the beginning of the track, so that stacks grow.
func (m maker) track(seats []engine.SeatView) engine.Track {
	t := engine.Track{ID: m.word(), First: m.IntN(2), Stacks: map[int][]engine.Seat{}}
	t.Last = t.First + 1 + m.IntN(40)
	t.Areas = []engine.Area{
		{ID: "a", From: 1, To: 3}, {ID: "b", From: t.Last, To: t.Last}, {ID: "c", From: t.Last - 1, To: t.Last - 1}}
	for _, s := range seats {
		space := t.First + m.IntN(min(4, t.Last-t.First))
		t.Stacks[space] = append(t.Stacks[space], s.ID)
	}
	return t
}

func (m maker) prompt(v engine.View) engine.Prompt {
	p := engine.Prompt{Seat: m.anySeat(v), Text: m.sentence()}
	if m.IntN(4) == 0 {
		p.Seat = engine.Table
	}
	for range m.IntN(15) {
		key := engine.Keys[m.IntN(len(engine.Keys))]
		p.Options = append(p.Options, engine.Answer{Text: m.word(), Input: "red key " + key})
	}
	return p
}
