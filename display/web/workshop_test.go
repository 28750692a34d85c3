package web

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// saved waits until the table has kept a card.
func (p *typist) saved(title string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelector(".said")?.textContent.includes(%q)`, title))
}

// kept checks that the file has these lines.
func kept(t *testing.T, file string, lines ...string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if !strings.Contains("\n"+string(data), "\n"+line+"\n") {
			t.Errorf("the file lacks %q:\n%s", line, data)
		}
	}
}

// TestWorkshop enters ten cards of each game, or as many as differ, as they may be printed,
// and plays with them.
func TestWorkshop(t *testing.T) {
	atNight(t)
	program := buildProgram(t)
	t.Run("genegrafter", func(t *testing.T) { t.Parallel(); entersGenegrafter(t, program) })
	t.Run("mutants", func(t *testing.T) { t.Parallel(); entersMutants(t, program) })
	t.Run("mindbug", func(t *testing.T) { t.Parallel(); entersMindbug(t, program) })
	t.Run("bosses", func(t *testing.T) { t.Parallel(); entersBosses(t, program) })
	t.Run("names", func(t *testing.T) { t.Parallel(); names(t, program) })
	t.Run("leaving", func(t *testing.T) { t.Parallel(); leaves(t, program) })
	t.Run("tags", func(t *testing.T) { t.Parallel(); teaches(t, program) })
	t.Run("two browsers", func(t *testing.T) { t.Parallel(); twoBrowsers(t, program) })
}

// saveNext is the button that saves a card and opens the next one.
const saveNext = `[data-act=save][data-next]`

func entersGenegrafter(t *testing.T, program string) {
	p, url, file := newTypist(t, program, "genegrafter/standard", "en")
	p.press(`[data-open=card-1]`)
	for n, powers := range []string{"luck", "light telekinesis", "gravity", "super-strength luck light"} {
		title := fmt.Sprintf("The Bold %d", n+1)
		before := p.did.taps
		p.fill("en", title)
		if n == 0 { // the next card is of the same kind
			p.choose("kind", "character")
		}
		p.choose("attack", "2")
		p.choose("defence", "1")
		p.choose("power", strings.Fields(powers)...)
		p.choose("markers", "mental", "mental")
		p.press(saveNext)
		p.saved(title)
		if taps := p.did.taps - before; taps > 8 {
			t.Errorf("a character takes %d taps, want 8", taps)
		}
	}
	for n, does := range []string{"Reroll one of your dice.", "Piochez 2 cartes.", "Gain 1 health point."} {
		p.fill("en", fmt.Sprintf("Trick %d", n+1))
		if n == 0 {
			p.choose("kind", "ability")
		}
		p.choose("power", "luck")
		p.choose("category", "energy")
		p.choose("base", "1")
		p.choose("super", "3")
		p.fill("does", does)
		p.press(saveNext)
		p.saved(fmt.Sprintf("Trick %d", n+1))
	}
	p.fill("en", "Long Night")
	p.choose("kind", "event")
	p.fill("does", "Each player loses 1 health point.")
	p.until(`document.querySelector(".preview .does")?.textContent.includes("1 health")`)
	p.press(saveNext)
	p.saved("Long Night")
	p.fill("en", "Odd Day")
	p.fill("does", "Everybody hums, and nobody attacks.")
	p.press(`[data-act=keep]`)
	p.until(`document.querySelector(".preview .does")?.textContent.includes("hums") &&
		!!document.querySelector(".preview em")`)
	p.press(saveNext)
	p.saved("Odd Day")
	p.fill("en", "Iron Boots")
	p.choose("kind", "gear")
	p.choose("place", "feet")
	p.fill("does", "+1 defence")
	p.press(saveNext)
	p.saved("Iron Boots")
	p.tell("Genegrafter", 10)
	p.card("box")
	p.fill("sixth-face", "Draw two cards.")
	p.press(`[data-act=save]:not([data-next], [hidden])`)
	p.saved("The box")
	kept(t, file, "card card-2 power light telekinesis", "card card-2 markers mental mental",
		`card card-1 en "The Bold 1"`,
		"card card-6 does Piochez 2 cartes.", "card card-8 does Each player loses 1 health point.",
		`card card-9 does text "Everybody hums, and nobody attacks."`, "card card-10 place feet",
		"card card-10 does +1 attack.", `box sixth-face "Draw two cards."`)
	plays(t, url, "genegrafter/standard", `define card card-6 does Piochez 2 cartes.`)
}

func entersMutants(t *testing.T, program string) {
	p, url, file := newTypist(t, program, "mutants/second-edition", "fr")
	// Of these the box is known but for the freeze value, and what they do.
	picks := []struct{ tile, row, chip, says string }{
		{"Force", "gain-power", `[data-n="2"]`, "gagnez 2 Force"}, {"Pioche", "draw", "", "piochez 1 carte"},
		{"Force", "lose-power", ".chip[data-row=whom]", "chaque adversaire perd 1 Force"},
		{"Gel", "freeze", ".chip[data-row=may]", "vous pouvez geler ce Mutant"}, {"Cycle", "cycle", "", "cyclez 1"},
	}
	var want []string
	p.press(`[data-open=android]`)
	const cards = 10
	for n := range cards {
		card := strings.TrimPrefix(p.eval(`location.hash`), "#")
		lacks := strings.Fields(p.eval(
			`[...document.querySelectorAll("#card .field:has(.gap)")].map(on => on.dataset.k).join(" ")`))
		if slices.Contains(lacks, "freeze") {
			p.choose("freeze", fmt.Sprint(n%4))
			want = append(want, fmt.Sprintf("card %s freeze %d", card, n%4))
		}
		for at, field := range []string{"deploy", "leave"} {
			pick := picks[(n+at)%len(picks)]
			p.opens(field)
			p.picks(pick.tile, pick.row)
			if pick.chip != "" {
				p.press(".setting " + pick.chip)
			}
			p.reads(pick.says)
			want = append(want, fmt.Sprintf("card %s %s %s", card, field, pick.says))
		}
		if p.eval(`String(!!document.querySelector("[data-act=nothingElse]"))`) == "true" {
			p.press(`[data-act=nothingElse]`)
			want = append(want, fmt.Sprintf("card %s ongoing none", card))
		}
		p.until(`!document.querySelector(".preview.stale") &&
			document.querySelector(".preview .paper")?.naturalWidth === 400`)
		p.press(saveNext)
		p.until(fmt.Sprintf(`location.hash !== %q`, "#"+card))
	}
	p.tell("Mutants", cards)
	p.card("board")
	p.choose("spaces", "12")
	p.fill("rounds", "3/1,4/2,5/3,6/3,8/4")
	p.press(`[data-act=save]:not([data-next], [hidden])`)
	p.saved("✓")
	kept(t, file, append(want, "board spaces 12", "board rounds 3/1,4/2,5/3,6/3,8/4")...)

	plays(t, url, "mutants/second-edition", "define "+want[0])
}

func entersMindbug(t *testing.T, program string) {
	p, url, file := newTypist(t, program, "mindbug/first-contact", "fr")
	does := [][3]string{{"Vie", "gain-life", `[data-n="2"]`}, {}, {"Défausse", "discard", ""}, {"Destruction", "defeat", ""}}
	p.press(`[data-act=add]`)
	const cards = 10
	for n := range cards {
		title := fmt.Sprintf("Chat Volant %c", 'A'+n)
		p.fill("fr", title)
		if n == 0 { // the next one is of the same box
			p.until(`document.querySelector(".field[data-k=set] .mistake")?.textContent.includes("Il manque encore") &&
				!document.querySelector("#card .field[data-k=fr] .mistake")`)
			p.press(`[data-act=counted][data-word=first-contact]`)
		}
		p.choose("power", fmt.Sprint(1+n%8))
		p.choose("keywords", "sneaky")
		if pick := does[n%4]; pick[0] != "" {
			p.opens("play")
			p.picks(pick[0], pick[1])
			if pick[2] != "" {
				p.press(".setting " + pick[2])
				p.reads("gagnez 2 PV")
			}
		}
		p.press(saveNext)
		p.saved(title)
	}
	p.tell("Mindbug, cards of one's own", cards)
	kept(t, file, "card chat-volant-c set first-contact 1", `card chat-volant-c fr "Chat Volant C"`,
		"card chat-volant-c keywords sneaky", "card chat-volant-c play votre adversaire défausse 1 carte",
		"card chat-volant-c power 3")
	plays(t, url, "mindbug/first-contact", "define card chat-volant-c power 3")

	// What a card does is seen before it is saved, and nothing of it is kept.
	p.card("chat-volant-a")
	p.press(`[data-act=ability][data-field=play]`)
	p.press(`[data-act=openEffect]`)
	p.press(`.setting [data-n="3"]`)
	p.until(`document.querySelector("a.play")?.href.includes("gagnez%203%20PV")`)
	b := openTab(t) // the form stays open
	b.open(url + strings.TrimPrefix(p.eval(`document.querySelector("a.play").getAttribute("href")`), "/"))
	b.click(`#hand [data-card^=chat-volant-a]`)
	b.click(`#ask [data-input="blue key no"]`)
	b.until(`document.querySelector("#log").textContent.includes("Rouge gagne 3 PV")`)
	kept(t, file, "card chat-volant-a play gagnez 2 PV")
}

