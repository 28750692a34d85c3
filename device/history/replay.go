package history

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"tableside/engine"
)

// A Replay holds a match read back from its journal.
type Replay struct {
	Journal *engine.Journal
	Match   *engine.Match
	Steps   []engine.Step // undo and redo included
	Stop    *Stop         // nil if the journal is whole and the rules agree up to its end
	damaged bool          // the file, as a reading without rules finds out
}

// A Stop is the line at which a journal cannot be played any further.
type Stop struct {
	Offset    int  // where that line begins, in bytes
	Seq       int  // inputs before it, which today's rules accept
	LostMoves int  // from this line on; they are lost if the match is continued
	Damaged   bool // the file was damaged; else the rules have changed
	err       error
}

// Reason returns a text, in the given language, that says why the journal cannot be played
// beyond r.Stop. r.Stop must not be nil.
func (r *Replay) Reason(lang engine.Lang) string {
	return engine.ErrorIn(r.Stop.err, lang)
}

// ReadBack folds a journal, that is, it plays the journal's inputs again. It returns an error
// if the head of the journal is damaged or refused by the game, if this program has no such
// game, or if the game panics. If something is wrong after the head, the replay ends at that
// line, and its field Stop says what is wrong.
func ReadBack(games []engine.Game, id string, data []byte) (Replay, error) {
	var steps []engine.Step
	r, err := fold(games, id, data, nil, func(_ *engine.Match, step engine.Step) error {
		step.Events = slices.Clone(step.Events) // the state may use them again
		steps = append(steps, step)
		return nil
	})
	r.Steps = steps
	return r, err
}

// fold is ReadBack without Steps. It passes limit and visit to engine.Replay, and returns the error
// of limit.
func fold(games []engine.Game, id string, data []byte, limit func() error,
	visit func(*engine.Match, engine.Step) error) (r Replay, err error) {
	journal, damage := engine.ParseJournal(id, data)
	if r.Journal = journal; journal == nil {
		return r, damage
	}
	if damage != nil {
		r.Stop, r.damaged = &Stop{Offset: journal.Length, Damaged: true, err: damage}, true
	}
	game := engine.Find(games, r.Journal.Setup.Game)
	if game == nil {
		return r, engine.Faultf(0, "there is no game %q in this program", r.Journal.Setup.Game)
	}
	r.Match, err = engine.Replay(game, journal, limit, visit)
	if stop, stopped := errors.AsType[*engine.SyntaxError](err); stopped && stop.Line > 0 && r.Match != nil {
		r.Stop = &Stop{Offset: lineBegin(data, stop.Line), Damaged: stop.Damaged, err: err}
	} else if err != nil {
		return r, err
	}
	if r.Stop != nil {
		r.Stop.Seq = r.Match.Seq()
		r.Stop.LostMoves = engine.CountMoves(data[r.Stop.Offset:], r.Stop.Seq)
	}
	return r, nil
}

// lineBegin returns the offset in bytes of line n, counted from 1.
func lineBegin(data []byte, n int) int {
	at := 0
	for ; n > 1; n-- {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	return at
}

// noInfo returns the entry of a journal that cannot be read.
func noInfo(id string) engine.MatchInfo {
	return engine.MatchInfo{ID: id, State: "damaged", Seats: []engine.Player{}, Begin: engine.BeginOf(id)}
}

// Info returns the entry of a match for the table's list of matches, given its journal. If the
// journal is whole and says how the match ended, the entry says the same, even if today's rules
// disagree. If the journal is whole but does not say so, it is played to its end, and the match
// is then finished or unfinished.
//
// If only a part of the head was written, the entry has no state, because nobody has seen this
// match. If the journal cannot be read, the match is damaged. If only a part of the journal can be
// played, the match is unfinished, or damaged if the last line says how it ended. In both
// cases the entry has the reason.
func (h *History) Info(id string, data []byte) engine.MatchInfo {
	info := noInfo(id)
	j, err := engine.ParseJournal(id, data)
	if j == nil && engine.Unbegun(data) {
		info.State = ""
		return info
	}
	if j != nil {
		info.Game, info.Seats, info.Begin = j.Setup.Game, j.Setup.Seats, j.Setup.Begin
		info.Preset = cmp.Or(j.Setup.Preset, presetOf(h.games, j.Setup))
		for _, line := range j.Lines {
			if line.Mark == nil {
				info.Inputs++
			}
		}
		if j.End != nil && (err == nil || putAway(data)) { // whether today's rules agree does not matter
			info.State, info.Winners = j.End.State, j.End.Winners
			return info
		}
	}
	r, err := fold(h.games, id, data, nil, nil)
	switch {
	case err != nil:
		info.Reason = engine.SayFault(err, engine.Find(h.games, info.Game), h.Lang)
	case r.Stop != nil:
		info.Reason = r.Reason(h.Lang)
		if !putAway(data) {
			info.State = "unfinished"
			info.Stand(r.Match)
		}
	case r.Match.Over():
		info.State, info.Winners = "finished", r.Match.View().Winners
	default:
		info.State = "unfinished"
		info.Stand(r.Match)
	}
	return info
}

// putAway reports whether the last line of a damaged journal says how the match ended. For
// example, players may have abandoned the match. They are then not asked to continue it. Zero
// bytes after the last line are ignored.
func putAway(data []byte) bool {
	data = bytes.TrimRight(data, "\x00\n")
	return bytes.HasPrefix(data[bytes.LastIndexByte(data, '\n')+1:], []byte("end "))
}
