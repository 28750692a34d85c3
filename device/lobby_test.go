package device

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
	"tableside/engine/tally"
)

// TestLobby plays a conversation with the lobby: each key leads to a prompt and
// the answer under the cursor.
func TestLobby(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = []engine.Game{countGame{}, countGame{name: "count/second-edition"}}
	table := start(t, config)
	see := func() string {
		f := table.Frame()
		if len(f.View.Prompts) == 0 {
			return "nothing"
		}
		p := f.View.Prompts[0]
		s := p.Text
		if c := f.Status.Cursor; c >= 0 {
			s += " > " + p.Options[c].Text
		}
		return s
	}
	for _, step := range []struct{ line, want string }{
		{"table key right", "What shall we play? > Counting, second-edition"},
		{"table key right", "What shall we play? > Counting, plain"},
		{"red key minus", "What shall we play? > Counting, second-edition"},
		{"blue key yes", "How many players? > 1 player"},
		{"table key plus", "How many players? > 2 players"},
		{"table key left", "How many players? > 1 player"},
		{"table key left", "How many players? > 3 players"},
		{"table key yes", "How far > 1000000"},
		{"table undo", "How many players? > 1 player"},
		{"table choose 2", "How far > 1000000"},
		{"table key right", "How far > 3"},
		{"table key yes", "Counting for 2: begin?"},
		{"table key no", "What shall we play? > Counting, plain"},
		{"table choose count/second-edition", "How many players? > 1 player"},
		{"table choose 2", "How far > 1000000"},
		{"table choose 3", "Counting for 2: begin?"},
		{"table key yes", "Count > Plus one"},
	} {
		table.must(step.line)
		if got := see(); got != step.want {
			t.Fatalf("after %q the table asks %q, want %q", step.line, got, step.want)
		}
	}
	v := table.Frame().View
	if v.Game != "count/second-edition" || len(v.Seats) != 2 || v.Seats[0].ID != "red" || v.Seats[1].ID != "blue" {
		t.Errorf("view %+v", v)
	}
	data, _ := table.Journal("")
	if !strings.Contains(string(data), "option target 3 #=") {
		t.Errorf("journal\n%s", data)
	}
}

// The games of a score sheet are found by keys: what was played here last is the first answer, and
// begins without questions about options.
func TestLobbyFindsGamesOfASheet(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = append([]engine.Game{countGame{}}, tally.Games()...)
	table := start(t, config)
	asks := func() string { return table.Frame().View.Prompts[0].Text }
	options := func() []engine.Answer { return table.Frame().View.Prompts[0].Options }
	if all := options(); len(all) < 20 || all[0].Text != "Counting" || all[1].Text != "Tally" {
		t.Fatalf("got %d games, first %v", len(all), all[:2])
	}
	table.must("table choose hearts", "table choose 3")
	if asks() != "Hearts for 3: begin?" {
		t.Fatal(asks())
	}
	table.must("table key yes")
	if v := table.Frame().View; v.Preset != "hearts" || len(v.Seats) != 3 || !v.Sheet.Low {
		t.Fatalf("got %+v", v)
	}
	table.order(engine.Order{Do: "abandon"})
	table.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "wizard"}})
	table.order(engine.Order{Do: "abandon"})
	want := []string{"Wizard", "Hearts", "Counting", "Tally"}
	for i, answer := range options()[:4] {
		if answer.Text != want[i] {
			t.Errorf("answer %d is %q, want %q", i, answer.Text, want[i])
		}
	}
	if f := table.Frame(); f.Status.Cursor != 0 {
		t.Errorf("the keys begin at answer %d", f.Status.Cursor)
	}
	table.Propose(proposed("hearts", "Alice", "Max"))
	for asks() != "Alice – Max: round 2 of Friday" {
		time.Sleep(time.Millisecond)
	}
	table.must("blue key yes")
	if v := table.Frame().View; v.Preset != "hearts" || v.Seats[0].Name != "Alice" {
		t.Errorf("got %+v", v)
	}
}