// entersBosses enters a boss and a card of its deck, and plays against it. Neither comes to
// a hand, so that there is nothing to try.
func entersBosses(t *testing.T, program string) {
	p, url, file := newTypist(t, program, "mutants/uprising", "fr")
	p.click(`[data-open=robot]`)
	p.until(`!!document.querySelector("a.play")`)
	p.card("jack-ice")
	p.fill("health", "30")
	p.opens("set-up")
	p.picks("Parade, boss", "heal")
	p.press(`.setting [data-n="3"]`)
	p.opens("power")
	p.picks("Force", "gain-power")
	p.press(`.setting .chip[data-row=their-freeze]`)
	p.reads("chaque fois qu'un adversaire gèle 1 Mutant, gagnez 1 Force")
	p.until(`document.querySelector(".preview .does")?.textContent.includes("gagnez 3 Santé") &&
		!document.querySelector("a.play")`)
	p.press(saveNext)
	p.saved("Jack Ice")
	p.card("jack-ice-1")
	p.choose("arrow", "left")
	p.opens("deploy")
	p.picks("Force", "lose-power")
	p.press(`.setting .chip[data-row=whom]`)
	p.fill("weakness", "3 si vous engendrez")
	p.press(`[data-act=nothingElse]`)
	p.until(`!document.querySelector(".preview.stale") && !document.querySelector("#card .gap")`)
	p.press(saveNext)
	p.saved("Jack Ice 1")
	kept(t, file, "boss jack-ice health 30", "boss jack-ice set-up gagnez 3 Santé",
		"boss jack-ice power chaque fois qu'un adversaire gèle 1 Mutant, gagnez 1 Force", "action jack-ice-1 arrow left",
		"action jack-ice-1 deploy chaque adversaire perd 1 Force", "action jack-ice-1 leave none",
		"action jack-ice-1 weakness 3 si vous engendrez")
	plays(t, url, "mutants/uprising", "define action jack-ice-1 weakness 3 si vous engendrez")
}

