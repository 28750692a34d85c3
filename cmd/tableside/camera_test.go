package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"tableside/display/displaytest"
	"tableside/display/qr"
	"tableside/display/qr/qrtest"
	"tableside/engine"
	"tableside/engine/enginetest"
)

func qrPicture(t testing.TB, meaning string, scale int) image.Image {
	t.Helper()
	code, err := qr.New("tableside:"+meaning, qr.Medium)
	if err != nil {
		t.Fatal(err)
	}
	return code.Picture(scale)
}

// writeY4M writes what a camera of 640 by 480 sees, with 30 frames a second: nothing for
// a second, then these pictures side by side, turned and tilted, for three.
func writeY4M(t testing.TB, pictures ...image.Image) string {
	t.Helper()
	size := image.Rect(0, 0, 640, 480)
	empty, shown := image.NewGray(size), image.NewGray(size)
	for i := range empty.Pix {
		empty.Pix[i], shown.Pix[i] = 180, 200
	}
	at := image.Pt(10, 60)
	for _, p := range pictures {
		seen := qrtest.Seen(p, 0.15, 0.1)
		draw.Draw(shown, seen.Bounds().Add(at), seen, image.Point{}, draw.Src)
		at.X += seen.Bounds().Dx() + 10
	}
	file := filepath.Join(t.TempDir(), "camera.y4m")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "YUV4MPEG2 W640 H480 F30:1 Ip A1:1 C420jpeg\n")
	grey := slices.Repeat([]byte{128}, 640*480/2)
	for i := range 120 {
		frame := shown
		if i < 30 {
			frame = empty
		}
		fmt.Fprint(w, "FRAME\n")
		_, _ = w.Write(frame.Pix)
		_, _ = w.Write(grey)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return file
}

// A lens is a browser tab with a camera.
type lens struct {
	t   testing.TB
	ctx context.Context
}

// newLens starts a browser whose camera sees a file.
func newLens(t testing.TB, y4m string) lens {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser is slow")
	}
	path, err := displaytest.Browser()
	if err != nil {
		t.Fatal("chromium is not installed; make test installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("use-fake-device-for-media-stream", true),
		chromedp.Flag("use-file-for-fake-video-capture", y4m))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx); end(); stop() })
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	return lens{t, ctx}
}

// open opens a page, after a script if there is one.
func (l lens) open(url, before string) {
	l.t.Helper()
	if before != "" {
		if _, err := chromedp.Call(l.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: before}); err != nil {
			l.t.Fatal(err)
		}
	}
	l.do(chromedp.Navigate(url))
}

func (l lens) do(steps ...chromedp.Action[chromedp.Void]) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		l.t.Fatal(err)
	}
}

// until waits for an expression to be true.
func (l lens) until(expression string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.ctx, time.Minute)
	defer cancel()
	if err := displaytest.Until(ctx, expression); err != nil {
		l.t.Fatal(err)
	}
}

// click clicks as a user does: browsers start a camera or NFC after a real click only.
func (l lens) click(selector string) {
	l.t.Helper()
	l.until(fmt.Sprintf("!!document.querySelector(%q)", selector))
	l.do(chromedp.Click(chromedp.CSS(selector)))
}

func (l lens) run(script string) {
	l.t.Helper()
	if _, err := chromedp.Run(l.ctx, chromedp.Evaluate[string](script+`; ""`)); err != nil {
		l.t.Fatal(err)
	}
}

// says waits until the page has taken a tag of this name, or said this about one.
func (l lens) says(text string) {
	l.t.Helper()
	l.until(fmt.Sprintf("document.getElementById('page').innerText.includes(%q)", text))
}

