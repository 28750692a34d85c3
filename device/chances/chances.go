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
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"tableside/device/disk"
	"tableside/engine"
	"tableside/engine/advice"
)

// How many matches are imagined, unless that takes longer than patience.
const (
	imagined = 400 // the standard error is below three points
	compared = 200 // for the next answer and the others
	patience = 700 * time.Millisecond
)

// Folding a match may take so long, and so many lines are folded.
const (
	folding = 5 * time.Second
	longest = 5000
)

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
	read   func(match string) (engine.Game, *engine.Journal, error)
	folder string

	turn  chan bool // holds a value while somebody has the fields below
	match string
	known map[int]kept // by the number of inputs
}

type kept struct {
	Moment
	over bool // the match was
}

// NewFinder returns a Finder. It calls read for the game and the journal of a match, or of the current one for "". The
// folder keeps the moments of matches that are over, unless it is "".
func NewFinder(read func(match string) (engine.Game, *engine.Journal, error), folder string) *Finder {
	return &Finder{read: read, folder: folder, turn: make(chan bool, 1)}
}

// At returns the moment after the first seq inputs of a match, or after all of them if there are not as many. If the
// match is over, it also says what was wrong with the next answer.
func (f *Finder) At(ctx context.Context, match string, seq int) (m Moment, err error) {
	select {
	case f.turn <- true:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return m, ctx.Err()
	}
	defer func() {
		if p := recover(); p != nil {
			err = engine.Faultf(0, "the rules fail: %v", p)
		}
	}()
	game, j, err := f.read(match)
	if err == nil && (game == nil || j == nil) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return m, err
	}
	if match != f.match || match == "" {
		f.match, f.known = match, f.load(match)
	}
	ctx, cancel := context.WithTimeout(ctx, folding)
	defer cancel()
	lines := slices.DeleteFunc(slices.Clone(j.Lines), func(l engine.Line) bool { return l.Mark != nil })
	lines = lines[:min(len(lines), longest)]
	fold := func(n int) (*engine.Match, error) {
		part := *j
		part.Lines = lines[:n]
		return engine.Replay(game, &part, ctx.Err, nil)
	}
	whole, err := fold(len(lines))
	if err != nil {
		return m, err
	}
	over := whole.Over()
	if known, ok := f.known[seq]; ok && (known.over || !over) {
		if !over {
			known.Mistake = nil
		}
		return known.Moment, nil
	}
	past := min(seq, len(lines))
	now, err := fold(past)
	if err != nil {
		return m, err
	}
	position, err := advice.At(now, "", nil)
	if err != nil {
		return m, err
	}
	chance := chanceOf(j.Setup, now.Seq())
	m.Chances = run(ctx, position, chance, imagined).Chances()
	if over && past < len(lines) {
		m.Mistake, err = judge(ctx, now, lines[past:], chance)
	}
	if err = cmp.Or(err, ctx.Err()); err == nil && m.Seq == seq && match != "" {
		f.known[seq] = kept{m, over}
		if over {
			f.keep(match, m)
		}
	}
	return m, err
}

func (f *Finder) file(match string) string { return filepath.Join(f.folder, match+".jsonl") }

// load returns what is kept of a match. What cannot be read is found again.
func (f *Finder) load(match string) map[int]kept {
	known := map[int]kept{}
	if f.folder == "" || match == "" {
		return known
	}
	data, _ := disk.ReadJournal(f.file(match))
	for line := range bytes.Lines(data) {
		var m Moment
		if json.Unmarshal(line, &m) == nil {
			known[m.Seq] = kept{m, true}
		}
	}
	return known
}

// keep adds a moment to the file of a match. On a full disk it is found again the next time.
func (f *Finder) keep(match string, m Moment) {
	if f.folder == "" || os.MkdirAll(f.folder, 0o750) != nil {
		return
	}
	file, err := os.OpenFile(f.file(match), os.O_CREATE|os.O_APPEND|os.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o640)
	if err != nil {
		return
	}
	defer file.Close()
	line, _ := json.Marshal(m)
	_, _ = file.Write(append(line, '\n'))
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
		_ = s.Run(1)      // not every match can be imagined to its end
		runtime.Gosched() // inputs come first, also on one processor
	}
	return s
}

// judge plays the rest of a match, and returns the mistake that its first input was, or nil. What the table plays
// itself, and what was taken back, is none.
func judge(ctx context.Context, m *engine.Match, rest []engine.Line, chance *rand.Rand) (*Mistake, error) {
	next, words, view := rest[0].Input, m.Words(), m.View()
	isAnswer := slices.Contains([]engine.Verb{engine.Tap, engine.Choose, engine.Key}, next.Verb)
	undone := len(rest) > 1 && rest[1].Input.Verb == engine.Undo
	if !isAnswer || undone || m.Setup().Computer[next.Seat] != "" {
		return nil, nil
	}
	p, err := advice.At(m, next.Seat, nil)
	if err != nil {
		return nil, err
	}
	if err := see(p, m, string(next.Seat)+"/hand", rest); err != nil {
		return nil, err
	}
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

// see shows a position the cards that leave a hand, in the rest of the match, before another comes.
func see(p *advice.Position, m *engine.Match, place string, rest []engine.Line) error {
	believer, ok := m.State().(engine.Believer)
	if !ok {
		return nil
	}
	piles, _ := believer.Believes()
	i := slices.IndexFunc(piles, func(p engine.Pile) bool { return p.Place == place })
	if i < 0 {
		return nil
	}
	hand := piles[i]
	for _, line := range rest {
		if line.Input.Verb == engine.Undo || line.Input.Verb == engine.Redo {
			break
		}
		step, err := m.Apply(line.Input)
		if err != nil {
			return err
		}
		for _, e := range step.Events {
			switch unnamed := slices.Index(hand.Cards, ""); {
			case e.To == place:
				p.See(hand)
				return nil
			case e.From == place && e.Card != "" && unnamed >= 0 && !slices.Contains(hand.Cards, e.Card):
				hand.Cards[unnamed] = e.Card
			}
		}
	}
	p.See(hand)
	return nil
}

// estimate returns how likely an answer wins, by the rule of succession, and the standard error.
func estimate(c advice.Choice) (mean, deviation float64) {
	n := float64(c.Visits) + 2
	mean = (c.Chance*float64(c.Visits) + 1) / n
	return mean, math.Sqrt(mean * (1 - mean) / n)
}
