package past

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/advice"
)

// For the chances at one moment of a match: so many imagined matches that the standard error is below three points,
// unless fewer are asked for, but no longer than this.
const (
	mostImagined = 400
	imagining    = 700 * time.Millisecond
)

// The chances of the seats after some inputs of a match, from what everybody can see.
type chances struct {
	Seq  int             `json:"seq"`
	Of   int             `json:"of"`   // imagined matches; 0 if nobody knows, as with unknown cards
	List []advice.Chance `json:"list"` // by seat
}

// An imaginer finds chances, one after the other, and remembers them. A visitor may wait for two: what everybody may
// ask for must not keep the table from folding matches.
type imaginer struct {
	places core.Places
	turn   sync.Mutex
	known  map[string]chances // guarded by turn
}

const mostKnown = 4000 // some hundred kilobytes

func newImaginer() *imaginer {
	return &imaginer{places: core.Places{Each: 2, Most: 8}, known: map[string]chances{}}
}

// chances serves who is how likely to win after the first ?seq= inputs of a match, or after all of them, in ?of=
// imagined matches. The answer to the same question is the same, but for how far the time reached.
func (s *Room) chances(w http.ResponseWriter, r *http.Request) (any, error) {
	query, numbers := r.URL.Query(), map[string]int{"seq": -1, "of": mostImagined}
	for name := range numbers {
		if text := query.Get(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return nil, core.Failf(http.StatusBadRequest, "%q is a number", name)
			}
			numbers[name] = n
		}
	}
	match, seq, of := query.Get("match"), numbers["seq"], min(numbers["of"], mostImagined)
	leave, _ := s.imaginer.places.Take(s.Client(r))
	if leave == nil {
		return nil, core.ErrBusy
	}
	defer leave()
	s.imaginer.turn.Lock()
	defer s.imaginer.turn.Unlock()
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	key := fmt.Sprint(match, " ", seq, " ", of)
	if c, known := s.imaginer.known[key]; known {
		return c, nil
	}
	game, journal, err := s.played(match)
	switch {
	case errors.Is(err, fs.ErrNotExist) || game == nil || journal == nil:
		return nil, errNoMatch
	case err == nil:
		shorten(journal)
		var c chances
		if c, err = chancesAt(game, journal, seq, of, s.FoldTime); err == nil {
			if len(s.imaginer.known) >= mostKnown {
				clear(s.imaginer.known)
			}
			if match != "" && c.Seq == seq {
				s.imaginer.known[key] = c
			}
			return c, nil
		}
	}
	if errors.Is(err, advice.ErrBlind) {
		return nil, core.Failf(http.StatusNotFound, "nobody knows the chances in this game")
	}
	return nil, core.Failf(http.StatusConflict, notReplayed, matchReason(err, game))
}

func chancesAt(game engine.Game, j *engine.Journal, seq, of int, limit time.Duration) (c chances, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = engine.Faultf(0, "the rules fail: %v", p)
		}
	}()
	inputs := 0
	for i, line := range j.Lines {
		if line.Mark != nil {
			continue
		}
		if inputs == seq {
			j.Lines = j.Lines[:i]
			break
		}
		inputs++
	}
	m, err := engine.Replay(game, j, core.LimitTime(limit), nil)
	if err != nil {
		return chances{}, err
	}
	position, err := advice.At(m, "", nil)
	if err != nil {
		return chances{}, err
	}
	c = chances{Seq: m.Seq(), List: []advice.Chance{}}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(j.Setup.MatchID()))
	search := advice.New(position, rand.New(rand.NewPCG(seed.Sum64(), uint64(c.Seq))))
	for end, n := time.Now().Add(imagining), 0; n < of && time.Now().Before(end); n++ {
		_ = search.Run(1) // not every match can be imagined to its end
	}
	if c.Of = search.Playouts(); c.Of > 0 {
		c.List = search.Chances()
	}
	return c, nil
}
