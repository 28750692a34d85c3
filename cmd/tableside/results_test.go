package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/device/hall"
	"tableside/device/history"
	"tableside/engine"
	"tableside/mqtt"
)

// A guest is a table as a process of its own, which may name a hall.
type guest struct {
	*process
	t          *testing.T
	data, conf string
}

// startGuest starts a table.
func startGuest(t *testing.T, name, broker string) *guest {
	t.Helper()
	folder := t.TempDir()
	g := &guest{t: t, data: filepath.Join(folder, "data"), conf: filepath.Join(folder, "table.toml")}
	if err := os.MkdirAll(g.data, 0o750); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("[table]\nname = %q\ndata = %q\n[http]\nlisten = \"127.0.0.1:0\"\n[mqtt]\nbroker = \"tcp://%s\"\n",
		name, g.data, broker)
	writeConf(t, g.conf, text)
	g.start()
	return g
}

func writeConf(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (g *guest) start() {
	g.t.Helper()
	g.process = startTable(g.t, "run", "--config", g.conf)
}

func (g *guest) nameHall() {
	g.t.Helper()
	g.obeys("club")
}

func (g *guest) obeys(hall string) {
	g.t.Helper()
	text, err := os.ReadFile(g.conf)
	if err != nil {
		g.t.Fatal(err)
	}
	writeConf(g.t, g.conf, string(text)+"hall = \""+hall+"\"\n")
}

// play plays a match that Red wins, and returns its name.
func (g *guest) play() string {
	g.t.Helper()
	g.post("/api/match", `{"do":"begin","setup":{"game":"tally/score","options":{"target":"5"},`+
		`"seats":[{"seat":"red","name":"Alice"},{"seat":"blue","name":"Max"}]}}`)
	g.does("red choose +5")
	v, err := g.view()
	if err != nil || len(v.Winners) != 1 {
		g.t.Fatalf("nobody has won: %v, %v", v.Winners, err)
	}
	return string(v.Match)
}

func (g *guest) does(line string) {
	g.t.Helper()
	if r, err := g.input(line); err != nil || r.Outcome != engine.Accepted {
		g.t.Fatalf("%s: %+v, %v", line, r, err)
	}
}

// post sends JSON to the page.
func (p *process) post(path, body string) {
	p.t.Helper()
	answer, err := http.Post(p.page+path, "application/json", strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: %s", body, answer.Status)
	}
}

// past returns the matches that a table or a hall shows, as "id winner=value".
func (p *process) past() []string {
	p.t.Helper()
	data, err := p.get("/api/history")
	var entries []history.Entry
	if err == nil {
		err = json.Unmarshal(data, &entries)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, fmt.Sprintf("%s %s=%d", e.ID, e.Seats[0].Seat, e.Seats[0].Value))
	}
	slices.Sort(list)
	return list
}

// keeps waits until a hall has exactly these matches.
func (p *process) keeps(want ...string) {
	p.t.Helper()
	slices.Sort(want)
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got := p.past()
		if slices.Equal(got, want) {
			return
		}
		if time.Now().After(limit) {
			p.t.Fatalf("the hall has %q, want %q\n%s", got, want, p.errs.String())
		}
	}
}

// A listener records what is retained for a hall, and what the hall answers.
type listener struct {
	paho.Client
	mu   sync.Mutex
	held map[string]bool
	said []string // answers of the hall, in order
}

func listenTo(t *testing.T, broker string) *listener {
	t.Helper()
	l := &listener{held: map[string]bool{}}
	l.Client = paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + broker).SetDefaultPublishHandler(
		func(_ paho.Client, m paho.Message) {
			l.mu.Lock()
			defer l.mu.Unlock()
			if strings.HasPrefix(m.Topic(), "tableside-hall/") {
				l.said = append(l.said, m.Topic()+" "+string(m.Payload()))
			} else if l.held[m.Topic()] = true; len(m.Payload()) == 0 {
				delete(l.held, m.Topic())
			}
		}))
	for _, ask := range []func() paho.Token{l.Connect, func() paho.Token {
		return l.SubscribeMultiple(map[string]byte{"tableside/+/result": 1, "tableside/+/journal/#": 1,
			"tableside-hall/#": 1}, nil)
	}} {
		if token := ask(); !token.WaitTimeout(30*time.Second) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	t.Cleanup(func() { l.Disconnect(100) })
	return l
}

// topics waits until a number of topics is retained for the hall.
func (l *listener) topics(t *testing.T, want int) {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		l.mu.Lock()
		n := len(l.held)
		l.mu.Unlock()
		if n == want {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("%d topics are retained, want %d", n, want)
		}
	}
}

func startClub(t testing.TB, broker, data string) *process {
	t.Helper()
	conf := filepath.Join(t.TempDir(), "hall.toml")
	writeConf(t, conf, "[hall]\nname = \"club\"\n[mqtt]\nbroker = \"tcp://"+broker+"\"\n")
	return startTable(t, "hall", "--config", conf, "--http", "127.0.0.1:0", "--data", data)
}

