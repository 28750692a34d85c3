package web

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tableside/engine"
)

type screen struct {
	name          string
	path          string
	width, height int64
	scheme        string
	frame         func() engine.Frame
	do            string // JavaScript to run before
}

func refused() engine.Frame {
	f := exampleFrame(4)
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Refused, Seat: "red", Place: "red", N: 1, Override: true,
		Text: engine.T("refusal.flank-full", "card", engine.CardWord("gorthaur"))}
	f.Status.Health[1] = engine.Part{Name: "panel", Health: engine.Broken, Reason: "busy for 30 s"}
	f.Status.Keeping, f.Status.Trouble = false, "no space left on device"
	f.Lang = "-"
	return f.In(engine.English)
}

func won() engine.Frame {
	f := exampleFrame(2)
	f.View.Winners = []engine.Seat{"blue"}
	f.View.Prompts = []engine.Prompt{}
	return f
}

func empty() engine.Frame {
	f := engine.Frame{View: engine.EmptyView(), Words: exampleCatalogue(), Lang: engine.English,
		Status: engine.Status{Keeping: true, Cursor: -1}}
	return f
}

// counting returns a frame of a game of counters, with a prompt for every seat.
func counting() engine.Frame {
	f := exampleFrame(4)
	f.View.Tracks, f.View.Prompts, f.View.Round = nil, nil, 0
	for i := range f.View.Seats {
		s := &f.View.Seats[i]
		s.Zones, s.Counters = nil, s.Counters[:2]
		key := "count"
		if i == 0 {
			key = "count-turn"
		}
		f.View.Prompts = append(f.View.Prompts, engine.Prompt{Seat: s.ID, Key: key, Options: []engine.Answer{
			{Key: "number", Args: engine.Args{"n": 1}, Input: string(s.ID) + " key plus"},
			{Key: "number", Args: engine.Args{"n": -1}, Input: string(s.ID) + " key minus"},
			{Key: "number", Args: engine.Args{"n": 5}, Input: string(s.ID) + " choose 5"},
			{Key: "number", Args: engine.Args{"n": -5}, Input: string(s.ID) + " choose -5"}}})
	}
	f.View.Prompts = append(f.View.Prompts, engine.Prompt{Seat: engine.Table, Key: "everybody",
		Options: []engine.Answer{{Key: "pass", Input: "table choose end"}}})
	f.Lang = "-"
	return f.In(engine.English)
}

func throwing() engine.Frame {
	f := exampleFrame(2)
	f.View.Dice = []engine.Die{{ID: "red-1", Seat: "red", Kind: "kot", Face: "growth-2", State: "kept"},
		{ID: "blue-1", Seat: "blue", Kind: "kot"}}
	f.View.Prompts = []engine.Prompt{{Seat: "red", Key: "throw", Options: []engine.Answer{},
		Roll: &engine.RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-1", "growth-2", "growth-3", "energy-1",
			"energy-2", "discard-1"}}}}
	f.Lang = "-"
	return f.In(engine.English)
}

// documented returns a function for a frame with the n-th view in docs/view.md,
// counted from 1.
func documented(n int) func() engine.Frame {
	return func() engine.Frame {
		data, err := os.ReadFile("../../docs/view.md")
		if err != nil {
			panic(err)
		}
		text, _, _ := strings.Cut(strings.Split(string(data), "```json\n")[n], "```")
		f := engine.Frame{Lang: engine.English, Status: engine.Status{Keeping: true, Cursor: -1, Simulated: true}}
		if err := json.Unmarshal([]byte(text), &f.View); err != nil {
			panic(err)
		}
		return f
	}
}

func lost() engine.Frame {
	f := documented(2)()
	f.View.Prompts, f.View.Winners = []engine.Prompt{}, []engine.Seat{engine.Table}
	return f
}

func two() engine.Frame  { return exampleFrame(2) }
func four() engine.Frame { return exampleFrame(4) }

