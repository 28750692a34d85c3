package mqtt

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tableside/engine"
)

// TestDocumentedAccessList checks that the access list in docs/mqtt.md lets the
// table work, a player play, and a viewer only watch.
func TestDocumentedAccessList(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/mqtt.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```\nuser tableside\n")
	list, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/mqtt.md has no access list that begins with user tableside")
	}
	acl := filepath.Join(openDir(t), "acl")
	writeFile(t, acl, "user tableside\n"+list+"\nuser test\ntopic readwrite #\n")
	m := startMosquitto(t, "allow_anonymous true", "acl_file "+acl)
	tb := &table{}
	c := startClient(t, Config{Brokers: []string{m.addr}, User: "tableside", Input: tb.input, Order: tb.order, Tap: tb.tap,
		Lift: tb.tap})
	f := testFrame(t, engine.English, 7)
	c.Show(t.Context(), f)
	c.waitOK(t)
	if err := Check(t.Context(), Config{Brokers: []string{m.addr}, User: "tableside", Table: "demo"}); err != nil {
		t.Error(err)
	}
	watch(t, m.addr, asUser("test")).has(t, f)

	viewer := watch(t, m.addr, asUser("viewer"))
	until(t, "the viewer sees the state", func() bool { return viewer.get("tableside/demo/state") != "" })
	viewer.send(t, "tableside/demo/input", "red undo", false)
	player := watch(t, m.addr, asUser("player"))
	player.send(t, "tableside/demo/state", "forged", true)
	player.send(t, "tableside/demo/input", "blue undo", false)
	player.send(t, "tableside/demo/match", `{"do":"abandon"}`, false)
	until(t, "the player has answers", func() bool {
		return len(player.results(t, "tableside/demo/input")) == 1 && len(player.results(t, "tableside/demo/match")) == 1
	})
	satellite := watch(t, m.addr, asUser("satellite-red"))
	satellite.send(t, "tableside/demo/reader/blue/tap", "04A1B2C3D4E5F6", false)
	satellite.send(t, "tableside/demo/input", "red undo", false)
	satellite.send(t, "tableside/demo/reader/red/tap", "04A1B2C3D4E5F6", false)
	satellite.send(t, "tableside/demo/reader/red/lift", "04A1B2C3D4E5F6", false)
	until(t, "the satellite has answers", func() bool {
		return len(satellite.results(t, "tableside/demo/reader/red")) == 2
	})
	if got := tb.read(); len(got) != 2 || got[0] != "red 04A1B2C3D4E5F6" {
		t.Errorf("the table got the tags %q", got)
	}
	if tb.taken() != 1 || tb.inputs[0] != "blue undo" {
		t.Errorf("the match got %q", tb.inputs)
	}
	if player.get("tableside/demo/state") == "forged" {
		t.Error("a player may write the state")
	}
	player.send(t, "homeassistant/status", online, false) // not allowed: the table must not publish again
	other := watch(t, m.addr, asUser("test"))
	other.has(t, f)
	before := other.count("tableside/demo/state ")
	other.send(t, "homeassistant/status", online, false)
	until(t, "an answer to Home Assistant", func() bool { return other.count("tableside/demo/state ") > before })
}

// TestDocumentedUsers checks that docs/hall.md shows what is made for a hall and a table.
func TestDocumentedUsers(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/hall.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(first string) string {
		_, rest, found := strings.Cut(string(page), "```\n"+first)
		text, _, closed := strings.Cut(rest, "```")
		if !found || !closed {
			t.Fatalf("docs/hall.md has no block that begins with %q", first)
		}
		return first + text
	}
	list, users := block("user hall\n"), block(madeHeader+"users: [\n")
	hashes := regexp.MustCompile(`\$2a\$[^"]*`).FindAllString(users, -1)
	if len(hashes) != 2 {
		t.Fatalf("%d hashes of passwords", len(hashes))
	}
	all := []User{
		{Name: "hall", Hashes: Hashes{NATS: hashes[0]}, Rights: HallRights("club")},
		{Name: "one", Hashes: Hashes{NATS: hashes[1]}, Rights: TableRights("one", "club", "")},
	}
	if got := strings.TrimPrefix(AccessList(all, ""), madeHeader+"\n"); got != list {
		t.Errorf("the access list is\n%s\nand docs/hall.md has\n%s", got, list)
	}
	if got := NATSUsers(all, ""); got != users {
		t.Errorf("the users for NATS are\n%s\nand docs/hall.md has\n%s", got, users)
	}
}

// TestDocumentedHall checks that the access list in docs/hall.md lets a hall listen and
// answer to tables, and do nothing else; and that no table can speak for another.
func TestDocumentedHall(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/hall.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```\nuser hall\n")
	list, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/hall.md has no access list that begins with user hall")
	}
	acl := filepath.Join(openDir(t), "acl")
	writeFile(t, acl, "user hall\n"+list+"\nuser test\ntopic readwrite #\n")
	m := startMosquitto(t, "allow_anonymous true", "acl_file "+acl)
	e := listenAs(t, "hall", m.addr)
	f := testFrame(t, engine.English, 7)
	f.Status.Health = []engine.Part{{Name: "panel", Health: engine.OK}}
	c := startClient(t, Config{Brokers: []string{m.addr}, User: "test"})
	c.Show(t.Context(), f)
	until(t, "a table", func() (ok bool) {
		e.read(func() { ok = e.states["demo"] != nil })
		return ok && e.has("demo online") && e.has("demo panel ok")
	})
	until(t, "a sign of life", func() bool { return e.has("demo alive " + string(f.View.Match) + " 7") })
	w := watch(t, m.addr, asUser("test"))
	forger := watch(t, m.addr, asUser("hall"))
	forger.send(t, "tableside/demo/state", "forged", true)
	forger.send(t, "tableside/demo/input", "red undo", false)
	w.send(t, "tableside/demo/input", "red undo", false)
	until(t, "an answer", func() bool { return len(w.results(t, "tableside/demo/input")) == 1 })
	if w.get("tableside/demo/state") == "forged" || w.count("tableside/demo/input ") != 1 {
		t.Error("a hall may publish")
	}

	answers := make(chan string, 1)
	one := startClient(t, Config{Brokers: []string{m.addr}, User: "one", Table: "one", Hall: "club",
		FromHall: HallHandlers{Kept: func(_, digest, _ string) { answers <- digest }}})
	f.View.Table = "one"
	one.Show(t.Context(), f)
	one.waitOK(t)
	one.Offer(someMatch, []byte("journal"))
	until(t, "a journal", func() (ok bool) {
		e.read(func() { ok = e.journals["one "+someMatch] == "journal" })
		return ok
	})
	if err := e.watcher.Acknowledge("one", someMatch, "digest", ""); err != nil {
		t.Error(err)
	}
	if a := <-answers; !strings.Contains(a, "digest") {
		t.Errorf("the table hears %s", a)
	}
	w.Subscribe("tableside-hall/#", 1, nil).Wait()
	stranger := watch(t, m.addr, asUser("one"))
	const forged = "tableside/demo/journal/club/" + someMatch
	stranger.send(t, forged, "journal", true)
	stranger.send(t, "tableside-hall/club/demo/kept", "{}", true)
	stranger.send(t, "tableside/one/doctor", "last", false)
	until(t, "what was sent last", func() bool { return w.get("tableside/one/doctor") == "last" })
	if w.get(forged) != "" || w.count("tableside-hall/") != 0 {
		t.Error("a table may speak for another")
	}
	e.read(func() {
		if e.journals["demo "+someMatch] != "" {
			t.Error("the hall believes it")
		}
	})
}
