package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// A played match is played on the page from its beginning to its end.
type playedMatch struct {
	game, seats   string
	options       []string
	width, height int64
	lang          engine.Lang
	most          int // inputs; 0 plays to the end
}

func (m playedMatch) String() string {
	return fmt.Sprintf("%s %d seats %dx%d %s", m.game, 1+strings.Count(m.seats, ","), m.width, m.height, m.lang)
}

// playedMatches holds each game with each number of seats, at each size in turn; at night each at
// each size in both languages.
func playedMatches() []playedMatch {
	two, three, four := "red=Alice,blue=Max", "red=Alice,blue=Max,yellow=Zoé", "red=Alice,blue=Max,yellow=Zoé,green=Barthélémy"
	games := []playedMatch{
		{game: "mutants/second-edition", seats: four},
		{game: "mindbug/first-contact", seats: two},
		{game: "genegrafter/standard", seats: three},
		{game: "tally/score", seats: four, options: []string{"target=20"}},
		{game: "mindbug/king-of-tokyo", seats: two},
		{game: "mutants/uprising", seats: "red=Alice"},
		{game: "mutants/first-edition", seats: two},
		{game: "mutants/first-edition", seats: three, options: []string{"pools=draft"}},
		{game: "genegrafter/standard", seats: four},
		{game: "genegrafter/early", seats: two},
		{game: "mindbug/first-contact", seats: two, options: []string{"sets=new-servants,beyond-eternity,beyond-evolution"}},
		{game: "tally/score", seats: two, options: []string{"target=20"}},
	}
	sizes := []playedMatch{{width: 390, height: 844}, {width: 1366, height: 768}, {width: 1920, height: 1080}}
	var list []playedMatch
	for i, g := range games {
		for j, size := range sizes {
			for k, lang := range engine.Languages {
				m := g
				m.width, m.height, m.lang = size.width, size.height, lang
				if !enginetest.Nightly() && (i >= 4 || j != i%3 || k != i%2) {
					continue
				}
				if !enginetest.Nightly() {
					m.most = 40
				}
				list = append(list, m)
			}
		}
	}
	return list
}

// TestClicker plays matches at random by real clicks on what the page marks as legal and on the
// answers of the question. In every question the track and who is asked are in sight, with the
// cards of the hand that is asked; nothing is scrolled, nothing is wider than the window, no seat
// has moved; and of what the clicker presses at most one in 200 is refused.
func TestClicker(t *testing.T) {
	t.Parallel()
	program := buildProgram(t)
	var pressed, refused atomic.Int64
	t.Run("all", func(t *testing.T) {
		for _, m := range playedMatches() {
			t.Run(m.String(), func(t *testing.T) {
				args := []string{"--game", m.game, "--seats", m.seats, "--lang", string(m.lang)}
				if strings.HasPrefix(m.game, "mutants") || strings.HasPrefix(m.game, "genegrafter") {
					args = append(args, "--option", "data=stand-in")
				}
				for _, o := range m.options {
					args = append(args, "--option", o)
				}
				p := &clicker{tab: newTab(t), rand: rand.New(rand.NewPCG(uint64(m.width), uint64(len(m.game)+len(m.seats)))),
					touch: m.width < 600}
				p.do(chromedp.EmulateViewport(m.width, m.height), reduceMotion())
				p.open(startProgram(t, program, args...))
				p.until(`!!document.getElementById("prompt")`)
				for p.step() && (m.most == 0 || p.pressed < m.most) {
					if p.pressed > 4000 {
						t.Fatal("the match does not end")
					}
				}
				pressed.Add(int64(p.pressed))
				refused.Add(int64(len(p.refused)))
				t.Logf("%d presses, refused: %q", p.pressed, p.refused)
			})
		}
	})
	if n := refused.Load(); n*200 > pressed.Load() {
		t.Errorf("of %d presses %d were refused", pressed.Load(), n)
	}
}

// built is the program, which is built for the first test that starts it. TestMain
// takes its folder away.
var built struct {
	once   sync.Once
	folder string
	err    error
}

// buildProgram returns the path of the program.
func buildProgram(t testing.TB) string {
	t.Helper()
	skipBrowser(t)
	built.once.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "tableside-web-"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", fmt.Sprintf("-race=%t", enginetest.Raced), "-o", built.folder, "tableside/cmd/tableside")
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.folder, "tableside")
}

// startProgram starts a demo on free ports and returns the address of its page.
func startProgram(t testing.TB, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, append([]string{"demo", "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0"}, args...)...)
	var errs strings.Builder
	cmd.Stderr = &errs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	page := make(chan string, 1)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(page)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			if address, ok := strings.CutPrefix(lines.Text(), "page "); ok {
				page <- strings.TrimSpace(address)
			}
		}
	})
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		reading.Wait()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the program ends with %v: %s", err, errs.String())
		}
	})
	select {
	case address, ok := <-page:
		if ok {
			return address
		}
	case <-time.After(patience):
	}
	t.Fatal("the program says no address")
	return ""
}

