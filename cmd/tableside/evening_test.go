package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tableside/device/evening"
)

// TestEvening plays a match of an evening at a table: the result comes in by itself, and is
// there after a restart of the hall.
func TestEvening(t *testing.T) {
	broker, data := startMosquitto(t), t.TempDir()
	p := startClub(t, broker, data)
	one := startGuest(t, "one", broker)
	one.interrupt()
	one.nameHall()
	one.start()
	p.post("/api/evenings", `{"name":"Friday","format":"swiss","game":"tally","size":2,"players":["Alice","max","Zoé"],`+
		`"tables":["one"]}`)
	var all struct {
		Kept, Keep bool
		Evenings   []evening.Brief
	}
	p.tells("/api/evenings", &all)
	if !all.Kept || !all.Keep || len(all.Evenings) != 1 || all.Evenings[0].Players != 3 {
		t.Fatalf("the evenings are %+v", all)
	}
	path := "/api/evenings/" + all.Evenings[0].ID
	p.post(path, `{"do":"out","player":3}`)
	p.post(path, `{"do":"next"}`)
	match := one.play()
	result := func() *evening.Outcome {
		var is struct{ Evening evening.View }
		p.tells(path, &is)
		return is.Evening.Rounds[0].Pairings[0].Result
	}
	for limit := time.Now().Add(20 * time.Second); result() == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("the result is not in the evening: %s", p.errs.String())
		}
	}
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
}

// tells reads JSON from the page.
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