// handOf returns the cards in the hand of a seat.
func (p *process) handOf(seat engine.Seat) []string {
	p.t.Helper()
	body, err := p.get("/api/piles")
	var piles []struct {
		Place string
		Cards []struct{ ID string }
	}
	if err == nil {
		err = json.Unmarshal(body, &piles)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	var cards []string
	for _, pile := range piles {
		for _, c := range pile.Cards {
			if pile.Place == string(seat)+"/hand" {
				cards = append(cards, c.ID)
			}
		}
	}
	return cards
}

func (p *process) seq() int {
	p.t.Helper()
	v, err := p.view()
	if err != nil {
		p.t.Fatal(err)
	}
	return v.Seq
}

func mindbugDemo(t testing.TB) *process {
	return startDemo(t, "--game", "mindbug/first-contact", "--seats", "red=Alice,blue=Max", "--first", "red")
}

// TestCameraOfABrowser reads several codes at once with Chromium's camera, turned and
// tilted: red's card is played once, and the card of another game is refused.
func TestCameraOfABrowser(t *testing.T) {
	p := mindbugDemo(t)
	card := p.handOf("red")[0]
	l := newLens(t, writeY4M(t, qrPicture(t, "mindbug/"+card, 5), qrPicture(t, "mutants/zombie.1", 5)))
	l.open(p.page+"/reader?seat=red&lang=en", "")
	l.click("[data-act=camera] button")
	l.says("Mutants")
	l.until(`document.querySelectorAll(".newest.refused, .taken .accepted, .newest.accepted, .taken .refused").length === 2`)
	l.until(`!!document.querySelector(".code.accepted") && !!document.querySelector(".code.refused")`)
	if v, err := p.view(); err != nil || v.Seq != 1 || !strings.Contains(fmt.Sprint(v), strings.Split(card, ".")[0]) {
		t.Errorf("the match is at %d (%v), want %s to be played once", v.Seq, err, card)
	}
	l.click("[data-act=stop] button")
	l.until(`!document.querySelector("video")`)
}

// cameraStandIn replaces getUserMedia by a picture that the test draws: show(rows)
// shows a code, as rows of modules, and show() nothing.
const cameraStandIn = `
	const canvas = document.createElement("canvas");
	[canvas.width, canvas.height] = [640, 480];
	const on = canvas.getContext("2d");
	let shown = [];
	window.show = (rows = []) => { shown = rows; };
	setInterval((scale = 6, rows = shown) => { // as a camera does, 30 times a second
		on.fillStyle = "#ccc"; on.fillRect(0, 0, 640, 480);
		on.fillStyle = "#222";
		rows.forEach((row, y) => [...row].forEach((dark, x) => {
			if (dark === "1") on.fillRect(200 + x * scale, 100 + y * scale, scale, scale);
		}));
	}, 33);
	Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia: async () => canvas.captureStream() } });
	// taken shows a code and resolves to the milliseconds until it counts.
	window.taken = rows => new Promise(done => {
		const before = document.querySelector(".newest")?.dataset.k, from = performance.now();
		const seen = new MutationObserver(() => {
			const newest = document.querySelector(".newest");
			if (!newest || newest.dataset.k === before) return;
			seen.disconnect();
			done([...newest.classList].at(-1) + " " + (performance.now() - from) + " " + newest.innerText.replaceAll("\n", ": "));
		});
		seen.observe(document.getElementById("page"), { subtree: true, childList: true, attributes: true });
		show(rows);
	});`

// rowsOf returns a code as JavaScript, for show.
func rowsOf(t testing.TB, meaning string) string {
	t.Helper()
	code, err := qr.New("tableside:"+meaning, qr.Medium)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]string, code.Size())
	for y := range rows {
		for x := range code.Size() {
			rows[y] += map[bool]string{true: "1", false: "0"}[code.Dark(x, y)]
		}
	}
	data, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// take shows a code to the camera until it counts. It returns how it was taken, and after
// how many milliseconds.
func (l lens) take(meaning string) (said string, ms float64) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.ctx, time.Minute)
	defer cancel()
	said, err := chromedp.Run(ctx, chromedp.Evaluate[string]("taken("+rowsOf(l.t, meaning)+")", chromedp.EvalAwaitPromise))
	if err != nil {
		l.t.Fatalf("%s: %v", meaning, err)
	}
	how, rest, _ := strings.Cut(said, " ")
	_, _ = fmt.Sscan(rest, &ms)
	return how, ms
}

