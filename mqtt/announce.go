package mqtt

import (
	"bytes"
	"image"
	"image/png"
	"iter"
	"time"

	"tableside/engine"
)

const (
	// announceAfter is how long what an announcement says has to stay as it
	// is: Home Assistant may miss one that follows on the heels of another.
	announceAfter = 500 * time.Millisecond
	// sweepLimit is how long the first announcement waits to hear what was
	// announced before. A broker that does not let the table listen never
	// says it.
	sweepLimit = 3 * time.Second
	// pictureEvery is how often the picture of the panel is published at most,
	// maxPicture how long it may be. A panel of 800 by 480 takes 20 KB.
	pictureEvery = 5 * time.Second
	maxPicture   = 128 << 10
)

// A home holds what a client has announced to Home Assistant and is about to
// announce. It belongs to Run's goroutine.
type home struct {
	told     Announced
	message  Message // the newest announcement
	key      string  // the discoveryKey of message; "" to make another
	pending  string  // the newest discoveryKey
	since    time.Time
	begun    time.Time // when this session began to listen
	swept    bool      // told holds what the broker kept
	settle   time.Duration
	sweeping time.Duration

	picture image.Image // the newest of the panel, until it is published
	png     []byte      // the one that is published
	painted time.Time

	later *time.Timer // fires when one of both can be published
}

func newHome() home {
	h := home{told: Announced{}, settle: announceAfter, sweeping: sweepLimit, later: time.NewTimer(time.Hour)}
	h.later.Stop()
	return h
}

// connected begins another session.
func (h *home) connected() {
	h.swept, h.begun, h.pending = false, time.Now(), ""
	h.later.Stop()
}

// renamed forgets what was said of a table that has another name now.
func (h *home) renamed() {
	clear(h.told)
	h.forget()
	h.message = Message{}
}

// again looks once more after a while.
func (h *home) again(after time.Duration) { h.later.Reset(max(after, time.Millisecond)) }

// forget asks for another announcement, because more is known of earlier ones.
func (h *home) forget() { h.key, h.pending = "", "" }

// messages yields the topics that a frame alone does not fill: the game to
// begin, the picture of the panel, and at last the announcement, which is
// long and seldom changes.
func (c *Client) messages(f engine.Frame) iter.Seq[Message] {
	return func(yield func(Message) bool) {
		c.choice.played(f.View)
		if m, ok := c.choice.message(Prefix(f.View.Table)); ok && !yield(m) {
			return
		}
		if m, ok := c.panel(f); ok && !yield(m) {
			return
		}
		if m, ok := c.announcement(f); ok {
			yield(m)
		}
	}
}

// announcement returns the newest announcement: another one when what it is
// made of has changed and settled.
func (c *Client) announcement(f engine.Frame) (Message, bool) {
	h := &c.home
	if c.cfg.Discovery == "" {
		return Message{}, false
	}
	if key := discoveryKey(f); key != h.key {
		switch now := time.Now(); {
		case key != h.pending:
			h.pending, h.since = key, now
			h.again(h.settle)
		case now.Sub(h.since) < h.settle:
			h.again(h.settle - now.Sub(h.since))
		case !h.swept && now.Sub(h.begun) < h.sweeping:
			h.again(h.sweeping - now.Sub(h.begun))
		default:
			h.key, h.message = key, Discovery(f, c.cfg, h.told)
			h.told.merge(ParseAnnounced(h.message.Payload))
		}
	}
	return h.message, h.message.Topic != ""
}

// ShowPanel hands over the picture that a panel shows, and returns at once.
// Nobody may change it afterwards.
func (c *Client) ShowPanel(picture image.Image) {
	c.box.put(func(m *mail) { m.picture = picture })
}

// panel returns the picture of the panel as it was published last, or the
// newest when enough time has passed. Only pictures that are published are
// encoded.
func (c *Client) panel(f engine.Frame) (Message, bool) {
	h := &c.home
	if wait := pictureEvery - time.Since(h.painted); h.picture != nil && wait > 0 {
		h.again(wait)
	} else if h.picture != nil {
		var b bytes.Buffer
		err := png.Encode(&b, h.picture)
		h.picture, h.painted = nil, time.Now()
		if err != nil || b.Len() > maxPicture {
			c.log.Warn("mqtt: the panel's picture is not published", "bytes", b.Len(), "error", err)
		} else {
			h.png = b.Bytes()
		}
	}
	return Message{Topic: Prefix(f.View.Table) + "/panel", Payload: h.png, Retain: true}, h.png != nil
}
