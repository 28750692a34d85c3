package web

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tableside/device/evening"
	"tableside/engine"
)

// An audit is a state of a page that axe-core examines.
type audit struct {
	name  string
	path  string
	table func(*testing.T) shown
	do    []string // selectors to click, one after the other
	until string   // a JavaScript expression that is true in this state
	after func(*tab, shown)
}

// audits lists the states of the pages. A new part of a page gets a line here.
var audits = []audit{
	{name: "begin", path: "/", table: framed(empty), until: `!!document.querySelector(".games")`},
	{name: "begin options", path: "/", table: framed(empty), do: []string{".chosen button", "summary"},
		until: `document.querySelector("details").open`},
	{name: "unknown tag", path: "/", table: framed(strangeEmpty), after: (*tab).justRefused, until: `!!document.querySelector("#notes [data-act=learn]")`},
	{name: "continue", path: "/", table: waiting, until: `!!document.querySelector(".waiting b")`},
	{name: "proposed", path: "/", table: framed(func() engine.Frame { return invited("mutants") }),
		until: `!!document.querySelector("[data-input='table choose seated']")`},
	{name: "proposed, any game", path: "/", table: framed(func() engine.Frame { return invited("") }),
		until: `document.querySelector("[data-name=blue]")?.value === "Max"`},
	{name: "proposed, over", path: "/", table: framed(invitedAgain)},
	{name: "tv, proposed", path: "/tv", table: framed(func() engine.Frame { return invited("mutants") })},
	{name: "mutants", path: "/", table: framed(two)},
	{name: "mutants, four", path: "/", table: framed(refused), after: (*tab).justRefused,
		until: `!!document.querySelector("#ask [data-refused]")`},
	{name: "log", path: "/", table: framed(four), after: (*tab).opensLog, until: `!!document.querySelector("#sheet.log li")`},
	{name: "away", path: "/", table: framed(two), after: (*tab).loseTable,
		until: `document.body.hasAttribute("data-away")`},
	{name: "over", path: "/", table: framed(won)},
	{name: "counting", path: "/", table: framed(counting)},
	{name: "dice", path: "/", table: framed(throwing)},
	{name: "boss", path: "/", table: framed(documented(2))},
	{name: "mindbug", path: "/", table: framed(documented(3))},
	{name: "king of tokyo", path: "/", table: framed(documented(4))},
	{name: "genegrafter", path: "/", table: framed(documented(6))},
	{name: "card on the reader", path: "/", table: framed(two), do: []string{"[data-act=drawer]"}, after: (*tab).layCard,
		until: `!!document.querySelector(".reader.full.said-refused")`},
	{name: "menu", path: "/", table: framed(two), do: []string{"[data-open=menu]"}},
	{name: "other match", path: "/", table: framed(two), do: []string{"[data-open=menu]", "[data-open=begin]"},
		until: `!!document.querySelector("dialog .games")`},
	{name: "abandon", path: "/", table: framed(two), do: []string{"[data-open=menu]", "[data-open=abandon]"}},
	{name: "join", path: "/", table: framed(two), do: []string{"[data-open=menu]", "[data-open=join]"}},
	{name: "health", path: "/", table: framed(refused), do: []string{"[data-open=menu]", "dialog [data-open=health]"}},
	{name: "command", path: "/", table: framed(two), do: []string{"[data-open=menu]", "[data-open=line]"}},
	{name: "help", path: "/", table: framed(two), do: []string{"[data-open=help]"}},
	{name: "rename", path: "/", table: framed(two), do: []string{"[data-open=rename]"}},
	{name: "number", path: "/", table: framed(two), do: []string{".amount"},
		until: `!!document.querySelector(".stepper")`},
	{name: "card", path: "/", table: framed(two), do: []string{`.seat [data-ids="warrior.2"]`},
		until: `!!document.querySelector(".moves .plain")`},
	{name: "pile", path: "/", table: framed(two), do: []string{"#arena .tab:not(:disabled), button.side"},
		until: `!!document.querySelector("#sheet.pile")`},
	{name: "learn a card", path: "/", table: framed(strangeTwo), do: []string{"[data-act=learn]"},
		until: `!!document.querySelector("dialog .copies")`},
	{name: "learn a key", path: "/", table: framed(strangeTwo), do: []string{"[data-act=learn]", "[data-value=key]"},
		until: `!!document.querySelector("dialog .keyed")`},
	{name: "learnt", path: "/", table: framed(strangeTwo),
		do: []string{"[data-act=learn]", `[data-learn="mutants/zombie.3"]`}, until: `!!document.querySelector(".learnt")`},
	{name: "overlay", path: "/overlay", table: framed(two)},
	{name: "overlay, four", path: "/overlay", table: framed(four)},
	{name: "overlay, over", path: "/overlay", table: framed(won)},
	{name: "overlay, boss", path: "/overlay", table: framed(documented(2))},
	{name: "overlay, mindbug", path: "/overlay", table: framed(documented(3))},
	{name: "overlay, dice", path: "/overlay", table: framed(documented(4))},
	{name: "lost", path: "/", table: framed(lost)},
	{name: "my seat, asked", path: "/?seat=red", table: framed(two), until: `!!document.body.dataset.mine`},
	{name: "my seat, not asked", path: "/?seat=blue", table: framed(two), until: `!!document.body.dataset.mine`},
	{name: "my seat, throwing", path: "/?seat=red", table: framed(throwing), until: `!!document.body.dataset.mine`},
	{name: "my seat, over", path: "/?seat=red", table: framed(won), until: `!!document.body.dataset.mine`},
	{name: "signals", path: "/", table: framed(two), do: []string{"[data-open=menu]", "[data-open=signals]"}},
	{name: "codes", path: "/", table: joinable, do: []string{"[data-open=menu]", "[data-open=codes]"},
		until: `!!document.querySelector(".codes img")`},
	{name: "first visit", path: "/", table: firstVisit, until: `!!document.querySelector("[data-act=watch]")`},
	{name: "show me", path: "/", table: firstVisit, do: []string{"[data-act=watch]"},
		until: `!!document.querySelector(".watching") && document.body.dataset.state === "play"`},
	{name: "pad", path: "/", table: momentous(begun), until: `!!document.querySelector("#arena .pad")`},
	{name: "score sheet", path: "/", table: scored, do: []string{byRounds}, until: `!!document.querySelector(".scores .amount")`},
	{name: "a cell", path: "/", table: scored, do: []string{byRounds, `.scores [data-k="round-1"] .amount`},
		until: `!!document.querySelector(".others .plain")`},
	{name: "commander", path: "/", table: commanding, until: `!!document.querySelector(".kinds .on")`},
	{name: "leaves", path: "/", table: commanding, do: []string{"[data-open=rename]"},
		until: `!!document.querySelector("[data-k=leaves]")`},
	{name: "tie", path: "/", table: level, until: `!!document.querySelector("#end .tie")`},
	{name: "who won", path: "/", table: unscored, until: `!!document.querySelector(".counts .body > .a")`},
	{name: "a deal", path: "/", table: dealt, do: []string{"[data-act=deal]"}, until: `!!document.querySelector(".deal .typed")`},
	{name: "any amount", path: "/", table: scored, do: []string{`#arena [data-add]`},
		until: `!!document.querySelector(".digits")`},
	{name: "tour", path: "/", table: beginning, do: []string{"[data-begin]"},
		until: `!!document.querySelector(".pointer")`},
	{name: "unreachable", path: "/", table: unreachable, until: `!!document.querySelector(".phones ol")`},
	{name: "preset", path: "/", table: presetForm, until: `!!document.querySelector("[data-preset]")`},
	{name: "pad, end", path: "/", table: momentous(begun), do: []string{"#ask [data-open=end]"}},
	{name: "end of a match", path: "/", table: momentous(wholeMatch),
		until: `!!document.querySelector("#end .moments")`},
	{name: "correct a number", path: "/", table: mending, do: []string{lifeOfMax},
		until: `!!document.querySelector(".stepper [type=submit]")`},
	{name: "a counted number", path: "/", table: mending, after: (*tab).correctsPile,
		until: `!!document.querySelector("dialog[open] p")`},
	{name: "move a card", path: "/", table: mending, do: []string{`.seat [data-ids="shark-dog.1"]`},
		until: `!!document.querySelector(".moves button")`},
	{name: "all of a card", path: "/", table: func(t *testing.T) shown { _, s := asksForCard(t); return s },
		do: []string{"[data-act=openForm]"}, until: `!!document.querySelector(".cardform .typed button")`},
	{name: "back to here", path: "/", table: mending, after: (*tab).goesBack,
		until: `!!document.querySelector("[data-act=undoTo]")`},
	{name: "share", path: "/cards/share?game=genegrafter", table: framed(two), until: `!!document.querySelector(".upload")`},
	{name: "share, differences", path: "/cards/share?game=genegrafter", table: framed(two), after: (*tab).findsDifferences,
		until: `!!document.querySelector(".difference")`},
	{name: "tv", path: "/tv", table: framed(two)},
	{name: "tv, four", path: "/tv", table: framed(four)},
	{name: "tv, dice", path: "/tv", table: framed(documented(4))},
	{name: "tv, over", path: "/tv", table: framed(won)},
	{name: "tv, idle", path: "/tv", table: idle, until: `document.querySelector(".idle img")?.naturalWidth > 0`},
	{name: "tv, away", path: "/tv", table: framed(two), after: (*tab).loseTable,
		until: `!!document.querySelector(".lost")`},
	{name: "reader, which seat", path: "/reader", table: readers, until: `!!document.querySelector(".choice a")`},
	{name: "reader, begin", path: "/reader?seat=red", table: readers,
		until: `!!document.querySelector("[data-act=camera]")`},
	{name: "reader, cards", path: "/reader?seat=red", table: readers, after: (*tab).readsCards,
		until: `!!document.querySelector(".camera .code.refused")`},
	{name: "reader, may not", path: "/reader?seat=red", table: readers, after: (*tab).mayNot,
		until: `document.querySelectorAll(".trouble").length === 3`},
	{name: "reader, not secure", path: "/reader?seat=red", table: readers, after: (*tab).isNotSecure,
		until: `!!document.querySelector("section.trouble") && !document.querySelector("[data-act=camera]")`},
	{name: "trust", path: "/trust", table: trusted},
	{name: "trust, nothing", path: "/trust", table: framed(two), until: `!!document.querySelector(".leads")`},
	{name: "nowhere", path: "/nowhere", table: framed(two), until: `!!document.querySelector(".leads a")`},
	{name: "hall, nowhere", path: "/nowhere", table: halls(4), until: `!!document.querySelector(".message h1") && !document.querySelector(".leads")`},
	{name: "history", path: "/history", table: remembered, until: `document.querySelectorAll("li").length > 20`},
	{name: "history, a match", path: "/history", table: evenings,
		do: []string{"main li summary", ".tools summary"}, until: `!!document.querySelector(".tools[open]")`},
	{name: "history, deleted", path: "/history", table: evenings,
		do: []string{"main li summary", "main li [data-act=remove]"}, until: `!!document.querySelector(".gone")`},
	{name: "history, import", path: "/history", table: evenings,
		after: func(b *tab, _ shown) { b.until(`!!document.querySelector(".tools")`); b.eval(chooseFile) },
		until: `!!document.querySelector(".found .main")`},
	{name: "history, no hit", path: "/history?text=unheard", table: evenings,
		until: `!!document.querySelector(".empty button")`},
	{name: "history, none", path: "/history", table: unplayed, until: `!!document.querySelector(".empty .main")`},
	{name: "players", path: "/players", table: evenings, until: `!!document.querySelector(".plot .sign")`},
	{name: "a player", path: "/players?player=Max", table: evenings, do: []string{".changes summary"},
		until: `!!document.querySelector(".changes details").open`},
	{name: "players, one match", path: "/players", table: playedOnce, until: `!!document.querySelector(".soon")`},
	{name: "players, none", path: "/players", table: unplayed, until: `!!document.querySelector(".empty")`},
	{name: "replay", path: "/matches/old#100", table: replayed, until: `!!document.querySelector(".course")`},
	{name: "replay, share", path: "/matches/old#100", table: replayed, do: []string{"[popovertarget=share]"},
		until: `document.querySelector("#share:popover-open")`},
	{name: "replay, clock", path: "/matches/old", table: clocked,
		do: []string{`[data-act=step][data-by="1"]`, `[data-act=step][data-by="1"]`}, until: atMoment(2, 3)},
	{name: "labels", path: "/cards/labels", table: printing,
		until: `document.querySelector(".sheet img")?.naturalWidth > 0`},
	{name: "not set up", path: "/", table: framed(unsetTable), until: `!!document.querySelector(".unset a")`},
	{name: "setup, nothing", path: "/setup", table: settingUp(nothingPluggedIn), until: `!!document.querySelector(".output")`},
	{name: "setup, a reader found", path: "/setup", table: settingUp(oneReaderFound), do: []string{"summary"},
		until: `document.querySelectorAll("[data-k^=seat-]").length === 9`},
	{name: "setup, asking", path: "/setup", table: settingUp(askingWhose), until: `!!document.querySelector(".note.asks small")`},
	{name: "setup, a fault", path: "/setup", table: settingUp(partWithFault),
		until: `!!document.querySelector(".health.failed")`},
	{name: "setup, done", path: "/setup", table: settingUp(done), until: `!!document.querySelector("[data-act=test]")`},
	{name: "setup, simulated", path: "/setup", table: framed(two), until: `!!document.querySelector(".real")`},
	{name: "cards", path: "/cards?game=genegrafter", table: workshopping, do: []string{"[data-act=history]"},
		until: `!!document.querySelector("#history del, #history ins")`},
	{name: "cards, box", path: "/cards?game=genegrafter", table: workshopping,
		until: `!!document.querySelector(".tile.yours .plate")`},
	{name: "cards, a mistake", path: "/cards?game=genegrafter", table: workshopping, after: (*tab).mistypes,
		until: `!!document.querySelector(".mistake [data-act=keep]")`},
	{name: "cards, a gap", path: "/cards?game=genegrafter", table: workshopping, after: (*tab).lacks,
		until: `!!document.querySelector("[data-act=nothingElse]")`},
	{name: "cards, effects", path: "/cards?game=mindbug", table: workshopping, after: (*tab).picks,
		until: `document.querySelectorAll(".tiles .chip").length === 12`},
	{name: "cards, an effect", path: "/cards?game=mindbug", table: workshopping, after: (*tab).sets,
		until: `!!document.querySelector(".printed u") && !!document.querySelector(".setting .chip")`},
	{name: "cards, conflict", path: "/cards?game=genegrafter", table: workshopping, after: (*tab).somebodyElse,
		until: `!!document.querySelector(".conflict") && !!document.querySelector(".tagged [data-act=teach]")`},
	{name: "cards, played", path: "/cards/play?game=genegrafter&card=super-punch", table: workshopping,
		until: `!!document.querySelector("#hand .card[data-legal=yes]")`},
	{name: "cards, names", path: "/cards?game=genegrafter", table: workshopping, after: (*tab).named,
		until: `!!document.querySelector(".leaving [data-act=saveNames]")`},
	{name: "overlay editor", path: "/overlay/edit", table: framed(two),
		until: `document.querySelectorAll("[data-act=seat]").length === 2`},
	{name: "replay, live", path: "/matches/current", table: followed,
		until: `!!document.querySelector(".newest[aria-pressed=true]")`},
	{name: "clock", path: "/", table: framed(timed(2, 9_000)), until: `!!document.querySelector(".time.low")`},
	{name: "clock, over", path: "/", table: framed(timed(4, -9_000)), until: `!!document.querySelector(".time.over")`},
	{name: "clock, stopped", path: "/", table: framed(stoppedClock), until: `!!document.querySelector("[data-input$=' clock run']")`},
	{name: "tv, clock", path: "/tv", table: framed(timed(4, 9_000)), until: `!!document.querySelector(".time.low")`},
	{name: "hall", path: "/", table: halls(12), until: `document.querySelectorAll(".tables > li").length === 12`},
	{name: "hall, projector", path: "/?rotate=60", table: halls(12),
		until: `!!document.querySelector("[data-act=leave]") && document.querySelectorAll(".tables > li").length === 12`},
	{name: "hall that keeps", path: "/", table: keepingHall, until: `!!document.querySelector("[data-k=message]")`},
	{name: "hall, history", path: "/history", table: keepingHall, until: `document.querySelectorAll("li").length > 20`},
	{name: "hall, a call", path: "/", table: callingHall, do: []string{"summary"},
		until: `document.querySelectorAll(".call button").length === 2`},
	{name: "called", path: "/", table: framed(called), until: `document.querySelectorAll(".note.hall button").length === 2`},
	{name: "tv, a message", path: "/tv", table: framed(called), until: `!!document.querySelector(".says")`},
	{name: "menu with a hall", path: "/", table: framed(invitedAgain), do: []string{"[data-open=menu]"},
		until: `!!document.querySelector("dialog [data-do=call]")`},
	{name: "hall, deaf", path: "/", table: deafHall,
		until: `!!document.querySelector(".deaf") && !!document.querySelector("[data-k=aside]")`},
	{name: "hall, a table", path: "/tables/table-2", table: halls(4), until: `!!document.querySelector("#tv footer p")`},
	{name: "hall, a table to come", path: "/tables/later", table: halls(4), until: `!!document.querySelector(".idle h1")`},
	{name: "hall, a free table", path: "/tables/table-4", table: halls(4), until: `!!document.querySelector(".idle h1")`},
	{name: "evenings, none kept", path: "/evenings", table: noEvenings,
		until: `document.querySelector(".said")?.textContent.includes("--data")`},
	{name: "evenings, a new one", path: "/evenings", table: newEvening, until: `document.querySelectorAll("[data-k=tables] .tick").length === 4`},
	{name: "evening", path: eveningPath, table: eveningOf(evening.Swiss, 2, 12),
		until: `!!document.querySelector(".doubt")`},
	{name: "evening, a change", path: eveningPath, table: eveningOf(evening.Swiss, 2, 12),
		do:    []string{".tables > li:nth-child(5) .change summary", `[data-k="places"] summary`},
		until: `!!document.querySelector(".change[open] [data-act=swap]") && !!document.querySelector(".doubt")`},
	{name: "evening, tables of four", path: eveningPath, table: eveningOf(evening.Swiss, 4, 11),
		do: []string{".tables > li .change summary", `[data-k="people"] summary`}, until: `!!document.querySelector(".change[open]")`},
	{name: "evening, projector", path: eveningPath + "?rotate=60", table: eveningOf(evening.Swiss, 2, 30),
		until: `document.querySelectorAll(".standings tbody tr").length === 30`},
	{name: "evening, free", path: eveningPath, table: freeEvening, until: `!!document.querySelector("[data-act=pair]")`},
	{name: "evening, my seat", path: eveningPath + "/seat?player=3", table: eveningOf(evening.Swiss, 2, 12),
		until: `!!document.querySelector(".mine .rank")`},
	{name: "evening, who", path: eveningPath + "/seat", table: eveningOf(evening.RoundRobin, 2, 14),
		until: `document.querySelectorAll(".names button").length === 14`},
	{name: "overlay, clock", path: "/overlay", table: framed(timed(2, 9_000)), until: `!!document.querySelector(".time.low")`},
}