// A clicker plays on a page at random.
type clicker struct {
	*tab
	rand    *rand.Rand
	touch   bool
	pressed int
	refused []string
	// What was pressed last, where the match stood before, what the page showed besides, and whether
	// the table answers that.
	last, seq, mark string
	answered        bool
}

// look is a JavaScript function that waits until the page has reacted to the last press, and is
// still; it returns what is wrong, and where to press next.
const look = `(async (seq, mark, answered, random) => {
	const frame = () => new Promise(requestAnimationFrame), { body } = document;
	const all = selector => [...document.querySelectorAll(selector)];
	const box = e => e.getBoundingClientRect(), name = e => e.textContent.trim().slice(0, 60);
	const text = e => { const range = document.createRange(); range.selectNodeContents(e); return box(range); };
	const shown = e => { const b = box(e); return b.width > 0 && b.height > 0 && e.checkVisibility({ visibilityProperty: true }); };
	const sheet = () => all("[data-part=sheet]").find(shown);
	const marks = () => [sheet()?.querySelector("h2").textContent, all("[aria-pressed]").map(e => e.ariaPressed), all("details[open]").length].join("|");
	const until = async done => { for (let end = Date.now() + 50000; Date.now() < end && !done(); ) await frame(); return done(); };
	// An answer is answered by the table, anything else by the page.
	const no = () => document.querySelector("[data-refused]"), refused = () => no() && no() !== window.no;
	const moved = () => body.dataset.seq !== seq;
	if (!await until(() => moved() || (answered ? refused() : marks() !== mark))) return { faults: ["a press does nothing"] };
	const resting = () => document.getAnimations().every(a => a.playState !== "running" || a.effect.getTiming().iterations === Infinity);
	const answers = "button:is([data-input], [data-tap], [data-press], .face):not(:disabled, [data-act=lift], [aria-pressed=true])";
	const choices = () => {
		const open = sheet();
		if (open) return [...open.querySelectorAll("[data-legal=yes], :is(" + answers + ")")].filter(shown);
		return all("[data-legal=yes], #ask .answers :is(" + answers + ", [data-act=sheet], summary), .seat [data-may]").filter(shown);
	};
	await until(() => body.dataset.state !== "play" || resting() && choices().length);
	for (let i = 0; i < 2; i++) await frame();
	const now = { over: body.dataset.state === "over", refused: answered && !moved() && refused() ? name(no()) : "",
		seq: body.dataset.seq, mark: marks(), faults: [] };
	window.no = no();
	if (now.over) return now;
	const fault = (is, ...what) => { if (is) now.faults.push(what.join(" ")); };
	const inside = b => b.left >= -1 && b.top >= -1 && b.right <= innerWidth + 1 && b.bottom <= innerHeight + 1;
	const covered = e => { const b = box(e), at = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2); return at && !e.contains(at) && !at.contains(e); };
	const track = document.getElementById("track"), who = document.querySelector("#ask .who"), seat = who?.dataset.asked;
	for (const e of [who, ...shown(track) ? [track, ...track.querySelectorAll("[data-puck]")] : [], ...all(".seat[data-asked] .id")]) {
		fault(!inside(box(e)), "is outside:", e.outerHTML.slice(0, 99), JSON.stringify(box(e)));
		fault(!sheet() && covered(e), "is covered:", e.outerHTML.slice(0, 99));
	}
	for (const e of all("#hand [data-card]")) fault(!inside(box(e)), "a card of the hand is outside:", name(e), JSON.stringify(box(e)));
	for (const e of [document.scrollingElement, body, ...["arena", "track", "ask", "hand"].map(id => document.getElementById(id))]) {
		fault(e.scrollTop || e.scrollLeft, e.id || e.tagName, "is scrolled");
	}
	fault(document.documentElement.scrollWidth !== innerWidth, "the page is", document.documentElement.scrollWidth, "wide");
	// What only widens a target for fingers is no text of it.
	for (const e of all(".tab")) fault(shown(e) && text(e).width > e.clientWidth, "is cut:", name(e), text(e).width, e.clientWidth);
	for (const e of all("#ask h2, #ask .who span, #ask .a span, .seat .id > :is(span, button), .slot > small, .pool .nm, .card .name")) {
		fault(shown(e) && (e.scrollWidth > e.clientWidth + 3 && getComputedStyle(e).display !== "inline" || e.scrollHeight > e.clientHeight + 2 && getComputedStyle(e).overflowY !== "visible"),
			"is cut:", e.className, name(e), e.scrollWidth, e.clientWidth, e.scrollHeight, e.clientHeight);
	}
	for (const e of all(".seat .stats > *")) {
		fault(shown(e) && text(e).right > box(e.closest(".seat")).right, "is cut:", name(e), text(e).right, box(e.closest(".seat")).right);
	}
	const places = JSON.stringify(all(".seat").map(e => [e.dataset.seat, box(e)]));
	fault((window.places ??= places) !== places, "seats moved:", window.places, "now", places);
	const list = choices();
	fault(!list.length, "nothing can be pressed:", name(document.getElementById("ask")));
	for (const e of list) if (!e.closest("[data-part=sheet]")) {
		fault(!inside(box(e)), "is outside:", e.outerHTML.slice(0, 160), JSON.stringify(box(e)));
		fault(!sheet() && covered(e), "is covered:", e.outerHTML.slice(0, 160));
	}
	const must = list.filter(e => !("may" in e.dataset)), e = (must.length && random[0] < .9 ? must : list)[Math.floor(random[1] * (must.length && random[0] < .9 ? must : list).length)];
	if (!e) return now;
	if (e.closest("[data-part=sheet]")) e.scrollIntoView({ block: "nearest" });
	const b = box(e);
	return { ...now, answers: ["input", "tap", "press"].includes(e.closest("[data-act]").dataset.act), x: b.left + b.width / 2, y: b.top + b.height / 2, name: name(document.getElementById("prompt")) + ": " + name(e) };
})(%q, %q, %t, [%f, %f])`