// plays begins a match, which begins with what was entered.
func plays(t *testing.T, url, game, define string) {
	t.Helper()
	b := openTab(t)
	b.open(url + "healthz")
	seats, options := `[{ seat: "red" }, { seat: "blue" }]`, `{ data: "known" }`
	switch {
	case strings.HasSuffix(game, "/uprising"):
		seats, options = `[{ seat: "red" }]`, `{ data: "known", boss: "jack-ice" }`
	case strings.HasPrefix(game, "mindbug"):
		options = "{}"
	}
	journal := b.awaited(fmt.Sprintf(`(async () => {
		await fetch("/api/match", { method: "POST", headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ do: "abandon" }) });
		const begun = await fetch("/api/match", { method: "POST", headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ do: "begin", setup: { game: %q, seats: %s, options: %s } }) });
		return await begun.text() + await (await fetch("/api/journal")).text();
	})()`, game, seats, options))
	if !strings.Contains(journal, "\n"+define) {
		t.Errorf("the match lacks %q:\n%.3000s", define, journal)
	}
}

// twoBrowsers changes a card in two browsers, and by hand while its form is open.
func twoBrowsers(t *testing.T, program string) {
	p, url, file := newTypist(t, program, "genegrafter/standard", "en")
	other := &typist{tab: openTab(t)}
	other.visit(url, "genegrafter", "en")
	const save = `[data-act=save]:not([data-next], [hidden])`
	for _, one := range []*typist{p, other} {
		one.click(`[data-open=card-1]`)
	}
	p.fill("en", "Zora")
	p.choose("kind", "event")
	p.click(save)
	p.saved("Zora")
	other.fill("en", "Nora")
	other.choose("kind", "gear")
	other.click(save)
	other.until(`document.querySelector(".conflict")?.textContent.includes('card card-1 en "Zora"')`)
	kept(t, file, `card card-1 en "Zora"`)
	other.click(`[data-act=mine]`)
	other.saved("Nora")
	kept(t, file, `card card-1 en "Nora"`, "card card-1 kind gear")

	// An editor adds a line: the form that is open does not overwrite it.
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(data, "# by hand\ncard card-1 place head # sure\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	other.fill("en", "Flora")
	other.click(save)
	other.until(`document.querySelector(".conflict")?.textContent.includes("place head")`)
	other.click(`[data-act=theirs]`)
	other.until(`document.querySelector('[data-choice=head]')?.ariaPressed === "true"`)
	other.fill("en", "Flora")
	other.click(save)
	other.saved("Flora")
	kept(t, file, "# by hand", "card card-1 place head # sure", `card card-1 en "Flora"`)

	// Every version can come back.
	other.click(`[data-act=history]`)
	other.until(`document.querySelectorAll("#history li").length === 3`)
	other.click(`[data-act=undo]`)
	other.until(`document.querySelector("#card h2")?.textContent === "Nora"`)
	other.click(`#history li:nth-last-child(2) [data-act=restore]`)
	other.until(`document.querySelector("#card h2")?.textContent === "Zora"`)
	kept(t, file, `card card-1 en "Zora"`)
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "by hand") {
		t.Errorf("%v\n%s", err, data)
	}
}

