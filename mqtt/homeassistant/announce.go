package homeassistant

import (
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
)

// An Announcer decides what is announced to Home Assistant, and when. It knows past and pending
// announcements. It must be used by one goroutine.
type Announcer struct {
	Settle, SweepLimit time.Duration // announceAfter and sweepLimit; tests shorten them

	cfg        Config
	announced  AnnouncedComponents // the components announced so far, also by earlier runs
	payload    []byte              // the newest announcement
	key        string              // the discoveryKey of payload; "" forces another announcement
	pendingKey string              // the newest discoveryKey
	settledAt  time.Time           // when pendingKey may be announced, if it stays
	sweptAt    time.Time           // when announced holds what the broker retained, at the latest
	timer      *time.Timer         // fires when the announcement can be published
}

func NewAnnouncer(cfg Config) *Announcer {
	a := &Announcer{Settle: announceAfter, SweepLimit: sweepLimit, cfg: cfg, announced: AnnouncedComponents{},
		timer: time.NewTimer(time.Hour)}
	a.timer.Stop()
	return a
}

// Wake fires when the announcement can be published.
func (a *Announcer) Wake() <-chan time.Time { return a.timer.C }

// Connected tells the announcer that a session with a broker begins.
func (a *Announcer) Connected() {
	a.sweptAt, a.pendingKey = time.Now().Add(a.SweepLimit), ""
	a.timer.Stop()
}

// Read receives the announcement that the broker retained, and forces another one.
func (a *Announcer) Read(payload []byte) {
	a.announced.merge(ParseAnnounced(payload))
	a.key, a.pendingKey = "", ""
}

// Swept tells the announcer that Read has received all that the broker retained.
func (a *Announcer) Swept() { a.sweptAt = time.Time{} }

// Renamed forgets all announcements, because the table has a new name.
func (a *Announcer) Renamed() {
	clear(a.announced)
	a.key, a.pendingKey, a.payload = "", "", nil
}

// Announcement returns the newest announcement, or nil if there is none. When the content of the
// announcement has changed, Announcement makes a new one, but not at once. It first waits until two
// conditions are met. The content has stayed the same for a while, and the announcer has read what
// the broker retained, or has waited sweepLimit for it. All topics of the table begin with the
// prefix.
func (a *Announcer) Announcement(prefix string, f engine.Frame) []byte {
	if a.cfg.Discovery == "" {
		return nil
	}
	key, now := discoveryKey(f), time.Now()
	if key == a.key {
		return a.payload
	}
	if key != a.pendingKey {
		a.pendingKey, a.settledAt = key, now.Add(a.Settle)
	}
	if wait := max(a.settledAt.Sub(now), a.sweptAt.Sub(now)); wait > 0 {
		a.timer.Reset(wait)
		return a.payload
	}
	a.key, a.payload = key, Discovery(prefix, f, a.cfg, a.announced)
	a.announced.merge(ParseAnnounced(a.payload))
	return a.payload
}
