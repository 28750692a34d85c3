package device

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

// gracePeriod is how long the table waits for its sources to end when it is switched off. It
// then waits as long again for its outputs to show the last frame.
const gracePeriod = 3 * time.Second

// A loop owns the match. It connects the parts below and selects the next event. Once Run has
// begun, only one goroutine uses the loop and its parts. But any goroutine may read the field
// "rules", because it never changes.
type loop struct {
	Config
	table *Table
	rules map[string]engine.Game // games, by name

	game    game
	lobby   lobby
	hearing hearing
	lessons lessons
	keeper  keeper
	outbox  outbox
	clerk   clerk       // reads journals and the owner's cards, and sets journals aside
	learner clerk       // writes the owner's cards
	clock   *time.Timer // fires when the clock of the match has something new to show

	ctx       context.Context // of sources; nil before the table runs
	sources   sync.WaitGroup
	connected map[string]*connection // by the name of the part, until the part was removed and has ended
	defines   map[string][]string    // the owner's cards as they were read last, by game
	notices   []string               // of the table itself, for everybody
	claims    map[string]int         // the matches of each call of Rewrite under way
}

// A connection is a part that is connected to the table. Its source and its output end
// independently of each other.
type connection struct {
	stop    func()        // stops the source, and disconnects the output
	removed bool          // they were stopped
	over    bool          // both have ended
	ended   chan struct{} // closed once both have ended
}

func newLoop(config Config, t *Table) *loop {
	l := &loop{Config: config, table: t, rules: map[string]engine.Game{}, connected: map[string]*connection{},
		claims: map[string]int{}, defines: map[string][]string{}}
	for i, g := range config.Games {
		l.rules[t.games[i].Name] = g
	}
	l.game = newGame(t.games, config.Lang)
	l.lobby = lobby{games: t.games, seats: config.Seats}
	l.lessons = lessons{log: config.Log, games: t.games, lang: config.Lang, learnTag: config.LearnTag, say: l.game.say}
	l.keeper = newKeeper(t.store, config.Log)
	l.outbox = outbox{log: config.Log, lang: config.Lang, frame: &t.frame, stale: true}
	l.clock = time.NewTimer(time.Hour)
	l.clock.Stop()
	l.outbox.health = []engine.Part{{Name: "journal", Health: engine.OK}}
	return l
}

// scan fills the list with the matches on the disk. The lobby then asks whether to continue
// the newest unfinished match. If Config.New is set, the lobby does not ask.
func (l *loop) scan() error {
	infos, err := l.table.past.Infos()
	if err != nil {
		return err
	}
	for _, info := range infos {
		if info.State == "damaged" {
			l.Log.Warn("journal is damaged and left as it is", "match", info.ID, "error", info.Reason)
		}
	}
	l.table.list.fill(infos)
	if info, ok := l.table.list.newestUnfinished(time.Now()); ok && !l.New {
		l.lobby.waiting = &waitingMatch{id: info.ID, game: cmp.Or(info.Preset, info.Game)}
	}
	return nil
}

func (l *loop) run(ctx context.Context) error {
	showing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	l.ctx, l.outbox.ctx = ctx, showing
	for ctx.Err() == nil {
		for _, do := range l.table.inbox.take() {
			do(l)
		}
		l.flush()
		select {
		case <-ctx.Done():
		case <-l.table.inbox.ready:
		case <-l.keeper.synced:
			l.settle(l.keeper.settle())
		case <-l.keeper.retry.C:
			l.keeper.retryAll()
		case <-l.keeper.overdue.C:
			l.settle(l.keeper.settleLate())
		case <-l.clock.C:
			l.outbox.stale = true
		}
	}
	l.clock.Stop()
	return l.end(stop)
}

// end closes everything when the table is switched off. It first waits for the sources, but no
// longer than gracePeriod. Then it answers and saves all earlier inputs, and lets the outputs
// show them. If an output takes longer than gracePeriod, end calls stop to cancel it. An error
// names the matches whose last lines could not be saved.
func (l *loop) end(stop func()) error {
	if !waitFor(&l.sources) {
		l.Log.Warn("a source does not end")
	}
	for _, do := range l.table.inbox.close() {
		do(l)
	}
	if l.game.playing() {
		l.learn(l.game.match)
	}
	l.finishKeeping()
	l.outbox.close(stop)
	return l.keeper.close(func() string { return l.game.say(l.keeper.trouble()) })
}

