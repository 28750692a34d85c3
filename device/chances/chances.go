// Package chances finds how likely the seats of a match are to win, and which answers were mistakes.
package chances

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tableside/engine"
	"tableside/engine/advice"
)

// How many matches are imagined, unless that takes longer than patience.
const (
	imagined = 400 // the standard error is below three points
	compared = 200 // for the next answer and the others
	patience = 700 * time.Millisecond
)

// longest is after how many lines the rest of a match is left out.
const longest = 5000

// A Moment of a match is how likely each seat is to win after some inputs.
type Moment struct {
	engine.Chances
	Mistake *Mistake `json:"mistake,omitempty"`
}

// A Mistake is the next answer, after which its player won so many fewer of the imagined matches than after the best
// one. The player is taken to have known the cards that left the hand before another came.
type Mistake struct {
	Seat   engine.Seat            `json:"seat"`
	Better map[engine.Lang]string `json:"better"` // the best answer
	Best   float64                `json:"best"`   // the share of the imagined matches that it won
	Given  float64                `json:"given"`
}

// mistaken is the least difference of the two chances.
const mistaken = 0.1

// A Finder finds moments, one after the other, and remembers those of one match.
type Finder struct {
	// Read returns the game and the journal of a match, or of the current one for "".
	Read   func(match string) (engine.Game, *engine.Journal, error)
	Folder string // keeps the moments of matches that are over, unless it is ""

	turn  sync.Mutex
	match string
	known map[question]Moment
}

type question struct {
	seq  int
	past bool
}

// At returns the moment after the first seq inputs of a match, or after all of them if there are not as many. With past,
// it also says what was wrong with the next answer, if the match is over.
func (f *Finder) At(ctx context.Context, match string, seq int, past bool) (Moment, error) {
	q := question{seq, past}
	f.turn.Lock()
	defer f.turn.Unlock()
	if ctx.Err() != nil {
		return Moment{}, ctx.Err()
	}
	if match != f.match {
		f.match, f.known = match, f.load(match)
	}
	if m, known := f.known[q]; known {
		return m, nil
	}
	game, journal, err := f.Read(match)
	if err == nil && (game == nil || journal == nil) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Moment{}, err
	}
	m, over, err := imagine(ctx, game, journal, q)
	if err == nil && match != "" && m.Seq == q.seq && (over || !q.past) {
		f.known[q] = m
		if q.past {
			f.keep(match, m)
		}
	}
	return m, err
}

func (f *Finder) file(match string) string { return filepath.Join(f.Folder, match+".jsonl") }

// load returns what is kept of a match. What cannot be read is found again.
func (f *Finder) load(match string) map[question]Moment {
	known := map[question]Moment{}
	if f.Folder == "" || match == "" {
		return known
	}
	data, _ := os.ReadFile(f.file(match))
	for line := range bytes.Lines(data) {
		var m Moment
		if json.Unmarshal(line, &m) == nil {
			known[question{m.Seq, true}] = m
		}
	}
	return known
}

// keep adds a moment to the file of a match. On a full disk it is found again the next time.
func (f *Finder) keep(match string, m Moment) {
	if f.Folder == "" || os.MkdirAll(f.Folder, 0o755) != nil {
		return
	}
	file, err := os.OpenFile(f.file(match), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	defer file.Close()
	line, _ := json.Marshal(m)
	_, _ = file.Write(append(line, '\n'))
}

// imagine finds a moment, and reports whether the match is over.
func imagine(ctx context.Context, game engine.Game, j *engine.Journal, q question) (found Moment, over bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = engine.Faultf(0, "the rules fail: %v", p)
		}
	}()
	j.Lines = slices.DeleteFunc(j.Lines, func(l engine.Line) bool { return l.Mark != nil })
	j.Lines = j.Lines[:min(len(j.Lines), longest)]
	rest := j.Lines[min(q.seq, len(j.Lines)):]
	before := *j
	before.Lines = j.Lines[:len(j.Lines)-len(rest)]
	m, err := engine.Replay(game, &before, ctx.Err, nil)
	if err != nil {
		return found, false, err
	}
	position, err := advice.At(m, "", nil)
	if err != nil {
		return found, false, err
	}
	chance := chanceOf(j.Setup, m.Seq())
	found.Chances = run(ctx, position, chance, imagined).Chances()
	if q.past {
		found.Mistake, err = judge(ctx, m, rest, chance)
		if over = err == nil && m.Over(); !over {
			found.Mistake, err = nil, nil // it would tell of a hand
		}
	}
	return found, over, cmp.Or(err, ctx.Err())
}

