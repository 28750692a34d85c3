package device

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

func TestReceipts(t *testing.T) {
	var log bytes.Buffer
	config := configured(t.TempDir())
	config.Log = slog.New(slog.NewTextHandler(&log, nil))
	table := start(t, config)
	table.begin("red", "blue")
	for _, c := range []struct {
		line    string
		outcome engine.Outcome
		key     string
	}{
		{"red key plus", engine.Accepted, ""},
		{"green key plus", engine.Refused, "refusal.no-such-seat"},
		{"red tap stray.1", engine.Refused, "refusal.elsewhere"},
		{"red set bug x", engine.Failed, "receipt.failed"},
		{"red set panic x", engine.Failed, "receipt.failed"},
		{"red set blind x", engine.Failed, "receipt.failed"},
		{"red key plus", engine.Accepted, ""},
	} {
		r := table.do(c.line)
		if r.Outcome != c.outcome || r.Text.Key != c.key || strings.Contains(r.Spoken, "«") || r.Seat == "" {
			t.Errorf("%s: %+v", c.line, r)
		}
		if shown := table.Frame().Status.Receipt; shown == nil || shown.N != r.N {
			t.Errorf("%s: shown %+v, answered %+v", c.line, shown, r)
		}
	}
	if r := table.Input(context.Background(), engine.Input{Seat: "red", Verb: "tap",
		Args: []string{"a\nb"}}); r.Outcome != engine.Malformed {
		t.Errorf("a line in a line: %+v", r)
	}
	if r := table.Input(context.Background(), engine.Input{Seat: "red", Verb: "dance"}); r.Outcome != engine.Malformed ||
		!strings.Contains(r.Spoken, "not a verb") {
		t.Errorf("dance: %+v", r)
	}
	if r := table.Input(context.Background(), engine.Input{Seat: "red", Verb: "tap",
		Args: []string{strings.Repeat("x", 4090)}}); r.Outcome != engine.Malformed {
		t.Errorf("a long line: %+v", r)
	}
	if got := lines(t, table, ""); len(got) != 2 || table.count("red") != 2 {
		t.Errorf("lines %q", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := table.Input(ctx, input(t, "red key plus")); r.Outcome != engine.Accepted &&
		(r.Outcome != engine.Failed || r.Text.Key != "receipt.no-answer") {
		t.Errorf("without time: %+v", r)
	}
	table.stop()
	if n := strings.Count(log.String(), `msg="the rules fail"`); n != 3 {
		t.Errorf("log has %d failures:\n%s", n, &log)
	}
}

// TestAnonymous checks that the log does not name a card whose tap was not
// accepted.
func TestAnonymous(t *testing.T) {
	err := errors.New(`engine: mutants: panic in the rules after "red tap zombie.1"`)
	if got := anonymous(err, input(t, "red tap zombie.1")); strings.Contains(got, "zombie") {
		t.Errorf("the log says %s", got)
	}
}

func TestSignals(t *testing.T) {
	for _, lifts := range []bool{false, true} {
		config := configured(t.TempDir())
		config.Games = []engine.Game{countGame{lifts: lifts}}
		table := start(t, config)
		send := func(s Signal) engine.Receipt { return <-table.Emit(s) }
		if r := send(TagOn{Place: "left", Tag: "zombie"}); r.Text.Key != "receipt.no-match" {
			t.Errorf("a tap at an empty table: %+v", r)
		}
		send(TagOff{Place: "left", Tag: "zombie"})
		table.begin("red", "blue")
		if r := send(TagOn{Place: "left", Seat: "red", Tag: "stranger"}); r.Outcome != engine.Unknown || r.Place != "left" ||
			!strings.Contains(r.Spoken, "stranger") {
			t.Errorf("unknown tag: %+v", r)
		}
		if r := send(TagOn{Place: "left", Seat: "red", Tag: "zombie"}); r.Outcome != engine.Accepted || r.Place != "left" ||
			r.Seat != "red" || r.Seq != 1 {
			t.Errorf("tap: %+v", r)
		}
		before := table.Frame().Status.Receipt.N
		send(TagOff{Place: "left", Seat: "red", Tag: "zombie"})
		if !lifts && table.Frame().Status.Receipt.N != before {
			t.Errorf("a lift that means nothing has a receipt: %+v", table.Frame().Status.Receipt)
		}
		send(TagOff{Place: "left", Seat: "red", Tag: "stranger"})
		send(TagOn{Place: "middle", Tag: "bat"})
		send(Press{Place: "button", Seat: "blue", Key: "plus"})
		send(Press{Place: "button", Seat: "blue", Key: "undo"})
		send(Press{Place: "button", Seat: "blue", Key: "redo"})
		if r := send(Press{Place: "button", Seat: "blue", Key: "jump"}); r.Text.Key != "refusal.no-such-key" {
			t.Errorf("odd key: %+v", r)
		}
		send(Report{engine.Part{Name: "left", Health: engine.Degraded, Reason: "slow"}})
		if h := table.Frame().Status.Health; !slices.Contains(h,
			engine.Part{Name: "left", Health: engine.Degraded, Reason: "slow"}) {
			t.Errorf("health %+v", h)
		}
		want := "red tap zombie.1,red lift zombie.1,table tap bat.1,blue key plus,blue undo,blue redo"
		if !lifts {
			want = strings.Replace(want, "red lift zombie.1,", "", 1)
		}
		if got := strings.Join(lines(t, table, ""), ","); got != want {
			t.Errorf("lines %q, want %q", got, want)
		}
	}
}

// TestLinesAreExact checks that a written line means what it means in a journal,
// while a pressed key first moves the cursor.
func TestLinesAreExact(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	table.begin("red", "blue")
	table.must("red key next") // red is to choose
	if r := table.must("red key plus"); r.Seq != 2 || table.count("red") != 1 || table.Frame().Status.Cursor != 0 {
		t.Errorf("a line moved the cursor: %+v", r)
	}
	if r := <-table.Emit(Press{Seat: "red", Key: "plus"}); r.Seq != 2 || table.count("red") != 1 ||
		table.Frame().Status.Cursor != 1 {
		t.Errorf("a key did not move the cursor: %+v", r)
	}
}

// TestOverride checks that yes right after a refusal overrides it, even if the
// cursor waits for a yes.
func TestOverride(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	table.begin("red", "blue")
	table.must("red key next") // red has to choose: yes goes to the cursor
	if r := table.do("red key left"); r.Outcome != engine.Accepted || table.Frame().View.Seq != 1 ||
		table.Frame().Status.Cursor != 2 {
		t.Fatalf("left moves the cursor: %+v", r)
	}
	if r := table.do("blue key minus"); r.Outcome != engine.Refused || !r.Override {
		t.Fatalf("receipt %+v", r)
	}
	table.must("blue key yes")
	if n := table.count("blue"); n != -1 {
		t.Errorf("blue has %d", n)
	}
	if r := table.do("red tap unlikely.1"); r.Outcome != engine.Refused || !r.Override {
		t.Fatalf("receipt %+v", r)
	}
	if r := table.must("red key yes"); r.Seq != 3 || table.Frame().View.Phase != "" {
		t.Fatalf("yes answered the prompt and not the refusal: %+v", r)
	}
	table.must("red key yes")
	if p := table.Frame().View.Phase; p != "cat" {
		t.Errorf("picked %q", p)
	}
	got := strings.Join(lines(t, table, ""), ",")
	if got != "red key next,blue key minus anyway,red tap unlikely.1 anyway,red choose cat" {
		t.Errorf("lines %q", got)
	}
	table.must("table undo", "table undo")
	table.must("table redo")
	table.stop()
	again := start(t, table.loop.Config)
	if r := again.order(engine.Order{Do: "resume"}); r.Outcome != engine.Accepted || r.Seq != 7 {
		t.Errorf("resume: %+v", r)
	}
}

// TestClock checks that the clock of a resumed match goes on from its last line,
// and never runs backwards.
func TestClock(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(dir))
		table.begin("red")
		time.Sleep(1500*time.Millisecond + 400*time.Microsecond)
		table.must("red key plus")
		table.stop()
		time.Sleep(time.Hour)
		again := start(t, configured(dir))
		time.Sleep(time.Minute)
		again.must("table key yes")
		time.Sleep(2 * time.Second)
		again.must("red key plus")
		data, _ := again.Journal("")
		j, err := engine.ParseJournal("", data)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := j.Lines[0].Input.At, 1500*time.Millisecond; got != want {
			t.Errorf("first input at %v, want %v", got, want)
		}
		if got, want := j.Lines[2].Input.At, 3500*time.Millisecond; got != want {
			t.Errorf("input after the resume at %v, want %v", got, want)
		}
		again.stop()
	})
}

