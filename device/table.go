package device

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// Config describes a table. Dir and Games are required.
type Config struct {
	Name  string        // of the table, in views and topics
	Dir   string        // the journals are in Dir/matches; created if missing
	Games []engine.Game // games that can be played here
	Lang  engine.Lang   // "" means English

	// Seats lists where people sit, clockwise, with their usual names. If a match begins
	// without a list of its players, the players get the first of these seats. If there are
	// too few seats, the table adds seats from engine.UsualSeats.
	Seats []engine.Player

	// Tags returns the meaning of a tag, by its UID or else by its text; false if it has none.
	// If Tags is nil, no tag has a meaning. It is called from several goroutines.
	Tags func(tag, text string) (Meaning, bool)
	// LearnTag stores the meaning of a tag. It returns the tag that had this meaning before
	// and loses it, or "". An *engine.SyntaxError without a file says that the tag is
	// malformed, or has a new random UID each time. If LearnTag is nil, this table has no
	// reader and learns no tags.
	LearnTag func(tag string, m Meaning) (before string, err error)
	// Definitions returns the owner's cards and board for a game, which go into
	// each match that begins. An error refuses the match.
	Definitions func(game string) ([]string, error)
	// Learn stores the definitions that players were asked for at the table. Definitions that
	// were undone are left out. It is called when the match is over or left, or the table is
	// switched off. It may get the same definitions again.
	Learn func(game string, defines []string) error
	// Followers hold the hidden cards of a simulated table, and play the table's own seats. Each step goes to one
	// after the other.
	Followers []Follower

	// Chance throws dice and picks who begins. If Chance is nil, the table uses unpredictable
	// random numbers. The table's goroutine owns it.
	Chance *rand.Rand
	Log    *slog.Logger // nil drops all messages

	Hall      string   // name of the hall that sends messages and gets calls for help; "" for none
	New       bool     // leave an unfinished match as it is, without asking
	Address   string   // for Status
	Simulated bool     // for Status
	Computer  Computer // plays Setup.Computer; nil: only people play here
	Digits    bool     // for Status
}

// A Computer plays seats of the matches that it follows. Its methods may be called from any goroutine.
type Computer interface {
	// Connect tells it its table, before it runs.
	Connect(*Table)
	// CanPlay reports whether it can play seats of a match.
	CanPlay(engine.Setup) bool
	// Hand gives these of its seats to people; it plays the others, or waits. If nothing else has changed, it gives its
	// next answer at once.
	Hand(taken []engine.Seat, wait bool)
	// Peek looks at a card that lies face down on the reader of a seat, or of the table, and reports whether
	// it is for its own eyes, after so many steps of the match.
	Peek(reader engine.Seat, card string, seq int) bool
	// Asks returns what people do for a seat after so many steps of the match, or nil if there is nothing or it does
	// not know of them all. It takes the place of what the seat is asked.
	Asks(seq int) *engine.Prompt
}

// A Follower watches matches. It learns when a match begins. It gets each step once the step
// is saved or could not be saved. Only one goroutine calls its methods.
type Follower interface {
	// Begin is called when a match begins, or was read back from its journal: Follow then gets
	// all of its steps so far. state is the match before its first input; nil says that the
	// table is empty.
	Begin(setup engine.Setup, state engine.State)
	Follow(step engine.Step, learned []string) // learned is what Match.Learned returns
}

// A Table plays matches. Its methods may be called from any goroutine.
type Table struct {
	inbox *queue
	loop  *loop // of the goroutine in Run
	store *store
	past  *history.History
	games []engine.Info
	frame atomic.Pointer[engine.Frame]

	lastTag atomic.Pointer[TagRead]

	list matchList
}

