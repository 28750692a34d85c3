package device

import (
	"bytes"
	"errors"
	"fmt"

	"tableside/engine"
)

// maxPast inputs of a match that is resumed are told: a page shows no more.
const maxPast = 60

// A replay is a match read back from its journal.
type replay struct {
	journal *engine.Journal
	match   *engine.Match
	inputs  []engine.Input   // as they were accepted, undo and redo included
	events  [][]engine.Event // of each of them
	stop    *stop            // nil when the rules agree to the end
}

// A stop is where today's rules and a journal part.
type stop struct {
	line   int   // in the file, from 1
	offset int64 // where that line begins
	seq    int   // inputs that agree
	err    error
}

// readBack folds a journal. An error means that it is damaged, or of a game
// that is not here; a journal that disagrees with the rules is none.
func readBack(games map[string]engine.Game, id string, data []byte) (r replay, err error) {
	defer func() {
		if p := recover(); p != nil { // in a game's New or View
			err = fmt.Errorf("%s: the rules fail: %v", id, p)
		}
	}()
	if r.journal, err = engine.ParseJournal(id, data); err != nil {
		return r, err
	}
	game := games[r.journal.Setup.Game]
	if game == nil {
		return r, fmt.Errorf("there is no game %q in this program", r.journal.Setup.Game)
	}
	if r.match, err = engine.NewMatch(game, r.journal.Setup); err != nil {
		return r, err
	}
	for _, line := range r.journal.Lines {
		if err := r.take(line); err != nil {
			r.stop = &stop{line: line.Number, offset: lineBegin(data, line.Number), seq: r.match.Seq(), err: err}
			break
		}
	}
	return r, nil
}

func (r *replay) take(line engine.Line) error {
	if m := line.Mark; m != nil {
		if r.match.Seq() != m.Seq {
			return fmt.Errorf("mark after %d inputs, and there are %d", m.Seq, r.match.Seq())
		}
		if hash := r.match.View().Hash(); hash != m.Hash {
			return fmt.Errorf("after %d inputs the view is %s and was %s", m.Seq, hash, m.Hash)
		}
		return nil
	}
	in, events, err := r.match.Apply(line.Input)
	if err != nil {
		return err
	}
	if in.Command() != line.Input.Command() {
		return errors.New("this input is taken as another: " + in.Command())
	}
	r.inputs = append(r.inputs, in)
	r.events = append(r.events, append([]engine.Event(nil), events...))
	return nil
}

// past is what pages tell of the match: the events of the newest inputs, and
// of those before only what was undone and redone, without which nobody could
// tell what the next undo takes back.
func (r *replay) past() []engine.Event {
	from := len(r.events)
	for told := 0; from > 0 && told < maxPast; {
		from--
		if len(r.events[from]) > 0 {
			told++
		}
	}
	var past []engine.Event
	for i, events := range r.events {
		switch in := r.inputs[i]; {
		case i >= from:
			past = append(past, events...)
		case in.Verb == engine.Undo, in.Verb == engine.Redo:
			past = append(past, events[0])
		}
	}
	return past
}

// lineBegin is where the n-th line begins, from 1.
func lineBegin(data []byte, n int) int64 {
	at := 0
	for ; n > 1; n-- {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	return int64(at)
}

// info is what the list of matches says about a journal on the disk.
func (s *store) info(games map[string]engine.Game, id string) engine.MatchInfo {
	info := engine.MatchInfo{ID: id, State: "damaged", Seats: []engine.Player{}}
	data, err := s.read(id)
	if err != nil {
		info.Reason = err.Error()
		return info
	}
	j, err := engine.ParseJournal(id, data)
	if j != nil {
		info.Game, info.Seats, info.Begin = j.Setup.Game, j.Setup.Seats, j.Setup.Begin
		for _, line := range j.Lines {
			if line.Mark == nil {
				info.Inputs++
			}
		}
		if j.End != nil { // put away: whether today's rules agree does not matter
			info.State, info.Winners = j.End.State, j.End.Winners
			return info
		}
	}
	var r replay
	if err == nil {
		r, err = readBack(games, id, data)
	}
	switch {
	case err != nil:
		info.Reason = err.Error()
	case r.stop != nil:
		info.State = "unfinished"
		info.Reason = fmt.Sprintf("line %d: %v", r.stop.line, r.stop.err)
	case r.match.Over():
		info.State, info.Winners = "finished", r.match.View().Winners
	default:
		info.State = "unfinished"
	}
	return info
}
