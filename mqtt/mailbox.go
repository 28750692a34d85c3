package mqtt

import (
	"image"
	"sync"

	"tableside/engine"
)

const (
	// maxEvents bounds the events that wait to be published; the oldest give
	// way.
	maxEvents = 256

	// maxResults bounds the answers that wait to be published, in bytes: some
	// 30,000. Beyond it the connection is ended rather than a command left
	// without its answer.
	maxResults = 8 << 20

	// resultCost is what an answer takes beside its payload, in bytes.
	resultCost = 128

	// batch is how many answers are published before the session looks for a
	// newer frame.
	batch = 64
)

// maxFound bounds what is believed of the topics that a broker has kept.
const maxFound = 4096

// A mailbox is where other goroutines leave what the session is to do.
// Nothing in it ever blocks.
type mailbox struct {
	wake chan struct{} // holds one: there is mail

	mu   sync.Mutex
	mail mail
}

// A mail holds what has come in since it was last taken.
type mail struct {
	frame   *engine.Frame     // the newest, with the events of all; nil when there is none
	picture image.Image       // the newest of the panel; nil when there is none
	chosen  bool              // another game is to begin next
	results []Message         // answers to commands
	waiting int               // bytes that the results take
	flooded bool              // there was no room for an answer
	found   map[string][]byte // retained by the broker before this session
	swept   bool              // found is complete
	birth   bool              // Home Assistant has started
	denied  bool              // somebody said that the table is offline
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

// take empties the mailbox, of the results up to a batch.
func (b *mailbox) take() mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mail
	b.mail = mail{}
	if len(m.results) > batch {
		b.mail.results = m.results[batch:]
		m.results = m.results[:batch:batch]
		b.mail.waiting = m.waiting
		for _, sent := range m.results {
			b.mail.waiting -= resultCost + len(sent.Payload)
		}
		b.rouse()
	}
	return m
}

// clear empties the mailbox and returns what was in it.
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
		if m.waiting+cost > maxResults {
			m.flooded = true
			return
		}
		m.waiting += cost
		m.results = append(m.results, result)
	})
}

func (b *mailbox) find(topic string, payload []byte) {
	b.put(func(m *mail) {
		if m.found == nil {
			m.found = map[string][]byte{}
		}
		if len(m.found) < maxFound {
			m.found[topic] = payload
		}
	})
}

func newest[T any](list []T) []T { return list[max(0, len(list)-maxEvents):] }
