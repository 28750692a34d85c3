package engine

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// SchemaVersion counts the breaking changes of the View's JSON.
const SchemaVersion = 1

// A View holds what anyone at the table can see of a match. Panels, lights, pages, MQTT and
// scripts all share this one document, whatever the game. docs/view.md describes the View. Its
// JSON Schema is served at /api/schema.
//
// Callers must not change a View. Displays share the View, and the game may share its lists,
// such as keywords and the faces of dice.
type View struct {
	Schema   int               `json:"schema"`
	Table    string            `json:"table"`
	Match    Null              `json:"match"` // null without a match
	Seq      int               `json:"seq"`   // the number of accepted inputs, including undo and redo
	Game     Null              `json:"game"`
	Title    string            `json:"title"`            // of the game, in the table's language
	Preset   string            `json:"preset,omitempty"` // of a score sheet that is that of a game: hearts
	Phase    string            `json:"phase"`
	Round    int               `json:"round"`
	Rounds   int               `json:"rounds"` // how many the match has; 0 if that is open
	Turn     Null              `json:"turn"`   // whose turn it is
	First    Null              `json:"first"`  // who began the round
	Seats    []SeatView        `json:"seats"`  // clockwise
	Zones    Zones             `json:"zones"`  // of the table
	Counters Counters          `json:"counters"`
	Tracks   []Track           `json:"tracks"`
	Dice     []Die             `json:"dice"`
	Sheet    *Sheet            `json:"sheet,omitempty"` // of a game that is scored by rounds
	Clock    *ClockView        `json:"clock,omitempty"` // of a match with limits of time
	Prompts  []Prompt          `json:"prompts"`         // in the order in which they are asked
	Winners  []Seat            `json:"winners"`         // several when they share the win; empty until the end
	Notices  []string          `json:"notices"`         // keys; their words are in Labels
	Labels   map[string]string `json:"labels"`          // words for the zones, counters, phases… used here
}

// A SeatView describes a player's place, with its counters and zones.
type SeatView struct {
	ID       Seat     `json:"id"`
	Name     string   `json:"name"`
	Colour   string   `json:"colour"`          // #rrggbb
	State    []string `json:"state,omitempty"` // one-more-turn, last-turn, out…
	Counters Counters `json:"counters"`
	Zones    Zones    `json:"zones"`
}

// A Card is a card in a zone. Kind is null for an unknown card.
type Card struct {
	Kind     Null     `json:"card"`
	Copy     int      `json:"copy,omitempty"`
	Name     string   `json:"name,omitempty"`  // in the table's language
	State    []string `json:"state,omitempty"` // face-down, tilted, wounded, tired…
	Counters Counters `json:"counters,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	Under    []Card   `json:"under,omitempty"`    // boosts, lower levels, grafts
	Attached []Card   `json:"attached,omitempty"` // gear, tokens that stay with the card
}

// ID returns the name of the card in inputs, such as "zombie.2". If the card has no number, ID
// returns only its kind. If the card is unknown, ID returns "".
func (c Card) ID() string {
	if c.Kind == "" {
		return ""
	}
	if c.Copy == 0 {
		return string(c.Kind)
	}
	return string(c.Kind) + "." + strconv.Itoa(c.Copy)
}

// A Track is a row of spaces on which markers move and stack.
type Track struct {
	ID     string         `json:"id"`
	First  int            `json:"first"`
	Last   int            `json:"last"` // a score may pass it
	Areas  []Area         `json:"areas"`
	Stacks map[int][]Seat `json:"stacks"` // by space, from the bottom to the top
}

// An Area is a named part of a track. It includes the spaces at both ends.
type Area struct {
	ID   string `json:"id"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// A Die is a die on the table.
type Die struct {
	ID    string `json:"id"`
	Seat  Seat   `json:"seat"`
	Kind  string `json:"kind"`
	Face  Null   `json:"face"`
	State string `json:"state,omitempty"` // rolled, kept
}

// A Prompt is a question to a seat, or an offer.
type Prompt struct {
	Seat    Seat         `json:"seat"` // Table when anyone may answer
	Key     string       `json:"key"`
	Args    Args         `json:"args"`
	Text    string       `json:"text"`
	Options []Answer     `json:"options"`
	Roll    *RollRequest `json:"roll"`
	Form    *CardForm    `json:"form,omitempty"`
	May     bool         `json:"may,omitempty"` // nobody waits for an answer; such prompts come last
}

// A CardForm asks for all unknown fields of a card together, or for those of a deal that is scored. Input is the beginning of the
// line that enters the values. The values follow Input as one quoted word, with " | " between
// them.
type CardForm struct {
	Card   string      `json:"card,omitempty"` // a kind; "" for the form of a deal
	Title  Text        `json:"-"`              // of a form that is of no card
	Name   string      `json:"name"`           // in the table's language
	Input  string      `json:"input"`
	Fields []FormField `json:"fields"`
}

// A FormField asks for one field of a card, by the name of the field in card files. Its Text
// and the texts of its Words are in the table's language. If a FormField has no Words, people
// type a text as the value.
type FormField struct {
	Field string     `json:"field"`
	Text  string     `json:"text"`
	Words []FormWord `json:"words,omitempty"`
	Most  int        `json:"most,omitempty"`  // how many words may be taken
	Again bool       `json:"again,omitempty"` // a word may be taken more than once
	Quote bool       `json:"quote,omitempty"` // the text is quoted
	None  bool       `json:"none,omitempty"`  // the text may be "none": the card has nothing there
	Only  []string   `json:"only,omitempty"`  // the types of card that have the field; nil for all
	Of    string     `json:"of,omitempty"`    // the field, of the deal or of any seat, whose values Only lists
	Label Text       `json:"-"`               // the text, if it is no field of a card
	Value string     `json:"value,omitempty"` // what was entered, or is meant if nothing is
	Upto  int        `json:"upto,omitempty"`  // a whole number from 0 to this
	Total int        `json:"total,omitempty"` // what the numbers of all seats add up to
}

// A FormWord is a value that people can choose. Its text is made from Key and Args. If there
// is no key, as for a number, the text is the Word itself.
type FormWord struct {
	Word string `json:"word"`
	Key  Word   `json:"-"`
	Args Args   `json:"-"`
	Text string `json:"text"`
}

// An Answer is one answer to a prompt. Input is the line that gives the answer. If Zone is
// set, the line does not name a card yet. Then people may tap any card of the zone, such as a
// hidden card in a hand.
type Answer struct {
	Key   string `json:"key"`
	Args  Args   `json:"args,omitempty"`
	Text  string `json:"text"`
	Input string `json:"input"`
	Zone  string `json:"zone,omitempty"` // "red/hand"
}

// A RollRequest asks for N dice of a kind, each of which shows one of the Faces.
type RollRequest struct {
	Kind  string   `json:"kind"`
	N     int      `json:"n"`
	Faces []string `json:"faces"`
}

// Null is a string whose empty value is null in JSON.
type Null string

func (n Null) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(n))
}

