package reader

import (
	"sync"
	"time"

	"tableside/device"
	"tableside/engine"
)

// The limits by which the health of a reader is judged and reported.
const (
	// failAfter is how long a reader may be without a good poll before it counts as
	// broken. Players must be told within two seconds.
	failAfter = 1500 * time.Millisecond
	// window is the number of polls over which the error rate is computed. At the usual
	// pace they take 2 s.
	window = 40
	// minPolls is how many polls there must be before the error rate counts.
	minPolls = 20
	// A reader is degraded once its error rate, 0 to 1, exceeds degradedAbove. It stays so until
	// the rate has fallen to wellBelow. Its taps come through, but late.
	degradedAbove, wellBelow = 0.2, 0.1
	// blurredFor is how long something unreadable may lie on the reader before
	// players are told.
	blurredFor = 5 * time.Second
	// reportEvery is the shortest time between reports that differ in figures
	// only.
	reportEvery = 10 * time.Second
)

// health judges the state of a reader by its polls. If the polls stop, a timer notices, so
// health does not depend on the chip.
type health struct {
	name string

	mu            sync.Mutex
	emit          device.Emit
	overdue       *time.Timer // fires when there was no good poll for failAfter
	firmware      string
	resets        int
	lastGood      time.Time
	since         time.Time // of the last good poll, or of the beginning of the run
	lastErr       error
	lastBad       time.Time
	firstLookOver bool      // see rule 6 of Board
	failed        bool      // there has been no good poll for failAfter
	blurredSince  time.Time // time of the first blurred poll; zero after a clean one
	polls         []bool    // whether each of the last polls failed, since the reader last came back
	reported      engine.Part
	reportedAt    time.Time
}

// watch begins to report the reader's health to emit. The function stop ends the reports.
func (h *health) watch(emit device.Emit) (stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.emit, h.since, h.reported, h.failed = emit, time.Now(), engine.Part{}, false
	h.clear()
	h.overdue = time.AfterFunc(failAfter, h.silent)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.overdue.Stop()
		h.emit = nil
	}
}

func (h *health) silent() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if wait := failAfter - time.Since(h.since); wait > 0 { // a good poll came just now
		h.overdue.Reset(wait)
		return
	}
	h.failed = true
	h.report()
}

// recordGood records a good poll with its outcome. firstLookOver says whether the reader's
// first look is over. During the first look, a tag that is put on the reader would count as
// laid, not tapped (rule 6 of Board). The reader is therefore not reported as OK until the
// look is over.
func (h *health) recordGood(outcome Outcome, firstLookOver bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.since, h.lastGood, h.firstLookOver = now, now, firstLookOver
	h.overdue.Reset(failAfter)
	if h.failed {
		h.failed = false
		h.clear() // it is back: older errors no longer count
	}
	switch {
	case outcome != Blurred:
		h.blurredSince = time.Time{}
	case h.blurredSince.IsZero():
		h.blurredSince = now
	}
	h.count(false)
	h.report()
}

func (h *health) recordBad(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lastErr, h.lastBad = err, time.Now()
	h.count(true)
	h.report()
}

func (h *health) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.resets++
}

func (h *health) setFirmware(firmware string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.firmware = firmware
}

func (h *health) count(failed bool) {
	h.polls = append(h.polls, failed)
	h.polls = h.polls[max(0, len(h.polls)-window):]
}

func (h *health) clear() { h.polls, h.blurredSince = nil, time.Time{} }

func (h *health) rate() float64 {
	failed := 0.0
	for _, bad := range h.polls {
		if bad {
			failed++
		}
	}
	return failed / max(1, float64(len(h.polls)))
}

// report emits a change of health at once, and new figures at most once in reportEvery.
func (h *health) report() {
	if h.emit == nil {
		return
	}
	now := time.Now()
	health, err := h.judge(now)
	if health == h.reported.Health && now.Sub(h.reportedAt) < reportEvery {
		return
	}
	if health == engine.OK && (h.lastGood.Before(h.since) || !h.firstLookOver) {
		return // nothing is known yet
	}
	part := engine.Part{
		Name: h.name, Health: health, Err: err, Firmware: h.firmware, Resets: h.resets,
		ErrorRate: float64(int(h.rate()*100+0.5)) / 100,
	}
	if !h.lastGood.IsZero() {
		part.LastGood = h.lastGood.UTC().Truncate(time.Millisecond)
	}
	h.reported, h.reportedAt = part, now
	h.emit(device.Report{Part: part})
}

func (h *health) judge(now time.Time) (engine.Health, error) {
	limit := degradedAbove
	if h.reported.Health == engine.Degraded {
		limit = wellBelow
	}
	switch rate := h.rate(); {
	case h.failed && h.lastBad.After(h.lastGood):
		return engine.Broken, h.lastErr
	case h.failed:
		return engine.Broken, engine.Faultf(0, "no answer for %v", failAfter)
	case len(h.polls) >= minPolls && rate > limit && h.lastErr != nil:
		return engine.Degraded, engine.Faultf(0, "%.0f %% of the polls fail: %v", rate*100, h.lastErr)
	case !h.blurredSince.IsZero() && now.Sub(h.blurredSince) >= blurredFor:
		return engine.Degraded, engine.Faultf(0, "something lies there that cannot be read")
	}
	return engine.OK, nil
}