// TestResults plays matches while there is no hall, before and after the table has named it,
// restarts both, and takes back the end of a match.
func TestResults(t *testing.T) {
	broker, data := startMosquitto(t), t.TempDir()
	ear := listenTo(t, broker)
	one := startGuest(t, "one", broker)
	private := one.play()
	one.interrupt()
	one.nameHall()
	one.start()
	first := one.play()
	ear.topics(t, 1)

	p := startClub(t, broker, data)
	p.keeps(first + "@one red=5")
	ear.topics(t, 0)
	p.kill()

	one.does("red undo")
	one.does("red choose +5")
	one.does("red undo")
	one.does("blue choose +5")
	second := one.play()
	ear.topics(t, 1) // the first is offered again, the second waits
	one.kill()
	one.start()
	p = startClub(t, broker, data)
	p.keeps(first+"@one blue=5", second+"@one red=5")
	ear.topics(t, 0)
	if own := one.past(); len(own) != 3 || own[0] != private+" red=5" {
		t.Errorf("the table has %q", own)
	}
	name := first + "@one"
	for _, path := range []string{"/history", "/players", "/api/players", "/api/stats", "/result.png?match=" + name,
		"/matches/" + name, "/api/journal?match=" + name, "/api/games", "/matches/" + name + ".png"} {
		if _, err := p.get(path); err != nil {
			t.Error(err)
		}
	}
	replay, err := p.get("/api/replay?match=" + name)
	if err != nil || !strings.Contains(string(replay), `"match":"`+name+`"`) {
		t.Errorf("%.200s, %v", replay, err)
	}
	p.post("/api/history", `{"do":"delete","match":"`+name+`"}`)
	p.keeps(second + "@one red=5")
	p.interrupt()
	one.interrupt()
}

// TestResultsOfAnotherHall starts two halls at one broker: each takes the matches of those
// tables that name it, and of no others.
func TestResultsOfAnotherHall(t *testing.T) {
	broker := startMosquitto(t)
	ear := listenTo(t, broker)
	p := startClub(t, broker, t.TempDir())
	one := startGuest(t, "one", broker)
	two := startGuest(t, "two", broker)
	one.interrupt()
	one.obeys("cafe")
	one.start()
	one.play()
	ear.topics(t, 1)
	two.interrupt()
	two.nameHall()
	two.start()
	p.keeps(two.play() + "@two red=5")
	ear.topics(t, 1)
	ear.mu.Lock()
	defer ear.mu.Unlock()
	said := slices.Compact(ear.said) // again, if the table offers again after five seconds
	if len(said) != 1 || !strings.HasPrefix(said[0], "tableside-hall/club/two/") {
		t.Errorf("the halls said %q", ear.said)
	}
	for _, p := range []*process{one.process, two.process, p} {
		p.interrupt()
	}
}

// TestStrangeResults offers a hall a journal of another table, which may have begun its match
// in the same second, and what is no journal of a match that is over.
func TestStrangeResults(t *testing.T) {
	broker := startMosquitto(t)
	ear := listenTo(t, broker)
	p := startClub(t, broker, t.TempDir())
	one := startGuest(t, "one", broker)
	one.interrupt()
	one.nameHall()
	one.start()
	match := one.play()
	p.keeps(match + "@one red=5")
	journal, err := os.ReadFile(filepath.Join(one.data, "matches", match+".journal"))
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan string, 100) // FromHall must not block
	client, err := mqtt.New(mqtt.Config{Brokers: []string{broker}, Table: "two", Hall: "club",
		FromHall: mqtt.HallHandlers{Kept: func(match, digest, refused string) {
			answers <- fmt.Sprintf("%s %s %q", match, digest, refused)
		}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(background(t, func(ctx context.Context) error { client.Run(ctx); return nil }))
	client.Show(t.Context(), engine.Frame{View: engine.EmptyView()})
	offer := func(journal []byte, want string) {
		t.Helper()
		for len(answers) > 0 { // the hall answers once more when the broker delivers the last offer again
			<-answers
		}
		client.Offer(match, journal)
		sum := sha256.Sum256(journal)
		select {
		case got := <-answers:
			if !strings.Contains(got, want) || !strings.Contains(got, hex.EncodeToString(sum[:])) {
				t.Errorf("the hall says %s, want %s", got, want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("the hall says nothing, want %s: %s", want, p.errs.String())
		}
	}
	packed := func(journal []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(journal); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	offer(journal, `"damaged"`)
	offer(packed(append(slices.Clone(journal), "9s red choose +5\n"...)), `"unreadable"`)
	offer(packed(make([]byte, 5<<20)), `"too-large"`)
	p.keeps(match + "@one red=5")
	offer(packed(journal), match)
	p.keeps(match+"@one red=5", match+"@two red=5")
	var list hall.List
	data, err := p.get("/api/tables")
	if err != nil || json.Unmarshal(data, &list) != nil || list.Aside.N != 3 || !list.Keeps {
		t.Errorf("%+v, %v", list, err)
	}
	client.Offer("", nil)
	ear.topics(t, 0)
}
