package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// A device is what somebody plays with.
type device string

const (
	mouse    device = "mouse"
	touch    device = "finger"
	keyboard device = "keyboard"
)

// A played match is played on the page from its beginning to the end.
type playedMatch struct {
	game          string
	seats         string
	fewer         string // seats of all devices but the mouse, for a long game
	options       []string
	width, height int64
	device        device
	most          int // inputs; 0 plays to the end
}

// playedMatches holds each game at each size by each device: its beginning, or if the nightly run
// counts random matches the whole match, which takes long.
func playedMatches() []playedMatch {
	two, four := "red=Alice,blue=Max", "red=Alice,blue=Max,yellow=Zoé,green=Barthélémy"
	games := []playedMatch{
		{game: "mutants/second-edition", seats: four, fewer: two},
		{game: "mutants/uprising", seats: "red=Alice"},
		{game: "mindbug/first-contact", seats: two},
		{game: "mindbug/king-of-tokyo", seats: two},
		{game: "genegrafter/standard", seats: four, fewer: two},
		{game: "tally/score", seats: four, options: []string{"target=20"}},
	}
	sizes := []struct{ width, height int64 }{{1280, 800}, {390, 844}, {1920, 1080}}
	var list []playedMatch
	most := 10
	if enginetest.Count("matches", 0) > 0 {
		most = 0
	}
	for _, g := range games {
		for _, d := range []device{mouse, touch, keyboard} {
			for _, size := range sizes {
				m := g
				m.device, m.width, m.height, m.most = d, size.width, size.height, most
				if g.fewer != "" && d != mouse {
					m.seats = g.fewer
				}
				list = append(list, m)
			}
		}
	}
	return list
}

