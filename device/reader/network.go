package reader

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/device"
	"tableside/device/catalogue"
	"tableside/engine"
)

// The limits for tags that come over the network.
const (
	maxContentLen = 200 // bytes of a UID or text
	maxRecent     = 20  // tags that a place may report within a second

	// repeatAfter is how long a tag that is reported again counts as the same tap. Some
	// readers report a tag every two seconds while it lies there, and a reader on a network
	// may never report that the tag was taken off.
	repeatAfter = 3 * time.Second

	// maxLying bounds the tags on a board, because a reader on a network may never report that
	// a tag was taken off. It is above the number of cards in a box. If there would be more, all
	// that lie on readers of a network are forgotten.
	maxLying = 1024
)

// A NetworkConfig tells a Network which readers and seats a table has.
type NetworkConfig struct {
	Readers map[string]engine.Seat   // the seat of each reader, by its name; "" for a shared one
	Seats   []engine.Seat            // seats besides those of the current match
	Say     func(engine.Text) string // says a text in the language of the table
	Board   *Board                   // shared with the table's readers; nil if the table has none
}

// A Network reports to the table which tags other devices have read. A satellite, which is a
// reader on the network, reports its tags over MQTT, and a script reports its tags over HTTP.
// These tags are like any others: a tag lies in one place, and is tapped once while it lies
// there.
type Network struct {
	NetworkConfig

	mu         sync.Mutex
	table      *device.Table      // nil until Connect
	places     map[string]*source // by name
	satellites map[string]string  // the newest state of each, by place
}

// A source is a place from which tags come over the network.
type source struct {
	Reader             // it never polls; the board knows it as the place of its tags
	recent []time.Time // the times of its reports within the last second
}

// NewNetwork returns a network that is not connected to a table yet.
func NewNetwork(config NetworkConfig) *Network {
	config.Board = cmp.Or(config.Board, NewBoard())
	return &Network{NetworkConfig: config, places: map[string]*source{}, satellites: map[string]string{}}
}

// Connect sets the table that gets the tags and the health of the satellites.
func (n *Network) Connect(t *device.Table) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.table = t
	for place := range n.satellites {
		n.report(place)
	}
}

// SetReaders replaces the table's readers. The map has the form of NetworkConfig.Readers: its
// keys are the names of the readers, and its values are their seats. A satellite that read for
// a reader no longer in the map disappears from the table's status.
func (n *Network) SetReaders(seats map[string]engine.Seat) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.Readers = seats
	for place := range n.satellites {
		n.report(place)
	}
}

// Seat returns the seat of a place. The place is the name of a reader, the name of a seat, or
// "table". A shared reader has the seat engine.Table. If there is no such place, ok is false.
func (n *Network) Seat(place string) (seat engine.Seat, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seat(place)
}

func (n *Network) seat(place string) (seat engine.Seat, ok bool) {
	seat, ok = n.Readers[place]
	switch {
	case ok && seat == "":
		return engine.Table, true
	case ok:
		return seat, true
	}
	seat = engine.Seat(place)
	if seat == engine.Table || slices.Contains(n.Seats, seat) {
		return seat, true
	}
	sits := func(s engine.SeatView) bool { return s.ID == seat }
	return seat, n.table != nil && slices.ContainsFunc(n.table.Frame().View.Seats, sits)
}

// Tap puts a tag on a place and returns the table's receipt. The content is the tag's UID, or
// the text on the tag. Tap waits until the table has answered.
//
// If the receipt is malformed or failed, the match has not changed. There is one exception: if
// ctx ends first, the receipt is failed, but the table may still accept the tag.
func (n *Network) Tap(ctx context.Context, place, content string) engine.Receipt {
	return n.take(ctx, place, content, false)
}

// Lift takes a tag off a place and returns the table's receipt. Lift waits until the table has
// answered. If the tag does not lie on that place, nothing changes, and the receipt is
// accepted.
func (n *Network) Lift(ctx context.Context, place, content string) engine.Receipt {
	return n.take(ctx, place, content, true)
}

// PressedKey returns the key that a tag with this content presses, or "" if it is no key.
func (n *Network) PressedKey(content string) string {
	tag, text, wrong := n.read(content)
	n.mu.Lock()
	table := n.table
	n.mu.Unlock()
	if wrong.Key == "" && table != nil {
		if m, ok := table.Meaning(tag, text); ok && m.Kind == device.KeyTag {
			return m.Name
		}
	}
	return ""
}

// take puts a tag on a place, or takes it off, and waits for the table's receipt.
func (n *Network) take(ctx context.Context, place, content string, off bool) engine.Receipt {
	tag, text, wrong := n.read(content)
	if wrong.Key != "" {
		return n.problem(engine.Malformed, wrong)
	}
	n.mu.Lock()
	s, problem := n.source(place)
	if problem.Outcome != "" {
		n.mu.Unlock()
		return problem
	}
	var call *call
	var refusal engine.Text
	if off {
		call = n.Board.leave(&s.Reader, tag)
	} else {
		call, refusal = n.Board.arrive(&s.Reader, tag, text)
	}
	n.mu.Unlock()
	switch {
	case refusal.Key != "":
		return n.problem(engine.Refused, refusal)
	case call == nil:
		return engine.Receipt{Outcome: engine.Accepted, Seat: s.Seat, Place: place}
	}
	receipt, ok := call.wait(ctx)
	if !ok {
		return n.problem(engine.Failed, engine.T("receipt.no-answer"))
	}
	return receipt
}

