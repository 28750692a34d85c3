package web

import (
	"strings"
	"testing"
	"time"

	words "tableside/device"
	"tableside/engine"
)

// A shown is a table that an audit looks at. stop takes it away.
type shown struct {
	*Server
	stop  func()
	alone bool // whether only its frame differs from that of others
}

func framed(frame func() engine.Frame) func(*testing.T) shown {
	return func(*testing.T) shown { return shown{Server: exampleServer(frame()), alone: true} }
}

func idle(*testing.T) shown {
	f := empty()
	f.Status.Address = "http://192.168.1.5:8080/?token=s3cret"
	s := exampleServer(f)
	s.config.Token = "s3cret"
	return shown{Server: s}
}

// beginning returns a table on which a match can be begun.
func beginning(t *testing.T) shown {
	tb := newTable(t)
	return shown{Server: tb.show(newServer(tb.config()))}
}

// unreachable returns a table that no other machine sees.
func unreachable(*testing.T) shown {
	s := exampleServer(empty())
	s.config.Reach = "tableside demo --http 0.0.0.0:8080"
	return shown{Server: s}
}

// waiting returns a table that asks whether a match continues.
func waiting(*testing.T) shown {
	f := empty()
	f.Status.Unfinish = "2026-11-20T20-15-00Z"
	s, begin := exampleServer(f), time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC)
	s.config.Matches = func() ([]engine.MatchInfo, error) {
		return []engine.MatchInfo{{ID: f.Status.Unfinish, Game: "mutants/second-edition", State: "unfinished",
			Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}, Begin: begin, Inputs: 49,
			Last: begin.Add(38 * time.Minute), Round: 3, Counter: "score",
			Score: map[engine.Seat]int{"red": 7, "blue": 4}}}, nil
	}
	return shown{Server: s}
}

func joinable(*testing.T) shown {
	s := exampleServer(two())
	s.config.Token = "s3cret"
	return shown{Server: s}
}

func printing(t *testing.T) shown {
	_, s := guarded(t, here, true)
	return shown{Server: s}
}

func trusted(*testing.T) shown {
	s := exampleServer(two())
	s.config.Authority = []byte("the authority")
	return shown{Server: s}
}

func firstVisit(t *testing.T) shown {
	s, _ := stage(t)
	return shown{Server: s}
}

func mending(t *testing.T) shown {
	tb, _ := mindbugTable(t, opening...)
	return shown{Server: tb.web}
}

// momentous returns a function for a match of the short journal after some of its
// lines.
func momentous(line int) func(*testing.T) shown {
	return func(t *testing.T) shown {
		played := strings.Join(strings.SplitAfter(shortMatch, "\n")[:line], "")
		s := summing(&played)
		if err := s.Show(t.Context(), tallyFrame(t, played)); err != nil {
			t.Error(err)
		}
		return shown{Server: s}
	}
}

// Lines of the short journal: after these many, Alice is asked, and nobody has more to say.
const (
	begun      = 7
	wholeMatch = 13
)

func invited(game string) engine.Frame {
	f := empty()
	f.Status.Seating = &engine.Seating{Evening: "Autumn cup", Round: 2, Players: []string{"Alice", "Max"}, Game: game}
	return invite(f, game)
}

func invitedAgain() engine.Frame { return invite(won(), "mutants") }

func invite(f engine.Frame, game string) engine.Frame {
	p := engine.Prompt{Seat: engine.Table, Key: "lobby-seating", Args: engine.Args{
		"players": engine.Literal("Alice – Max"), "n": 2, "evening": engine.Literal("Autumn cup")}}
	if game != "" {
		p.Options = []engine.Answer{{Key: "seated", Input: "table choose seated"}}
	}
	p.Options = append(p.Options, engine.Answer{Key: "new", Input: "table choose new"})
	f.Status.Hall = "club"
	f.View.Table, f.View.Prompts = "club-3", []engine.Prompt{p}
	f.Words = engine.Merge(f.Words, words.Words())
	f.View = f.Words.SpeakView(f.Lang, f.View)
	return f
}

func called() engine.Frame {
	f := two()
	f.Status.Hall, f.Status.Called = "club", time.Date(2026, 11, 23, 20, 15, 0, 0, time.Local)
	f.Words = engine.Merge(f.Words, words.Words())
	f.Status.HallText = engine.T("hall.says", "text", engine.Literal("The second round begins in five minutes. "+
		"Please hand in your results, and look at the projector for your table."))
	f.Status = f.Words.SpeakStatus(f.Lang, f.Status, nil)
	return f
}
