package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/device"
	"tableside/device/hall"
	"tableside/engine"
	"tableside/engine/tally"
	"tableside/mqtt"
	"tableside/mqtt/porttest"
)

// A clubTable is a table with the real loop and the real client of the broker, without a
// page and hardware.
type clubTable struct {
	*device.Table
	name string
}

// openClub starts tables whose matches have begun. All of them know the same brokers.
func openClub(t *testing.T, tables int, brokers ...string) []clubTable {
	t.Helper()
	var all []clubTable
	for n := range tables {
		name := fmt.Sprint("club-", n+1)
		table, err := device.New(device.Config{Name: name, Dir: t.TempDir(), Games: tally.Games()})
		if err != nil {
			t.Fatal(err)
		}
		client, err := mqtt.New(mqtt.Config{Brokers: brokers, Table: name, Health: table.Report})
		if err != nil {
			t.Fatal(err)
		}
		table.Add(device.Part{Name: "mqtt", Output: device.OutputFunc(client.Show), Direct: true})
		t.Cleanup(background(t, table.Run))
		t.Cleanup(background(t, func(ctx context.Context) error { client.Run(ctx); return nil }))
		setup := engine.Setup{Game: "tally/score", First: "red", Options: map[string]string{"target": "1000"},
			Seats: []engine.Player{{Seat: "red", Name: fmt.Sprint("Alice ", n+1)}, {Seat: "blue", Name: "Max"}}}
		if r := table.Do(t.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
			t.Fatalf("%+v", r)
		}
		all = append(all, clubTable{table, name})
	}
	return all
}

// playClub plays some random inputs at every table at once.
func playClub(t *testing.T, tables []clubTable, inputs int) {
	t.Helper()
	var all sync.WaitGroup
	for n, table := range tables {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), uint64(inputs)))
			for range inputs {
				seat := []engine.Seat{"red", "blue"}[random.IntN(2)]
				in := engine.Input{Seat: seat, Verb: "set", Args: []string{"score", fmt.Sprint(random.IntN(100))}}
				if r := table.Input(t.Context(), in); r.Outcome != engine.Accepted {
					t.Errorf("%s: %+v", table.name, r)
				}
			}
		})
	}
	all.Wait()
}

// follows waits until a hall shows every table as it is, and, unless it has just begun,
// that it has heard each.
func follows(t *testing.T, p *process, tables []clubTable, heard bool) hall.List {
	t.Helper()
	var list hall.List
	for limit, wrong := time.Now().Add(20*time.Second), "nothing"; wrong != ""; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("the hall shows %s", wrong)
		}
		data, err := p.get("/api/tables")
		if err == nil {
			list = hall.List{}
			err = json.Unmarshal(data, &list)
		}
		if err != nil {
			t.Fatal(err)
		}
		wrong = differs(list, tables, heard)
	}
	return list
}

// differs returns how a list differs from the tables, or "".
func differs(list hall.List, tables []clubTable, heard bool) string {
	known := map[string]hall.Table{}
	for _, e := range list.Tables {
		known[e.Name] = e
	}
	if len(known) != len(tables) {
		return fmt.Sprint(len(known), " tables")
	}
	for _, table := range tables {
		v, e := table.Frame().View, known[table.name]
		if !e.Here || heard && e.Heard == nil || e.Match != v.Match || e.Seq != v.Seq || len(e.Seats) != 2 {
			return fmt.Sprintf("%+v, want seq %d", e, v.Seq)
		}
		for i, s := range v.Seats {
			if n, _ := s.Counters.Get("score"); e.Seats[i].Score == nil || *e.Seats[i].Score != n || e.Seats[i].Name != s.Name {
				return fmt.Sprintf("%+v, want %+v", e.Seats[i], s)
			}
		}
	}
	return ""
}

// TestHall follows forty tables with the real client through mosquitto, and goes with them
// to another broker when theirs dies.
func TestHall(t *testing.T) {
	first, kill := startMosquittoToKill(t)
	second := startMosquitto(t)
	tables := openClub(t, 40, first, second)
	playClub(t, tables[:20], 5)
	p := startTable(t, "hall", "--http", "127.0.0.1:0", "--broker", "tcp://"+first+",tcp://"+second)
	began := time.Now()
	follows(t, p, tables, false)
	t.Logf("all tables after %s", time.Since(began))
	playClub(t, tables, 20)
	began = time.Now()
	follows(t, p, tables, true)
	t.Logf("all newest states %s after the last of %d inputs", time.Since(began), 20*len(tables))

	kill()
	began = time.Now()
	playClub(t, tables, 1)
	list := follows(t, p, tables, true)
	t.Logf("all tables at the other broker after %s", time.Since(began))
	if !list.Listening || list.Aside.N != 0 {
		t.Errorf("listening %t, %+v", list.Listening, list.Aside)
	}

	answer, err := http.Get(p.page + "/tables/club-7")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("/tables/club-7 answers %s", answer.Status)
	}
	p.interrupt()
}

// A table shows the hall of its broker beside its own page, if it is configured to.
func TestHallBesideTable(t *testing.T) {
	folder := t.TempDir()
	file, data := filepath.Join(folder, "table.toml"), filepath.Join(folder, "data")
	port := porttest.Pick()
	if err := os.MkdirAll(data, 0o750); err != nil {
		t.Fatal(err)
	}
	source := fmt.Sprintf("[table]\nname = \"own\"\ndata = %q\n[http]\nlisten = \"127.0.0.1:0\"\n[mqtt]\n"+
		"embedded = \"127.0.0.1:0\"\nuser = \"u\"\npassword = \"p\"\nhall = \"hall\"\n[hall]\nlisten = \"127.0.0.1:%d\"\n"+
		"data = %q\n[game]\nname = \"tally/score\"\nseats = [\"red=Alice\", \"blue=Max\"]\noptions = { target = \"9\" }\n",
		data, port, filepath.Join(data, "hall"))
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startTable(t, "run", "--config", file)
	own := p.page
	for line, want := range map[string]string{"red set score 7": `"score":7`, "blue set name Zoe": `"name":"Zoe"`} {
		if r, err := p.input(line); err != nil || r.Outcome != engine.Accepted {
			t.Fatalf("%+v, %v", r, err)
		}
		p.page = fmt.Sprintf("http://127.0.0.1:%d", port)
		for limit := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			list, err := p.get("/api/tables")
			if err == nil && strings.Contains(string(list), `"table":"own"`) && strings.Contains(string(list), want) {
				break
			}
			if time.Now().After(limit) {
				t.Fatalf("%s, %v", list, err)
			}
		}
		p.page = own
	}
	v, err := p.view()
	if r, e := p.input("red set score 9"); err != nil || e != nil || r.Outcome != engine.Accepted {
		t.Fatalf("%+v, %v, %v", r, err, e)
	}
	p.page = fmt.Sprintf("http://127.0.0.1:%d", port)
	p.keeps(string(v.Match) + "@own red=9")
	p.interrupt()
}