// TestDice checks that the table rolls where a prompt asks for dice, and that
// undo leads to no new result.
func TestDice(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	table.begin("red", "blue")
	faces := func() string {
		s := ""
		for _, d := range table.Frame().View.Dice {
			s += string(d.Face)
		}
		return s
	}
	if r := table.do("blue key roll"); r.Outcome != engine.Refused {
		t.Errorf("a roll that nobody asks for: %+v", r)
	}
	table.must("red set dice 3")
	if r := table.do("blue key roll"); r.Outcome != engine.Refused {
		t.Errorf("a roll that another seat is asked for: %+v", r)
	}
	// With keys alone, players choose the roll, or the face of a die.
	p := table.Frame().View.Prompts[0]
	if len(p.Options) < 7 || p.Options[0].Input != "red key roll" || p.Options[6].Input != "red roll 6" ||
		p.Options[6].Text == "" {
		t.Errorf("answers %+v", p.Options)
	}
	table.must("red key right", "red key left", "red key yes")
	first := faces()
	if len(first) != 3 {
		t.Fatalf("dice %q", first)
	}
	for range 5 {
		table.must("red undo", "table key roll")
		if got := faces(); got != first {
			t.Fatalf("undo was a free reroll: %s after %s", got, first)
		}
	}
	table.must("red undo", "red undo", "red set dice 3", "red key roll")
	if got := faces(); got != first {
		t.Errorf("two undos were a free reroll: %s after %s", got, first)
	}
	table.must("red undo", "red roll 6 6 6") // rolled by hand
	table.must("red undo")
	table.stop()
	again := start(t, table.loop.Config)
	table = again
	table.must("table key yes", "red key roll")
	if got := faces(); got != "666" {
		t.Errorf("after a restart the undone result is %s", got)
	}
	table.must("red set dice 3", "red key roll", "red undo", "red undo", "red redo", "red key roll")
	rolls := map[string]bool{}
	for range 20 {
		table.must("red set dice 3", "red key roll")
		rolls[faces()] = true
	}
	if len(rolls) < 10 {
		t.Errorf("20 rolls gave %v", rolls)
	}
}