func withUnknownTag(f engine.Frame) engine.Frame {
	f.Words = engine.Merge(f.Words, engine.MustWords("tags", tagWords))
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Unknown, Seat: "red", Place: "red", N: 1,
		Text: engine.T("receipt.unknown-tag", "tag", "04A1B2C3D4E5F6", "learn", true)}
	f.Lang = "-"
	return f.In(engine.English)
}

func strangeTwo() engine.Frame   { return withUnknownTag(exampleFrame(2)) }
func strangeEmpty() engine.Frame { return withUnknownTag(empty()) }

var (
	which  = pressing("[data-act=learn]")
	aKey   = pressing("[data-act=learn]", "[data-value=key]")
	taught = pressing("[data-act=learn]", `[data-learn="mutants/zombie.3"]`)
)

// pressing returns JavaScript that presses buttons one after the other, each once it is drawn.
func pressing(buttons ...string) string {
	return fmt.Sprintf(`(async () => {
		for (const on of %q.split("|")) {
			while (!document.querySelector(on)) await new Promise(requestAnimationFrame);
			document.querySelector(on).click();
		}
		return "";
	})()`, strings.Join(buttons, "|"))
}

var screens = []screen{
	{"laptop-en-dark", "/?lang=en", 1280, 800, "dark", two, ""},
	{"laptop-fr-light", "/?lang=fr", 1280, 800, "light", two, ""},
	{"laptop-four-fr-dark", "/?lang=fr", 1280, 800, "dark", refused, ""},
	{"laptop-won-en-light", "/?lang=en", 1280, 800, "light", won, ""},
	{"laptop-empty-en-dark", "/?lang=en", 1280, 800, "dark", empty, ""},
	{"laptop-help-fr-light", "/?lang=fr", 1280, 800, "light", two, pressing("[data-open=help]")},
	{"phone-en-dark", "/?lang=en", 390, 844, "dark", two, ""},
	{"phone-fr-light", "/?lang=fr", 390, 844, "light", four, ""},
	{"phone-empty-fr-light", "/?lang=fr", 390, 844, "light", empty, ""},
	{"phone-menu-fr-dark", "/?lang=fr", 390, 844, "dark", two, pressing("[data-open=menu]")},
	{"phone-whole-en-dark", "/?lang=en", 390, 2300, "dark", four, ""},
	{"laptop-whole-fr-light", "/?lang=fr", 1280, 1500, "light", four, ""},
	{"laptop-counting-fr-dark", "/?lang=fr", 1280, 800, "dark", counting, ""},
	{"laptop-dice-en-light", "/?lang=en", 1280, 800, "light", throwing, ""},
	{"phone-dice-en-dark", "/?lang=en", 390, 844, "dark", throwing, ""},
	{"tablet-en-light", "/?lang=en", 820, 1180, "light", four, ""},
	{"narrow-fr-dark", "/?lang=fr", 360, 740, "dark", four, ""},
	{"laptop-strange-en-dark", "/?lang=en", 1280, 800, "dark", strangeTwo, ""},
	{"laptop-which-en-dark", "/?lang=en", 1280, 800, "dark", strangeTwo, which},
	{"laptop-which-fr-light", "/?lang=fr", 1280, 800, "light", strangeEmpty, which},
	{"laptop-learnt-fr-dark", "/?lang=fr", 1280, 800, "dark", strangeTwo, taught},
	{"phone-strange-fr-dark", "/?lang=fr", 390, 844, "dark", strangeTwo, ""},
	{"phone-strange-empty-en-light", "/?lang=en", 390, 844, "light", strangeEmpty, ""},
	{"phone-which-fr-dark", "/?lang=fr", 390, 844, "dark", strangeEmpty, which},
	{"phone-which-en-light", "/?lang=en", 390, 844, "light", strangeTwo, which},
	{"phone-key-fr-light", "/?lang=fr", 390, 844, "light", strangeTwo, aKey},
	{"phone-learnt-en-light", "/?lang=en", 390, 844, "light", strangeTwo, taught},
	{"laptop-boosts-en-dark", "/?lang=en", 1280, 800, "dark", documented(3), ""},
	{"phone-boosts-en-light", "/?lang=en", 390, 844, "light", documented(3), ""},
	{"laptop-grafts-en-light", "/?lang=en", 1280, 800, "light", documented(6), ""},
	{"narrow-grafts-en-dark", "/?lang=en", 360, 2000, "dark", documented(6), ""},
	{"laptop-boss-en-dark", "/?lang=en", 1280, 800, "dark", documented(2), ""},
	{"laptop-lost-en-light", "/?lang=en", 1280, 800, "light", lost, ""},
	{"overlay-lost", "/overlay?lang=fr", 1920, 1080, "dark", lost, ""},
	{"phone-boss-en-light", "/?lang=en", 390, 844, "light", documented(2), ""},
	{"overlay-boosts", "/overlay?lang=en&prompt=1", 1920, 1080, "dark", documented(3), ""},
	{"overlay-reroll", "/overlay?lang=en&prompt=1", 1920, 1080, "dark", documented(4), ""},
	{"overlay-grafts", "/overlay?lang=en&zones=play,pool", 1920, 1080, "dark", documented(6), ""},
	{"overlay-boss", "/overlay?lang=en", 1920, 1080, "dark", documented(2), ""},
	{"overlay-en", "/overlay?lang=en", 1920, 1080, "dark", two, ""},
	{"overlay-fr-four", "/overlay?lang=fr&theme=light&position=top&prompt=1", 1920, 1080, "dark", four, ""},
	{"overlay-fr-four-dark", "/overlay?lang=fr&prompt=1&track=power,score", 1920, 1080, "dark", four, ""},
	{"overlay-won", "/overlay?lang=en", 1920, 1080, "dark", won, ""},
	{"overlay-corner", "/overlay?lang=en&position=bottom-left&scale=0.7&counters=power", 1920, 1080, "dark", two, ""},
}