// waitFor waits until the parts of a group have ended, but no longer than gracePeriod. It
// reports whether all of them have ended.
func waitFor(group *sync.WaitGroup) bool {
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	timer := time.NewTimer(gracePeriod)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// flush shows what has changed and sends the waiting receipts. If there are lines to save,
// flush only begins a sync, and the frame and the receipts go out after the sync. While
// players wait for a sync, flush does nothing. Inputs that come in the meantime then share the
// next sync.
func (l *loop) flush() {
	for !l.keeper.isBusy() && (l.outbox.waits() || l.keeper.due()) {
		l.show()
	}
}

func (l *loop) show() {
	var frame <-chan *engine.Frame
	if l.outbox.stale {
		view := l.view()
		l.noteEnd(view)
		frame = l.draw(view)
	}
	job := l.keeper.start()
	b := l.outbox.pack(frame)
	if job != nil {
		job.batch = b
		return
	}
	l.outbox.settle(b, l.keeper.trouble())
}

// settle reports the journal's health after a sync. If a batch waited for the sync, settle
// also shows its frame and sends its receipts.
func (l *loop) settle(b *batch) {
	part := engine.Part{Name: "journal", Health: engine.OK}
	if trouble := l.keeper.trouble(); trouble.Key != "" {
		part.Health, part.Reason = engine.Broken, l.game.say(trouble)
	} else if j := l.keeper.failing(); j != nil { // of an earlier match
		part.Health = engine.Degraded
		part.Reason = l.game.say(engine.T("trouble.earlier", "name", j.id, "reason", wordingOf(j.failure)))
	}
	l.outbox.setHealth(part)
	if b != nil {
		l.outbox.settle(*b, l.keeper.trouble())
	}
}

// finishKeeping saves all lines and sends all receipts, for the last time. If the disk does
// not finish within syncLimit, finishKeeping only sends the receipts.
func (l *loop) finishKeeping() {
	limit := time.NewTimer(syncLimit)
	defer limit.Stop()
	for l.keeper.retryAll(); ; {
		l.flush()
		if l.keeper.job == nil {
			return
		}
		select {
		case <-l.keeper.synced:
			l.settle(l.keeper.settle())
		case <-limit.C: // the disk hangs: nothing more can be done
			l.settle(l.keeper.settleLate())
			l.flush()
			return
		}
	}
}

// view returns the view of the match or of the empty table, with the table's own questions. It
// also decides again whether to ask the players about the hall's proposal, and adapts the
// cursor to the view.
func (l *loop) view() engine.View {
	var v engine.View
	if l.game.match != nil {
		v = l.game.view()
		l.propose(&v)
	} else {
		l.propose(nil)
		v = l.emptyView()
	}
	v.Table = l.Name
	if len(l.notices) > 0 {
		v.Notices = slices.Concat(v.Notices, l.notices)
	}
	l.game.helped = ""
	if l.Computer != nil && l.game.match != nil && !v.AsksEverybody() {
		if p := l.Computer.Asks(v.Seq); p != nil {
			l.game.helped = p.Seat
			others := slices.DeleteFunc(slices.Clone(v.Prompts), func(q engine.Prompt) bool { return q.Seat == p.Seat })
			v.Prompts = slices.Insert(others, 0, *p)
		}
	}
	l.game.cursor.follow(v)
	return v
}

func (l *loop) emptyView() engine.View {
	var prompts []engine.Prompt
	if len(l.lobby.games) > 0 {
		l.lobby.lately = l.table.list.lately()
		p, setup := l.lobby.ask()
		l.game.speak(setup.Game) // the questions about its options use its words
		prompts = append(prompts, p)
	}
	v := engine.EmptyView(prompts...)
	if l.table.list.damaged() {
		v.Notices = append(v.Notices, "damaged-journal")
	}
	return v
}

// draw returns a channel that gets a frame with the view and the events since the last frame. The
// frame shows the match's clock at the present time. Its texts are said in a goroutine, while the
// disk works. draw also sets the timer for the next change of this clock.
func (l *loop) draw(view engine.View) <-chan *engine.Frame {
	now := time.Now()
	l.clock.Stop()
	if view.Clock != nil {
		view.Clock = view.Clock.After(l.game.clock(now) - l.game.match.Last())
		if next := view.Clock.Next(); next > 0 {
			l.clock.Reset(next)
		}
	}
	names, words := view.Names(), l.game.words
	status := engine.Status{Cursor: l.game.cursor.at, Address: l.Address, Simulated: l.Simulated,
		Digits: l.Digits, Hall: l.Hall, Seating: l.lobby.proposal.offer,
		Called: l.hearing.callSince, HallText: l.hearing.message}
	if s := l.lobby.proposal.seating; s != nil { // also while they play
		status.RoundEnds = s.Ends
	}
	if l.game.playing() {
		status.Chances = l.game.chances
	}
	lost := func(p engine.Part) bool { return p.Name == "computer" && p.Health == engine.Broken } // people play its seats
	if l.Computer != nil && l.game.match != nil && !slices.ContainsFunc(l.outbox.health, lost) {
		status.Taken, status.Paused = slices.Clone(l.game.taken), l.game.paused
		status.Helped = l.game.helped
		for _, p := range l.game.match.Setup().Seats {
			people := p.Seat == status.Helped || slices.Contains(status.Taken, p.Seat)
			if l.game.match.Setup().Computer[p.Seat] != "" && !people {
				status.Computer = append(status.Computer, p.Seat)
			}
		}
	}
	if l.outbox.receipt != nil {
		receipt := *l.outbox.receipt
		status.Receipt = &receipt
	}
	if text := status.HallText; text.Key != "" {
		status.Says = words.Say(l.Lang, text, names)
	}
	if w := l.lobby.waiting; l.game.match == nil && w != nil {
		status.Unfinish = w.id
	}
	f := &engine.Frame{
		View:   view,
		Events: l.outbox.events,
		Past:   l.game.pastEvents,
		Course: l.game.course,
		Status: status, Words: words, Lang: l.Lang, MadeAt: now,
	}
	drawn := make(chan *engine.Frame, 1)
	go func() {
		f.View = words.SpeakView(f.Lang, f.View)
		f.Events = words.SpeakEvents(f.Lang, f.Events, names)
		f.State = sync.OnceValue(f.Encode)
		drawn <- f
		f.State() // nobody waits for it but who sends it
	}()
	return drawn
}

func (l *loop) note(r engine.Receipt) engine.Receipt {
	if l.game.match != nil {
		r.Seq = l.game.match.Seq()
	}
	if r.Text.Key != "" {
		r.Spoken = l.game.say(r.Text)
	}
	return l.outbox.note(r)
}

// connect starts a part, unless the table is being switched off.
func (l *loop) connect(part Part) {
	if l.ctx.Err() != nil {
		return // the table is being switched off
	}
	if part.Direct {
		l.outbox.connectDirect(part)
		return
	}
	l.outbox.setHealth(engine.Part{Name: part.Name, Health: engine.OK})
	c := &connection{ended: make(chan struct{})}
	l.connected[part.Name] = c
	// A removed part that has not ended must not report under the name of its successor.
	answerReport := func(p engine.Part) <-chan engine.Receipt {
		return l.table.post(func(l *loop, _ time.Time) engine.Receipt {
			if l.connected[part.Name] == c && !c.removed {
				l.outbox.setHealth(p)
			}
			return engine.Receipt{Outcome: engine.Accepted}
		})
	}
	report := func(p engine.Part) { answerReport(p) }
	var running sync.WaitGroup
	stopOutput, stopSource := func() {}, func() {}
	if part.Output != nil {
		running.Add(1)
		stopOutput = l.outbox.connect(part, report, running.Done)
	}
	if part.Source != nil {
		running.Add(1)
		ctx, stop := context.WithCancel(l.ctx)
		stopSource = stop
		emit := func(s Signal) <-chan engine.Receipt {
			if r, ok := s.(Report); ok {
				return answerReport(r.Part)
			}
			return l.table.Emit(s)
		}
		l.sources.Go(func() {
			defer running.Done()
			defer stop()
			runSource(ctx, part, emit, report, l.Log)
		})
	}
	c.stop = func() { stopOutput(); stopSource() }
	go func() {
		running.Wait()
		l.table.inbox.put(func(l *loop) { c.over = true; l.forget(part.Name, c) })
		close(c.ended)
	}()
}

// forget forgets a part and its health, once the part was removed and has ended.
func (l *loop) forget(name string, c *connection) {
	if c.over && c.removed && l.connected[name] == c {
		delete(l.connected, name)
		l.outbox.setHealth(engine.Part{Name: name})
	}
}

// disconnect stops a part. It returns a channel that is closed once the part has ended, even if
// the part was removed before. The part's health is then removed from the status, unless a newer
// part has the same name.
func (l *loop) disconnect(name string) <-chan struct{} {
	c := l.connected[name]
	if c == nil {
		ended := make(chan struct{})
		close(ended)
		return ended
	}
	c.removed = true
	c.stop()
	l.forget(name, c)
	return c.ended
}