// TestLobbyKeepsSeats checks that every match that is chosen by key has the
// table's own seats, not only the first.
func TestLobbyKeepsSeats(t *testing.T) {
	config := configured(t.TempDir())
	config.Seats = []engine.Player{{Seat: "green", Name: "Alice"}, {Seat: "white", Name: "Max"}}
	table := start(t, config)
	for n := range 2 {
		table.must("table choose 2", "table choose 3", "table key yes")
		seats := table.Frame().View.Seats
		if len(seats) != 2 || seats[0].ID != "green" || seats[1].Name != "Max" {
			t.Errorf("match %d: seats %+v", n+1, seats)
		}
		table.order(engine.Order{Do: "abandon"})
	}
}

// TestOrdersAreListed checks that the answer to an unknown command has all that
// there are; "select" is done by MQTT itself.
func TestOrdersAreListed(t *testing.T) {
	r := start(t, configured(t.TempDir())).order(engine.Order{Do: "dance"})
	for _, do := range strings.Fields("begin resume abandon rematch learn call call-off dismiss select") {
		if !strings.Contains(r.Spoken, do) {
			t.Errorf("%s is missing in %q", do, r.Spoken)
		}
	}
}

func TestLobbyRefuses(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	for line, key := range map[string]string{
		"table choose 9":     "receipt.not-now",
		"table key no":       "receipt.not-now",
		"table undo":         "receipt.no-match",
		"red tap zombie.1":   "receipt.no-match",
		"red set name Alice": "receipt.no-match",
	} {
		if r := table.do(line); r.Outcome != engine.Refused || r.Text.Key != key || r.Spoken == "" {
			t.Errorf("%s: %+v, want %s", line, r, key)
		}
	}
	for _, c := range []struct {
		order   engine.Order
		outcome engine.Outcome
		key     string
	}{
		{engine.Order{Do: "dance"}, engine.Malformed, "receipt.no-such-order"},
		{engine.Order{Do: "begin", Setup: engine.Setup{Game: "chess"}}, engine.Refused, "receipt.no-such-game"},
		{engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Computer: map[engine.Seat]string{"red": "easy"}}},
			engine.Refused, "receipt.no-computer"},
		{engine.Order{Do: "take-seat", Seat: "red"}, engine.Refused, "receipt.not-the-computers"},
		{engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Seats: defaultSeats(nil, 4)}}, engine.Refused,
			"setup.seats"},
		{engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Options: map[string]string{"target": "4"}}},
			engine.Refused, "setup.option-value"},
		{engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Definitions: []string{"bad"}}}, engine.Refused,
			"setup.first"},
		{engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Definitions: []string{"panic"}}}, engine.Refused,
			"receipt.setup"},
		{engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Definitions: []string{"a\n1s red undo"}}},
			engine.Refused, "setup.unreadable"},
		{engine.Order{Do: "abandon"}, engine.Refused, "receipt.no-match"},
		{engine.Order{Do: "resume"}, engine.Refused, "receipt.nothing-unfinished"},
		{engine.Order{Do: "rematch"}, engine.Refused, "receipt.nothing-to-rematch"},
	} {
		if r := table.order(c.order); r.Outcome != c.outcome || r.Text.Key != c.key || r.Spoken == "" ||
			strings.Contains(r.Spoken, "«") {
			t.Errorf("%+v: %+v, want %s", c.order, r, c.key)
		}
	}
	if m := table.Matches(); len(m) != 0 {
		t.Errorf("matches %+v", m)
	}
}

