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
	// announceAfter is how long the content of an announcement must stay unchanged before it
	// is published. Home Assistant may miss an announcement that follows another too quickly.
	announceAfter = 500 * time.Millisecond
	// sweepLimit is how long the first announcement of a session waits for the announcements
	// that the broker retained. A broker that does not let the table subscribe never sends
	// them.
	sweepLimit = 3 * time.Second
	// pictureEvery is the least time between two published pictures of the panel. maxPicture
	// is the most bytes of one; a panel of 800 by 480 pixels takes 20 KB.
	pictureEvery = 5 * time.Second
	maxPicture   = 128 << 10
)

// A home holds the announcements to Home Assistant, past and pending. It
// belongs to Run's goroutine.
type home struct {
	announced    AnnouncedComponents // the components announced so far, also by earlier runs
	message      Message             // the newest announcement
	key          string              // the discoveryKey of message; "" forces another announcement
	pendingKey   string              // the newest discoveryKey
	pendingSince time.Time           // when pendingKey last changed
	connectedAt  time.Time
	swept        bool // announced holds what the broker retained
	settle       time.Duration
	sweepLimit   time.Duration

	picture   image.Image // the panel's newest picture; nil once it is published or dropped
	png       []byte      // the picture that was published last; nil before the first
	encodedAt time.Time   // when a picture was last encoded

	wakeTimer *time.Timer // fires when the announcement or the picture can be published
}

func newHome() home {
	h := home{announced: AnnouncedComponents{}, settle: announceAfter, sweepLimit: sweepLimit,
		wakeTimer: time.NewTimer(time.Hour)}
	h.wakeTimer.Stop()
	return h
}

// connected prepares for a new session, which has to read the retained announcements again.
func (h *home) connected() {
	h.swept, h.connectedAt, h.pendingKey = false, time.Now(), ""
	h.wakeTimer.Stop()
}

// renamed forgets all announcements, because the table has a new name.
func (h *home) renamed() {
	clear(h.announced)
	h.forget()
	h.message = Message{}
}

// wakeAfter wakes the session after this time, to see whether the announcement or the picture
// can be published.
func (h *home) wakeAfter(after time.Duration) { h.wakeTimer.Reset(max(after, time.Millisecond)) }

// forget forces another announcement, for example after earlier ones were read from the
// broker.
func (h *home) forget() { h.key, h.pendingKey = "", "" }

// messages yields the messages that cannot be made from a frame alone. The first message is
// the game that would begin, and the second is the picture of the panel. The announcement
// comes last, because it is long and seldom changes.
func (c *Client) messages(f engine.Frame) iter.Seq[Message] {
	return func(yield func(Message) bool) {
		c.choice.recordMatch(f.View)
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

// announcement returns the newest announcement, or false if there is none. When the content of
// the announcement has changed, the method makes a new one, but not at once. It first waits
// until two conditions are met. The content has stayed the same for a while, and the session
// has read the announcements that the broker retained, or has waited sweepLimit for them.
func (c *Client) announcement(f engine.Frame) (Message, bool) {
	h := &c.home
	if c.cfg.Discovery == "" {
		return Message{}, false
	}
	if key := discoveryKey(f); key != h.key {
		switch now := time.Now(); {
		case key != h.pendingKey:
			h.pendingKey, h.pendingSince = key, now
			h.wakeAfter(h.settle)
		case now.Sub(h.pendingSince) < h.settle:
			h.wakeAfter(h.settle - now.Sub(h.pendingSince))
		case !h.swept && now.Sub(h.connectedAt) < h.sweepLimit:
			h.wakeAfter(h.sweepLimit - now.Sub(h.connectedAt))
		default:
			h.key, h.message = key, Discovery(f, c.cfg, h.announced)
			h.announced.merge(ParseAnnounced(h.message.Payload))
		}
	}
	return h.message, h.message.Topic != ""
}

// ShowPanel hands over the picture that a panel shows, and does not wait for the broker. The
// picture must not change afterwards.
func (c *Client) ShowPanel(picture image.Image) {
	c.box.put(func(m *mail) { m.picture = picture })
}

// panel returns the message with the panel's picture. If pictureEvery has passed since the
// last picture was published, the message has the newest picture. Otherwise it has the last
// published picture. If there is no picture, panel returns false.
//
// A picture is encoded only when it is published. A picture that is too large is logged and
// dropped.
func (c *Client) panel(f engine.Frame) (Message, bool) {
	h := &c.home
	if wait := pictureEvery - time.Since(h.encodedAt); h.picture != nil && wait > 0 {
		h.wakeAfter(wait)
	} else if h.picture != nil {
		var b bytes.Buffer
		err := png.Encode(&b, h.picture)
		h.picture, h.encodedAt = nil, time.Now()
		if err != nil || b.Len() > maxPicture {
			c.log.Warn("mqtt: the panel's picture is not published", "bytes", b.Len(), "error", err)
		} else {
			h.png = b.Bytes()
		}
	}
	return Message{Topic: Prefix(f.View.Table) + "/panel", Payload: h.png, Retain: true}, h.png != nil
}
