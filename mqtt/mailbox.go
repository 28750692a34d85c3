package mqtt

import (
	"image"
	"sync"

	"tableside/engine"
)

// maxEvents bounds the events and the results that wait to be published; the
// oldest give way.
const maxEvents = 256

// maxFound bounds what is believed of the topics that a broker has kept.
const maxFound = 4096

// A mailbox is where other goroutines leave what the session is to do.
// Nothing in it ever blocks.
type mailbox struct {
	wake chan struct{} // holds one: there is mail

	mu   sync.Mutex
	mail mail
}

// Mail is what has come in since the last look.
type mail struct {
	frame   *engine.Frame     // the newest, with the events of all; nil when there is none
	picture image.Image       // the newest of the panel; nil when there is none
	chosen  bool              // another game is to begin next
	results []Message         // answers to commands
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

// take empties the mailbox.
func (b *mailbox) take() mail {
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
	b.put(func(m *mail) { m.results = newest(append(m.results, result)) })
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