func TestOverAndRematch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := configured(t.TempDir())
		table := start(t, config)
		r := table.order(engine.Order{Do: "begin", Setup: engine.Setup{
			Game: "count/plain", Options: map[string]string{"target": "3"}, First: "blue",
			Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue"}, {Seat: "green"}},
		}})
		if r.Outcome != engine.Accepted {
			t.Fatalf("begin: %+v", r)
		}
		if r := table.do("table choose rematch"); r.Outcome != engine.Refused {
			t.Errorf("a rematch in the middle of a match: %+v", r)
		}
		table.must(`blue set name "Max B"`, "red key plus", "red key plus", "red key plus")
		first := string(table.Frame().View.Match)
		f := table.Frame()
		if p := f.View.Prompts; len(p) != 1 || p[0].Key != "lobby-over" || p[0].Args == nil || f.Status.Cursor != 0 ||
			f.View.Winners[0] != "red" {
			t.Errorf("frame %+v", f)
		}
		data, _ := table.Journal("")
		if !strings.Contains(string(data), "\nmark 4 ") || !strings.Contains(string(data), "\nend finished red #=") {
			t.Errorf("journal\n%s", data)
		}
		if m := table.Matches()[0]; m.State != "finished" || len(m.Winners) != 1 {
			t.Errorf("match %+v", m)
		}
		table.must("red undo") // resumes the match
		if m := table.Matches()[0]; m.State != "playing" || len(table.Frame().View.Winners) != 0 {
			t.Errorf("match %+v", m)
		}
		table.must("red key plus", "table key yes") // the cursor is at the rematch
		f = table.Frame()
		if f.View.Match == "" || string(f.View.Match) == first || f.View.Seq != 0 || len(f.View.Seats) != 3 {
			t.Fatalf("frame %+v", f)
		}
		if v := f.View; v.Seats[0].Name != "Alice" || v.Seats[1].Name != "Max B" {
			t.Errorf("names %+v", v.Names())
		}
		data, _ = table.Journal("")
		if !strings.Contains(string(data), "option target 3 ") || !strings.Contains(string(data), "\nfirst ") {
			t.Errorf("journal\n%s", data)
		}
		table.must("green key plus", "green key plus", "green key plus", "table key right", "green key yes")
		if f := table.Frame(); f.View.Match != "" || f.View.Prompts[0].Key != "lobby-seats" {
			t.Errorf("frame %+v", f)
		}
		if r := table.order(engine.Order{Do: "rematch"}); r.Outcome != engine.Accepted {
			t.Errorf("rematch: %+v", r)
		}
		if r := table.order(engine.Order{Do: "rematch"}); r.Text.Key != "receipt.playing" {
			t.Errorf("rematch: %+v", r)
		}
		table.order(engine.Order{Do: "abandon"})
		if m := table.Matches(); len(m) != 3 || m[0].State != "abandoned" || m[1].State != "finished" ||
			m[2].State != "finished" {
			t.Errorf("matches %+v", m)
		}
		table.stop()
		again := start(t, config)
		if m := again.Matches(); len(m) != 3 || m[0].State != "abandoned" || m[1].State != "finished" ||
			again.Frame().Status.Unfinish != "" {
			t.Errorf("matches %+v", m)
		}
		// A finished match can be looked at, and resumed by undo.
		if r := again.order(engine.Order{Do: "resume", Match: first}); r.Outcome != engine.Accepted {
			t.Errorf("resume: %+v", r)
		}
		if m := again.Matches()[2]; m.State != "finished" || again.Frame().View.Prompts[0].Key != "lobby-over" {
			t.Errorf("match %+v", m)
		}
		again.must("red undo")
		again.stop()
		if third := start(t, config); third.Frame().Status.Unfinish != first {
			t.Errorf("status %+v", third.Frame().Status)
		} else {
			third.stop()
		}
	})
}

// TestFirst checks that the table draws who begins, unless the rules of the game
// decide it.
func TestFirst(t *testing.T) {
	finds := configured(t.TempDir())
	finds.Games = []engine.Game{countGame{finds: true}}
	table := start(t, finds)
	table.begin("red", "blue")
	if data, _ := table.Journal(""); strings.Contains(string(data), "\nfirst ") {
		t.Errorf("the table has drawn:\n%s", data)
	}
	table = start(t, configured(t.TempDir()))
	firsts := map[string]int{}
	for range 30 {
		table.begin("red", "blue")
		data, _ := table.Journal("")
		_, rest, _ := strings.Cut(string(data), "\nfirst ")
		seat, _, _ := strings.Cut(rest, " ")
		firsts[seat]++
		table.order(engine.Order{Do: "abandon"})
	}
	if len(firsts) != 2 || firsts["red"] < 5 || firsts["blue"] < 5 {
		t.Errorf("began: %v", firsts)
	}
}

