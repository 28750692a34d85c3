package device

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"time"

	"tableside/engine"
)

// maxPast is how many of the newest inputs of a resumed match have their events in
// Frame.Past. A page shows the events of no more inputs than that.
const maxPast = 60

// resume continues a match. If id is "", it continues the newest unfinished match. If only a
// part of the journal can be followed, resume first asks the players whether to continue from
// there. force says that they have already answered yes.
func (l *loop) resume(id string, force bool, at time.Time) engine.Receipt {
	if l.game.match != nil && l.keeper.journal.id == id {
		return engine.Receipt{Outcome: engine.Accepted}
	}
	if l.game.playing() {
		return refused("receipt.playing")
	}
	if id == "" {
		info, ok := l.table.list.newestUnfinished(at)
		if !ok {
			return refused("receipt.nothing-unfinished")
		}
		id = info.ID
	}
	r, whole, bad := l.read(id)
	if bad != nil {
		return *bad
	}
	data := whole[:r.journal.Length]
	if r.stop != nil {
		if !force {
			return l.askPartly(id, r)
		}
		data = whole[:r.stop.offset]
		err := l.setAside(id, whole)
		if err == nil {
			r, err = readBack(l.rules, id, data)
		}
		if err != nil {
			return l.unreadable(id, err)
		}
	}
	j, err := l.keeper.store.resume(id, data, r.journal.Sealer)
	if err != nil {
		return l.unreadable(id, err)
	}
	l.leave()
	l.enter(r.match, j, at)
	l.game.pastEvents = r.pastEvents()
	if end := r.journal.End; end != nil && end.State == "finished" {
		l.setEnded(true)
		info := l.matchInfo("finished")
		info.Winners = end.Winners
		l.table.list.put(info)
	}
	l.keeper.keep(l.game.mark())
	l.follow(r.steps)
	return engine.Receipt{Outcome: engine.Accepted}
}

// askPartly empties the table, and asks the players whether to continue a match in part. The
// match would continue from the last line that can be read and that today's rules accept.
func (l *loop) askPartly(id string, r replay) engine.Receipt {
	l.leave()
	l.lobby.stoppedMatch = &waitingMatch{id: id, game: r.journal.Setup.Game, stop: r.stop}
	key, why := "receipt.partly", "the rules have changed since"
	if r.stop.damaged {
		key, why = "receipt.partly-damaged", "the journal is damaged"
	}
	l.Log.Warn(why, "match", id, "error", r.reason(engine.English))
	ask := refused(key, "n", r.stop.seq, "lost", r.stop.lostMoves)
	ask.Override = true
	return ask
}

// setAside keeps a copy of a journal whose end will be cut off.
func (l *loop) setAside(id string, whole []byte) error {
	name, err := l.keeper.store.setAside(id, whole)
	if err == nil {
		l.Log.Warn("the rest of the match is set aside", "match", id, "file", name)
	}
	return err
}

// read returns the replay of a journal, and the bytes of the journal. If the journal cannot be
// read, the third result is a receipt that says why. Otherwise the third result is nil.
func (l *loop) read(id string) (r replay, data []byte, bad *engine.Receipt) {
	say := func(r engine.Receipt) *engine.Receipt { return &r }
	if l.keeper.holds(id) {
		return r, nil, say(failed("receipt.not-kept", "name", id))
	}
	data, err := l.keeper.store.read(id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil, say(refused("receipt.no-such-match", "name", id))
	case err != nil:
		return r, nil, say(l.unreadable(id, err))
	}
	if r, err = readBack(l.rules, id, data); err != nil {
		l.table.list.put(l.keeper.store.info(l.rules, id))
		return r, nil, say(refused("receipt.damaged", "name", id,
			"reason", engine.Worded(func(lang engine.Lang) string { return readFault(l.rules, r.journal, err, lang) })))
	}
	return r, data, nil
}

