package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"tableside/display/displaytest"
	"tableside/engine/enginetest"
)

// complaints collects what goes wrong on a page, counts what it still waits for but the stream that never
// ends, and keeps it from opening further windows.
const complaints = `window.wrong = [];
window.waiting = 0;
const ask = fetch;
window.fetch = async (what, ...how) => {
	const counts = !String(what).includes("/api/live");
	waiting += counts;
	try {
		return await ask(what, ...how);
	} finally {
		waiting -= counts;
	}
};
addEventListener("error", e => wrong.push(e.message));
addEventListener("unhandledrejection", e => wrong.push(String(e.reason)));
window.print = window.open = () => {};
navigator.share = undefined;`

// settled waits until a page stands, and returns what is wrong with it, its links and one button of each kind.
// Then it presses the button with a number, if there is one.
const settled = `(async pressed => {
	const shell = !/^\/($|tv|overlay$|cards\/play)/.test(location.pathname);
	const drawn = () => document.querySelector("#page > *, #bar > *, #tv > *, #overlay");
	const until = async done => {
		for (let end = Date.now() + 20000; !done() && Date.now() < end;) await new Promise(next => setTimeout(next, 20));
	};
	await until(drawn);
	await until(() => !waiting);
	await new Promise(next => setTimeout(next, 100));
	const wrong = [...window.wrong], wide = document.documentElement.scrollWidth;
	const { responseStatus } = performance.getEntriesByType("navigation")[0];
	if (responseStatus >= 400) wrong.push("status " + responseStatus);
	if (!drawn()) wrong.push("nothing is drawn");
	if (wide > innerWidth) wrong.push(wide + " wide in a window of " + innerWidth);
	if (shell && document.querySelectorAll("#shell nav a").length < 4) wrong.push("a dead end");
	const links = [...document.querySelectorAll("a[href]:not([download], [target])")].map(a => new URL(a.href))
		.filter(u => u.origin === location.origin).map(u => u.pathname + u.search);
	const kinds = new Map();
	if (shell) for (const b of document.querySelectorAll("button, summary")) {
		const kind = [b.tagName, b.dataset.act ?? b.form?.dataset.act, b.className, b.name].join(" ");
		if (!b.disabled && b.checkVisibility() && !kinds.has(kind)) {
			kinds.set(kind, b.innerText.trim());
			if (kinds.size - 1 === pressed) setTimeout(() => b.click());
		}
	}
	return { wrong, links, buttons: [...kinds.values()] };
})(%d)`

const none = -1 // no button

type looked struct {
	Wrong, Links, Buttons []string
}

// TestEveryLinkAndButton follows each link of the pages from the history on, on a phone and at night on a laptop, and
// presses a button of each kind there: no page is an error, a dead end or wider than its window.
func TestEveryLinkAndButton(t *testing.T) {
	t.Parallel()
	if testing.Short() || enginetest.Raced && !enginetest.Nightly() {
		t.Skip("a browser is slow")
	}
	data := t.TempDir()
	remember(t, data)
	path, err := displaytest.Browser()
	if err != nil {
		t.Fatal("chromium is not installed; make test installs it")
	}
	demo := startDemo(t, "--data", data, "--new", "--game", "mutants/second-edition", "--seats", "red=Alice,blue=Max")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	for n, size := range [][2]int64{{390, 844}, {1366, 768}} {
		if n > 0 && !enginetest.Nightly() {
			continue
		}
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tab, closeTab := chromedp.NewContext(allocator)
			defer closeTab()
			if err := chromedp.Do(tab, chromedp.EmulateViewport(size[0], size[1])); err != nil {
				t.Fatal(err)
			}
			if _, err := chromedp.Call(tab, page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: complaints}); err != nil {
				t.Fatal(err)
			}
			crawl(t, tab, demo.page, n)
		})
	}
}

// remember puts the journals of earlier matches where a table keeps its own.
func remember(t *testing.T, data string) {
	t.Helper()
	files, err := filepath.Glob("testdata/journals/*.journal")
	if err != nil || len(files) == 0 {
		t.Fatal("no journals", err)
	}
	if err := os.Mkdir(filepath.Join(data, "matches"), 0o750); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		_, after, _ := strings.Cut(string(text), "\nbegin ")
		begin, _, _ := strings.Cut(after, "Z")
		id := strings.ReplaceAll(begin, ":", "-") + "Z.journal"
		if err != nil || os.WriteFile(filepath.Join(data, "matches", id), text, 0o600) != nil {
			t.Fatal(file, id, err)
		}
	}
}

// crawl looks at every page, and presses the buttons of every second one, or at night of every one.
func crawl(t *testing.T, tab context.Context, base string, turn int) {
	t.Helper()
	look := func(what string, press int, steps ...chromedp.Action[chromedp.Void]) looked {
		t.Helper()
		ctx, cancel := context.WithTimeout(tab, time.Minute)
		defer cancel()
		err := chromedp.Do(ctx, steps...)
		if err != nil && strings.Contains(err.Error(), "net::ERR_ABORTED") { // by where a button before led
			err = chromedp.Do(ctx, steps...)
		}
		if err != nil {
			t.Fatal(what, err)
		}
		script := chromedp.Evaluate[looked](fmt.Sprintf(settled, press), chromedp.EvalAwaitPromise)
		found, err := chromedp.Run(ctx, script)
		if press == none && displaytest.PageLeft(err) { // what a button did before leads to another page
			found, err = chromedp.Run(ctx, script)
		}
		if err != nil {
			t.Fatal(what, err)
		}
		for _, wrong := range found.Wrong {
			t.Errorf("%s: %s", what, wrong)
		}
		return found
	}
	seen, pages := map[string]bool{}, []string{"/history"}
	for len(pages) > 0 {
		at := pages[0]
		pages = pages[1:]
		here := look(at, none, chromedp.Navigate(base+at))
		for _, link := range here.Links {
			if kind := kindOf(link); kind != "" && !seen[kind] {
				seen[kind] = true
				pages = append(pages, link)
			}
		}
		if len(seen)%2 != turn && !enginetest.Nightly() {
			continue
		}
		for i, name := range here.Buttons {
			look(at, i, chromedp.Navigate(base+at))
			time.Sleep(200 * time.Millisecond)
			look(at+" after "+name, none)
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d pages: %v", len(seen), seen)
	}
}

// kindOf names what an address shows, "" for a file: of many matches one is looked at, and of a page with
// different words one for each set of them.
func kindOf(link string) string {
	path, query, _ := strings.Cut(link, "?")
	room := strings.Split(path, "/")[1]
	switch {
	case room == "api" || strings.Contains(filepath.Base(path), "."):
		return ""
	case room == "matches":
		return room
	}
	values, _ := url.ParseQuery(query)
	return path + " " + strings.Join(slices.Sorted(maps.Keys(values)), " ")
}
