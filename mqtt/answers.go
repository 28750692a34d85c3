package mqtt

import (
	"crypto/sha256"
	"slices"
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
	key     string // the topic and id of the command
	at      time.Time
	payload [sha256.Size]byte // of the command
	receipt engine.Receipt
}

// answers is the record of how the client answered the latest commands, oldest first. If a command
// is repeated, the client repeats the answer, but does not execute the command again.
type answers []givenAnswer

func (a answers) get(key string, now time.Time) (givenAnswer, bool) {
	i := slices.IndexFunc(a, func(g givenAnswer) bool { return g.key == key && now.Sub(g.at) < answerAge })
	if i < 0 {
		return givenAnswer{}, false
	}
	return a[i], true
}

func (a *answers) put(g givenAnswer) {
	*a = slices.DeleteFunc(*a, func(old givenAnswer) bool { return old.key == g.key || g.at.Sub(old.at) >= answerAge })
	if len(*a) == maxGiven {
		*a = slices.Delete(*a, 0, 1)
	}
	*a = append(*a, g)
}
