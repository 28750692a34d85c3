package web

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// A setting is how somebody looks at a page, and the themes in which axe-core does.
type setting struct {
	lang          engine.Lang
	width, height int64
	themes        []string
}

// settings returns how the n-th state is looked at on a screen: every sixteenth one on each
// of the two, or at night every one in every way. French is longer than English, so the
// small screen has it.
func settings(n int, screen setting) []setting {
	both := []string{"dark", "light"}
	own, other, turn := engine.English, engine.French, 0
	if screen.width < 900 {
		own, other, turn = other, own, 8
	}
	switch {
	case enginetest.Nightly():
		return []setting{{own, screen.width, screen.height, both}, {other, screen.width, screen.height, both}}
	case n%16 == turn:
		return []setting{{own, screen.width, screen.height, both}}
	}
	return nil
}

// TestAxeFindsNothing runs axe-core over the states of the pages that settings chooses; of one
// with a dialog, over the dialog, because the page behind it is a state of its own, or at night
// over both. The second theme has other colours and nothing else (TestThemesDifferInColours),
// so the rules about colours look at it, or at night every rule. Tables that differ in their frames share a page.
// No state is wider than its screen, and on a phone a finger hits everything. A laptop and
// a phone look at the same time, each at one state after the other.
func TestAxeFindsNothing(t *testing.T) {
	script := axe(t)
	screens := map[string]setting{"laptop": {width: 1280, height: 800}, "phone": {width: 390, height: 844}}
	for name, screen := range screens {
		t.Run(name, func(t *testing.T) {
			b := newTab(t)
			b.beforeLoad(mayLeave + script)
			b.do(screenOf(screen))
			shows := "" // the path of a page that other tables can use
			for n, a := range audits {
				if list := settings(n, screen); list != nil {
					t.Run(a.name, func(t *testing.T) {
						table, shown := a.table(t), shows
						shows = "" // also if the test stops here
						if !table.alone || a.after != nil || enginetest.Nightly() {
							shown = ""
						}
						(&tab{t, b.ctx}).examine(a, table, list, shown)
						if table.alone && a.after == nil {
							shows = a.path
						}
					})
				}
			}
		})
	}
}

// examine looks at a state in some settings, all of which have the tab's screen, on the page
// that the tab shows if that is the same.
func (b *tab) examine(a audit, table shown, list []setting, shows string) {
	b.t.Helper()
	for i, s := range list {
		b.do(still(s.themes[0]))
		if i == 0 || a.after != nil || table.routesFunc != nil || !strings.HasPrefix(a.path, "/?") && a.path != "/" {
			b.walk(a, table, "lang="+string(s.lang), shows)
		} else {
			b.become(a, table, s)
		}
		b.eval(plain)
		for n, theme := range s.themes {
			if n > 0 {
				b.do(still(theme))
			}
			b.check(s, theme+", axe", b.awaited(fmt.Sprintf(runAxe, !enginetest.Nightly(), n > 0 && !enginetest.Nightly())))
		}
		b.check(s, "wider than the screen", b.eval(tooWide))
		if s.width < 900 {
			b.check(s, "targets", b.eval(tooSmall))
		}
	}
}

func (b *tab) check(s setting, what, found string) {
	b.t.Helper()
	if found != "" {
		b.t.Errorf("%s, %d wide, %s:\n%s", s.lang, s.width, what, found)
	}
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

// runAxe is a JavaScript function that returns a promise of what axe-core finds, one finding
// a line, on the page or in an open dialog only, by all rules or those about colours only.
const runAxe = `(async (dialogAlone, coloursAlone) => {
	const part = dialogAlone && document.querySelector("dialog[open]") || document;
	const runOnly = coloursAlone ? ["color-contrast", "link-in-text-block"] :
		["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
	const { violations } = await axe.run(part, { runOnly, resultTypes: ["violations"], preload: false });
	// What the page scrolls below the prompt or the hands is not too small.
	const covered = n => n.any.some(c => c.id === "target-size" && /bscured/.test(c.data?.messageKey));
	return violations.flatMap(v => v.nodes.filter(n => !covered(n)).map(n =>
		v.id + ": " + n.target.join(" ") + ": " + n.failureSummary.split("\n")[1].trim())).join("\n");
})(%t, %t)`

// plain is JavaScript that takes away gradients: axe-core leaves the contrast of text
// on them undecided.
const plain = `(sheet => {
	if (document.adoptedStyleSheets.length) return ""; // a page that turned to another table has it
	sheet.replaceSync("*, *::before, *::after { background-image: none !important; }");
	document.adoptedStyleSheets.push(sheet);
	return "";
})(new CSSStyleSheet())`

// tooSmall is JavaScript that lists what a finger cannot hit: less than 44 pixels
// wide or high.
const tooSmall = `[...document.querySelectorAll("button, input, select, textarea, summary, a[href]")].filter(e => {
	const box = (e.matches("[type=checkbox]") ? e.closest("label") : e).getBoundingClientRect();
	return e.checkVisibility() && e.id !== "skip" && Math.min(box.width, box.height) < 43.5 && !e.closest("[inert]") &&
		(!document.querySelector("dialog[open]") || e.closest("dialog"));
}).map(e => e.outerHTML.slice(0, 120) + " " + e.offsetWidth + "x" + e.offsetHeight).join("\n")`