// justRefused shows the refusal that the page has found when it was opened.
func (b *tab) justRefused(shown) {
	b.eval(`import("/assets/store.js").then(({ change }) => change({ gone: null })); ""`)
}

// opensLog opens the log, which a phone has in the menu.
func (b *tab) opensLog(shown) {
	if b.eval(`getComputedStyle(document.getElementById("log")).display`) == "none" {
		b.click("[data-open=menu]")
	}
	b.click("dialog[open] [data-sheet=log], body:not(:has(dialog[open])) #log [data-sheet=log]")
}

func (b *tab) goesBack(s shown) {
	b.opensLog(s)
	b.click("#sheet button.line")
}

// correctsPile corrects the number of a pile of the table, which a phone has no room for.
func (b *tab) correctsPile(shown) {
	b.until(`!!document.querySelector("#prompt")`)
	b.eval(`import("/assets/actions.js").then(({ number }) => number({ seat: "table", what: "unused", value: "26" })); ""`)
}

// findsDifferences shows what another owner's file says of two cards.
func (b *tab) findsDifferences(shown) {
	b.until(`!!document.querySelector(".upload")`)
	b.eval(`import("/assets/store.js").then(({ change, state }) => change({ exchange: { ...state.exchange, added: ["zorro"],
		theirs: { name: "cards-of-max.txt" }, decide: { "wolf/strength": "mine" }, completed: ["super-punch"], differences: [
			{ key: "wolf/strength", card: "wolf", field: "strength", mine: ["card wolf strength 4"], theirs: ["card wolf strength 5"] },
			{ key: "wolf/fr", card: "wolf", field: "fr", mine: ["card wolf fr Loup"], theirs: ["card wolf fr \"Le Loup\""] }] } })); ""`)
}

