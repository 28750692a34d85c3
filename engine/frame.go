package engine

import (
	"encoding/json"
	"time"
)

// A Frame holds what outputs draw. It shows the match as it is now, what has just happened,
// and the state of the table. A Frame is never changed after it has been sent.
type Frame struct {
	View   View    `json:"view"`   // spoken in the table's language
	Events []Event `json:"events"` // since the previous frame; spoken
	Past   []Event `json:"-"`      // from before the match was resumed; unspoken; for lists only
	Course *Course `json:"-"`      // of a match that is over, for a chart
	Status Status  `json:"status"`
	Words  Words   `json:"-"` // to speak the frame in another language
	Lang   Lang    `json:"lang"`

	MadeAt time.Time     `json:"-"` // the time at which View.Clock was right
	State  func() []byte `json:"-"` // what Encode returned when the table made the frame; nil in other frames
}

// Encode returns the view as JSON, for readers who may read it much later: a running clock says
// when it was right.
func (f *Frame) Encode() []byte {
	v := f.View
	if v.Clock != nil && len(v.Clock.Running) > 0 {
		v.Clock = f.Clock(f.MadeAt)
	}
	data, _ := json.Marshal(v) // texts and numbers, which it always writes
	return data
}

// Age returns how long ago the frame was made, or 0 if MadeAt is not set.
func (f *Frame) Age(now time.Time) time.Duration {
	if f.MadeAt.IsZero() {
		return 0
	}
	return now.Sub(f.MadeAt)
}

// Clock returns the clock as it is at the given time. The field At of the result holds this
// time, in whole milliseconds. For a match without time limits, Clock returns nil.
func (f *Frame) Clock(now time.Time) *ClockView {
	if f.View.Clock == nil {
		return nil
	}
	clock := f.View.Clock.After(f.Age(now))
	clock.At = now.UTC().Truncate(time.Millisecond)
	return clock
}

// In returns the frame in another language, or unchanged if it has no Words.
func (f Frame) In(lang Lang) Frame {
	if lang == f.Lang || f.Words == nil {
		return f
	}
	f.Lang, f.State = lang, nil
	f.View = f.Words.SpeakView(lang, f.View)
	f.Events = f.Words.SpeakEvents(lang, f.Events, f.View.Names())
	f.Status = f.Words.SpeakStatus(lang, f.Status, f.View.Names())
	return f
}

// A Status holds the facts about the table that are not part of the match. It is never
// journalled.
type Status struct {
	Receipt   *Receipt `json:"receipt"`            // the answer to the last input or command; nil at first
	Cursor    int      `json:"cursor"`             // index of the first prompt's marked answer; -1 for none
	Keeping   bool     `json:"keeping"`            // whether inputs reach the disk
	Trouble   string   `json:"trouble"`            // why inputs do not reach the disk, and what to do; spoken
	Unfinish  string   `json:"continue"`           // the match that waits for "continue?", or ""
	Address   string   `json:"address"`            // where phones find the page, with its token; "" on loopback
	Health    []Part   `json:"health"`             // readers, panel, strip, broker, journal
	Simulated bool     `json:"simulated"`          // whether the readers are on the page
	Digits    bool     `json:"digits"`             // whether a number pad gives answers by their numbers
	Computer  []Seat   `json:"computer,omitempty"` // the seats that the table itself plays now
	Paused    bool     `json:"paused,omitempty"`   // whether they wait
	Taken     []Seat   `json:"taken,omitempty"`    // its other seats, which people have taken
	Helped    Seat     `json:"helped,omitempty"`   // the seat that it plays, but people now show or turn over a card for
	Chances   *Chances `json:"chances,omitempty"`  // the newest of this match; nil if nobody wants to know them

	Hall      string    `json:"hall,omitempty"`      // the hall that the table obeys
	Seating   *Seating  `json:"seating,omitempty"`   // who shall play here next, as the hall proposes it
	RoundEnds time.Time `json:"round_ends,omitzero"` // when the time of the hall's round is over, by the hall's clock
	Called    time.Time `json:"called,omitzero"`     // since when the players want somebody of the hall to come
	HallText  Text      `json:"-"`                   // what the hall says; without a key if it says nothing
	Says      string    `json:"says,omitempty"`      // HallText, spoken

	Away  bool      `json:"away,omitempty"` // whether the hall does not hear the table
	Heard time.Time `json:"heard,omitzero"` // if Away: when last heard by the hall; zero for never
}

// Chances say how likely the seats are to win, from what everybody can see.
type Chances struct {
	Seq  int      `json:"seq"`  // of the view
	Of   int      `json:"of"`   // imagined matches; 0 if nobody knows, as with unknown cards
	List []Chance `json:"list"` // by seat
}

// A Chance is the share of the imagined matches that a seat won, those that several won divided among them.
type Chance struct {
	Seat  Seat    `json:"seat"`
	Mean  float64 `json:"mean"`
	Error float64 `json:"error"` // standard error of the mean
}

// An Outcome says how the table answered an input or a match command.
type Outcome string

const (
	Accepted  Outcome = "accepted"
	Refused   Outcome = "refused"   // the rules forbid it; Text says why
	Unknown   Outcome = "unknown"   // a tag that no catalogue knows
	Malformed Outcome = "malformed" // not an input
	Failed    Outcome = "failed"    // a bug or a broken part
)

// A Receipt is the answer to an input or a match command.
type Receipt struct {
	Outcome  Outcome `json:"outcome"`
	Seat     Seat    `json:"seat,omitempty"`
	Place    string  `json:"place,omitempty"` // the reader or key, as the configuration names it
	Seq      int     `json:"seq"`             // of the resulting view
	N        int     `json:"n"`               // counts receipts, to tell two equal ones apart
	Text     Text    `json:"reason,omitzero"`
	Spoken   string  `json:"text"`
	Override bool    `json:"override,omitempty"` // whether the key yes now overrides the refusal
}

// A Health says whether a part of the table works.
type Health string

const (
	OK       Health = "ok"
	Degraded Health = "degraded"
	Broken   Health = "failed"
)

// A Part describes one part of the table and its health. Examples of parts are a card reader,
// a panel and a broker. If a part does not report a field, the field is zero.
type Part struct {
	Name      string    `json:"part"`
	Health    Health    `json:"health"`
	Reason    string    `json:"reason,omitempty"`
	Err       error     `json:"-"`                    // the Reason, until the table says it in its language
	Firmware  string    `json:"firmware,omitempty"`   // of its chip: "PN532 1.6"
	Resets    int       `json:"resets,omitempty"`     // how often it was set up again after errors
	ErrorRate float64   `json:"error_rate,omitempty"` // of recent requests, 0 to 1
	LastGood  time.Time `json:"last_good,omitzero"`   // time of the last successful request
}

// Said returns the part with its error as a text in a language. The text is in the field
// Reason, and the field Err of the result is nil. If the part has no error, Said returns the
// part unchanged.
func (p Part) Said(lang Lang) Part {
	if p.Err != nil {
		p.Reason, p.Err = ErrorIn(p.Err, lang), nil
	}
	return p
}
