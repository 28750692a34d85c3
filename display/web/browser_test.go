package web

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"

	"tableside/display/displaytest"
	"tableside/engine/enginetest"
)

// The browser is shared by all tests of the package: starting one is slow.
var chromium struct {
	once   sync.Once
	ctx    context.Context
	cancel func()
	err    error

	mu   sync.Mutex
	free []freeTab
	all  []*spot
}

// A freeTab is a tab that no test uses.
type freeTab struct {
	id target.ID
	at *spot
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.cancel != nil {
		chromium.cancel()
	}
	for _, s := range chromium.all {
		s.server.Close()
	}
	if err := os.RemoveAll(built.folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// patience limits every wait for the browser; the machine may be busy with other tests.
const patience = time.Minute

// A tab is a browser tab that a test drives.
type tab struct {
	t   testing.TB
	ctx context.Context
}

// atNight leaves a test that looks at many states of the pages, or plays for long, to make nightly.
func atNight(t *testing.T) {
	t.Helper()
	if !enginetest.Nightly() {
		t.Skip("make nightly runs it")
	}
}

// newTab opens a tab for a test, which then runs beside others: most of the time it
// waits for the browser.
func newTab(t *testing.T) *tab {
	t.Helper()
	if !testing.Short() {
		t.Parallel()
	}
	return openTab(t)
}

// skipBrowser leaves a test with a browser to make test, and with the race detector to make nightly.
func skipBrowser(t testing.TB) {
	t.Helper()
	if testing.Short() || enginetest.Raced && !enginetest.Nightly() {
		t.Skip("a browser is slow")
	}
}

// openTab opens a tab. It shares no cookies and no memory with others.
func openTab(t testing.TB) *tab {
	t.Helper()
	skipBrowser(t)
	chromium.once.Do(func() {
		path, err := displaytest.Browser()
		if err != nil {
			chromium.err = err
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
			chromedp.DisableGPU)
		for _, flag := range []string{"disable-quic", "no-first-run", "disable-background-networking",
			"disable-component-update", "disable-sync", "disable-site-isolation-trials"} {
			options = append(options, chromedp.Flag(flag, true))
		}
		// A tab keeps its process from page to page, and no process waits for another tab:
		// else each page starts two. The first two are chromedp's own.
		options = append(options, chromedp.Flag("disable-features",
			"Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess,BackForwardCache"))
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator)
		chromium.ctx, chromium.err = ctx, chromedp.Do(ctx)
		chromium.cancel = func() { _ = chromedp.Cancel(ctx); cancel(); stop() }
	})
	if errors.Is(chromium.err, exec.ErrNotFound) {
		t.Fatal("chromium is not installed; make test installs it")
	}
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	ctx, giveBack := takeTab(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800), unwatched(), focused()); err != nil {
		t.Fatal(err)
	}
	b := &tab{t, ctx}
	var mu sync.Mutex
	var broken []string
	if err := chromedp.Listen(ctx, func(ev any) {
		if e, ok := ev.(*runtime.EventExceptionThrown); ok {
			mu.Lock()
			broken = append(broken, exception(e.ExceptionDetails))
			mu.Unlock()
		}
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		giveBack()
		mu.Lock()
		defer mu.Unlock()
		if len(broken) > 0 {
			t.Errorf("the page failed: %s", strings.Join(broken, "; "))
		}
	})
	return b
}

// takeTab returns a tab that no test uses, an older one if it can: a new window
// with a process of its own costs as much as loading the page. Whatever a test
// emulates ends with its session, and giveBack takes away what its pages kept.
func takeTab(t testing.TB) (ctx context.Context, giveBack func()) {
	t.Helper()
	// A tab behind another one in the same window would not be drawn.
	options := []chromedp.ContextOption{chromedp.WithNewWindow(true), chromedp.WithNewBrowserContext()}
	var at *spot
	chromium.mu.Lock()
	if n := len(chromium.free); n > 0 {
		options = []chromedp.ContextOption{chromedp.WithTargetID(chromium.free[n-1].id)}
		at, chromium.free = chromium.free[n-1].at, chromium.free[:n-1]
	} else {
		at = newSpot()
		chromium.all = append(chromium.all, at)
	}
	chromium.mu.Unlock()
	ctx, cancel := chromedp.NewContext(chromium.ctx, append(options, chromedp.WithDetachOnCancel())...)
	ctx = context.WithValue(ctx, spotKey{}, at)
	// The first call opens the tab, or attaches to it.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx, func() {
		defer cancel()
		limited, stop := context.WithTimeout(ctx, patience)
		defer stop()
		leave(limited)
		if err := errors.Join(leavePage(limited), chromedp.Do(limited, forgotten())); err != nil {
			t.Errorf("a tab is not clean: %v", err)
			return
		}
		at.show("")
		chromium.mu.Lock()
		defer chromium.mu.Unlock()
		chromium.free = append(chromium.free, freeTab{chromedp.FromContext(ctx).Target.TargetID, at})
	}
}

// leave confirms that what was typed on a page may be lost, if it asks.
func leave(ctx context.Context) {
	_ = chromedp.Listen(ctx, func(ev any) {
		if _, asks := ev.(*cdppage.EventJavascriptDialogOpening); !asks {
			return
		}
		go func() {
			_ = chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
				_, err := chromedp.Call(ctx, cdppage.HandleJavaScriptDialog,
					cdppage.HandleJavaScriptDialogParams{Accept: true})
				return err
			}))
		}()
	})
}

func forgotten() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		if _, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
			return err
		}
		_, err := chromedp.Call(ctx, storage.ClearDataForOrigin,
			storage.ClearDataForOriginParams{Origin: "*", StorageTypes: "all"})
		return err
	})
}