// step presses once, and reports whether the match goes on.
func (p *clicker) step() bool {
	p.t.Helper()
	var now struct {
		Over, Answers            bool
		Refused, Seq, Mark, Name string
		Faults                   []string
		X, Y                     float64
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	raw, err := chromedp.Run(ctx, chromedp.Evaluate[json.RawMessage](
		fmt.Sprintf(look, p.seq, p.mark, p.answered, p.rand.Float64(), p.rand.Float64()), chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal(raw, &now)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	if now.Refused != "" {
		p.refused = append(p.refused, p.last+": "+now.Refused)
	}
	if len(now.Faults) > 0 {
		p.picture()
		p.t.Fatalf("after %d presses, the last on %q (seq %s):\n%s", p.pressed, p.last, now.Seq, strings.Join(now.Faults, "\n"))
	}
	if now.Over {
		return false
	}
	p.seq, p.mark, p.answered, p.last = now.Seq, now.Mark, now.Answers, now.Name
	p.pressed++
	if p.touch {
		p.do(chromedp.TapXY(now.X, now.Y))
	} else {
		p.do(chromedp.MouseClickXY(now.X, now.Y))
	}
	return true
}

func (p *clicker) picture() {
	if folder := os.Getenv("PICTURES"); folder != "" {
		p.shoot(filepath.Join(folder, strings.NewReplacer("/", "-", " ", "-").Replace(p.t.Name())+".png"))
	}
}

func (b *tab) shoot(file string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(file, png, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// What answers can be pressed on a phone too: a seat's discard pile, a pile of the table; and a
// seat's numbers are whole beside its states.
func TestWhatAnswersIsInSightOnAPhone(t *testing.T) {
	f := exampleFrame(4)
	f.View.Zones = engine.Zones{{Name: "discard", Cards: []engine.Card{{Kind: "zombie", Copy: 9}}}}
	f.View.Seats[0].State = []string{"tilted", "knocked-out", "face-down"}
	asked := engine.Prompt{Seat: "red", Key: "action", Args: engine.Args{"n": 0}}
	for _, card := range []string{"alien.1", "zombie.9"} {
		asked.Options = append(asked.Options, engine.Answer{Key: "breed", Args: engine.Args{"card": engine.CardWord("zombie")},
			Input: "red tap " + card})
	}
	f.View.Prompts = []engine.Prompt{asked}
	f.Lang = "-"
	b := newTab(t)
	url, _ := listen(t, exampleServer(f.In(engine.English)), "127.0.0.1:0")
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(url + "/?lang=en")
	b.until(`document.querySelector("#ask .answers .near")?.dataset.sheet === "discard"`)
	b.click(`#ask .near[data-sheet="red/discard"]`)
	b.until(`document.querySelectorAll("#sheet [data-card]").length === 5 &&
		document.querySelector("#sheet [data-legal=yes]").dataset.card === "alien.1"`)
	if cut := b.eval(`[...document.querySelectorAll(".seat .stats > *")].filter(e =>
		e.getBoundingClientRect().right > e.closest(".seat").getBoundingClientRect().right).map(e => e.textContent).join()`); cut != "" {
		t.Errorf("of the seats is cut: %s", cut)
	}
}
