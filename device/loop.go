package device

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/engine"
)

// grace is how long outputs may show the last frame, and sources may take to
// end, when the table is switched off.
const grace = 3 * time.Second

// A loop owns the match. Only the goroutine of Run touches it.
type loop struct {
	Config
	table *Table
	store *store
	rules map[string]engine.Game
	words engine.Words // of the game at the table
	said  string       // the game that words belongs to

	match  *engine.Match  // nil at an empty table
	ended  bool           // the journal's last line says how the match ended
	since  time.Time      // when the match began or was resumed…
	base   time.Duration  // …and its time then
	past   []engine.Event // what had happened then
	last   engine.Setup   // of the match before, for a rematch
	lobby  lobby
	dice   dice
	cursor int
	asked  engine.View // the view for which the cursor stands

	lesson *lesson         // the tag that is waited for, to learn it; or nil
	taught map[string]bool // tags that were learnt and not tapped since

	receipt *engine.Receipt // the newest
	count   int
	health  []engine.Part
	keeper

	// What waits to be shown: all of it after the sync that covers it.
	stale   bool           // whether there is something to show at all
	events  []engine.Event // since the frame before
	after   []func()       // done when it is kept
	answers []answer

	ctx, showing context.Context // of sources; of outputs
	sources      sync.WaitGroup
	outputs      sync.WaitGroup
	boxes        []*mailbox
	direct       []Part
}

type answer struct {
	to      chan<- engine.Receipt // holds one
	receipt engine.Receipt
}

// A batch is one frame and everything that waits for it.
type batch struct {
	frame   *engine.Frame // nil when there is nothing new to show
	after   []func()
	answers []answer
}

func newLoop(config Config, t *Table) *loop {
	l := &loop{Config: config, table: t, store: t.store, rules: map[string]engine.Game{}, cursor: -1, stale: true}
	for i, g := range config.Games {
		l.rules[t.games[i].Name] = g
	}
	l.speak("")
	l.lobby.games, l.lobby.seats = t.games, config.Seats
	l.health = []engine.Part{{Name: "journal", Health: engine.OK}}
	l.keeper = newKeeper()
	return l
}

// speak sets the words to those of a game.
func (l *loop) speak(game string) {
	if l.words == nil || game != l.said {
		l.words, l.said = wordsOf(l.table.games, game), game
	}
}

// speakSetup adds what a game says of a setup that cannot be. The table still
// speaks as it did: it is empty, or shows how another game ended.
func (l *loop) speakSetup(game string) {
	own, reasons := wordsOf(l.table.games, game), engine.Words{}
	for key, word := range own {
		if strings.HasPrefix(key, "setup.") {
			reasons[key] = word
		}
	}
	l.words = engine.Merge(own, l.words, reasons)
}

// scan reads the journals on the disk and asks about the newest unfinished
// one.
func (l *loop) scan() error {
	ids, err := l.store.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		info := l.store.info(l.rules, id)
		if info.State == "damaged" {
			l.Log.Warn("journal is damaged and left as it is", "match", id, "error", info.Reason)
		}
		l.table.list.put(info)
	}
	if info, ok := l.table.list.unfinished(time.Now()); ok && !l.New {
		l.lobby.unfinished = &waiting{id: info.ID, game: info.Game}
	}
	return nil
}

func (l *loop) run(ctx context.Context) error {
	showing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	l.ctx, l.showing = ctx, showing
	for ctx.Err() == nil {
		for _, do := range l.table.inbox.take() {
			do(l)
		}
		l.flush()
		select {
		case <-ctx.Done():
		case <-l.table.inbox.ready:
		case err := <-l.synced:
			l.settleSync(err)
		case <-l.retry.C:
			l.wants = true
		case <-l.overdue.C:
			l.settleLate()
		}
	}
	return l.end(stop)
}

// end answers and keeps what was asked before, lets outputs show it and
// closes everything.
func (l *loop) end(stop func()) error {
	if !waitFor(&l.sources) {
		l.Log.Warn("a source does not end")
	}
	for _, do := range l.table.inbox.close() {
		do(l)
	}
	if l.match != nil && !l.ended {
		l.learn(l.match)
	}
	l.finishKeeping()
	for _, box := range l.boxes {
		box.close()
	}
	if !waitFor(&l.outputs) {
		stop()
		if !waitFor(&l.outputs) {
			l.Log.Warn("an output does not end")
		}
	}
	return l.closeJournals()
}