// chanceOf returns the chance of a moment, always the same.
func chanceOf(setup engine.Setup, seq int) *rand.Rand {
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(setup.MatchID()))
	return rand.New(rand.NewPCG(seed.Sum64(), uint64(seq)))
}

func run(ctx context.Context, p *advice.Position, chance *rand.Rand, matches int) *advice.Search {
	s := advice.New(p, chance)
	for end := time.Now().Add(patience); matches > 0 && time.Now().Before(end) && ctx.Err() == nil; matches-- {
		_ = s.Run(1) // not every match can be imagined to its end
	}
	return s
}

// judge plays the rest of a match, and returns the mistake that its first input was, or nil. What the table plays
// itself, and what was taken back, is none.
func judge(ctx context.Context, m *engine.Match, rest []engine.Line, chance *rand.Rand) (*Mistake, error) {
	if len(rest) == 0 {
		return nil, nil
	}
	next, words, view := rest[0].Input, m.Words(), m.View()
	p, err := advice.At(m, next.Seat, nil)
	if err != nil {
		return nil, err
	}
	hand := engine.Pile{Place: string(next.Seat) + "/hand"}
	if believer, ok := m.State().(engine.Believer); ok {
		piles, _ := believer.Believes()
		if i := slices.IndexFunc(piles, func(p engine.Pile) bool { return p.Place == hand.Place }); i >= 0 {
			hand = piles[i]
		}
	}
	for same, i := true, 0; i < len(rest); i++ {
		step, err := m.Apply(rest[i].Input)
		if err != nil || ctx.Err() != nil {
			return nil, cmp.Or(err, ctx.Err())
		}
		if i == 1 && step.Input.Verb == engine.Undo {
			next.Verb = engine.Undo
		}
		same = same && step.Input.Verb != engine.Undo && step.Input.Verb != engine.Redo
		for _, e := range step.Events {
			switch unnamed := slices.Index(hand.Cards, ""); {
			case e.To == hand.Place:
				same = false
			case same && e.From == hand.Place && e.Card != "" && unnamed >= 0 && !slices.Contains(hand.Cards, e.Card):
				hand.Cards[unnamed] = e.Card
			}
		}
	}
	if m.Setup().Computer[next.Seat] != "" || next.Verb == engine.Roll || next.Verb == engine.Undo || next.Verb == engine.Redo {
		return nil, nil
	}
	p.See(hand)
	s := run(ctx, p, chance, compared)
	answers := slices.DeleteFunc(s.Answers(), func(c advice.Choice) bool { // a card that nobody knew
		return c.Place != "" && c.Input.Arg(0) == ""
	})
	was := slices.IndexFunc(answers, func(c advice.Choice) bool {
		return c.Input.Command() == next.Command() || c.Input.Verb == engine.Tap && next.Verb == engine.Tap && c.Place != "" &&
			engine.SameKind(c.Input.Arg(0), next.Arg(0))
	})
	if was < 0 {
		return nil, nil
	}
	best, bestDeviation := estimate(answers[0])
	given, givenDeviation := estimate(answers[was])
	if d := best - given; d < mistaken || d < 2*math.Hypot(bestDeviation, givenDeviation) {
		return nil, nil
	}
	mistake := &Mistake{Seat: next.Seat, Best: best, Given: given, Better: map[engine.Lang]string{}}
	for _, lang := range engine.Languages {
		mistake.Better[lang], _ = answers[0].Say(words.SpeakView(lang, view), words, lang)
	}
	return mistake, nil
}

// estimate returns how likely an answer wins, by the rule of succession, and the standard error.
func estimate(c advice.Choice) (mean, deviation float64) {
	n := float64(c.Visits) + 2
	mean = (c.Chance*float64(c.Visits) + 1) / n
	return mean, math.Sqrt(mean * (1 - mean) / n)
}
