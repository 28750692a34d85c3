package past

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
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
	seq, of := numbers["seq"], min(numbers["of"], mostImagined)
	return s.foldMatch(w, r, query.Get("match"), fmt.Sprint("chances ", seq, of), notReplayed,
		func(game engine.Game, j *engine.Journal, _ error) (any, error) {
			return chancesAt(game, j, seq, of, s.FoldTime)
		})
}

func chancesAt(game engine.Game, j *engine.Journal, seq, of int, limit time.Duration) (chances, error) {
	inputs := 0
	for i, line := range j.Lines {
		if line.Mark == nil && inputs == seq {
			j.Lines = j.Lines[:i]
			break
		} else if line.Mark == nil {
			inputs++
		}
	}
	m, err := engine.Replay(game, j, core.LimitTime(limit), nil)
	if err != nil {
		return chances{}, err
	}
	c := chances{Seq: m.Seq(), List: []advice.Chance{}}
	position, err := advice.At(m, "", nil)
	if err != nil {
		return c, nil // a game that does not tell its moves
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(j.Setup.MatchID()))
	search := advice.New(position, rand.New(rand.NewPCG(seed.Sum64(), uint64(c.Seq))))
	for end := time.Now().Add(imagining); c.Of < of && time.Now().Before(end); c.Of++ {
		if search.Run(1) != nil {
			return chances{Seq: c.Seq, List: c.List}, nil // it has no end that could be imagined
		}
	}
	c.List = search.Chances()
	return c, nil
}