func unwatched() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{network.Disable, css.Disable, cdplog.Disable} {
			if _, err := chromedp.Call(ctx, domain, cdp.Empty{}); err != nil {
				return err
			}
		}
		return nil
	})
}

func focused() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
			emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	})
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// open opens a page. It finds nothing that pages of other tables have kept, and what those
// still ask for is not for its table.
func (b *tab) open(url string) {
	b.t.Helper()
	s, table, page := spotOf(b.ctx, url)
	if s == nil {
		b.do(chromedp.Navigate(url))
		return
	}
	if !s.shows(table) {
		if !s.shows("") { // a tab that was given back is empty
			b.eval(`location.protocol === "http:" && localStorage.clear(), ""`)
			if err := leavePage(b.ctx); err != nil {
				b.t.Fatal(err)
			}
		}
		s.show(table)
	}
	b.do(chromedp.Navigate(s.server.URL + page))
}

// leavePage leaves a tab empty. If its page has just written its address, Navigate takes this for the end
// of its own way; Chromium may then never answer the next one.
func leavePage(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return err
	}
	return displaytest.Until(ctx, `location.href === "about:blank"`)
}

// until waits for a JavaScript expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := displaytest.Until(ctx, expression); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) eval(expression string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return s
}

// whenReady is a JavaScript function that waits until a user could click an
// element: it is on the page and enabled, has been at rest for a frame, and
// nothing covers its middle, to which the page scrolls if need be. It returns "",
// or what was wrong to the end. With press it also clicks, before the page can
// draw again.
const whenReady = `(async (selector, patience, press) => {
	const short = e => e.outerHTML.slice(0, 80);
	let last, lastBox, why;
	for (let frames = 0, end = Date.now() + patience; frames < 5 || Date.now() < end; frames++) {
		await new Promise(requestAnimationFrame);
		const on = document.querySelector(selector), same = on === last;
		last = on;
		if (!on) { why = "is not on the page"; continue; }
		if (on.matches(":disabled")) { why = "is disabled"; continue; }
		const { x, y, width, height } = on.getBoundingClientRect(), box = [x, y, width, height].join();
		const still = same && box === lastBox;
		lastBox = box;
		if (!width || !height) { why = "has no size"; continue; }
		if (!still) { why = "moves or is replaced in every frame"; continue; }
		let moving = on;
		while (moving && !moving.getAnimations().some(a => a.playState === "running")) moving = moving.parentElement;
		if (moving) { why = "is moved by an animation of " + short(moving); continue; }
		const at = { clientX: x + width / 2, clientY: y + height / 2 };
		const hit = document.elementFromPoint(at.clientX, at.clientY);
		if (!on.contains(hit)) {
			why = hit ? "is covered at its middle by " + short(hit) : "is out of sight";
			on.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
			continue;
		}
		if (!press) return "";
		const send = (Kind, name, buttons, more) => hit.dispatchEvent(new Kind(name,
			{ bubbles: true, cancelable: true, composed: true, view: window, detail: 1, buttons, ...at, ...more }));
		const pointer = { pointerId: 1, pointerType: "mouse" }, first = { ...pointer, isPrimary: true, detail: 0 };
		send(PointerEvent, "pointerdown", 1, first);
		// Only the button of a real mouse moves the focus.
		if (send(MouseEvent, "mousedown", 1)) {
			const to = hit.closest("button, input, select, textarea, a[href], [tabindex]");
			if (to) to.focus({ preventScroll: true, focusVisible: false });
			else document.activeElement.blur();
		}
		send(PointerEvent, "pointerup", 0, first);
		send(MouseEvent, "mouseup", 0);
		send(PointerEvent, "click", 0, pointer);
		return "";
	}
	return why;
})(%q, %d, %t)`

// click clicks the first element of a CSS selector as soon as a user could, in
// one evaluation. chromedp.Click asks for the element, then for its place, and
// then clicks there: if the page draws in between, because something that it
// fetched arrives, the click hits another place, or the element is gone.
func (b *tab) click(selector string) { b.t.Helper(); b.whenReady(selector, true) }

// ready waits until a user could click the element, before a real mouse or
// finger does.
func (b *tab) ready(selector string) { b.t.Helper(); b.whenReady(selector, false) }

// hover moves a real mouse over the middle of the element: where it stays, no event that the
// browser sends by itself leads elsewhere.
func (b *tab) hover(selector string) {
	b.t.Helper()
	b.ready(selector)
	middle := fmt.Sprintf(`(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector(%q).getBoundingClientRect())`, selector)
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[[2]float64](middle))
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
}

// tap taps the element with a real finger, when a user could.
func (b *tab) tap(selector string) {
	b.t.Helper()
	b.ready(selector)
	b.do(chromedp.Tap(chromedp.CSS(selector)))
}

func (b *tab) whenReady(selector string, press bool) {
	b.t.Helper()
	why, err := b.waitReady(selector, press, patience)
	if err == nil && why == "" {
		return
	}
	text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText"))
	if err != nil {
		b.t.Fatalf("%s: %v\nthe page says:\n%s", selector, err, text)
	}
	b.t.Fatalf("no user could click %s within %v: it %s\nthe page says:\n%s", selector, patience, why, text)
}

func (b *tab) waitReady(selector string, press bool, atMost time.Duration) (why string, err error) {
	ctx, cancel := context.WithTimeout(b.ctx, atMost+patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[string](
		fmt.Sprintf(whenReady, selector, atMost.Milliseconds(), press), chromedp.EvalAwaitPromise))
}

// prompts waits until the page's headline is this text.
func (b *tab) prompts(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.getElementById('prompt')?.textContent === %q", text))
}

func exception(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}