// unreadable returns the receipt of a match whose file cannot be read.
func (l *loop) unreadable(id string, err error) engine.Receipt {
	l.Log.Error("a match cannot be opened", "match", id, "error", err)
	return failed("receipt.unreadable", "name", id, "reason", wordingOf(err))
}

// A replay holds a match read back from its journal.
type replay struct {
	journal *engine.Journal
	match   *engine.Match
	steps   []engine.Step // undo and redo included
	stop    *stop         // nil if the journal is whole and the rules agree up to its end
}

// A stop is the line at which a journal cannot be played any further.
type stop struct {
	line      int  // in the file, from 1; 0 if err names it
	offset    int  // where that line begins, in bytes
	seq       int  // inputs before it, which today's rules accept
	lostMoves int  // from this line on; they are lost if the match is continued
	damaged   bool // the file was damaged; else the rules have changed
	err       error
}

// reason returns a text, in the given language, that says why the journal cannot be played
// beyond r.stop. r.stop must not be nil.
func (r *replay) reason(lang engine.Lang) string {
	var located *engine.SyntaxError
	if errors.As(r.stop.err, &located) {
		return located.Told(lang)
	}
	refusal, refused := engine.AsRefusal(r.stop.err)
	if !refused {
		return engine.ErrorIn(engine.Faultf(r.stop.line, "the rules fail: %v", r.stop.err), lang)
	}
	view := r.match.View()
	why := r.match.Words().Say(lang, refusal.Text, view.Names())
	return (&engine.SyntaxError{Line: r.stop.line, Reason: why}).Told(lang)
}

// readBack folds a journal, that is, it plays the journal's inputs again. It returns an error
// if the head of the journal is damaged or refused by the game, if this program has no such
// game, or if the game panics. If something is wrong after the head, the replay ends at that
// line, and its field stop says what is wrong.
func readBack(games map[string]engine.Game, id string, data []byte) (r replay, err error) {
	defer func() {
		if p := recover(); p != nil { // in a game's New or View
			err = engine.Faultf(0, "the rules fail: %v", p)
		}
	}()
	journal, damage := engine.ParseJournal(id, data)
	if r.journal = journal; journal == nil {
		return r, damage
	}
	game := games[r.journal.Setup.Game]
	if game == nil {
		return r, engine.Faultf(0, "there is no game %q in this program", r.journal.Setup.Game)
	}
	if r.match, err = engine.NewMatch(game, r.journal.Setup); err != nil {
		return r, err
	}
	if damage != nil {
		r.stop = &stop{offset: journal.Length, damaged: true, err: damage}
	}
	r.steps = make([]engine.Step, 0, len(journal.Lines))
	for i, line := range journal.Lines {
		if err := r.take(i, line); err != nil {
			r.stop = &stop{line: line.Number, offset: lineBegin(data, line.Number), damaged: journal.Miscounted(i), err: err}
			break
		}
	}
	if r.stop != nil {
		r.stop.seq = r.match.Seq()
		r.stop.lostMoves = engine.CountMoves(data[r.stop.offset:], r.stop.seq)
	}
	return r, nil
}

// take plays line i of the journal.
func (r *replay) take(i int, line engine.Line) error {
	if line.Mark != nil {
		return r.journal.CheckMark(i, r.match)
	}
	step, err := r.match.Apply(line.Input)
	if err != nil {
		return err
	}
	if got := step.Input.Command(); got != line.Input.Command() {
		return engine.Faultf(line.Number, "this input is taken as another: %s", got)
	}
	step.Events = slices.Clone(step.Events)
	r.steps = append(r.steps, step)
	return nil
}

// readFault returns a text that describes the fault of a journal to people. err is the fault,
// and lang is the language of the text. If nothing of the journal could be read, j is nil.
func readFault(games map[string]engine.Game, j *engine.Journal, err error, lang engine.Lang) string {
	var game engine.Game
	if j != nil {
		game = games[j.Setup.Game]
	}
	return engine.SayFault(err, game, lang)
}