// TestMatchesArePlayedOnThePage plays at random what the page offers. Before each
// input the asked seat and all answers are in sight, and nothing that can be
// clicked moves while a prompt waits.
func TestMatchesArePlayedOnThePage(t *testing.T) {
	atNight(t)
	t.Parallel()
	program := buildProgram(t)
	for _, m := range playedMatches() {
		t.Run(fmt.Sprintf("%s %dx%d %s", m.game, m.width, m.height, m.device), func(t *testing.T) {
			args := []string{"--game", m.game, "--seats", m.seats}
			for _, o := range m.options {
				args = append(args, "--option", o)
			}
			p := &player{tab: newTab(t), device: m.device, url: startProgram(t, program, args...),
				rand: rand.New(rand.NewPCG(uint64(m.width), uint64(len(m.game))))}
			p.do(chromedp.EmulateViewport(m.width, m.height), reduceMotion())
			p.beforeLoad(countFetches)
			p.open(p.url + "?lang=en")
			p.until(`!!document.getElementById("prompt")`)
			inputs := 0
			for p.step() {
				if inputs++; m.most > 0 && inputs >= m.most {
					return
				}
				if inputs > 3000 {
					t.Fatal("the match does not end")
				}
			}
			t.Logf("%d inputs", inputs)
		})
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
	if testing.Short() {
		t.Skip("a browser is slow")
	}
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

// A player plays on a page at random.
type player struct {
	*tab
	device device
	url    string
	rand   *rand.Rand
}

// countFetches is JavaScript that counts what the page has asked the table for: on a
// very busy machine the hands come after the prompt.
const countFetches = `{
	const get = fetch;
	const waiting = window.waiting = new Set();
	window.fetch = (...args) => {
		const answer = get(...args), done = () => waiting.delete(answer);
		if (args[0].includes("/live")) return answer; // the stream never ends
		waiting.add(answer);
		answer.then(a => a.clone().text()).then(done, done);
		return answer;
	};
}`

// toSight is JavaScript: frame waits for the next frame, hits reports whether nothing
// covers the middle of an element, and show scrolls to it as a player would. The page
// counts the answers that are out of sight a frame later.
const toSight = `
	const frame = () => new Promise(requestAnimationFrame);
	const hits = e => {
		const { x, y, width, height } = e.getBoundingClientRect();
		return e.contains(document.elementFromPoint(x + width / 2, y + height / 2));
	};
	const show = async e => {
		const block = e.closest("#ask, #tray") ? "nearest" : "center";
		if (!hits(e)) e.scrollIntoView({ block, inline: "center", behavior: "instant" });
		for (let i = 0; i < 5 && !hits(e); i++) await frame();
		return hits(e);
	};`

// survey is a JavaScript function that waits until the page shows the prompt of a
// view, and returns what a player can do, and what is wrong: something to be
// clicked that is out of sight, covered or moves, or an asked seat out of sight.
// window.choice returns the n-th choice.
const survey = `(async (text, seat, seq) => {` + toSight + `
	const at = e => { const { x, y, width, height } = e.getBoundingClientRect(); return { x, y, width, height }; };
	const name = e => e.outerHTML.slice(0, 160);
	const all = () => [...document.querySelectorAll(
		"#ask .answers button:not(:disabled, [aria-haspopup], [data-act=reach], [data-act=open], [data-act=further])," +
		"#arena .wanted:not(:disabled), #tray .card.wanted")];
	const resting = () => document.getAnimations().every(a =>
		a.playState !== "running" || a.effect.getTiming().iterations === Infinity);
	const asked = () => document.querySelector('.seat[data-seat="' + seat + '"]');
	// A card that a hand laid on a reader leaves it by itself.
	const lying = () => document.querySelector(".reader.full:not(:has(button))");
	let choices = [];
	for (let frames = 0, still = 0; frames < 600 && still < 3; frames++) {
		await frame();
		choices = all();
		const drawn = document.body.dataset.seq === seq && document.getElementById("prompt")?.textContent === text;
		const ready = drawn && choices.length && resting() && !waiting.size && !lying();
		still = ready && (seat === "table" || asked()?.matches("[data-asked]")) ? still + 1 : 0;
	}
	const faults = [], prompt = document.getElementById("prompt")?.textContent;
	if (prompt !== text) return { choices: [], faults: ["the page asks " + prompt + ", the table " + text] };
	if (!choices.length) return { choices: [], faults: ["nothing can be clicked"] };
	const before = choices.map(at);
	for (let i = 0; i < 6; i++) await frame();
	const now = all();
	choices.forEach((e, i) => {
		const a = before[i], b = at(e);
		if (now[i] !== e) faults.push("is replaced while the prompt waits: " + name(e));
		else if (Math.abs(a.x - b.x) > 4 || Math.abs(a.y - b.y) > 4) {
			faults.push("moves from " + [a.x, a.y] + " to " + [b.x, b.y] + ": " + name(e));
		}
	});
	const ask = document.getElementById("ask").getBoundingClientRect();
	const tray = document.getElementById("tray").getBoundingClientRect();
	if (seat !== "table" && !asked()?.matches("[data-asked]")) faults.push("no seat is drawn as the asked one");
	else if (asked()) {
		const box = asked().getBoundingClientRect();
		const end = tray.height ? tray.top : innerHeight;
		if (Math.min(box.bottom, end) - Math.max(box.top, ask.bottom) < Math.min(box.height, 80)) {
			faults.push("the asked seat is out of sight: " + [box.top, box.bottom] + " between " + [ask.bottom, end]);
		}
	}
	const scrolled = [document.scrollingElement, document.querySelector("main")].map(e => [e, e.scrollTop]);
	const cardOf = e => e.dataset.tap ?? e.dataset.input?.split(" tap ")[1];
	for (const e of choices) {
		// Of a card and its answer, one has to be in sight.
		const answer = e.closest("#ask"), card = cardOf(e);
		if (card && choices.some(c => c !== e && cardOf(c) === card && hits(c))) continue;
		// A button at the end of a long row shows the answers behind it.
		const further = e.closest("#ask .many")?.querySelector(".further[data-live-some]");
		if (answer && !hits(e) && !further) faults.push("an answer is out of sight: " + name(e));
		else if (!await show(e)) faults.push("no scrolling shows " + name(e));
	}
	scrolled.forEach(([e, top]) => { e.scrollTop = top; });
	// A refusal may draw a choice again.
	const marks = e => JSON.stringify({ ...e.dataset, in: e.closest("#ask, #arena, #tray").id });
	const drawn = choices.map(marks);
	window.choice = n => choices[n].isConnected ? choices[n] : all().find(e => marks(e) === drawn[n]) ?? choices[n];
	return { choices: choices.map(e => e.textContent.slice(0, 60)), faults };
})(%q, %q, "%d")`

// step plays one input, and reports whether the match goes on.
func (p *player) step() bool {
	p.t.Helper()
	v := p.view()
	if len(v.Winners) > 0 {
		return false
	}
	if len(v.Prompts) == 0 {
		p.t.Fatal("nobody is asked")
	}
	prompt := v.Prompts[0]
	var seen struct{ Choices, Faults []string }
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	raw, err := chromedp.Run(ctx, chromedp.Evaluate[json.RawMessage](
		fmt.Sprintf(survey, prompt.Text, prompt.Seat, v.Seq), chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal(raw, &seen)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	if len(seen.Faults) > 0 {
		p.picture()
		p.t.Fatalf("%s asks %s: %q (input %d)\n%s", prompt.Text, prompt.Seat, seen.Choices, v.Seq,
			strings.Join(seen.Faults, "\n"))
	}
	for _, n := range p.rand.Perm(len(seen.Choices)) { // some are refused, or only choose the face of a die
		refusal := p.eval(reaction)
		p.choose(n)
		made := p.after(v.Seq, refusal)
		for made == "held" {
			p.eval(`document.querySelector("dialog[open]")?.close(); ""`)
			p.choose(n)
			made = p.after(v.Seq, refusal)
		}
		switch made {
		case "moved":
			return true
		case "nothing":
			p.picture()
			p.t.Fatalf("%s asks %s: %q does nothing: %s", prompt.Text, prompt.Seat, seen.Choices[n], p.eval(fmt.Sprintf(
				`(e => e.isConnected + " " + JSON.stringify(e.getBoundingClientRect()) + e.outerHTML)(window.choice(%d))`, n)))
		}
	}
	p.picture()
	p.t.Fatalf("%s asks %s: of %q nothing is accepted", prompt.Text, prompt.Seat, seen.Choices)
	return false
}

func (p *player) picture() {
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

// choose makes a choice of the survey, unless the page draws the next prompt already.
func (p *player) choose(n int) {
	p.t.Helper()
	on := fmt.Sprintf("window.choice(%d)", n)
	if p.device == keyboard {
		p.press(on)
		return
	}
	var at struct{ X, Y float64 }
	raw, err := chromedp.Run(p.ctx, chromedp.Evaluate[json.RawMessage](`(async e => {`+toSight+`
		// A frame later the page counts what the scrolling has hidden, which may cover it.
		for (let tries = 0; tries < 3 && (tries === 0 || !hits(e)); tries++) {
			await show(e);
			for (let i = 0; i < 2; i++) await frame();
		}
		window.held = false;
		addEventListener("contextmenu", () => { window.held = true; }, { capture: true, once: true });
		const { x, y, width, height } = e.getBoundingClientRect();
		return { x: x + width / 2, y: y + height / 2 };
	})(`+on+`)`, chromedp.EvalAwaitPromise))
	if err == nil {
		err = json.Unmarshal(raw, &at)
	}
	switch {
	case err != nil:
		p.t.Fatal(err)
	case p.device == mouse:
		p.do(chromedp.MouseClickXY(at.X, at.Y))
	default:
		p.do(chromedp.TapXY(at.X, at.Y))
	}
}

// press walks to an element by the keyboard alone, and presses Enter on it.
func (p *player) press(on string) {
	p.t.Helper()
	number := p.eval(fmt.Sprintf(`%s.closest("#ask")?.contains(%[1]s) ? %[1]s.dataset.number ?? "" : ""`, on))
	if len(number) == 1 {
		p.do(chromedp.KeyEvent(number))
		return
	}
	for range 150 {
		switch p.eval(fmt.Sprintf(`(e => !e.isConnected ? "gone" : document.activeElement === e ? "there" :
			e.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING ? "back" : "")(%s)`, on)) {
		case "gone":
			return
		case "back":
			p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
		case "there":
			p.do(chromedp.KeyEvent(kb.Enter))
			return
		default:
			p.do(chromedp.KeyEvent(kb.Tab))
		}
	}
	p.picture()
	p.t.Fatalf("the keyboard does not reach %s, but %s", p.eval(on+".outerHTML.slice(0, 200)"),
		p.eval("document.activeElement.outerHTML"))
}

// after waits for what the page makes of a choice: "moved" if it shows another view,
// "said" if it shows why not, or the face of one of several dice, else "nothing"; or
// "held" if the machine was so busy between the two halves of a tap that the browser
// took it for a long press.
func (p *player) after(seq int, refusal string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	made, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf(`(async (seq, refusal) => {
		for (let end = Date.now() + 50000; Date.now() < end;) { // a busy disk takes its time
			const now = %s, [receipt, faces] = now.split("|"), before = refusal.split("|");
			if (document.body.dataset.seq !== seq) return "moved";
			if (window.held) return "held";
			if (receipt && receipt !== before[0] || faces !== before[1]) return "said"; // an old one goes by itself
			await new Promise(requestAnimationFrame);
		}
		return "nothing";
	})("%d", %q)`, reaction, seq, refusal), chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatal(err)
	}
	return made
}

// reaction is a JavaScript expression for the refusal on the page, "" for none, and
// the number and names of the faces chosen.
const reaction = `((document.querySelector(".receipt")?.dataset.k ?? "") + "|" +
	document.querySelectorAll("[data-act=face][aria-pressed=true]").length +
	[...document.querySelectorAll("[data-act=face][aria-pressed=true]")].map(e => e.dataset.face).join())`

// view fetches the view of the table.
func (p *player) view() engine.View {
	p.t.Helper()
	answer, err := http.Get(p.url + "api/view?lang=en")
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	var v engine.View
	if err := json.NewDecoder(answer.Body).Decode(&v); err != nil {
		p.t.Fatal(err)
	}
	return v
}