// TestMeasureMatchByCamera plays a match of Mindbug: every card is shown to a camera, all
// other answers are keys. It prints how long a code is in view until it counts, on one
// core. Without TABLESIDE_BIN it ends after a few cards, but not at night.
func TestMeasureMatchByCamera(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1") // of the table
	p := mindbugDemo(t)
	l := newLens(t, "")
	l.open(p.page+"/reader?seat=table&lang=en", cameraStandIn)
	l.click("[data-act=camera] button")
	l.until(`document.querySelector("video")?.videoWidth > 0`)
	chance := rand.New(rand.NewPCG(1, 2))
	whole := os.Getenv("TABLESIDE_BIN") != "" || enginetest.Nightly()
	var times []float64
	memory, last := 0, map[string]time.Time{} // when a card was in view
	for inputs := 0; ; inputs++ {
		v, err := p.view()
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Winners) > 0 || !whole && len(times) >= 5 {
			break
		}
		if inputs > 2000 {
			t.Fatal("the match does not end")
		}
		prompt := v.Prompts[0]
		answer := prompt.Options[chance.IntN(len(prompt.Options))]
		_, card, tapped := strings.Cut(answer.Input, " tap ")
		if hand := string(prompt.Seat) + "/hand"; answer.Zone == hand {
			cards := p.handOf(prompt.Seat)
			card, tapped = cards[chance.IntN(len(cards))], true
		}
		if !tapped {
			if _, err := p.step(v, chance); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if time.Since(last[card]) < 2*time.Second { // it has to be taken away before it counts again
			l.run("show()")
			l.until(`!!document.querySelector("figcaption")`)
		}
		how, ms := l.take("mindbug/" + card)
		last[card] = time.Now()
		if how == "accepted" && p.seq() <= v.Seq || how != "accepted" && how != "refused" {
			t.Fatalf("%s for %+v: %s, and the match is where it was", card, prompt, how)
		}
		times = append(times, ms)
		memory = max(memory, p.resident("RssAnon"))
	}
	if len(times) < 5 {
		t.Fatalf("only %d cards were shown", len(times))
	}
	slices.Sort(times)
	t.Logf("%d codes counted after %.0f ms (median; %.0f to %.0f); %.1f MB of memory of its own at most", len(times),
		times[len(times)/2], times[0], times[len(times)-1], float64(memory)/1e6)
	if os.Getenv("TABLESIDE_BIN") != "" && (times[len(times)/2] > 300 || memory > 24e6) {
		t.Error("that is too much: want 300 ms and 24 MB")
	}
}

// nfcStandIn has the shape of Web NFC: scan needs a click, tapTag lays a tag down.
const nfcStandIn = `
	const readers = [];
	window.NDEFReader = class extends EventTarget {
		async scan() {
			if (window.nfcFails) throw new DOMException("no", window.nfcFails);
			if (!navigator.userActivation.isActive) throw new DOMException("no gesture", "NotAllowedError");
			readers.push(this);
		}
	};
	window.tapTag = (serialNumber, ...texts) => readers.forEach(r => r.dispatchEvent(Object.assign(new Event("reading"), {
		serialNumber, message: { records: texts.map(text => ({ recordType: "text", encoding: "utf-8",
			data: new DataView(new TextEncoder().encode(text).buffer) })) } })));
	window.spoiltTag = () => readers.forEach(r => r.dispatchEvent(new Event("readingerror")));`

// TestWebNFC reads tags by their text and by their number, and says in a sentence what
// is wrong.
func TestWebNFC(t *testing.T) {
	p := mindbugDemo(t)
	card := p.handOf("red")[0]
	l := newLens(t, "")
	l.open(p.page+"/reader?seat=red&lang=en", nfcStandIn)
	for name, want := range map[string]string{
		"NotAllowedError": "Allow it in the browser", "NotSupportedError": "switched off",
	} {
		l.until(`!!document.querySelector("[data-act=nfc] button")`)
		l.run(fmt.Sprintf("window.nfcFails = %q", name))
		l.click("[data-act=nfc] button")
		l.says(want)
	}
	l.run("window.nfcFails = ''")
	l.click("[data-act=nfc] button")
	l.says("back of the phone")
	l.run(`tapTag("04:a1:b2:c3:d4:e5:80", "hello", "tableside:mindbug/` + card + `")`)
	l.until(`!!document.querySelector(".newest.accepted")`)
	if got := p.seq(); got != 1 {
		t.Errorf("the match is at %d after a card", got)
	}
	l.run(`tapTag("04:a1:b2:c3:d4:e5:80")`)
	l.says("04A1B2C3D4E580")
	l.run(`spoiltTag()`)
	l.says("could not be read")
}
