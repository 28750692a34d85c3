package web

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tableside/engine"
)

// An audit is a state of a page that axe-core examines.
type audit struct {
	name  string
	path  string
	frame func() engine.Frame
	do    []string // selectors to click, one after the other
	until string   // a JavaScript expression that is true in this state
	away  bool     // the table does not answer
}

// audits lists the states of the pages. A new part of a page gets a line here.
var audits = []audit{
	{name: "begin", path: "/", frame: empty, until: `!!document.querySelector(".games")`},
	{name: "begin options", path: "/", frame: empty, do: []string{"summary"},
		until: `document.querySelector("details").open`},
	{name: "unknown tag", path: "/", frame: strangeEmpty, until: `!!document.querySelector(".receipt.unknown")`},
	{name: "continue", path: "/", frame: unfinished, until: `!!document.querySelector("#ask [data-number]")`},
	{name: "mutants", path: "/", frame: two},
	{name: "mutants, four", path: "/", frame: refused, until: `!!document.querySelector(".receipt.refused")`},
	{name: "mutants, unfolded", path: "/", frame: four, do: []string{"[data-act=unfold]"}},
	{name: "away", path: "/", frame: two, away: true, until: `document.body.hasAttribute("data-away")`},
	{name: "over", path: "/", frame: won},
	{name: "counting", path: "/", frame: counting},
	{name: "dice", path: "/", frame: throwing},
	{name: "boss", path: "/", frame: documented(2)},
	{name: "mindbug", path: "/", frame: documented(3)},
	{name: "king of tokyo", path: "/", frame: documented(4)},
	{name: "genegrafter", path: "/", frame: documented(6)},
	{name: "menu", path: "/", frame: two, do: []string{"[data-open=menu]"}},
	{name: "other match", path: "/", frame: two, do: []string{"[data-open=menu]", "[data-open=begin]"},
		until: `!!document.querySelector("dialog .games")`},
	{name: "abandon", path: "/", frame: two, do: []string{"[data-open=menu]", "[data-open=abandon]"}},
	{name: "matches", path: "/", frame: two, do: []string{"[data-open=menu]", "[data-open=matches]"},
		until: `!!document.querySelector("dialog .matches li")`},
	{name: "join", path: "/", frame: two, do: []string{"[data-open=menu]", "[data-open=join]"}},
	{name: "health", path: "/", frame: refused, do: []string{"[data-open=menu]", "dialog [data-open=health]"}},
	{name: "command", path: "/", frame: two, do: []string{"[data-open=menu]", "[data-open=line]"}},
	{name: "help", path: "/", frame: two, do: []string{"[data-open=menu]", "dialog [data-open=help]"}},
	{name: "rename", path: "/", frame: two, do: []string{"[data-open=rename]"}},
	{name: "number", path: "/", frame: two, do: []string{".amount"}, until: `!!document.querySelector(".stepper")`},
	{name: "card", path: "/", frame: two, do: []string{`.seat [data-ids="warrior.2"]`},
		until: `!!document.querySelector(".moves .plain")`},
	{name: "pile", path: "/", frame: two, do: []string{".summary"}, until: `!!document.querySelector(".moves .plain")`},
	{name: "learn a card", path: "/", frame: strangeTwo, do: []string{"[data-open=learn]"},
		until: `!!document.querySelector("dialog .copies")`},
	{name: "learn a key", path: "/", frame: strangeTwo, do: []string{"[data-open=learn]", "[data-kind=key]"},
		until: `!!document.querySelector("dialog .keyed")`},
	{name: "learnt", path: "/", frame: strangeTwo,
		do: []string{"[data-open=learn]", `[data-learn="mutants/zombie.3"]`}, until: `!!document.querySelector(".learnt")`},
	{name: "overlay", path: "/overlay", frame: two},
	{name: "overlay, four", path: "/overlay", frame: four},
	{name: "overlay, over", path: "/overlay", frame: won},
	{name: "overlay, boss", path: "/overlay", frame: documented(2)},
	{name: "overlay, mindbug", path: "/overlay", frame: documented(3)},
	{name: "overlay, dice", path: "/overlay", frame: documented(4)},
}

// unfinished returns a frame that asks whether a match continues.
func unfinished() engine.Frame {
	f := empty()
	f.Status.Unfinish = "2026-11-20T20-15-00Z"
	return f
}