// teaches lays cards on an emulated reader, away from a match: a known one opens its
// form, a new one is taught by one tap, and then each new one at once.
func teaches(t *testing.T, program string) {
	p, url, file := newTypist(t, program, "genegrafter/standard", "en", "--chips")
	lay := func(tag string) {
		t.Helper()
		p.eval(fmt.Sprintf(`(async () => {
			const post = path => fetch(path, { method: "POST", body: new URLSearchParams({ place: "red", tag: %q }) });
			await post("/api/tap");
			await post("/api/lift");
		})(); ""`, tag))
	}
	p.until(`performance.getEntriesByName(location.origin + "/api/workshop/tag").length > 0`)
	lay("card-2.1")
	p.until(`document.querySelector("#card h2")?.textContent === "Card 2"`)
	lay("stranger")
	p.click(`[data-act=teach]`)
	p.until(`document.querySelector(".tagged")?.textContent.includes("Learnt")`)
	p.card("card-3")
	p.click(`[data-act=teaching]`)
	lay("another")
	p.until(`document.querySelector(".teach")?.textContent.includes("1 of 1")`)
	tags, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(file)), "tags"))
	if err != nil || !strings.Contains(string(tags), " genegrafter/card-2.1") ||
		!strings.Contains(string(tags), " genegrafter/card-3.1") {
		t.Errorf("%v\n%s\n%s", err, tags, url)
	}
}