// A Zone is a place for cards. In JSON, the zones of a seat or of the table are one object.
// The keys of this object keep the order of Zones.
type Zone struct {
	Name  string
	Cards []Card
}

// Zones lists zones in the game's order.
type Zones []Zone

// Get returns the cards of a zone, or nil if there is no such zone.
func (z Zones) Get(name string) []Card {
	for _, zone := range z {
		if zone.Name == name {
			return zone.Cards
		}
	}
	return nil
}

// A Counter is a number with a name.
type Counter struct {
	Name  string
	Value int
}

// Counters lists counters in the game's order.
type Counters []Counter

// Get returns the value of the counter with the given name, and whether the list has such a
// counter.
func (c Counters) Get(name string) (int, bool) {
	for _, counter := range c {
		if counter.Name == name {
			return counter.Value, true
		}
	}
	return 0, false
}

func (z Zones) MarshalJSON() ([]byte, error) {
	return marshalOrdered(len(z), func(i int) (string, any) {
		if z[i].Cards == nil {
			return z[i].Name, []Card{}
		}
		return z[i].Name, z[i].Cards
	})
}

func (c Counters) MarshalJSON() ([]byte, error) {
	return marshalOrdered(len(c), func(i int) (string, any) { return c[i].Name, c[i].Value })
}

func marshalOrdered(n int, at func(int) (string, any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name, value := at(i)
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(data)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Seat returns the view of a seat, or nil.
func (v *View) Seat(id Seat) *SeatView {
	for i := range v.Seats {
		if v.Seats[i].ID == id {
			return &v.Seats[i]
		}
	}
	return nil
}

// AsksEverybody reports whether all players have to answer before anything else, such as who begins.
func (v View) AsksEverybody() bool {
	return len(v.Prompts) > 0 && v.Prompts[0].Seat == Table && !v.Prompts[0].May
}

// TablePlays reports whether the table is one of the players. For example, the table may be a
// boss that nobody plays. The table is a player if it has the turn, a marker or the win.
func (v *View) TablePlays() bool {
	if v.Turn == Null(Table) || slices.Contains(v.Winners, Table) {
		return true
	}
	return slices.ContainsFunc(v.Tracks, func(t Track) bool {
		for _, stack := range t.Stacks {
			if slices.Contains(stack, Table) {
				return true
			}
		}
		return false
	})
}

// Names maps the seats to the players' names.
func (v *View) Names() map[Seat]string {
	names := make(map[Seat]string, len(v.Seats))
	for _, s := range v.Seats {
		names[s.ID] = s.Name
	}
	return names
}

// Hash returns a short fingerprint of the view, for the marks of a journal. The fingerprint is
// the same in every language. Call Hash before the view is spoken (filled with texts).
func (v View) Hash() string {
	v.Table, v.Title, v.Labels = "", "", nil
	v.Clock = nil // it changes nothing of the match
	v.Prompts = slices.Clone(v.Prompts)
	for i := range v.Prompts {
		p := &v.Prompts[i]
		p.Form, p.May = nil, false // they change nothing of the match, and older journals had none
	}
	data, _ := json.Marshal(v) // texts and numbers, which it always writes
	return checksum(data)
}