// The loser of a match begins the rematch, and its answer says so.
func TestLoserBeginsTheRematch(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = []engine.Game{countGame{finds: true}}
	table := start(t, config)
	table.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Options: map[string]string{"target": "3"},
		First: "blue", Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}, {Seat: "green", Name: "Tom"}}}})
	table.must("blue key plus", "red key plus", "red key plus", "green key plus", "green key plus", "green key plus")
	if o := table.Frame().View.Prompts[0].Options[0]; o.Text != "Rematch, Max begins" {
		t.Errorf("the answer is %+v", o)
	}
	table.must("table choose rematch")
	if data, _ := table.Journal(""); !strings.Contains(string(data), "\nfirst blue ") {
		t.Errorf("journal\n%s", data)
	}
}

func TestNoGames(t *testing.T) {
	config := configured(t.TempDir())
	config.Games = nil
	table := start(t, config)
	if r := table.do("table key yes"); r.Outcome != engine.Refused {
		t.Errorf("receipt %+v", r)
	}
	if r := table.do("table undo"); r.Outcome != engine.Refused {
		t.Errorf("receipt %+v", r)
	}
}

// TestDefaultSeats checks that a match that is begun with nothing but a number of
// players gets the table's own seats first.
func TestDefaultSeats(t *testing.T) {
	table := []engine.Player{{Seat: "green", Name: "Alice"}, {Seat: "red"}}
	for _, test := range []struct {
		n    int
		want []engine.Player
	}{
		{1, []engine.Player{{Seat: "green", Name: "Alice"}}},
		{2, table},
		{4, []engine.Player{{Seat: "green", Name: "Alice"}, {Seat: "red"}, {Seat: "blue"}, {Seat: "yellow"}}},
	} {
		if got := defaultSeats(table, test.n); !slices.Equal(got, test.want) {
			t.Errorf("%d: %+v, want %+v", test.n, got, test.want)
		}
	}
	if len(table) != 2 || table[1].Seat != "red" {
		t.Errorf("the table's own seats have changed: %+v", table)
	}
}

// TestLobbyChoosesAList turns the values of a list option on and off; at least
// one stays on.
func TestLobbyChoosesAList(t *testing.T) {
	l := lobby{games: []engine.Info{{Name: "count/plain", MinSeats: 1, MaxSeats: 1,
		Words:   engine.MustWords("count", countWords),
		Options: []engine.Option{{Name: "decks", Default: "forest", Values: []string{"forest", "sea", "sky"}, List: true}}}}}
	asked := func() string {
		p, _ := l.ask()
		said := p.Key
		for _, o := range p.Options {
			said += " " + strings.TrimPrefix(o.Key, "lobby-")
		}
		return said
	}
	for _, step := range []struct{ line, want string }{
		{"table choose forest", "lobby-list-none off off off"}, // nothing is on
		{"table choose sky", "lobby-list done off off on"},
		{"table choose forest", "lobby-list done on off on"},
		{"table choose sea", "lobby-list done on on on"},
		{"table undo", "lobby-list done on off on"},
		{"table key next", "lobby-begin yes no"},
	} {
		in, err := engine.ParseInput(step.line)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := l.take(in); !ok || asked() != step.want {
			t.Fatalf("%s: %v, %s, want %s", step.line, ok, asked(), step.want)
		}
	}
	yes, _ := engine.ParseInput("table key yes")
	order, _ := l.take(yes)
	if order == nil || order.Setup.Option("decks") != "forest,sky" {
		t.Errorf("order %+v", order)
	}
}