// names enters French names of Mindbug, line by line, in few changes of the file.
func names(t *testing.T, program string) {
	p, _, file := newTypist(t, program, "mindbug/first-contact", "fr")
	p.press(`[data-act=names][data-field=fr]`)
	p.until(`document.activeElement.matches(".names [data-act=name]")`)
	p.until(`[...document.querySelectorAll(".names label b")].slice(0, 10).map(on => Number(on.textContent.match(/\d+/)))
		.every((n, i, all) => !i || n >= all[i - 1])`) // as people sort their cards
	field := func() string { return p.eval(`document.activeElement.dataset.about ?? ""`) }
	var lines []string
	for n := range 12 {
		about := field()
		title := fmt.Sprintf("Bête n° %d", n+1)
		lines = append(lines, fmt.Sprintf("card %s fr %q", about, title))
		p.do(chromedp.KeyEvent(title), chromedp.KeyEvent(kb.Enter))
		p.count(title)
		p.did.keys++ // Enter
		p.until(fmt.Sprintf(`!["", %q].includes(document.activeElement.dataset.about)`, about))
	}
	p.tell("names of Mindbug in the order of the list", 12)
	p.until(`document.querySelector(".names .progress").textContent.includes("98 sur 162")`)
	p.click(`[data-act=saveNames]`)
	p.until(`document.querySelector(".said")?.textContent.includes("2 noms")`)
	kept(t, file, lines...)
	old, err := filepath.Glob(filepath.Join(filepath.Dir(file), "history", "mindbug", "*"))
	if err != nil || len(old) != 1 {
		t.Errorf("got the versions %v, %v, want one of ten names", old, err)
	}

	// A card is found by what is printed on it, and named once more.
	p.eval(`document.querySelector("[data-act=allNames]").click(); ""`)
	p.eval(`(on => {
		on.focus();
		on.value = "puissance 7 coriace pachy";
		on.dispatchEvent(new Event("input", { bubbles: true }));
		return "";
	})(document.querySelector("[data-act=seekName]"))`)
	p.until(`document.querySelectorAll(".names [data-act=name]").length === 1`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.activeElement.dataset.about === "elephantopus"`)
	// A space behind the name that it has stays, also where the page draws after it only.
	p.awaited(`(async on => {
		const frame = () => new Promise(requestAnimationFrame);
		const type = text => { on.value = text; on.dispatchEvent(new Event("input", { bubbles: true })); };
		type("Pachypoulp");
		for (let i = 0; i < 3; i++) await frame();
		type("Pachypoulpe");
		type("Pachypoulpe ");
		for (let i = 0; i < 3; i++) await frame();
		return "";
	})(document.activeElement)`)
	p.do(chromedp.KeyEvent("II"), chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector(".said")?.textContent.includes("1 nom ")`)
	kept(t, file, `card elephantopus fr "Pachypoulpe II"`)

	// Undo takes back all names that were saved at once.
	p.click(`[data-act=undo]`)
	p.click(`[data-act=undo]`)
	p.until(`document.querySelector(".names .progress").textContent.includes("98 sur 162") &&
		document.querySelector(".said")?.textContent.includes("annulé")`)
	kept(t, file, lines[:10]...)
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "n° 11") {
		t.Errorf("%v\n%s", err, data)
	}
}

// leaves opens another card while something is typed: the page asks, and nothing is
// lost. The focus goes where the card is listed.
func leaves(t *testing.T, program string) {
	p, _, file := newTypist(t, program, "genegrafter/standard", "en")
	p.click(`[data-act=undo]`)
	p.until(`document.querySelector(".said")?.textContent.includes("nothing to undo")`)
	p.click(`[data-open=card-1]`)
	p.fill("en", "Zora")
	p.choose("kind", "gear")
	p.click(`[data-act=close]`)
	p.until(`document.activeElement.matches(".leaving [data-act=save]") && !!document.querySelector("#f-en[value=Zora]")`)
	p.click(`[data-act=stay]`)
	p.until(`!document.querySelector(".leaving") && document.activeElement.matches("#card input")`)
	p.click(`[data-act=close]`)
	p.click(`.leaving [data-act=save]`)
	p.click(`.box-of [data-open=card-30]`)
	p.until(`document.querySelector("#card h2")?.textContent === "Card 30"`)
	kept(t, file, `card card-1 en "Zora"`, "card card-1 kind gear")
	p.fill("en", "Nobody")
	p.eval(`history.back(); ""`)
	p.click(`[data-act=discard]`)
	p.click(`.box-of [data-open=card-1]`)
	p.until(`document.querySelector("#card h2")?.textContent === "Zora"`)
	p.do(chromedp.EmulateViewport(390, 844))
	p.click(`[data-act=close]`)
	p.until(`document.activeElement.matches(".box-of [data-open=card-1]")`)
	p.eval(`document.querySelector("[data-open=card-30]").scrollIntoView({ block: "center" }); ""`)
	p.until(`scrollY > 500`)
	p.click(`[data-open=card-30]`)
	p.until(`scrollY === 0 && location.hash === "#card-30"`)
	p.click(`[data-act=close]`)
	p.until(`scrollY > 500 && document.activeElement.matches("[data-open=card-30]")`)
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "Nobody") {
		t.Errorf("%v\n%s", err, data)
	}
}
