package engine

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A setup that Complete takes for plain can always be read back from a journal.
func TestPlainIsReadable(t *testing.T) {
	letters := []rune("ab9-_.+,:#=\"\\ \t\n\r\x00é\u00a0\u200b\u2028\ufffd漢🎲")
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		word := make([]rune, random.IntN(4))
		for i := range word {
			word[i] = letters[random.IntN(len(letters))]
		}
		return string(word)
	}
	plain := 0
	for range 100_000 {
		s := Setup{Game: "count/plain", Rules: random.IntN(3), Seats: []Player{{Seat: "red", Name: word()}},
			Options: map[string]string{"target": word()}, Pools: []Pool{{Seat: "red", Card: word(), N: random.IntN(120) - 5}},
			Begin: time.Date(random.IntN(12_000)-500, 1, 1, 0, 0, 0, 1, time.FixedZone("", 3600))}
		if s.isPlain() {
			plain++
			if !s.isReadable() {
				t.Fatalf("%q cannot be read back", s.Head())
			}
		}
	}
	if plain < 1000 {
		t.Errorf("only %d setups were plain", plain)
	}
}