// pastEvents returns the past events that pages show. These are the events of the newest
// inputs. Inputs without events do not count, and at most maxPast inputs count.
func (r *replay) pastEvents() []engine.Event {
	from := len(r.steps)
	for told := 0; from > 0 && told < maxPast; {
		from--
		if len(r.steps[from].Events) > 0 {
			told++
		}
	}
	var past []engine.Event
	for _, step := range r.steps[from:] {
		past = append(past, step.Events...)
	}
	return past
}

// lineBegin returns the offset in bytes of line n, counted from 1.
func lineBegin(data []byte, n int) int {
	at := 0
	for ; n > 1; n-- {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	return at
}

// info reads a journal on the disk, and returns the entry of the match for the list of
// matches. If the journal is whole and says how the match ended, the entry says the same, even
// if today's rules disagree. If the journal is whole but does not say so, it is played to its
// end, and the match is then finished or unfinished.
//
// If the journal cannot be read, the match is damaged. If only a part of the journal can be
// played, the match is unfinished, or damaged if the last line says how it ended. In both
// cases the entry has the reason.
func (s *store) info(games map[string]engine.Game, id string) engine.MatchInfo {
	info := engine.MatchInfo{ID: id, State: "damaged", Seats: []engine.Player{}}
	info.Begin = engine.BeginOf(id) // for a journal that cannot be read
	data, err := s.read(id)
	if err != nil {
		info.Reason = publicReason(err, s.lang)
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
		if j.End != nil && (err == nil || putAway(data)) { // whether today's rules agree does not matter
			info.State, info.Winners = j.End.State, j.End.Winners
			return info
		}
	}
	if err == nil {
		if match := fold(games, j, info.Inputs); match != nil {
			recordStanding(&info, match)
			return info
		}
	}
	r, err := readBack(games, id, data)
	switch {
	case err != nil:
		info.Reason = readFault(games, j, err, s.lang)
	case r.stop == nil:
		recordStanding(&info, r.match)
	default:
		info.Reason = r.reason(s.lang)
		if !putAway(data) {
			info.State = "unfinished"
			info.Stand(r.match)
		}
	}
	return info
}

// recordStanding records the state of a match in the entry of the match. The match must have
// been folded to the end of its journal. The entry is then finished, with the winners, or
// unfinished, with the scores.
func recordStanding(info *engine.MatchInfo, match *engine.Match) {
	if match.Over() {
		info.State, info.Winners = "finished", match.View().Winners
		return
	}
	info.State = "unfinished"
	info.Stand(match)
}

// fold plays a whole journal and returns the match. inputs is the number of inputs in the
// journal. fold is ten times faster than readBack, because it makes no view after each input.
// If the game is unknown, or if today's rules do not agree with the journal, fold returns nil.
// The caller then gets the reason from readBack.
func fold(games map[string]engine.Game, j *engine.Journal, inputs int) *engine.Match {
	game := games[j.Setup.Game]
	if game == nil {
		return nil
	}
	lines := j.Lines
	match, err := engine.Follow(game, j, func(_ *engine.Match, step engine.Step) error {
		for lines[0].Mark != nil {
			lines = lines[1:]
		}
		if step.Input.Command() != lines[0].Input.Command() {
			return errors.New("this input is taken as another")
		}
		lines = lines[1:]
		return nil
	})
	if err != nil || match.Seq() != inputs {
		return nil
	}
	return match
}

// putAway reports whether the last line of a damaged journal says how the match ended. For
// example, players may have abandoned the match. They are then not asked to continue it. Zero
// bytes after the last line are ignored.
func putAway(data []byte) bool {
	data = bytes.TrimRight(data, "\x00\n")
	return bytes.HasPrefix(data[bytes.LastIndexByte(data, '\n')+1:], []byte("end "))
}