// source returns the place with the given name. If there is a problem, source returns a
// receipt that says what the problem is. The place may not exist, there may be no table yet,
// or the place may have reported maxRecent times within the last second. Each call of source
// that returns the place counts as one report from this place.
func (n *Network) source(place string) (*source, engine.Receipt) {
	seat, ok := n.seat(place)
	switch {
	case !ok:
		return nil, n.problem(engine.Malformed, engine.T("receipt.no-place", "place", shorten(place)))
	case n.table == nil:
		return nil, n.problem(engine.Failed, engine.T("receipt.not-running"))
	}
	s := n.places[place]
	if s == nil {
		s = &source{Reader: Reader{Config: Config{Place: place, Seat: seat, Board: n.Board}, emit: n.table.Emit}}
		n.places[place] = s
	}
	now := time.Now()
	s.recent = slices.DeleteFunc(s.recent, func(at time.Time) bool { return now.Sub(at) >= time.Second })
	if len(s.recent) >= maxRecent {
		return nil, n.problem(engine.Failed, engine.T("receipt.flood", "place", place, "n", maxRecent))
	}
	s.recent = append(s.recent, now)
	return s, engine.Receipt{}
}

// A call is a tap or a lift that was passed to the table. Several devices may wait for its
// receipt.
type call struct {
	answer  <-chan engine.Receipt // from the table; one of those who wait gets it
	done    chan struct{}         // closed when there is a receipt
	receipt engine.Receipt
}

func newCall(answer <-chan engine.Receipt) *call {
	return &call{answer: answer, done: make(chan struct{})}
}

func (c *call) wait(ctx context.Context) (receipt engine.Receipt, ok bool) {
	select {
	case c.receipt = <-c.answer:
		close(c.done)
	case <-c.done:
	case <-ctx.Done():
		return engine.Receipt{}, false
	}
	return c.receipt, true
}

// arrive puts a tag on a card reader of the network, and returns the call that tells the table
// of the tap. Such a reader reports tags and does not poll.
//
// If the tag was reported on this reader within repeatAfter, arrive does not tap it again, and
// returns the call of the earlier tap. If the tag lies on a reader that polls, and that reader has
// seen the tag within takeOverAfter, the tag stays there. arrive then returns nil, and a text that
// says where the tag lies. In all other cases the text is empty.
func (b *Board) arrive(r *Reader, tag, text string) (*call, engine.Text) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	switch s := b.tags[tag]; {
	case s == nil && len(b.tags) >= maxLying:
		maps.DeleteFunc(b.tags, func(_ string, t *lyingTag) bool { return t.reader.Chip == nil })
	case s == nil:
	case s.reader == r && now.Sub(s.lastSeen) < repeatAfter:
		s.lastSeen = now
		return s.tap, engine.Text{}
	case s.reader.Chip != nil && now.Sub(s.lastSeen) < takeOverAfter:
		return nil, engine.T("receipt.tag-elsewhere", "place", s.reader.Place)
	default:
		b.remove(s, r.emit)
	}
	tap := newCall(r.emit(device.TagOn{Place: r.Place, Seat: r.Seat, Tag: tag, Text: text}))
	b.tags[tag] = &lyingTag{tag: tag, text: text, reader: r, lastSeen: now, reported: true, tap: tap}
	return tap, engine.Text{}
}

func (b *Board) leave(r *Reader, tag string) *call {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.tags[tag]
	if s == nil || s.reader != r {
		return nil
	}
	return newCall(b.remove(s, r.emit))
}

// read parses the content of a tag, which is the tag's UID or the text on the tag. If the
// content is a UID, the first result is the tag, and the second is "". If the content is a
// text, both results are this text. If the content is not valid, the third result says why.
// Otherwise the key of the third result is "".
func (n *Network) read(content string) (tag, text string, wrong engine.Text) {
	content = strings.TrimSpace(content)
	if len(content) > maxContentLen {
		return "", "", engine.T("receipt.tag-too-long", "n", len(content), "most", maxContentLen)
	}
	if name, ours := strings.CutPrefix(content, device.TagScheme); ours {
		if _, err := device.ParseMeaning(name); err != nil {
			return "", "", engine.T("receipt.no-meaning", "reason", engine.ErrorSaid(err))
		}
		return content, content, engine.Text{}
	}
	tag, err := catalogue.ParseTag(content)
	switch {
	case err == nil:
		return tag, "", engine.Text{}
	case isRandom(strings.NewReplacer(":", "", "-", "").Replace(content)):
		return "", "", engine.T("receipt.random-tag", "tag", shorten(content))
	}
	return "", "", engine.T("receipt.no-tag", "tag", shorten(content))
}

func (n *Network) problem(outcome engine.Outcome, text engine.Text) engine.Receipt {
	return engine.Receipt{Outcome: outcome, Text: text, Spoken: n.Say(text)}
}

// shorten returns an untrusted text in a form that is safe to show. It writes ? in place of
// each control character. If the text has more than 40 characters, shorten cuts it after the
// 40th character and adds "…".
func shorten(s string) string {
	const most = 40
	line := []rune(strings.ToValidUTF8(s, "?"))
	for i, r := range line {
		if r < ' ' || r == 0x7f {
			line[i] = '?'
		}
	}
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}