// byRounds shows a score sheet by its rounds.
const byRounds = "[data-keep=rounds][data-value=true]"

func (b *tab) layCard(shown) {
	b.until(`!!document.querySelector(".reader")`)
	b.eval(`import("/assets/store.js").then(({ change, state: { live } }) => change({ onReader: { red: "alien.2" }, live: {
		...live, status: { ...live.status, receipt: { seat: "red", outcome: "refused", n: 9, text: "No" } } } })); ""`)
}

// loseTable stops the table, once the page has shown it.
func (b *tab) loseTable(s shown) {
	b.until(`document.title.includes("Mutants")`)
	s.stop()
}

// walk opens a page with parameters, and clicks until it is in the state of an audit. If the
// tab shows this page already, of a table with another frame, it turns to this table.
func (b *tab) walk(a audit, table shown, query, shows string) {
	b.t.Helper()
	var url string
	url, table.stop = listen(b.t, table.Server, "127.0.0.1:0")
	if a.path == shows {
		s, address, _ := spotOf(b.ctx, url+"/")
		s.show(address)
		b.awaited(turned)
	} else {
		join := "?"
		if strings.Contains(a.path, "?") {
			join = "&"
		}
		b.open(url + a.path + join + query)
	}
	b.until(`!!document.querySelector("#prompt, .board, .seat, .idle, .phones, .picture, #tv > *, [data-seq], h1:not(.mark)")`)
	for _, button := range a.do {
		b.click(button)
	}
	if a.after != nil {
		a.after(b, table)
	}
	b.until(cmp.Or(a.until, "true"))
}