// TestDefinitions checks that definitions come from the owner's file and go to
// it, and that players read the file's name while its folder is in the log.
func TestDefinitions(t *testing.T) {
	config := configured(t.TempDir())
	var log bytes.Buffer
	config.Log = slog.New(slog.NewTextHandler(&log, nil))
	var learnt []string
	fail := true
	config.Definitions = func(game string) ([]string, error) {
		if len(learnt) > 0 && fail {
			return nil, &engine.SyntaxError{File: "/var/lib/tableside/cards/count.txt", Line: 3, Column: 1, Reason: "odd"}
		}
		return append([]string{"card bat 2"}, learnt...), nil
	}
	config.Learn = func(game string, defines []string) error {
		for _, define := range defines {
			learnt = append(learnt, game+" "+define)
		}
		if fail {
			err := &fs.PathError{Op: "open", Path: "/var/lib/tableside/cards/count.txt", Err: syscall.EROFS}
			return fmt.Errorf("owner's file: %w", err)
		}
		return nil
	}
	table := start(t, config)
	table.begin("red")
	table.must("red set define owl", "red set define crow", "red undo")
	table.order(engine.Order{Do: "abandon"})
	if len(learnt) != 1 || learnt[0] != "count/plain card owl" {
		t.Errorf("learnt %q", learnt)
	}
	if h := table.Frame().Status.Health; !slices.Contains(h,
		engine.Part{Name: "definitions", Health: engine.Broken, Reason: "count.txt: read-only file system"}) {
		t.Errorf("health %+v", h)
	}
	if r := table.order(engine.Order{Do: "rematch"}); r.Outcome != engine.Refused || r.Text.Key != "receipt.definitions" ||
		r.Text.Args["reason"] != sameWords("count.txt:3:1: odd") {
		t.Errorf("rematch: %+v", r)
	}
	fail = false
	if r := table.order(engine.Order{Do: "rematch"}); r.Outcome != engine.Accepted {
		t.Errorf("rematch: %+v", r)
	}
	data, _ := table.Journal("")
	if strings.Count(string(data), "define card bat 2 ") != 1 ||
		!strings.Contains(string(data), "define count/plain card owl ") {
		t.Errorf("journal\n%s", data)
	}
	if err := table.stop(); err != nil {
		t.Fatal(err)
	}
	const file = "/var/lib/tableside/cards/count.txt"
	for _, whole := range []string{"open " + file + ": read-only", file + ":3:1: odd"} {
		if !strings.Contains(log.String(), whole) {
			t.Errorf("the log lacks %q:\n%s", whole, &log)
		}
	}
}

// TestDefinitionsOfUnfinished checks that definitions are also kept when the
// table is switched off, for the next match may be a new one, and when an
// unfinished match is put away.
func TestDefinitionsOfUnfinished(t *testing.T) {
	config := configured(t.TempDir())
	var learnt []string
	config.Learn = func(_ string, defines []string) error {
		learnt = append(learnt, defines...)
		return nil
	}
	table := start(t, config)
	table.begin("red")
	table.must("red set define owl", "red set define crow", "red undo")
	if len(learnt) > 0 {
		t.Errorf("learnt %q during the match", learnt)
	}
	if err := table.stop(); err != nil || !slices.Equal(learnt, []string{"card owl"}) {
		t.Errorf("switched off: learnt %q, error %v", learnt, err)
	}
	learnt = nil
	table = start(t, config)
	table.must("table key no")
	table.begin("red")
	table.order(engine.Order{Do: "abandon"})
	if len(learnt) > 0 {
		t.Errorf("learnt %q from a match without any", learnt)
	}
	table.order(engine.Order{Do: "abandon", Match: table.Matches()[len(table.Matches())-1].ID})
	if !slices.Equal(learnt, []string{"card owl"}) {
		t.Errorf("put away: learnt %q", learnt)
	}
}

