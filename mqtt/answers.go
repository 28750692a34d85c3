package mqtt

import (
	"crypto/sha256"
	"time"

	"tableside/engine"
)

// answerAge is the time for which an answer is remembered. maxGiven is the greatest number of
// remembered answers.
const (
	answerAge = 5 * time.Minute
	maxGiven  = 1024
)

// A givenAnswer records the answer to a command that has an id.
type givenAnswer struct {
	at      time.Time
	payload [sha256.Size]byte // of the command
	receipt engine.Receipt
}

// answers is the record of how the client answered the latest commands. It holds each answer
// by the topic and id of the command, for at most answerAge. If a command is repeated, the
// client repeats the answer, but does not execute the command again.
type answers struct {
	byKey map[string]givenAnswer
	order []string // keys, oldest first
}

func (a *answers) get(key string, now time.Time) (givenAnswer, bool) {
	g, ok := a.byKey[key]
	return g, ok && now.Sub(g.at) < answerAge
}

func (a *answers) put(key string, g givenAnswer) {
	if a.byKey == nil {
		a.byKey = map[string]givenAnswer{}
	}
	if _, known := a.byKey[key]; known { // too old to be answered again
		a.forget(key)
	}
	for len(a.order) > 0 && (len(a.order) >= maxGiven || g.at.Sub(a.byKey[a.order[0]].at) >= answerAge) {
		delete(a.byKey, a.order[0])
		a.order = a.order[1:]
	}
	a.byKey[key] = g
	a.order = append(a.order, key)
}

func (a *answers) forget(key string) {
	delete(a.byKey, key)
	for i, k := range a.order {
		if k == key {
			a.order = append(a.order[:i], a.order[i+1:]...)
			return
		}
	}
}