// turned is a JavaScript promise of a page that shows the first frame of another table, with
// nothing open that a user has opened. Loading it would take longer than axe-core.
const turned = `(async () => {
	const [{ change, state }, { connect }] = await Promise.all(["store", "stream"].map(n => import("/assets/" + n + ".js")));
	change({ dialog: null, moment: null, gone: null, thrown: {}, texts: {}, onReader: {}, opened: { match: null, seats: [] },
		told: null, played: null });
	const before = state.live;
	connect();
	while (state.live === before || state.lost) await new Promise(requestAnimationFrame);
	for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
	return "";
})()`

// become shows the same state of the table page in another setting. The page
// itself changes its language: loading it again would take longer than axe-core.
func (b *tab) become(a audit, table shown, s setting) {
	b.t.Helper()
	b.eval(fmt.Sprintf(`import("/assets/actions.js").then(actions => actions.choose({ lang: %q })); ""`, s.lang))
	if f, _ := table.currentFrame(""); f.Words != nil { // else its texts are English whatever the page asks for
		b.until(fmt.Sprintf(`document.documentElement.lang === %q`, s.lang))
	}
	b.until(cmp.Or(a.until, "true"))
}

func screenOf(s setting) chromedp.Action[chromedp.Void] {
	if s.width < 900 {
		return chromedp.EmulateViewport(s.width, s.height, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	return chromedp.EmulateViewport(s.width, s.height)
}

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

func still(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme},
				{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	})
}