// New opens the data folder, locks it and reads the journals. An error tells the
// owner that the folder is in use or cannot be written. Call Run afterwards, which unlocks the folder.
func New(config Config) (*Table, error) {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.Lang == "" {
		config.Lang = engine.English
	}
	if config.Chance == nil {
		config.Chance = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	store, err := openStore(config.Dir)
	if err != nil {
		return nil, err
	}
	t := &Table{inbox: &queue{ready: make(chan struct{}, 1)}, store: store, past: history.New(config.Dir, config.Games)}
	t.past.Lang, t.past.Rewrite = config.Lang, t.Rewrite
	for _, g := range config.Games {
		t.games = append(t.games, g.Info())
	}
	t.loop = newLoop(config, t)
	if err := t.loop.scan(); err != nil {
		return nil, errors.Join(err, store.close())
	}
	t.loop.flush()
	if config.Computer != nil {
		config.Computer.Connect(t)
	}
	return t, nil
}

// Run plays until the context ends. Then it answers and saves the inputs that have come, lets
// the outputs show them, and unlocks the folder. An error names the matches whose last lines
// could not be saved. Run must be called once.
func (t *Table) Run(ctx context.Context) error { return t.loop.run(ctx) }

// Add connects a part to the table. If Run has not begun yet, the part is connected when Run
// begins.
func (t *Table) Add(part Part) {
	t.inbox.put(func(l *loop) { l.connect(part) })
}

// Remove stops the source of a part, disconnects the output of the part, and waits until both
// have ended. The health of the part then leaves the status. If the context ends first, Remove
// returns the context's error, and the health leaves the status when the part has ended. If no
// such part is connected, Remove returns nil. A Direct part cannot be removed.
func (t *Table) Remove(ctx context.Context, part string) error {
	ended, ok := inLoop(ctx, t, func(l *loop) <-chan struct{} { return l.disconnect(part) })
	if !ok {
		return ctx.Err() // nil: the table is switched off, and with it all parts
	}
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Notice adds a notice of the table to all views. If visible is false, Notice removes the
// notice from them. word names a text in the group "notice" of Words.
func (t *Table) Notice(word string, visible bool) {
	t.inbox.put(func(l *loop) {
		if slices.Contains(l.notices, word) == visible {
			return
		}
		l.notices = slices.DeleteFunc(l.notices, func(n string) bool { return n == word })
		if visible {
			l.notices = append(l.notices, word)
		}
		l.outbox.stale = true
	})
}

// SetDigits sets the field Digits of the table's status. The field tells displays whether
// players can answer with a number pad.
func (t *Table) SetDigits(has bool) {
	t.inbox.put(func(l *loop) {
		l.outbox.stale = l.outbox.stale || l.Digits != has
		l.Digits = has
	})
}

// Report sets the health of a part, for parts that check their health themselves. If the field
// Health is "", the part is removed from the status.
func (t *Table) Report(part engine.Part) {
	t.inbox.put(func(l *loop) { l.outbox.setHealth(part) })
}

// Input applies an input to the match, or to the questions of the empty table. The input gets
// the time of the table's clock. The receipt comes once the input is saved or refused. If the
// context ends first, the receipt says that there was no answer. The input may then still be
// accepted.
func (t *Table) Input(ctx context.Context, in engine.Input) engine.Receipt {
	in.Args = slices.Clone(in.Args)
	return t.wait(ctx, t.post(func(l *loop, at time.Time) engine.Receipt { return l.applyLine(in, at) }))
}

// Play applies an input from a journal to the match, unchanged. The input keeps its own time,
// and gets no help that the table gives to people who press keys, such as the cursor. Play
// waits for the receipt as Input does.
func (t *Table) Play(ctx context.Context, in engine.Input) engine.Receipt {
	in.Args = slices.Clone(in.Args)
	return t.wait(ctx, t.post(func(l *loop, at time.Time) engine.Receipt { return l.playLine(in, at) }))
}

// Try finds out to which views some inputs would lead, and changes nothing. The first result
// is the fingerprint of the present view. The second result has, for each input, what it would do.
// Inputs that lead to the same fingerprint have the same effect.
//
// If there is no match, if the table is switched off, or if the context ends first, all
// fingerprints are "".
func (t *Table) Try(ctx context.Context, inputs []engine.Input) (now string, results []engine.Trial) {
	type answer struct {
		now     string
		results []engine.Trial
	}
	a, ok := inLoop(ctx, t, func(l *loop) answer {
		now, results := l.game.try(inputs)
		return answer{now, results}
	})
	if !ok {
		return "", make([]engine.Trial, len(inputs))
	}
	return a.now, a.results
}

// Judge judges moves in a match, as the view with the number seq shows it. If the table plays another
// match, if that view is no longer the newest, or if the context ends first, ok is false.
func (t *Table) Judge(ctx context.Context, match string, seq int, moves []engine.Move) (verdicts []engine.Verdict, ok bool) {
	type answer struct {
		verdicts []engine.Verdict
		ok       bool
	}
	a, _ := inLoop(ctx, t, func(l *loop) answer {
		m := l.game.match
		if m == nil || m.Setup().MatchID() != match || m.Seq() != seq {
			return answer{}
		}
		return answer{m.Judge(moves), true}
	})
	return a.verdicts, a.ok
}

// Do carries out an order, such as an order to begin, resume, abandon or repeat a match. The
// receipt comes once the result is saved. If the context ends first, the receipt says that
// there was no answer. The order may then still be carried out.
func (t *Table) Do(ctx context.Context, order engine.Order) engine.Receipt {
	return t.wait(ctx, t.post(func(l *loop, at time.Time) engine.Receipt { return l.order(order, at) }))
}

// Alive gives the loop a task, and reports whether the loop runs this task before the context
// ends. Call Alive only while Run is running.
func (t *Table) Alive(ctx context.Context) bool {
	_, alive := inLoop(ctx, t, func(*loop) bool { return true })
	return alive
}

// inLoop returns what a function returns in the goroutine of the loop. If the table is switched
// off, or if the context ends first, ok is false.
func inLoop[T any](ctx context.Context, t *Table, do func(*loop) T) (result T, ok bool) {
	done := make(chan T, 1)
	if !t.inbox.put(func(l *loop) { done <- do(l) }) {
		return result, false
	}
	select {
	case result = <-done:
		return result, true
	case <-ctx.Done():
		return result, false
	}
}

// Emit passes a signal to the table. It is for callers that are not the Source of a Part. The
// receipt comes on the returned channel. The caller need not read the channel.
func (t *Table) Emit(s Signal) <-chan engine.Receipt {
	return t.post(func(l *loop, at time.Time) engine.Receipt { return l.handleSignal(s, at) })
}

func (t *Table) post(do func(*loop, time.Time) engine.Receipt) <-chan engine.Receipt {
	at, answer := time.Now(), make(chan engine.Receipt, 1)
	t.loop.outbox.waiting.Add(1)
	if !t.inbox.put(func(l *loop) {
		l.clerk.delay, l.learner.delay, l.lessons.clerk.delay = 0, 0, 0
		l.outbox.answer(answer, do(l, at))
	}) {
		answer <- t.failedReceipt("receipt.stopped")
		t.loop.outbox.waiting.Add(-1)
	}
	return answer
}

func (t *Table) wait(ctx context.Context, answer <-chan engine.Receipt) engine.Receipt {
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		return t.failedReceipt("receipt.no-answer")
	}
}

func (t *Table) failedReceipt(key string) engine.Receipt {
	f := t.Frame()
	text := engine.T(key)
	return engine.Receipt{Outcome: engine.Failed, Seq: f.View.Seq, Text: text, Spoken: f.Words.Say(f.Lang, text, nil)}
}

// Pause returns when no input waits for its receipt, or after 20 ms, as the disk may hang. Whoever computes for long
// calls it often.
func (t *Table) Pause() {
	runtime.Gosched()
	for n := 0; n < 200 && t.loop.outbox.waiting.Load() > 0; n++ {
		time.Sleep(100 * time.Microsecond)
	}
}

// History returns the history of the table's matches.
func (t *Table) History() *history.History { return t.past }

// Frame returns the last frame shown.
func (t *Table) Frame() engine.Frame { return *t.frame.Load() }

// Games lists the games that can be played here.
func (t *Table) Games() []engine.Info { return t.games }

// Matches lists the matches on the disk, newest first, including the current one.
func (t *Table) Matches() []engine.MatchInfo {
	matches, playing := t.list.allMatches(), t.list.current()
	for i := range matches {
		if matches[i].ID == playing {
			matches[i].Inputs = t.Frame().View.Seq
		}
	}
	return matches
}

// Journal returns the journal of a match as it is on the disk. If match is "", Journal returns
// the journal of the current match. If there is no such match, the error is fs.ErrNotExist.
func (t *Table) Journal(match string) ([]byte, error) {
	if match == "" {
		match = t.list.current()
	}
	if match == "" {
		return nil, fs.ErrNotExist
	}
	return t.past.Journal(match)
}
