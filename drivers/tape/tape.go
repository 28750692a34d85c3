// Package tape records the transfers over the wires of chips. It plays the transfers to the
// chips' drivers without the chips.
//
// # The format
//
// A tape is text, one line for each transfer. The header, up to an empty line, says where the
// tape was made:
//
//	tableside-tape 2
//	version 0.3.0 3f2a9c1d
//	model Raspberry Pi 4 Model B Rev 1.4
//	kernel Linux 6.12.47+rpt-rpi-v8 aarch64
//	config dtparam=spi=on
//	wiring [[readers]]
//	wiring name = "red"
//
// "config" lines are copied from config.txt. "wiring" lines are copied from the configuration,
// from the tables that wire chips. Each line after the header has a time in microseconds, a
// part, a verb and its data:
//
//	1042 reader-red call poll            a driver was asked to do something
//	1290 reader-red spi 8000ff > 00c0    bytes out and bytes in; several transfers with | between
//	1290 reader-red i2c - > 01           nothing out, one byte in
//	1290 reader-red tx 5555(00*14)       out over a serial line; (00*14) is 14 bytes 00
//	1304 reader-red rx 0000ff00ff00      in over a serial line, gathered to whole frames; - is a wait without data
//	1310 panel pin dc 1                  a pin that the computer has changed
//	1312 panel pin busy 0                a pin that the computer has seen change
//	1400 keys lines 51200 17,18          GPIO lines requested at 51200 µs of the chip's clock
//	1401 keys levels 51201 10            their levels, in the order of the request
//	1500 keys edge 51300 17 0 1          an edge: time, GPIO line, level and number
//	1500 keys event press "red plus"     the event that the driver derived from edges
//	1600 reader-red again 12             the line before, twelve more times
//	1700 reader-red done                 the call is over
//	1700 reader-red failed "no answer"   the call is over with an error
//	1700 reader-red cut                  the call was ended from outside
//	1800 reader-red same 57              the whole call, 57 more times; only times were different
//	1850 reader-red like 3               the third call of this part that is written out, once more
//	1900 - end                           the tape is whole; "full" when it had no more room
//
// Tapes of 0.2.0 begin with "tableside-tape 1" and have no line "like". This package reads
// them too.
//
// A transfer that failed ends with ! and its error in quotes. The lines of one part are in the
// order in which things happened. Lines of different parts may be in another order, because a
// call is written when it is over.
//
// # What is not on a tape
//
// Each UID of a tag is replaced by another UID of the same length. On one tape, the same UID
// always has the same replacement. On the next tape, the replacement is different. Check bytes
// are computed again. The first byte of a UID is kept, and the second byte of a longer UID
// too, because these bytes show which tags collide. If text on a tag names a card, the text is
// kept. Any other text is replaced by filler.
package tape

import (
	"fmt"
	"time"
)

// Magic is the first line of a tape.
const Magic = "tableside-tape 2"

// magic1 is the first line of a tape in the format of version 0.2.0. Such a tape has no lines
// with the verb "like".
const magic1 = "tableside-tape 1"

// A Header says where a tape was made.
type Header struct {
	Version string   // of the program
	Model   string   // of the computer
	Kernel  string   //
	Config  []string // lines of config.txt
	Wiring  []string // lines of the configuration
}

// A Tape is a recording.
type Tape struct {
	Header
	Parts []*Part // in the order of their first calls
	Whole bool    // its last line is there
}

// A Part holds the calls of one part of the hardware, such as a reader.
type Part struct {
	Name  string
	Calls []Call
}

// A Call is one operation of a driver, with the lines that it caused.
type Call struct {
	At        time.Duration // since the tape began
	Number    int           // of its line in the file
	Name      string
	Args      []string
	Lines     []Line
	SameCount int // how often it was repeated with the same bytes
	Result    Result
	Ended     time.Duration
}

// MaxRepeats is the largest number of repeats of a call that are played. More repeats would
// show nothing new, because no driver counts its calls that far. Without this limit, a tape
// that claims millions of repeats would play for days.
const MaxRepeats = 1000

// Repeats returns the number of the call's repeats that are played, and the number of those
// that are left out.
func (c *Call) Repeats() (played, left int) {
	played = min(c.SameCount, MaxRepeats)
	return played, c.SameCount - played
}

// A Result is how a call ended.
type Result uint8

const (
	Open   Result = iota // no end: the tape was cut off
	Done                 //
	Failed               //
	Cut                  // from outside: by a time limit or the end of the program
)

// A Verb is the kind of a line.
type Verb uint8

const (
	SPI Verb = iota + 1
	I2C
	Send    // over a serial line
	Receive // over a serial line
	Pin
	Mux // a multiplexer opened the part's channel
	Lines
	Levels
	Edge
	Event
)

var verbs = [...]string{SPI: "spi", I2C: "i2c", Send: "tx", Receive: "rx", Pin: "pin", Mux: "mux",
	Lines: "lines", Levels: "levels", Edge: "edge", Event: "event"}

// String returns the verb in the notation of a tape.
func (v Verb) String() string {
	if int(v) < len(verbs) && v != 0 {
		return verbs[v]
	}
	return fmt.Sprintf("verb %d", uint8(v))
}

// A Line is one transfer, change of a pin, edge or event.
type Line struct {
	At          time.Duration // since the tape began
	Number      int           // in the file
	Verb        Verb
	W, R        []byte
	Err         string // "" on success
	RepeatCount int    // how often it was repeated

	Name      string        // of a pin or an event; the levels, if the verb is Levels
	Key       string        // of an event: the key
	High      bool          // the level of a pin or an edge
	Clock     time.Duration // on the clock of the chip that the lines belong to
	Line      int           // of an edge
	Seq       uint32        // of an edge
	GPIOLines []int         // of a request

	repeatable bool // any number of times: Chip.isRepeatable says why
	starts     bool // the line makes the chip begin to work
}

// A Chip is the protocol of a part. The Chip decides which bytes of the part must be masked,
// and which questions may be repeated.
type Chip uint8

const (
	Other Chip = iota
	PN532      // over any bus
	MFRC522
)
