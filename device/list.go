package device

import (
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/engine"
)

// A matchList holds all matches, oldest first.
type matchList struct {
	mu        sync.Mutex
	matches   []engine.MatchInfo
	currentID string // of the match that is being played, or ""
}

func (l *matchList) play(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.currentID = id
}

func (l *matchList) current() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.currentID
}

// fill replaces all entries of the list by the given matches. The given matches must be sorted
// by id.
func (l *matchList) fill(matches []engine.MatchInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.matches = matches
}

// find looks for a match in the list. If the match is there, find returns its index and true.
// Otherwise find returns false, and the index at which to insert the match. The caller holds
// l.mu.
func (l *matchList) find(id string) (at int, found bool) {
	return slices.BinarySearchFunc(l.matches, id, func(m engine.MatchInfo, id string) int {
		return strings.Compare(m.ID, id)
	})
}

// put adds a match, or replaces its entry.
func (l *matchList) put(info engine.MatchInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, found := l.find(info.ID)
	if !found {
		l.matches = slices.Insert(l.matches, at, info)
	}
	l.matches[at] = info
}

// drop removes a match from the list, if it is there.
func (l *matchList) drop(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, found := l.find(id); found {
		l.matches = slices.Delete(l.matches, at, at+1)
	}
}

func (l *matchList) get(id string) (engine.MatchInfo, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, found := l.find(id); found {
		return l.matches[at], true
	}
	return engine.MatchInfo{}, false
}

// allMatches returns the matches, newest first.
func (l *matchList) allMatches() []engine.MatchInfo {
	l.mu.Lock()
	defer l.mu.Unlock()
	matches := slices.Clone(l.matches)
	slices.Reverse(matches)
	return matches
}

// damaged reports whether there is a damaged match.
func (l *matchList) damaged() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.matches, func(m engine.MatchInfo) bool { return m.State == "damaged" })
}

// clockSlack is how far ahead of the clock a match may have begun. The clock of a Raspberry Pi
// may lag by hours after a power cut, until a network sets it.
const clockSlack = 24 * time.Hour

// newestUnfinished returns the match that began last of those that can be continued. If there
// is none, ok is false. If the beginning of a match is more than clockSlack in the future, the
// clock was ahead when the match began. Such a match is returned only if there is no other.
func (l *matchList) newestUnfinished(now time.Time) (newest engine.MatchInfo, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range slices.Backward(l.matches) {
		if m.State != "unfinished" {
			continue
		}
		if m.Begin.Before(now.Add(clockSlack)) {
			return m, true
		}
		if !ok {
			newest, ok = m, true
		}
	}
	return newest, ok
}
