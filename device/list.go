package device

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/engine"
)

// A matchList holds what is known of all matches.
type matchList struct {
	mu        sync.Mutex
	matches   map[string]engine.MatchInfo // by id
	currentID string                      // of the match that is being played, or ""
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

// fill replaces all entries of the list.
func (l *matchList) fill(matches []engine.MatchInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.matches = make(map[string]engine.MatchInfo, len(matches))
	for _, m := range matches {
		l.matches[m.ID] = m
	}
}

// put adds a match, or replaces its entry. It drops a match without a state.
func (l *matchList) put(info engine.MatchInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.matches[info.ID] = info; info.State == "" {
		delete(l.matches, info.ID)
	}
}

func (l *matchList) get(id string) (engine.MatchInfo, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	info, found := l.matches[id]
	return info, found
}

// allMatches lists the matches, the newest first.
func (l *matchList) allMatches() []engine.MatchInfo {
	l.mu.Lock()
	matches := slices.AppendSeq([]engine.MatchInfo{}, maps.Values(l.matches))
	l.mu.Unlock()
	slices.SortFunc(matches, func(a, b engine.MatchInfo) int { return strings.Compare(b.ID, a.ID) })
	return matches
}

// lately lists the games that were played, the newest first: presets where a match names one.
func (l *matchList) lately() (names []string) {
	for _, m := range l.allMatches() {
		if name := cmp.Or(m.Preset, m.Game); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (l *matchList) damaged() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.matches {
		if m.State == "damaged" {
			return true
		}
	}
	return false
}

// clockSlack is how far ahead of the clock a match may have begun. The clock of a Raspberry Pi
// may lag by hours after a power cut, until a network sets it.
const clockSlack = 24 * time.Hour

// newestUnfinished returns the match that began last of those that can be continued. If there
// is none, ok is false. If the beginning of a match is more than clockSlack in the future, the
// clock was ahead when the match began. Such a match is returned only if there is no other.
func (l *matchList) newestUnfinished(now time.Time) (newest engine.MatchInfo, ok bool) {
	for _, m := range l.allMatches() {
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
