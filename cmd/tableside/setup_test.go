package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/display/displaytest"
	"tableside/display/web/setup"
	"tableside/drivers/evdev"
	"tableside/drivers/evdev/evdevtest"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pcsc/pcsctest"
	"tableside/drivers/pn532/pn532test"
	"tableside/engine"
)

// A pluggedIn is a computer without a configuration, with what is plugged into it: two
// readers of pcscd of one kind, a PN532 behind a serial adapter, a number pad, a reader
// that types.
type pluggedIn struct {
	*testing.T
	bench      *bench.Bench
	pcscd      *pcsctest.Server
	field      *nfctest.Field // of the PN532
	pad, typer *evdevtest.Device
	data       string

	page  string // of the running table
	said  bytes.Buffer
	cards byte // that were laid
	tab   context.Context
}

const (
	firstACR, secondACR = "ACS ACR122U PICC Interface 00 00", "ACS ACR122U PICC Interface 01 00"
	adapter             = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
)

func plugIn(t *testing.T) *pluggedIn {
	t.Helper()
	chips, err := bench.NewChips(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &pluggedIn{T: t, bench: chips.Bench, field: &nfctest.Field{}, data: filepath.Join(t.TempDir(), "data")}
	p.bench.CardReaders = filepath.Join(t.TempDir(), "pcscd")
	if p.pcscd, err = pcsctest.Listen(p.bench.CardReaders); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.pcscd.Close() })
	p.pcscd.Plug(firstACR)
	p.pcscd.Plug(secondACR)
	chip := pn532test.New(p.field)
	p.bench.Lines[adapter] = func() rig.SerialPort { return chip.UART() }
	p.pad = p.bench.Keyboards.Plug(evdev.Info{Path: "/dev/input/event0", Name: "Pad", Bus: evdev.USB, Phys: "usb-1/input0",
		Vendor: 0x1c4f, Product: 2, Keys: 17})
	p.typer = p.bench.Keyboards.Plug(evdev.Info{Path: "/dev/input/event1", Name: "Sycreader", Bus: evdev.USB,
		Phys: "usb-2/input0", Vendor: 0xffff, Product: 0x35, Keys: 100})
	return p
}

// run runs the table as tableside run does, and returns the function that stops it.
func (p *pluggedIn) run() (stop func()) {
	p.Helper()
	file := filepath.Join(filepath.Dir(p.data), "table.toml")
	text := fmt.Sprintf("[table]\ndata = %q\n[http]\nlisten = \"127.0.0.1:0\"\n", p.data)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
	said := &transcript{}
	env := func(string) string { return "" }
	program := &program{out: said, err: &p.said, env: env, lang: "en", games: allGames}
	c, err := config.Load(file, env)
	if err != nil {
		p.Fatal(err)
	}
	c.Table.Lang = "en"
	h, _, err := program.table(c, p.bench)
	if err != nil {
		p.Fatal(err)
	}
	ctx, cancel := context.WithCancel(p.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	said.next(p.T, "data ")
	said.mu.Lock()
	_, rest, _ := strings.Cut(said.text.String(), "http://")
	said.mu.Unlock()
	address, _, _ := strings.Cut(rest, "/")
	p.page = "http://" + address
	return func() {
		p.Helper()
		cancel()
		if err := <-ended; err != nil {
			p.Error(err)
		}
	}
}

func (p *pluggedIn) state() (s setup.State) {
	p.Helper()
	answer, err := http.Get(p.page + "/api/setup")
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&s); err != nil {
		p.Fatal(err)
	}
	return s
}

// order sends an order to the table and returns its status and text.
func (p *pluggedIn) order(o setup.Order) (int, string) {
	p.Helper()
	body, _ := json.Marshal(o)
	answer, err := http.Post(p.page+"/api/setup?lang=en", "application/json", bytes.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	var said struct{ Error string }
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
		p.Fatal(err)
	}
	return answer.StatusCode, said.Error
}

// until waits for a state of the table.
func (p *pluggedIn) until(what string, is func(setup.State) bool) (s setup.State) {
	p.Helper()
	for limit := time.Now().Add(20 * time.Second); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		if s = p.state(); is(s) {
			return s
		}
	}
	p.Fatalf("never: %s: %+v; answer %+v", what, s, s.Last)
	return s
}

