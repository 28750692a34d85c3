package reader

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A shaky chip has every fault, in one poll of a hundred, and dies now and then.
type shaky struct {
	room   *room
	place  string
	chance *rand.Rand
	burst  int            // calls that will still fail
	hidden map[string]int // polls that will still overlook a tag, too few in a row for a lift
}

func (s *shaky) Init(ctx context.Context) error {
	device.Pause(ctx, 100*time.Millisecond)
	if s.fails() {
		return errors.New("shaky: no answer")
	}
	return ctx.Err()
}

func (s *shaky) fails() bool {
	switch {
	case s.burst > 0:
		s.burst--
		return true
	case s.chance.IntN(20000) == 0:
		s.burst = s.chance.IntN(12) // dead: the failing calls come at growing intervals
	case s.chance.IntN(2000) == 0:
		s.burst = 2
	}
	return s.chance.IntN(200) == 0
}

func (s *shaky) Poll(ctx context.Context, seen []string) (tags []string, blurred bool, err error) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.room.polls++
	if s.fails() {
		return seen, false, errors.New("shaky: no answer")
	}
	blurred = s.chance.IntN(500) == 0
	for _, c := range s.room.cards {
		switch {
		case c.place != s.place:
			delete(s.hidden, c.tag)
		case c.edge && s.chance.IntN(10) < 3, s.chance.IntN(500) == 0:
			blurred = true
		case s.hidden[c.tag] > 0:
			s.hidden[c.tag]--
		default:
			if s.chance.IntN(200) == 0 {
				s.hidden[c.tag] = 1 + s.chance.IntN(3)
			}
			seen = append(seen, c.tag)
		}
	}
	if blurred { // then no tag counts as overlooked
		clear(s.hidden)
	}
	return seen, blurred, ctx.Err()
}

func (s *shaky) Text(ctx context.Context, tag string) (string, error) {
	if s.fails() || s.chance.IntN(3) == 0 {
		return "", errors.New("shaky: cut off")
	}
	device.Pause(ctx, 20*time.Millisecond)
	return "", ErrNoText
}

func (s *shaky) Firmware() string { return "shaky" }

// A room holds the true places of all cards.
type room struct {
	t     *testing.T
	mu    sync.Mutex
	cards []*card
	polls int
	taps  int
	moves int
}

type card struct {
	tag   string
	place string // where it is; "" for a hand
	told  string // where it is according to the reports
	edge  bool
}

func (r *room) emit(s device.Signal) <-chan engine.Receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	find := func(tag string) *card {
		return r.cards[slices.IndexFunc(r.cards, func(c *card) bool { return c.tag == tag })]
	}
	switch s := s.(type) {
	case device.TagOn:
		r.taps++
		if c := find(s.Tag); c.told != "" || c.place != s.Place {
			r.t.Errorf("poll %d: phantom tap on %s of %+v", r.polls, s.Place, *c)
		}
		find(s.Tag).told = s.Place
	case device.TagOff:
		if c := find(s.Tag); c.told != s.Place || c.place == s.Place {
			r.t.Errorf("poll %d: phantom lift off %s of %+v", r.polls, s.Place, *c)
		}
		find(s.Tag).told = ""
	}
	return nil
}

// move puts a card somewhere and waits until that is reported, if necessary
// until a dead reader has come back.
func (r *room) move(c *card, place string, edge bool) {
	r.mu.Lock()
	from := c.place
	c.place, c.edge = place, edge
	r.moves++
	r.mu.Unlock()
	for range 400 {
		time.Sleep(50 * time.Millisecond)
		r.mu.Lock()
		done := c.told == place
		r.mu.Unlock()
		if done {
			return
		}
	}
	r.t.Errorf("from %q to %q: no report of %+v", from, place, *c)
}

// TestEvening plays an evening with four shaky readers, on which five hands lay
// cards, take them off and move them: every change is reported once, in order.
func TestEvening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{t: t}
		for i := range 5 {
			r.cards = append(r.cards, &card{tag: fmt.Sprintf("%c%d", "CCCBB"[i], i)}) // the last two are not in the catalogue
		}
		places := []string{"red", "blue", "green", "table"}
		board := NewBoard()
		ctx, cancel := context.WithCancel(context.Background())
		var readers, hands sync.WaitGroup
		for i, place := range places {
			chip := &shaky{room: r, place: place, chance: rand.New(rand.NewPCG(uint64(i), 3)), hidden: map[string]int{}}
			reader := New(Config{Name: place, Place: place, Chip: chip, Know: know, Board: board})
			readers.Go(func() { _ = reader.Run(ctx, r.emit) })
		}
		time.Sleep(10 * time.Second)
		for i, c := range r.cards {
			chance := rand.New(rand.NewPCG(uint64(i), 4))
			lies := ""
			hands.Go(func() {
				for range 2500 {
					place := places[chance.IntN(len(places))]
					if chance.IntN(3) == 0 || place == lies {
						place = ""
					}
					if place != lies {
						r.move(c, place, chance.IntN(4) == 0)
						lies = place
					}
					time.Sleep(time.Duration(chance.IntN(2000)) * time.Millisecond)
				}
			})
		}
		hands.Wait()
		cancel()
		readers.Wait()
		t.Logf("%d polls, %d moves, %d taps", r.polls, r.moves, r.taps)
		if r.moves < 1000 || r.taps < 500 {
			t.Error("too little has happened")
		}
	})
}
