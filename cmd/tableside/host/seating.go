package host

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"

	"tableside/engine"
	"tableside/mqtt"
)

// A seater tells each table which players shall play at it.
type seater struct {
	wake      chan struct{}              // holds a value while something may have changed
	resendAll atomic.Bool                // whether each table must be told, whatever it was told before
	lastSent  map[string]*engine.Seating // by table; used by run's goroutine alone

	seatings func() map[string]*engine.Seating
	tell     func(table string, s *engine.Seating) error // s is nil if nobody plays there
}

func (s *seater) look() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// repeat makes the seater send every table its seating once more. There are two reasons to do
// this. The broker may have lost the seatings that it retained. Or a table may have been off
// when its seating was taken back.
func (s *seater) repeat() {
	s.resendAll.Store(true)
	s.look()
}

// run sends each change of a seating to the table concerned, until the context ends.
func (s *seater) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
			s.sweep()
		}
	}
}

// sweep sends each table its seating if the seating has changed. If the method repeat was
// called since the last sweep, sweep sends all seatings. If a seating cannot be sent, sweep
// stops without sending the remaining seatings. When there is a connection again, repeat is
// called, and the next sweep sends them.
func (s *seater) sweep() {
	resend, all := s.resendAll.Swap(false), s.seatings()
	for table := range s.lastSent { // undo may have taken the table out of its evening
		if _, used := all[table]; !used {
			all[table] = nil
		}
	}
	for _, table := range slices.Sorted(maps.Keys(all)) {
		now := all[table]
		if before, ok := s.lastSent[table]; !resend && ok && reflect.DeepEqual(before, now) || !mqtt.IsTable(table) {
			continue
		}
		if s.tell(table, now) != nil {
			if resend {
				s.resendAll.Store(true)
			}
			return
		}
		s.lastSent[table] = now
	}
}