// whose lists the parts as "kind seat device", sorted.
func whose(s setup.State) string {
	var all []string
	for _, part := range s.Parts {
		all = append(all, fmt.Sprintf("%s of %s %s", part.Kind, part.Seat, part.Device))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// ask asks whose something is, taps it once, and returns the answer.
func (p *pluggedIn) ask(seat engine.Seat, ready func(setup.State) bool, tap func()) *setup.Answer {
	p.Helper()
	before, tapped := 0, false
	if last := p.state().Last; last != nil {
		before = last.N
	}
	where := "[data-k=seat-" + string(seat) + "] > form"
	if seat == "" {
		where = "[data-act=everything]"
	}
	p.onPage(`document.querySelector("` + where + ` button")?.click()`)
	return p.until("an answer for "+string(seat), func(s setup.State) bool {
		if !tapped && s.Asked != nil && ready(s) {
			tapped = true
			tap()
		}
		return s.Last != nil && s.Last.N > before && s.Asked == nil
	}).Last
}

func polled(device string) func(setup.State) bool {
	return func(s setup.State) bool {
		return slices.ContainsFunc(s.Parts, func(p setup.Part) bool {
			return p.Device == device && !p.LastGood.IsZero()
		})
	}
}

func grabbed(d *evdevtest.Device) func(setup.State) bool {
	return func(setup.State) bool { return d.Grabbed() }
}

// openPage opens /setup in a browser of its own.
func (p *pluggedIn) openPage() {
	p.Helper()
	path, err := displaytest.Browser()
	if err != nil {
		p.Fatal("chromium is not installed; make test installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	tab, end := chromedp.NewContext(allocator)
	p.Cleanup(func() { _ = chromedp.Cancel(tab); end(); stop() })
	if err := chromedp.Do(tab, chromedp.Navigate(p.page+"/setup?lang=en")); err != nil {
		p.Fatal(err)
	}
	p.tab = tab
	p.shows("Add a part")
}

func (p *pluggedIn) onPage(script string) string {
	p.Helper()
	said, err := chromedp.Run(p.tab, chromedp.Evaluate[string](script+`; document.getElementById("page").innerText`))
	if err != nil {
		p.Fatalf("%s: %v", script, err)
	}
	return said
}

// shows waits until the page says something.
func (p *pluggedIn) shows(what string) {
	p.Helper()
	p.until("the page says "+what, func(setup.State) bool { return strings.Contains(p.onPage(""), what) })
}

// digits reports whether the table says that a number pad gives answers.
func (p *pluggedIn) digits() bool {
	p.Helper()
	answer, err := http.Get(p.page + "/api/live")
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if frame, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var live struct{ Status engine.Status }
			if err := json.Unmarshal([]byte(frame), &live); err != nil {
				p.Fatal(err)
			}
			return live.Status.Digits
		}
	}
	p.Fatal("the stream has no frame")
	return false
}

func (p *pluggedIn) lay(reader string) func() {
	return func() {
		p.cards++
		p.pcscd.Place(reader, &pcsctest.Card{UID: []byte{4, 1, 2, 3, 4, 5, p.cards}})
	}
}

// TestSetUpTable starts a table without a configuration, answers on the page whose is
// what, and starts it again: it is the same table. Mistakes change nothing.
func TestSetUpTable(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a browser is slow")
	}
	p := plugIn(t)
	stop := p.run()
	p.openPage()
	p.shows("The table has found a reader")
	s := p.state()
	want := "reader of table " + adapter + "\nreader of table " + firstACR + "\nreader of table " + secondACR
	if whose(s) != want || !s.Open || len(s.Found) != 2 {
		t.Fatalf("found at the start:\n%s\nwant\n%s\n%+v", whose(s), want, s)
	}
	if v, _ := http.Get(p.page + "/api/view"); v != nil {
		var view engine.View
		if err := json.NewDecoder(v.Body).Decode(&view); err != nil || !slices.Contains(view.Notices, "not-set-up") {
			t.Errorf("notices %v, %v", view.Notices, err)
		}
		v.Body.Close()
	}
	if _, err := os.Stat(filepath.Join(p.data, config.SetupFile)); !os.IsNotExist(err) {
		t.Errorf("there is a setup file before anybody has answered: %v", err)
	}

	tag := nfctest.NewNTAG213(nfc.UID{})
	uid, _ := nfc.NewUID([]byte{4, 0xb0, 7, 0, 0, 0, 1})
	zombie := nfctest.NewNTAG213(uid)
	if err := zombie.SetText("tableside:mutants/zombie.1"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		seat  engine.Seat
		ready func(setup.State) bool
		tap   func()
		want  string
	}{
		{"red", polled(secondACR), p.lay(secondACR), "Red has this reader now"},
		{"red", polled(firstACR), p.lay(firstACR), "Red has one already: remove that one first"},
		{"blue", polled(firstACR), p.lay(firstACR), "Blue has this reader now"},
		{"blue", polled(firstACR), p.lay(firstACR), "Blue has this reader now"},
		{"blue", grabbed(p.pad), func() { p.pad.Tap(79) }, "Blue has these keys now"},
		{"green", grabbed(p.typer), func() { p.typer.Tap(2, 3, 4, 5, 6, 7, 8, 9, 28) }, "Green has this reader now"},
		{"", polled(firstACR), p.lay(firstACR), "This is " + firstACR + "; it belongs to: Blue"},
		{"yellow", polled(adapter), func() { p.field.Put(tag) }, "Yellow has this reader now"},
	} {
		if got := p.ask(test.seat, test.ready, test.tap); got.Text != test.want {
			t.Errorf("%s: got %q, want %q", test.seat, got.Text, test.want)
		}
	}
	p.shows("Yellow has this reader now")
	p.field.Take(tag)
	p.field.Put(zombie)
	p.shows("Last card: Zombie, now.")
	for _, test := range []struct {
		order setup.Order
		want  string
	}{
		{setup.Order{Do: "use", Found: "input:none"}, "It is not plugged in any more, so nothing has changed"},
		{setup.Order{Do: "remove", Part: "reader-none"},
			"reader-none is in the configuration file, which only you change"},
		{setup.Order{Do: "ask", Seat: "sofa"}, "This table has no such seat"},
		{setup.Order{Do: "lights", Host: "a b", Count: 3}, "That does not work, so nothing has changed: "},
		{setup.Order{Do: "lights", Host: "wled.local"}, "That does not work, so nothing has changed: "},
	} {
		if code, why := p.order(test.order); code != http.StatusConflict || !strings.HasPrefix(why, test.want) {
			t.Errorf("%+v: got %d %q, want %q", test.order, code, why, test.want)
		}
	}
	for _, test := range []struct {
		part string
		seat engine.Seat
		code int
	}{
		{"reader-yellow", "black", 200}, {"reader-black", "yellow", 200}, {"reader-yellow", "red", 409}, {"reader-yellow", "", 409},
		{"reader-none", "red", 409},
	} {
		if code, why := p.order(setup.Order{Do: "give", Part: test.part, Seat: test.seat}); code != test.code {
			t.Errorf("%+v: got %d %q", test, code, why)
		}
	}
	if !p.digits() {
		t.Error("a number pad that was added gives no digits")
	}
	before := p.state()
	want = "keyboard of blue 1c4f:0002\nreader of blue " + firstACR + "\nreader of red " + secondACR +
		"\nreader of yellow " + adapter + "\ntypist of green ffff:0035"
	if whose(before) != want || before.Open || len(before.Found) != 0 {
		t.Errorf("got\n%s\nwant\n%s\n%+v", whose(before), want, before)
	}
	stop()

	stop = p.run()
	ill := func(p setup.Part) bool { return p.Health != engine.OK }
	p.until("the same table, and all of it works", func(s setup.State) bool {
		return whose(s) == want && !slices.ContainsFunc(s.Parts, ill)
	})
	for _, leds := range []int{3, 4} { // the second replaces the first
		if code, why := p.order(setup.Order{Do: "lights", Host: "127.0.0.1:1", Count: leds}); code != http.StatusOK {
			t.Errorf("lights: %d %s", code, why)
		}
	}
	p.pad.Unplug()
	p.until("the pad is ill", func(s setup.State) bool {
		return slices.ContainsFunc(s.Parts, func(p setup.Part) bool { return p.Kind == "keyboard" && ill(p) })
	})
	if err := chromedp.Do(p.tab, chromedp.Navigate(p.page+"/setup?lang=en")); err != nil {
		t.Fatal(err)
	}
	p.shows("Six parts, two are silent")
	p.shows("evdev: 1c4f:0002: not plugged in")
	s = p.until("all is removed", func(s setup.State) bool {
		p.onPage(`document.querySelector("[data-act=remove] button")?.click()`)
		return len(s.Parts) == 0
	})
	if health, err := http.Get(p.page + "/healthz"); err != nil {
		t.Error(err)
	} else {
		all, _ := io.ReadAll(health.Body)
		if health.Body.Close(); strings.Contains(string(all), "reader-") || strings.Contains(string(all), "lights") {
			t.Errorf("parts that were removed have health: %s", all)
		}
	}
	if len(s.Found) != 4 || p.typer.Grabbed() {
		t.Errorf("all is removed: %+v", s)
	}
	p.shows("No parts yet")
	stop()
	if strings.Contains(p.said.String(), "level=ERROR") {
		t.Error(&p.said)
	}
}