// An oddGame refuses to begin.
type oddGame struct{}

func (oddGame) Info() engine.Info {
	info := countGame{name: "odd/plain"}.Info()
	info.Words = engine.MustWords("odd",
		"[game.odd]\nen = Odd\nfr = Bizarre\n[setup.odd]\nen = That is odd\nfr = C'est bizarre\n")
	return info
}

func (oddGame) New(engine.Setup) (func() (engine.State, error), error) {
	return nil, engine.NewSetupError("setup.odd")
}

// TestOddSetup checks that a refused setup is explained in the words of its game,
// even if they are not the table's.
func TestOddSetup(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = append(config.Games, oddGame{})
	table := start(t, config)
	told := func(when string) {
		t.Helper()
		r, f := table.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "odd/plain"}}), table.Frame()
		if r.Outcome != engine.Refused || r.Spoken != "That is odd" {
			t.Errorf("%s: %+v", when, r)
		}
		if french := f.Words.Say(engine.French, f.Status.Receipt.Text, nil); french != "C'est bizarre" {
			t.Errorf("%s: the page says %q", when, french)
		}
	}
	told("at an empty table")
	table.must("table choose count/plain")
	told("while another game is chosen")
	table.must("table choose 1", "table choose 3", "table key yes", "red key plus", "red key plus", "red key plus")
	told("behind another match")
	if p := table.Frame().View.Prompts; len(p) == 0 || p[len(p)-1].Key != "lobby-over" ||
		strings.Contains(p[len(p)-1].Text, "lobby") {
		t.Errorf("the table asks %+v", p)
	}
}

// A scribe is a follower that records its calls.
type scribe struct {
	mu    sync.Mutex
	heard []string
}

func (s *scribe) Begin(setup engine.Setup, state engine.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state == nil {
		s.heard = append(s.heard, "empty")
	} else {
		s.heard = append(s.heard, "begin "+setup.Game)
	}
}

func (s *scribe) Follow(step engine.Step, _ []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := "-"
	for _, e := range step.Events {
		names += e.Name + "-"
	}
	s.heard = append(s.heard, names)
}

func TestFollower(t *testing.T) {
	config := configured(t.TempDir())
	first := &scribe{}
	config.Followers = []Follower{first}
	table := start(t, config)
	table.begin("red")
	table.must("red key plus", "red key next", "red undo", "red redo")
	table.do("red key jump")
	want := "begin count/plain,-counted-,-,-undo-,-redo-"
	if got := strings.Join(first.heard, ","); got != want {
		t.Errorf("heard %s, want %s", got, want)
	}
	table.stop()
	second := &scribe{}
	config.Followers = []Follower{second}
	again := start(t, config)
	again.order(engine.Order{Do: "resume"})
	if got := strings.Join(second.heard, ","); got != want {
		t.Errorf("after a resume heard %s, want %s", got, want)
	}
	again.order(engine.Order{Do: "abandon"})
	if got := strings.Join(second.heard, ","); got != want+",empty" {
		t.Errorf("after the end heard %s", got)
	}
}

// TestWords checks that the catalogue has every key of the package, in each
// language.
func TestWords(t *testing.T) {
	words := Words()
	for key := range words {
		for _, lang := range engine.Languages {
			if words[key].In(lang) == "" {
				t.Errorf("%s is not said in %s", key, lang)
			}
		}
	}
}

func TestFrench(t *testing.T) {
	config := configured(t.TempDir())
	config.Lang = engine.French
	table := start(t, config)
	f := table.Frame()
	if f.View.Prompts[0].Text != "Combien de joueurs\u00a0?" ||
		f.In(engine.English).View.Prompts[0].Text != "How many players?" {
		t.Errorf("prompt %+v", f.View.Prompts[0])
	}
	if !bytes.Equal(f.State(), f.Encode()) || !bytes.Contains(f.State(), []byte("Combien")) || f.In(engine.English).State != nil {
		t.Errorf("the state is %s", f.State())
	}
	if r := table.do("red undo"); r.Spoken != "Aucune partie n'est en cours" {
		t.Errorf("receipt %+v", r)
	}
}
