package hall

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/tally"
)

// A post is a sender with the folder of its table, and with the offers that it made.
type post struct {
	*Sender
	t      *testing.T
	data   string
	states map[string]string // of the table's matches
	now    func() time.Time
	slow   time.Duration // until a sender that was made runs
	stop   func()

	mu     sync.Mutex
	match  string // that is offered
	digest string // of what is offered
	again  int    // how often it was published once more
	parts  []engine.Part
}

func matchAt(n int) string { return fmt.Sprintf("2026-11-20T20-15-%02dZ", n) }

func newPost(t *testing.T) *post {
	return &post{t: t, data: t.TempDir(), states: map[string]string{}}
}

// plays writes the journal of a match, and says in which state it is.
func (p *post) plays(n int, state string, lines ...string) {
	p.t.Helper()
	begin := engine.BeginOf(matchAt(n)).Format(time.RFC3339)
	text := "tableside-journal 1\ngame tally/score\noption target 5\nseat red Alice\nseat blue Max\nbegin " + begin +
		"\n" + strings.Join(lines, "\n") + "\n"
	file := filepath.Join(p.data, "matches", matchAt(n)+".journal")
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.states[matchAt(n)] = state
}

func (p *post) wins(n int) { p.plays(n, "finished", "10s red choose +5", "end finished red") }

// start starts a sender to a hall.
func (p *post) start(hall string) {
	ctx, cancel := context.WithCancel(p.t.Context())
	p.mu.Lock()
	p.match = ""
	p.mu.Unlock()
	p.Sender = NewSender(SenderConfig{Hall: hall, Data: p.data, Games: tally.Games(), Lang: engine.French,
		Now: p.now, Log: slog.New(slog.DiscardHandler),
		Matches: func() (list []engine.MatchInfo) {
			for match, state := range p.states {
				list = append(list, engine.MatchInfo{ID: match, State: state})
			}
			slices.SortFunc(list, func(a, b engine.MatchInfo) int { return strings.Compare(b.ID, a.ID) })
			return list
		},
		Offer: func(match string, packed []byte) {
			p.mu.Lock()
			defer p.mu.Unlock()
			if match != "" && match == p.match {
				p.again++
			}
			p.match, p.digest = match, history.Digest(packed)
			if match == "" {
				return
			}
			journal, err := unpack(packed)
			file, _ := os.ReadFile(filepath.Join(p.data, "matches", match+".journal"))
			if err != nil || string(journal) != string(file) {
				p.t.Errorf("offered %q, %v", journal, err)
			}
		},
		Report: func(part engine.Part) { p.mu.Lock(); p.parts = append(p.parts, part); p.mu.Unlock() },
	})
	time.Sleep(p.slow)
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	p.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			p.t.Error(err)
		}
	}
	synctest.Wait()
}

// offers checks which match is offered now, 0 for none.
func (p *post) offers(n int) {
	p.t.Helper()
	p.Look()
	synctest.Wait()
	want := ""
	if n > 0 {
		want = matchAt(n)
	}
	if now := p.present(); now != want {
		p.t.Errorf("%q is offered, want %q", now, want)
	}
}

func (p *post) present() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.match
}

func (p *post) says() engine.Part {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.parts[len(p.parts)-1]
}

func (p *post) hears(refused string) {
	p.t.Helper()
	p.mu.Lock()
	match, digest := p.match, p.digest
	p.mu.Unlock()
	p.Answer(match, digest, refused)
	synctest.Wait()
}

// The matches that end after the table has named its hall are sent in their order, one at a
// time, over restarts, and those that have changed once more.
func TestSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.wins(1)
		p.start("club")
		p.offers(0)
		p.wins(3)
		p.wins(2)
		p.plays(4, "unfinished", "10s red choose +1")
		p.plays(5, "abandoned", "10s red choose +1", "end abandoned")
		p.offers(2)
		p.Answer(matchAt(3), history.Digest(nil), "") // of another one
		p.offers(2)
		p.hears("")
		p.offers(3)
		p.stop()
		p.start("club")
		p.offers(3)
		p.states[matchAt(3)] = "playing" // the players take back the end
		p.offers(0)
		p.plays(3, "finished", "10s red choose +5", "end finished red", "12s red undo", "15s blue choose +5",
			"end finished blue")
		p.offers(3)
		p.hears("")
		p.offers(0)
		p.plays(2, "finished", "10s red choose +5", "end finished red", "12s red undo", "15s blue choose +5",
			"end finished blue")
		p.offers(2) // after it had been sent
		delete(p.states, matchAt(2))
		p.offers(0)
		p.wins(4)
		p.stop()
		p.start("cafe") // another hall has no business with earlier ones
		p.offers(0)
		p.wins(6)
		p.offers(6)
		p.stop()
	})
}

// A match that begins after the sender was made, and before it looks for the first time, is
// sent.
func TestSenderAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		start, began := time.Now(), engine.BeginOf(matchAt(5)).Add(300*time.Millisecond)
		p.now = func() time.Time { return began.Add(time.Since(start)) }
		p.slow = time.Second
		p.wins(1)
		p.start("club")
		p.wins(5) // the table had not listed it
		p.offers(5)
		p.stop()
	})
}

