// Package chances finds how likely the seats of a match are to win, and which answers were mistakes.
package chances

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tableside/device"
	"tableside/device/disk"
	"tableside/engine"
	"tableside/engine/advice"
)

// How many matches are imagined, unless that takes longer than patience.
const (
	imagined = 400 // the standard error is below three points
	compared = 200 // for the next answer and the others
	patience = 700 * time.Millisecond
	hopeless = 20 // matches without an end
)

// folding is how long folding a match may take.
const folding = 5 * time.Second

// mistaken is the least difference of the two chances.
const mistaken = 0.1

// A Finder finds moments, one after the other, and remembers those of one match.
type Finder struct {
	// Read returns the game and the journal of a match, or of the current one for "".
	Read   func(match string) (engine.Game, *engine.Journal, error)
	Pause  func() // while inputs wait; nil for never
	Folder string // keeps the moments of matches that are over; none if nobody can make it

	turn  sync.Mutex // one imagines at a time
	mu    sync.Mutex
	match string
	over  bool
	known map[int]advice.Moment // by the number of inputs
}

// At returns the moment after the first seq inputs of a match, or after all of them if there are not as many. If the
// match is over, it also says what was wrong with the next answer.
func (f *Finder) At(ctx context.Context, match string, seq int) (m advice.Moment, err error) {
	game, j, err := f.Read(match)
	if err != nil {
		return m, err
	}
	match = cmp.Or(match, j.Setup.MatchID())
	over := j.End != nil && j.End.State == "finished"
	lines := slices.DeleteFunc(j.Lines, func(l engine.Line) bool { return l.Mark != nil })
	seq = min(seq, len(lines))
	if m, known := f.recall(match, seq, over); known {
		return m, nil
	}
	f.turn.Lock()
	defer f.turn.Unlock()
	if ctx.Err() != nil { // nobody waits any more
		return m, ctx.Err()
	}
	if m, known := f.recall(match, seq, over); known { // somebody else has just asked
		return m, nil
	}
	ctx, cancel := context.WithTimeout(ctx, folding)
	defer cancel()
	j.Lines = lines[:seq]
	now, err := engine.Replay(game, j, ctx.Err, nil)
	if err != nil {
		return m, err
	}
	chance := rand.New(rand.NewPCG(uint64(j.Setup.Begin.Unix()), uint64(seq))) // always the same
	s, err := advice.At(now, "", nil, chance)
	if err != nil {
		return m, err
	}
	_ = Search(ctx, s, imagined, f.Pause) // not every match can be imagined to its end
	m.Chances = s.Chances()
	if over && seq < len(lines) {
		m.Mistake, err = f.judge(ctx, now, lines[seq:], chance)
	}
	if err = cmp.Or(err, ctx.Err()); err == nil {
		f.keep(match, m, over)
	}
	return m, err
}

// Tell returns an output that tells a table the chances after each input. The table shows it a frame only when it has
// looked at the one before, so that it always looks at the newest.
func (f *Finder) Tell(emit device.Emit) device.OutputFunc {
	match, seq := engine.Null(""), 0 // that it has looked at
	return func(ctx context.Context, frame engine.Frame) {
		v := frame.View
		seen := v.Match == match && v.Seq == seq
		if match, seq = v.Match, v.Seq; seen || v.Match == "" || len(v.Winners) > 0 {
			return
		}
		if m, err := f.At(ctx, string(match), seq); err == nil { // else nobody knows them in this game
			emit(device.Foreseen{Match: string(match), Chances: m.Chances})
		}
	}
}

func (f *Finder) file(match string) string { return filepath.Join(f.Folder, match+".jsonl") }

// recall returns a moment that is known. What cannot be read of the file of a match is found again.
func (f *Finder) recall(match string, seq int, over bool) (m advice.Moment, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if match != f.match || over != f.over {
		f.match, f.over, f.known = match, over, map[int]advice.Moment{}
		data, _ := disk.ReadJournal(f.file(match))
		for line := range bytes.Lines(data) {
			var m advice.Moment
			if json.Unmarshal(line, &m) == nil && over {
				f.known[m.Seq] = m
			}
		}
	}
	m, known = f.known[seq]
	return m, known
}

// keep remembers a moment, and adds it to the file of its match. On a full disk it is found again the next time.
func (f *Finder) keep(match string, m advice.Moment, over bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if match == f.match && over == f.over {
		f.known[m.Seq] = m
	}
	if !over || os.MkdirAll(f.Folder, 0o750) != nil {
		return
	}
	file, err := os.OpenFile(f.file(match), os.O_CREATE|os.O_APPEND|os.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o640)
	if err == nil {
		_ = json.NewEncoder(file).Encode(m)
		_ = file.Close()
	}
}

// Search imagines matches, unless that takes too long or they have no end, as during a draft. It calls pause often.
func Search(ctx context.Context, s *advice.Search, matches int, pause func()) (err error) {
	end := time.Now().Add(patience)
	s.Pause = pause
	for n := 0; n < matches && (err == nil || n < hopeless) && ctx.Err() == nil && time.Now().Before(end); n++ {
		err = s.Run()
	}
	return err
}

// judge plays the rest of a match, and returns the mistake that its first input was, or nil. What the table plays
// itself, and what was taken back, is none.
func (f *Finder) judge(ctx context.Context, m *engine.Match, rest []engine.Line, chance *rand.Rand) (*advice.Mistake, error) {
	next, words, view := rest[0].Input, m.Words(), m.View()
	isAnswer := slices.Contains([]engine.Verb{engine.Tap, engine.Choose, engine.Key}, next.Verb)
	undone := len(rest) > 1 && rest[1].Input.Verb == engine.Undo
	if !isAnswer || undone || m.Setup().Computer[next.Seat] != "" {
		return nil, nil
	}
	s, err := advice.At(m, next.Seat, nil, chance)
	if err != nil {
		return nil, err
	}
	place := string(next.Seat) + "/hand"
	hand, err := seen(slices.Clone(s.Cards(place)), m, place, rest)
	if err != nil {
		return nil, err
	}
	s.See(engine.Pile{Place: place, Cards: hand})
	_ = Search(ctx, s, compared, f.Pause)
	answers := slices.DeleteFunc(s.Choices(), func(c advice.Choice) bool { // a card that nobody knew
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
	mistake := &advice.Mistake{Seat: next.Seat, Best: best, Given: given, Better: map[engine.Lang]string{}}
	for _, lang := range engine.Languages {
		mistake.Better[lang], _ = answers[0].Say(words.SpeakView(lang, view), words, lang)
	}
	return mistake, nil
}

// seen fills in the cards that leave a hand, in the rest of the match, before another comes.
func seen(hand []string, m *engine.Match, place string, rest []engine.Line) ([]string, error) {
	for _, line := range rest {
		step, err := m.Apply(line.Input)
		if err != nil || line.Input.Verb == engine.Undo || line.Input.Verb == engine.Redo {
			return hand, err
		}
		for _, e := range step.Events {
			unnamed := slices.Index(hand, "")
			if e.To == place {
				return hand, nil
			}
			if e.From == place && e.Card != "" && unnamed >= 0 && !slices.Contains(hand, e.Card) {
				hand[unnamed] = e.Card
			}
		}
	}
	return hand, nil
}

// estimate returns how likely an answer wins, by the rule of succession, and the standard error.
func estimate(c advice.Choice) (mean, deviation float64) {
	n := float64(c.Visits) + 2
	mean = (c.Chance*float64(c.Visits) + 1) / n
	return mean, math.Sqrt(mean * (1 - mean) / n)
}
