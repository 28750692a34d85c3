package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/device/evening"
	"tableside/engine"
)

// TestEvening plays a match of an evening at a table, which proposes it: the result comes in
// by itself, and is there after a restart of the hall.
func TestEvening(t *testing.T) {
	broker, data := startMosquitto(t), t.TempDir()
	p := startClub(t, broker, data)
	one := startGuest(t, "one", broker)
	one.interrupt()
	one.nameHall()
	one.start()
	path := p.drawn()
	result := func() *evening.Result { return p.evening(path).Rounds[0].Pairings[0].Result }
	names := []string{"Alice", "max"}
	if p.evening(path).Rounds[0].Pairings[0].Players[0] == 2 { // by lot
		slices.Reverse(names)
	}
	proposal := names[0] + " – " + names[1] + ": round 1 of Friday"
	one.asks(proposal)
	one.interrupt()
	one.start()
	one.asks(proposal)
	match := one.seated(names)
	for limit := time.Now().Add(20 * time.Second); result() == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("the result is not in the evening: %s", p.errs.String())
		}
	}
	one.asks("What next?")
	one.does("table choose new")
	one.asks("What shall we play?")
	p.interrupt()
	p = startClub(t, broker, data)
	if r := result(); r == nil || r.From != "one/"+match || r.Hand {
		t.Errorf("after a restart the result is %+v", r)
	}
	file, err := p.get(strings.TrimPrefix(path, "/api") + "/standings.csv")
	want := "rank,name,points,played,byes,direct,buchholz-1,buchholz,sonneborn,wins\n1,Alice,1,1,0,"
	if err != nil || !strings.HasPrefix(string(file), want) {
		t.Errorf("the standings are %s, %v", file, err)
	}
	p.post(path, `{"do":"result","round":1,"board":1}`)
	one.asks(proposal) // again, as the result was removed
	p.post(path, `{"do":"undo"}`)
	one.asks("What shall we play?")
}

// drawn begins an evening of two players at the table one, and returns its path.
func (p *process) drawn() string {
	p.t.Helper()
	p.post("/api/evenings", `{"name":"Friday","format":"swiss","game":"tally","size":2,"players":["Alice","max","Zoé"],`+
		`"tables":["one"]}`)
	var all struct {
		Kept, Keep bool
		Evenings   []evening.Brief
	}
	p.tells("/api/evenings", &all)
	if !all.Kept || !all.Keep || len(all.Evenings) != 1 || all.Evenings[0].Players != 3 {
		p.t.Fatalf("the evenings are %+v", all)
	}
	path := "/api/evenings/" + all.Evenings[0].ID
	p.post(path, `{"do":"out","player":3}`)
	p.post(path, `{"do":"next"}`)
	return path
}

func (p *process) evening(path string) evening.View {
	p.t.Helper()
	var is struct{ Evening evening.View }
	p.tells(path, &is)
	return is.Evening
}

// seated begins the match that is proposed, which Alice wins, and returns its name.
func (g *guest) seated(names []string) string {
	g.t.Helper()
	g.does("table key yes")
	v, err := g.view()
	if err != nil || len(v.Seats) != 2 || v.Seats[0].Name != names[0] || v.Seats[1].Name != names[1] ||
		v.Game != "tally/score" {
		g.t.Fatalf("%v: the match is %+v", err, v)
	}
	winner := v.Seats[slices.Index(names, "Alice")].ID
	if winner != v.Seats[0].ID {
		g.does(string(v.Seats[0].ID) + " choose +1")
	}
	g.does(string(winner) + " choose +5")
	g.does("table choose end")
	return string(v.Match)
}

// asks waits until a table asks something first.
func (g *guest) asks(want string) {
	g.t.Helper()
	var v engine.View
	for limit := time.Now().Add(20 * time.Second); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		if v, _ = g.view(); len(v.Prompts) > 0 && v.Prompts[0].Text == want {
			return
		}
	}
	g.t.Fatalf("the table asks %+v, want %q", v.Prompts, want)
}

func (p *process) tells(path string, into any) {
	p.t.Helper()
	data, err := p.get(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		p.t.Fatalf("%s: %v", path, err)
	}
}

// TestCall calls the hall from a table, and answers with a message.
func TestCall(t *testing.T) {
	broker := startMosquitto(t)
	p := startClub(t, broker, t.TempDir())
	one := startGuest(t, "one", broker)
	one.interrupt()
	one.nameHall()
	one.start()
	one.post("/api/match", `{"do":"call"}`)
	call := func() string {
		var all struct {
			Tables []struct{ Table, Call string }
		}
		p.tells("/api/tables", &all)
		for _, t := range all.Tables {
			if t.Table == "one" {
				return t.Call
			}
		}
		return ""
	}
	calls := func(want bool) {
		t.Helper()
		for limit := time.Now().Add(20 * time.Second); (call() != "") != want; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("the hall has the call %q\n%s", call(), p.errs.String())
			}
		}
	}
	calls(true)
	p.post("/api/message", `{"table":"one","text":"","call":"`+call()+`"}`)
	calls(false)
	one.says("Somebody is coming")
	p.post("/api/message", `{"text":"Round 2 in 5 minutes"}`)
	one.says("The hall: Round 2 in 5 minutes")
}

// says waits until a table shows what the hall says.
func (g *guest) says(want string) {
	g.t.Helper()
	answer, err := http.Get(g.page + "/api/live")
	if err != nil {
		g.t.Fatal(err)
	}
	defer answer.Body.Close()
	late := time.AfterFunc(20*time.Second, func() { answer.Body.Close() })
	defer late.Stop()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"says":"`+want+`"`) {
			return
		}
	}
	g.t.Fatalf("the table does not say %q", want)
}
