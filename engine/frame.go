package engine

import "time"

// A Frame is what outputs draw: the match as it is now, what has just
// happened, and how the table around it does. A frame is never changed after
// it was handed on.
type Frame struct {
	View   View    `json:"view"`   // spoken in the table's language
	Events []Event `json:"events"` // since the frame before; spoken
	Past   []Event `json:"-"`      // of a resumed match, until then: unspoken, for pages to show and nobody to act on
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

// A Status holds what is true of the table but not of the match. It is never
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