// What the hall refuses does not keep others waiting. The table says so, and tries again.
func TestSenderRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.start("club")
		p.wins(1)
		p.plays(2, "finished", "10s red choose +1", "end finished red") // not by today's rules
		p.wins(3)
		p.offers(1)
		p.hears(unreadable)
		p.offers(3)
		p.hears("")
		p.offers(0)
		last := p.says()
		if last.Name != "results" || last.Health != engine.Degraded ||
			!strings.Contains(last.Reason, "La salle club a refusé 1 partie") {
			t.Errorf("%+v", last)
		}
		time.Sleep(refusedFor + time.Minute)
		p.offers(1)
		p.hears("of another kind")
		if last = p.says(); !strings.Contains(last.Reason, "même version") {
			t.Errorf("%+v", last)
		}
		p.plays(1, "finished", "10s red choose +5", "end finished red", "12s red undo", "15s blue choose +5",
			"end finished blue")
		p.offers(1) // it is another one
		p.hears("")
		if last = p.says(); last.Health != engine.Degraded ||
			!strings.HasPrefix(last.Reason, "1 partie n'est pas envoyée à la salle club, la dernière du 2026-11-2") ||
			!strings.HasSuffix(last.Reason, "les règles de ce programme ne mènent pas à sa fin") {
			t.Errorf("%+v", last)
		}
		delete(p.states, matchAt(2))
		p.offers(0)
		if last = p.says(); last.Health != engine.OK || last.Reason != "" {
			t.Errorf("%+v", last)
		}
		p.stop()
	})
}

// A hall that does not answer is not well, however long ago it was named.
func TestSenderSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.start("club")
		time.Sleep(time.Hour)
		synctest.Wait()
		p.wins(1)
		p.wins(2)
		p.wins(3)
		p.offers(1)
		time.Sleep(answerLimit - time.Second)
		p.offers(1)
		if last := p.says(); last.Health != engine.OK {
			t.Errorf("%+v", last)
		}
		p.Answer(matchAt(2), history.Digest(nil), "") // to something else
		synctest.Wait()
		began := time.Now().Add(time.Second - answerLimit).Local().Format(time.DateTime)
		time.Sleep(time.Second)
		synctest.Wait()
		if last := p.says(); last.Health != engine.Degraded ||
			!strings.HasPrefix(last.Reason, "La salle club n'a pas répondu depuis le "+began) ||
			!strings.HasSuffix(last.Reason, "3 parties attendent") {
			t.Errorf("%+v, want %s", last, began)
		}
		p.hears("")
		if last := p.says(); last.Health != engine.OK {
			t.Errorf("%+v", last)
		}
		time.Sleep(answerLimit)
		synctest.Wait()
		if last := p.says(); !strings.HasSuffix(last.Reason, "2 parties attendent") {
			t.Errorf("%+v", last)
		}
		p.states = map[string]string{}
		p.offers(0)
		if last := p.says(); last.Health != engine.OK {
			t.Errorf("it waits for nothing: %+v", last)
		}
		p.stop()
	})
}

// An offer that is not answered is published again, ever less often.
func TestSenderAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.start("club")
		p.wins(1)
		p.offers(1)
		again := func(want int) {
			t.Helper()
			synctest.Wait()
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.again != want {
				t.Errorf("it was published %d times more, want %d", p.again, want)
			}
			p.again = 0
		}
		time.Sleep(minResendWait - time.Second)
		again(0)
		time.Sleep(time.Second)
		again(1)
		time.Sleep(2*minResendWait + 4*minResendWait)
		again(2)
		p.hears("")
		p.stop()
	})
}

// A match that was over or deleted before the table named its hall stays at home, also if it
// comes back; one that was open then is sent once it is over.
func TestSenderRestored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.now = func() time.Time { return engine.BeginOf(matchAt(10)) }
		p.wins(1)
		delete(p.states, matchAt(1))
		deleted := filepath.Join(p.data, "matches", "deleted", matchAt(1)+".journal")
		if err := os.Mkdir(filepath.Dir(deleted), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(p.data, "matches", matchAt(1)+".journal"), deleted); err != nil {
			t.Fatal(err)
		}
		p.plays(2, "unfinished", "10s red choose +1")
		p.start("club")
		p.wins(1)
		p.offers(0)
		p.stop()
		p.now = nil // the clock is wrong
		p.start("club")
		p.offers(0)
		p.wins(3) // from a copy of the folder
		p.offers(0)
		p.wins(2)
		p.offers(2)
		p.hears("")
		p.wins(10)
		p.offers(10)
		p.stop()
	})
}

// A journal that no hall takes is not sent, and the table says so.
func TestSenderTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.start("club")
		p.plays(1, "finished", slices.Repeat([]string{"0s red choose nonsense"}, history.MaxLines)...)
		p.wins(2)
		p.offers(2)
		if last := p.says(); last.Health != engine.Degraded || !strings.HasSuffix(last.Reason, "dépasse 60 000 lignes") {
			t.Errorf("%+v", last)
		}
		p.stop()
	})
}

// A journal that is too large, even compressed, is not sent, and the table says so.
func TestSenderTooLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.start("club")
		chance, noise := rand.NewChaCha8([32]byte{1}), make([]byte, 1000)
		var lines []string
		for range 1200 {
			if _, err := chance.Read(noise); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprintf("0s red choose %x", noise))
		}
		p.plays(1, "finished", append(lines, "10s red choose +5", "end finished red")...)
		p.wins(2)
		p.offers(2)
		if last := p.says(); last.Health != engine.Degraded || !strings.HasSuffix(last.Reason, "1 Mio compressé") {
			t.Errorf("%+v", last)
		}
		p.stop()
	})
}

// A file that cannot be read sends nothing: it said which matches stay at home.
func TestSenderDamaged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.wins(1)
		if err := os.WriteFile(filepath.Join(p.data, sentFile), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		p.start("club")
		p.offers(0)
		if last := p.says(); last.Health != engine.Broken || !strings.Contains(last.Reason, sentFile) {
			t.Errorf("%+v", last)
		}
		p.stop()
		if err := os.WriteFile(filepath.Join(p.data, sentFile), []byte(`{"hall":"club"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		p.start("club") // by hand: everything is sent
		p.offers(1)
		p.stop()
	})
}
