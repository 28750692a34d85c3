package web

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"
)

// The browser is shared by all tests of the package: starting one is slow.
var chromium struct {
	once   sync.Once
	ctx    context.Context
	cancel func()
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.cancel != nil {
		chromium.cancel()
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
	t   *testing.T
	ctx context.Context
}

func newTab(t *testing.T) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser is slow")
	}
	chromium.once.Do(func() {
		path := "/usr/bin/chromium"
		if _, err := os.Stat(path); err != nil {
			chromium.err = err
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
			chromedp.DisableGPU)
		for _, flag := range []string{"disable-quic", "no-first-run", "disable-background-networking",
			"disable-component-update", "disable-sync"} {
			options = append(options, chromedp.Flag(flag, true))
		}
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator)
		chromium.ctx, chromium.err = ctx, chromedp.Do(ctx)
		chromium.cancel = func() { _ = chromedp.Cancel(ctx); cancel(); stop() }
	})
	if errors.Is(chromium.err, os.ErrNotExist) {
		t.Fatal("chromium is not installed; make test installs it")
	}
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx)
	// The first call opens the tab, which stays open until its context ends.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800)); err != nil {
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
		cancel()
		mu.Lock()
		defer mu.Unlock()
		if len(broken) > 0 {
			t.Errorf("the page failed: %s", strings.Join(broken, "; "))
		}
	})
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) open(url string) { b.t.Helper(); b.do(chromedp.Navigate(url)) }

// until waits for a JavaScript expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience))); err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		b.t.Fatalf("never true: %s (%v)\nthe page says:\n%s", expression, err, text)
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
