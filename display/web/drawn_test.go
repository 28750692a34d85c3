package web

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// drawn is a JavaScript function that clicks one of the answers, and returns the
// milliseconds until a frame that shows the table's new state is painted: what the
// rules, the journal's synced line, the message to the page, and the drawing take.
// It returns 0 for an answer that is no input.
const drawn = `(async n => {
	const frame = () => new Promise(requestAnimationFrame);
	const seq = document.body.dataset.seq;
	let all = [];
	for (let waits = 0; !all.length; waits++) {
		if (waits > 600) throw new Error("nothing answers: " + document.body.innerText);
		await frame();
		const shown = on => [...document.querySelectorAll(on)].filter(e => e.checkVisibility());
		all = shown(":is(#ask .answers, #sheet) button:is([data-input], [data-tap], [data-press]):not(:disabled), [data-legal=yes], [data-may]");
		if (!all.length) shown("#ask .answers [data-act=sheet]")[0]?.click();
	}
	const start = performance.now();
	all[n %% all.length].click();
	while (document.body.dataset.seq === seq) {
		if (performance.now() - start > 1000) return 0;
		await frame();
	}
	await new Promise(painted => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = painted;
		port2.postMessage(0);
	});
	return performance.now() - start;
})(%d)`

// A move changes the number of the state and no other attribute of the whole page: for
// each, even with the value that it has, the browser styles every element again.
func TestMoveRestylesNoWholePage(t *testing.T) {
	f := two()
	s := exampleServer(f)
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`document.querySelectorAll("#arena .card").length > 0`)
	b.awaited(`(async () => {
		for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); // the heights are measured
		window.changes = [];
		new MutationObserver(all => changes.push(...all.map(c => c.target.localName + " " + c.attributeName))).observe(
			document, { attributes: true, subtree: true });
		return "";
	})()`)
	f.View.Seq++
	f.View.Prompts[0].Text = "What next?"
	if err := s.Show(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	b.until(`document.body.dataset.seq === "43"`)
	got := b.eval(`changes.filter(c => c.startsWith("html ") || c.startsWith("body ")).join()`)
	if got != "body data-seq" {
		t.Errorf("a move changes %q, want %q", got, "body data-seq")
	}
}

// BenchmarkInputDrawn measures inputs on the page of a table with four seats, from
// the click to the painted frame, and the processor time of all processes of the browser
// for each, which a busy machine changes less.
func BenchmarkInputDrawn(b *testing.B) {
	page := openTab(b)
	page.do(chromedp.EmulateViewport(1920, 1080))
	page.open(startProgram(b, buildProgram(b), "--game", "mutants/second-edition",
		"--seats", "red=Alice,blue=Max,yellow=Zoé,green=Barthélémy") + "?lang=en")
	page.until(`!!document.querySelector("[data-legal=yes]")`)
	var all []float64  // milliseconds
	const opening = 60 // inputs before the middle of the match
	before := page.processorTime()
	for tries := 0; len(all) < opening+b.N; tries++ {
		if tries > 20*(opening+b.N) {
			b.Fatal("the match does not go on")
		}
		ms, err := chromedp.Run(page.ctx, chromedp.Evaluate[float64](fmt.Sprintf(drawn, tries*7),
			chromedp.EvalAwaitPromise))
		if err != nil {
			b.Fatal(err)
		}
		if ms == 0 {
			continue
		}
		if all = append(all, ms); len(all) == opening {
			before = page.processorTime()
		}
	}
	all = all[opening:]
	b.ReportMetric(float64((page.processorTime()-before).Milliseconds())/float64(b.N), "ms-browser")
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], "ms-median")
	b.ReportMetric(all[len(all)*9/10], "ms-p90")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkFirstDrawing measures the first visit of a browser that keeps nothing to a table with
// four seats, from the address to the painted match, over a line on which an answer takes
// 150 ms, with a processor that is four times slower.
func BenchmarkFirstDrawing(b *testing.B) {
	page := openTab(b)
	page.do(chromedp.EmulateViewport(1366, 768))
	url, _ := listen(b, exampleServer(exampleFrame(4)), "127.0.0.1:0")
	page.beforeLoad(`(function look() {
		if (document.body?.dataset.seq) setTimeout(() => window.first = performance.now());
		else requestAnimationFrame(look);
	})()`)
	page.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
		if err == nil {
			_, err = chromedp.Call(ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		}
		if err == nil {
			_, err = chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
				MatchedNetworkConditions: []*network.Conditions{{Latency: 150, DownloadThroughput: -1, UploadThroughput: -1}}})
		}
		if err == nil {
			_, err = chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
		}
		return err
	}))
	var all []float64 // milliseconds
	for b.Loop() {
		page.do(chromedp.Navigate(url + "/?lang=en"))
		page.until(`window.first > 0`)
		ms, err := chromedp.Run(page.ctx, chromedp.Evaluate[float64]("window.first"))
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, ms)
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], "ms-median")
	b.ReportMetric(0, "ns/op")
}

const fiveSeconds = `new Promise(done => setTimeout(() => done(""), 5000))`

// BenchmarkPageAtRest measures the processor time that the browser takes, with all
// its processes, while a page of four seats waits for players: of a table, and of a
// simulated one, which also shows its strip.
func BenchmarkPageAtRest(b *testing.B) {
	for _, c := range []struct {
		name string
		url  func(b *testing.B) string
	}{
		{"nothing", func(*testing.B) string { return "about:blank" }},
		{"table", func(b *testing.B) string {
			url, _ := listen(b, exampleServer(exampleFrame(4)), "127.0.0.1:0")
			return url
		}},
		{"simulated", func(b *testing.B) string {
			return startProgram(b, buildProgram(b), "--game", "mutants/second-edition",
				"--seats", "red=Alice,blue=Max,yellow=Zoé,green=Barthélémy")
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			page := openTab(b)
			page.open(c.url(b))
			page.awaited(fiveSeconds) // all pictures have come
			before := page.processorTime()
			start := time.Now()
			for b.Loop() {
				page.awaited(fiveSeconds)
			}
			took := page.processorTime() - before
			b.ReportMetric(1000*took.Seconds()/time.Since(start).Seconds(), "ms/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// processorTime returns the processor time of all processes of the browser.
func (b *tab) processorTime() (sum time.Duration) {
	b.t.Helper()
	got, err := chromedp.CallBrowser(b.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, p := range got.ProcessInfo {
		sum += time.Duration(p.CPUTime * float64(time.Second))
	}
	return sum
}
