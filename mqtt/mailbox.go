package mqtt

import (
	"image"
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

	// resultBatch is how many answers are published before the session looks for a newer
	// frame.
	resultBatch = 64
)

// maxRetainedTopics limits how many retained topics of a broker are read.
const maxRetainedTopics = 4096

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
	gameChosen      bool              // another game was chosen
	offer           *[]Message        // the newest messages for the hall; nil if there was no Offer
	offerPending    bool              // more of the offer is to be published
	results         []Message         // answers to commands
	resultBytes     int               // with resultCost for each result
	flooded         bool              // there was no room for an answer
	retained        map[string][]byte // payloads that the broker retained before this session, by topic
	swept           bool              // retained is complete
	birth           bool              // Home Assistant has started
	reportedOffline bool              // somebody said that the table is offline
}

func newMailbox() mailbox { return mailbox{wake: make(chan struct{}, 1)} }

// put changes the mail and wakes the session.
func (b *mailbox) put(change func(*mail)) {
	b.mu.Lock()
	change(&b.mail)
	b.mu.Unlock()
	b.rouse()
}

func (b *mailbox) rouse() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take empties the mailbox and returns its contents. It returns at most resultBatch results,
// and leaves any further results in the mailbox.
func (b *mailbox) take() mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mail
	b.mail = mail{}
	if len(m.results) > resultBatch {
		b.mail.results = m.results[resultBatch:]
		m.results = m.results[:resultBatch:resultBatch]
		b.mail.resultBytes = m.resultBytes
		for _, sent := range m.results {
			b.mail.resultBytes -= resultCost + len(sent.Payload)
		}
		b.rouse()
	}
	return m
}

// clear empties the mailbox and returns its contents.
func (b *mailbox) clear() mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mail
	b.mail = mail{}
	return m
}

func (b *mailbox) show(f engine.Frame) {
	b.put(func(m *mail) {
		if m.frame != nil && len(m.frame.Events) > 0 {
			f.Events = newest(append(m.frame.Events[:len(m.frame.Events):len(m.frame.Events)], f.Events...))
		}
		m.frame = &f
	})
}

func (b *mailbox) answer(result Message) {
	b.put(func(m *mail) {
		cost := resultCost + len(result.Payload)
		if m.resultBytes+cost > maxResults {
			m.flooded = true
			return
		}
		m.resultBytes += cost
		m.results = append(m.results, result)
	})
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

func newest[T any](list []T) []T { return list[max(0, len(list)-maxEvents):] }
