package mqtt

import (
	"image"
	"slices"
	"sync"

	"tableside/engine"
)

const (
	// maxEvents limits the events that wait to be published; the oldest are dropped.
	maxEvents = 256

	// maxResults limits the bytes of the answers that wait to be published: about 30,000
	// answers. If there are more, the client ends the connection, so that no answer is missing
	// while a connection lasts.
	maxResults = 8 << 20

	// resultCost is the size of an answer besides its payload, in bytes.
	resultCost = 128

	// resultBatch is how many answers are published before the session looks for a newer frame.
	resultBatch = 64

	// maxRetainedTopics limits how many retained topics of a broker are read.
	maxRetainedTopics = 4096
)

// A mailbox collects the work that other goroutines have for the session. None of its methods
// block.
type mailbox struct {
	wake chan struct{} // holds a value when there is mail

	mu   sync.Mutex
	mail mail
}

// A mail holds everything that came in since the mailbox was last emptied.
type mail struct {
	frame           *engine.Frame     // the newest, with the events of all frames; nil if there is none
	picture         image.Image       // the panel's newest picture; nil if there is none
	offer           *Message          // the newest journal for the hall; nil if there was no Offer
	results         []Message         // answers to commands
	resultBytes     int               // with resultCost for each result
	flooded         bool              // there was no room for an answer
	retained        map[string][]byte // payloads that the broker retained before this session, by topic
	swept           bool              // retained is complete
	birth           bool              // Home Assistant has started
	reportedOffline bool              // somebody said that the table is offline
	giant           *tooLargeError    // the newest message that was left unread
	changed         bool              // something else came than answers
}

func newMailbox() mailbox { return mailbox{wake: make(chan struct{}, 1)} }

func (b *mailbox) put(change func(*mail)) {
	b.mu.Lock()
	change(&b.mail)
	b.mail.changed = true
	b.mu.Unlock()
	b.rouse()
}

func (b *mailbox) rouse() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take empties the mailbox, but for the answers beyond the first so many.
func (b *mailbox) take(answers int) mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mail
	b.mail = mail{}
	if len(m.results) > answers {
		b.mail.results = m.results[answers:]
		m.results = m.results[:answers]
		b.mail.resultBytes = m.resultBytes
		for _, sent := range m.results {
			b.mail.resultBytes -= resultCost + len(sent.Payload)
		}
		b.rouse()
	}
	return m
}

func (b *mailbox) show(f engine.Frame) {
	b.put(func(m *mail) {
		if m.frame != nil && len(m.frame.Events) > 0 {
			all := slices.Concat(m.frame.Events, f.Events)
			f.Events = all[max(0, len(all)-maxEvents):]
		}
		m.frame = &f
	})
}

func (b *mailbox) answer(result Message) {
	b.mu.Lock()
	if cost := resultCost + len(result.Payload); b.mail.resultBytes+cost > maxResults {
		b.mail.flooded = true
	} else {
		b.mail.resultBytes += cost
		b.mail.results = append(b.mail.results, result)
	}
	b.mu.Unlock()
	b.rouse()
}

func (b *mailbox) find(topic string, payload []byte) {
	b.put(func(m *mail) {
		if m.retained == nil {
			m.retained = map[string][]byte{}
		}
		if len(m.retained) < maxRetainedTopics {
			m.retained[topic] = payload
		}
	})
}