// axe returns the script of axe-core, which .ci/tools installs.
func axe(t *testing.T) string {
	t.Helper()
	folder, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(filepath.Join(folder, "tableside-axe", "*", "node_modules", "axe-core", "axe.min.js"))
	if len(found) == 0 {
		t.Fatal("axe-core is not installed; make test installs it")
	}
	script, err := os.ReadFile(slices.Max(found))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// runAxe is JavaScript that resolves to what axe-core finds, one finding a line.
const runAxe = `(async runOnly => {
	const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"], preload: false });
	// What the page scrolls below the prompt or the hands is not too small.
	const covered = n => n.any.some(c => c.id === "target-size" && /bscured/.test(c.data?.messageKey));
	return violations.flatMap(v => v.nodes.filter(n => !covered(n)).map(n =>
		v.id + ": " + n.target.join(" ") + ": " + n.failureSummary.split("\n")[1].trim())).join("\n");
})(%s)`

const (
	allRules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	colours  = `{ type: "rule", values: ["color-contrast"] }`
)

// tooSmall is JavaScript that lists what a finger cannot hit: less than 44 pixels
// wide or high.
const tooSmall = `[...document.querySelectorAll("button, input, select, textarea, summary, a[href]")].filter(e => {
	const box = (e.matches("[type=checkbox]") ? e.closest("label") : e).getBoundingClientRect();
	return e.checkVisibility() && e.id !== "skip" && Math.min(box.width, box.height) < 43.5 && !e.closest("[inert]") &&
		(!document.querySelector("dialog[open]") || e.closest("dialog"));
}).map(e => e.outerHTML.slice(0, 120) + " " + e.offsetWidth + "x" + e.offsetHeight).join("\n")`

// A setting is how somebody looks at a page.
type setting struct {
	lang   engine.Lang
	width  int64
	themes []string // axe-core checks everything in the first, colours in the others
}

// settings returns those in which each language, theme and size occurs, or with
// TABLESIDE_AUDIT=all every combination, which takes twice as long.
func settings() []setting {
	some := []setting{
		{engine.English, 1280, []string{"dark", "light"}},
		{engine.French, 390, []string{"light", "dark"}},
	}
	if os.Getenv("TABLESIDE_AUDIT") != "all" {
		return some
	}
	return append(some, setting{engine.English, 390, some[0].themes}, setting{engine.French, 1280, some[1].themes})
}

// TestAxeFindsNothing runs axe-core over every state of the pages, in both
// languages, both themes, on a laptop and on a phone.
func TestAxeFindsNothing(t *testing.T) {
	b, script := newTab(t), axe(t)
	for _, a := range audits {
		t.Run(a.name, func(t *testing.T) {
			b := &tab{t, b.ctx}
			for i, s := range settings() {
				if i == 0 || a.path != "/" {
					b.reach(a, s)
					b.eval(script + "; String(!!axe)")
				} else {
					b.become(a, s)
				}
				check := func(theme, what, found string) {
					if found != "" {
						t.Errorf("%s, %d wide, %s, %s:\n%s", s.lang, s.width, theme, what, found)
					}
				}
				rules := allRules
				for _, theme := range s.themes {
					b.do(still(theme))
					check(theme, "axe", b.awaited(fmt.Sprintf(runAxe, rules)))
					rules = colours
				}
				if s.width < 900 {
					check("any theme", "targets", b.eval(tooSmall))
				}
			}
		})
	}
}

// reach opens a page in the state of an audit.
func (b *tab) reach(a audit, s setting) {
	b.t.Helper()
	url, stop := listen(b.t, exampleServer(a.frame()), "127.0.0.1:0")
	b.do(screenOf(s), still("dark"))
	b.walk(a, url, "?lang="+string(s.lang), stop)
}

// walk opens a page of a server with a query, and clicks until it is in the state of
// an audit.
func (b *tab) walk(a audit, url, query string, stop func()) {
	b.t.Helper()
	b.open(url + a.path + query)
	b.until(`!!document.querySelector("#prompt, .board, #tv > *, .phones, .picture")`)
	for _, button := range a.do {
		b.click(button)
	}
	if a.away {
		stop()
	}
	b.until(cmp.Or(a.until, "true"))
}

// become shows the same state of the table page in another setting. The page
// itself changes its language: loading it again would take longer than axe-core.
func (b *tab) become(a audit, s setting) {
	b.t.Helper()
	b.do(screenOf(s))
	b.eval(fmt.Sprintf(`import("/assets/actions.js").then(actions => actions.choose({ lang: %q })); ""`, s.lang))
	if a.frame().Words != nil { // else its texts are English whatever the page asks for
		b.until(fmt.Sprintf(`document.documentElement.lang === %q`, s.lang))
	}
	b.until(cmp.Or(a.until, "true"))
}

func screenOf(s setting) chromedp.Action[chromedp.Void] {
	if s.width < 900 {
		return chromedp.EmulateViewport(s.width, 844, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	return chromedp.EmulateViewport(s.width, 800)
}

// awaited evaluates an expression that is a promise.
func (b *tab) awaited(expression string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// still emulates a user with this colour scheme who wants no animations.
func still(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme},
				{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	})
}