// tooWide is JavaScript that lists what does not fit the width of the screen.
const tooWide = `[...document.querySelectorAll("body *")].filter(e => {
	const r = e.getBoundingClientRect();
	return r.width && r.right > innerWidth + 1 && !e.closest(".hand-row, .keys, .tabs, .many, .ghost, .laid, .wide, .scores, .slide, #overlay");
}).map(e => e.tagName + "." + e.className.toString().slice(0, 30)).slice(0, 5).join(" ") +
	(document.documentElement.scrollWidth > innerWidth ? " scrolls" : "")`

// No page is wider than its screen.
func TestPagesFitTheirScreens(t *testing.T) {
	atNight(t)
	b := newTab(t)
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			b := &tab{t, b.ctx}
			url, stop := listen(t, exampleServer(s.frame()), "127.0.0.1:0")
			defer stop()
			var touch []chromedp.EmulateViewportOption
			if s.width < 900 {
				touch = []chromedp.EmulateViewportOption{chromedp.EmulateMobile, chromedp.EmulateTouch}
			}
			b.do(chromedp.EmulateViewport(s.width, s.height, touch...), media(s.scheme))
			b.open(url + s.path)
			b.until("!!document.querySelector('#prompt, .board')")
			if s.do != "" {
				b.awaited(s.do)
				b.awaited(rested)
			}
			if wide := b.eval(tooWide); wide != "" {
				t.Errorf("wider than the screen: %s", wide)
			}
		})
	}
}

// rested is a JavaScript promise of a page that is drawn and on which nothing moves any more.
const rested = `(async () => {
	for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
	const ends = document.getAnimations().filter(a => a.effect.getTiming().iterations !== Infinity);
	await Promise.allSettled(ends.map(a => a.finished));
	return "";
})()`

func media(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	})
}