// waitFor waits for parts to end, as long as grace.
func waitFor(group *sync.WaitGroup) bool {
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// flush shows and answers what waits, through a sync where something is to be
// kept. While a sync is under way everything waits for its end: that is the
// group commit.
func (l *loop) flush() {
	for l.due() {
		l.show()
	}
}

// due reports whether something waits that can go on now.
func (l *loop) due() bool {
	if l.job != nil && !l.job.late {
		return false
	}
	return l.stale || len(l.answers) > 0 || l.wants && l.job == nil
}

func (l *loop) show() {
	var view engine.View
	if l.stale {
		view = l.view()
		l.noteEnd(view)
	}
	job := l.startSync() // frames are drawn while the disk works
	b := batch{after: l.after, answers: l.answers}
	if l.stale {
		f := l.draw(view)
		b.frame = &f
	}
	l.after, l.answers, l.events, l.stale = nil, nil, nil, false
	if job != nil {
		job.batch = b
		return
	}
	l.settle(b)
}

// view is the match, or the empty table, with what the table itself asks.
func (l *loop) view() engine.View {
	var v engine.View
	if l.match != nil {
		v = offerDice(l.match.View())
		if len(v.Winners) > 0 {
			v.Prompts = append(slices.Clip(v.Prompts), overPrompt())
		}
	} else {
		var prompts []engine.Prompt
		if len(l.lobby.games) > 0 {
			p, setup := l.lobby.ask()
			l.speak(setup.Game) // options are asked for in its words
			prompts = append(prompts, p)
		}
		v = engine.EmptyView(prompts...)
		if slices.ContainsFunc(l.table.list.all(), func(m engine.MatchInfo) bool { return m.State == "damaged" }) {
			v.Notices = append(v.Notices, "damaged-journal")
		}
	}
	v.Table = l.Name
	if !samePrompt(v, l.asked) {
		l.cursor = -1
	}
	l.cursor, l.asked = point(v, l.cursor), v
	return v
}

// draw makes a frame of the view and of what has happened.
func (l *loop) draw(view engine.View) engine.Frame {
	names := view.Names()
	status := engine.Status{Cursor: l.cursor, Address: l.Address, Simulated: l.Simulated}
	if l.receipt != nil {
		receipt := *l.receipt
		status.Receipt = &receipt
	}
	if w := l.lobby.waits(); l.match == nil && w != nil {
		status.Unfinish = w.id
	}
	return engine.Frame{
		View:   l.words.SpeakView(l.Lang, view),
		Events: l.words.SpeakEvents(l.Lang, l.events, names),
		Past:   l.past,
		Status: status, Words: l.words, Lang: l.Lang,
	}
}

// settle shows and answers a batch. How the disk does is told as it is now.
func (l *loop) settle(b batch) {
	for _, do := range b.after {
		do()
	}
	if f := b.frame; f != nil {
		f.Status.Keeping = l.trouble.Key == ""
		f.Status.Health = slices.Clone(l.health)
		if !f.Status.Keeping {
			f.Status.Trouble = f.Words.Say(f.Lang, l.trouble, nil)
		}
		l.table.frame.Store(f)
		l.showDirect(*f)
		for _, box := range l.boxes {
			box.put(*f)
		}
	}
	for _, a := range b.answers {
		a.to <- a.receipt
	}
}

// showDirect shows a frame to the outputs that never wait.
func (l *loop) showDirect(f engine.Frame) {
	for _, part := range l.direct {
		if err := guard(l.Log, part.Name, func() error { return part.Output.Show(l.showing, f) }); err != nil {
			l.Log.Error("output failed", "part", part.Name, "error", err)
		}
	}
}

func (l *loop) answer(to chan<- engine.Receipt, r engine.Receipt) {
	l.answers = append(l.answers, answer{to, r})
}

// note finishes a receipt and makes it the newest.
func (l *loop) note(r engine.Receipt) engine.Receipt {
	l.count++
	r.N = l.count
	if l.match != nil {
		r.Seq = l.match.Seq()
	}
	if r.Text.Key != "" {
		var names map[engine.Seat]string
		if l.match != nil {
			v := l.match.View()
			names = v.Names()
		}
		r.Spoken = l.words.Say(l.Lang, r.Text, names)
	}
	l.receipt, l.stale = &r, true
	return r
}

// connect starts a part.
func (l *loop) connect(part Part) {
	if l.ctx == nil || l.ctx.Err() != nil {
		return // the table is being switched off
	}
	if part.Direct {
		l.direct = append(l.direct, part)
		f := l.table.Frame()
		f.Events = nil
		_ = guard(l.Log, part.Name, func() error { return part.Output.Show(l.showing, f) })
		return
	}
	l.setHealth(engine.Part{Name: part.Name, Health: engine.OK})
	if part.Output != nil {
		box := newMailbox()
		l.boxes = append(l.boxes, box)
		f := l.table.Frame()
		f.Events = nil
		box.put(f)
		l.outputs.Go(func() { box.deliver(l.showing, part, l.table.Report, l.Log) })
	}
	if part.Source != nil {
		l.sources.Go(func() { runSource(l.ctx, part, l.table.emit, l.table.Report, l.Log) })
	}
}

func (l *loop) setHealth(part engine.Part) {
	i := slices.IndexFunc(l.health, func(p engine.Part) bool { return p.Name == part.Name })
	switch {
	case i < 0:
		l.health = append(l.health, part)
	case l.health[i] == part:
		return
	default:
		l.health[i] = part
	}
	l.stale = true
}

// pickFirst chooses who begins.
func pickFirst(chance *rand.Rand, players []engine.Player) engine.Seat {
	return players[chance.IntN(len(players))].Seat
}
