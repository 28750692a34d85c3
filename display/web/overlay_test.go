package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/enginetest"
)

func pageText(t *testing.T, b *tab, frame engine.Frame, path, ready string) string {
	t.Helper()
	url, stop := listen(t, exampleServer(frame), "127.0.0.1:0")
	defer stop()
	b.open(url + path)
	b.until("!!document.querySelector('" + ready + "')")
	return strings.Join(strings.Fields(b.eval("document.body.innerText")), " ")
}

// The overlay shows the creatures in play with their power, the dice and the
// cards for sale. A boss counts as a player.
func TestOverlayShowsCardsAndDice(t *testing.T) {
	b := newTab(t)
	for name, test := range map[string]struct {
		frame         engine.Frame
		path          string
		says, saysNot []string
	}{
		"creatures": {documented(3)(), "?lang=en", []string{"7 Sea-Rex +2 attacking HUNTER", "3 Frog Prophet +1 tilted",
			"Mindbugs 0", "9 Bullet Train"}, []string{"Bigroot", "Blessed Shield Bugs"}},
		"chosen zones": {documented(3)(), "?lang=en&zones=discard", []string{"Blessed Shield Bugs"}, []string{"Sea-Rex"}},
		"no zones":     {documented(3)(), "?lang=en&zones=0&events=0", nil, []string{"Sea-Rex", "Bullet Train"}},
		"dice": {documented(4)(), "?lang=en", []string{"growth 2 discard", "1 Healing Bots", "2 Railgun",
			"5 H.A.D.E.S."}, []string{"Pounce"}},
		"no dice":      {documented(4)(), "?lang=en&dice=0", []string{"2 Railgun"}, []string{"growth 2"}},
		"used-up dice": {documented(6)(), "?lang=en", []string{"2 Character A"}, []string{"draw a card"}},
		"a boss":       {documented(2)(), "?lang=en", []string{"Vat Mother power 9 deck 10 39", "Alice"}, nil},
		"a boss's name": {withTableName(documented(2)(), "Singularity Wizard"), "?lang=en",
			[]string{"Singularity Wizard power 9"}, []string{"The table"}},
		"notices":    {documented(6)(), "?lang=en&notices=1", []string{"Placeholder cards: most are invented"}, nil},
		"no notices": {documented(6)(), "?lang=en", []string{"health"}, []string{"Placeholder cards", "health i"}},
		"the winner": {won(), "?lang=en", []string{"Max wins"}, []string{"Alice scores", "Max to play"}},
		"names, teams and a scene": {exampleFrame(2), "?lang=en&scene=two-seats&name.red=The+Rot&team.blue=Chrome",
			[]string{"The Rot", "Chrome power 9"}, []string{"Alice power"}},
		"the track alone": {exampleFrame(2), "?lang=en&scene=track", []string{"power 1 2 3"},
			[]string{"Alice", "round", "score"}},
		"a scene with a change": {exampleFrame(2), "?lang=en&scene=track&seats=red", []string{"Alice"}, []string{"Max"}},
		"a last turn": {withLastTurn(documented(6)()), "?lang=en", []string{"Max one more turn genes 1"},
			[]string{"Alice one more turn"}},
	} {
		said := strings.ToLower(pageText(t, b, test.frame, "/overlay"+test.path, ".board"))
		for _, s := range test.says {
			if !strings.Contains(said, strings.ToLower(s)) {
				t.Errorf("%s: got %s, want %q in it", name, said, s)
			}
		}
		for _, s := range test.saysNot {
			if strings.Contains(said, strings.ToLower(s)) {
				t.Errorf("%s: got %s, want no %q in it", name, said, s)
			}
		}
	}
}

func withTableName(f engine.Frame, name string) engine.Frame {
	f.View.Labels["seat.table"] = name
	return f
}

// withLastTurn marks the second seat as having one more turn.
func withLastTurn(f engine.Frame) engine.Frame {
	f.View.Seats[1].State = []string{"one-more-turn"}
	return f
}

// boxes is JavaScript that returns where the plates are, as x,y,w,h at 1080p, and what on the
// overlay is smaller than 18 pixels there, or outside the picture.
const boxes = `(() => {
	const k = innerHeight / 1080, at = e => e.getBoundingClientRect(), plates = document.querySelectorAll(".plate");
	const said = [...document.querySelectorAll("#overlay *")].filter(e => e.getClientRects().length &&
		!e.closest(".unseen, .who dl, .cards p") && [...e.childNodes].some(n => n.nodeType === 3 && n.nodeValue.trim()));
	const small = [...said, ...document.querySelectorAll(".who dl *, .cards p *")].filter(e =>
		parseFloat(getComputedStyle(e).fontSize) < 17.9 * k && !e.closest(".unseen"));
	const off = said.filter(e => { const r = at(e); return r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight; });
	return [...[...plates].map(e => { const r = at(e);
		return [r.left, r.top, r.width, r.height].map(n => Math.round(n / k)).join(","); }),
		...small.map(e => "small: " + e.textContent), ...off.map(e => "off: " + e.textContent)].join(" ");
})()`

// TestPlatesStay plays whole matches: plates of four are 411 by 100 pixels and those of two 846 by
// 112, and none ever moves, whatever lies above them.
func TestPlatesStay(t *testing.T) {
	b := newTab(t)
	b.do(chromedp.EmulateViewport(1920, 1080))
	const four = "192,948,411,100 615,948,411,100 1038,948,411,100 1461,948,411,100"
	for _, test := range []struct {
		match played
		query string
		want  string
	}{
		{played{"mindbug/first-contact", 2, 1}, "scene=two-seats&lang=en", "48,936,846,112 1026,936,846,112"},
		{played{"mutants/second-edition", 4, 1}, "scene=four-seats&lang=fr", four},
		{played{"tally/score", 4, 1}, "lang=en", four},
	} {
		if test.match.seats == 4 && !enginetest.Nightly() {
			continue
		}
		tb, inputs := test.match.table(t)
		url, stop := listen(t, tb.show(newServer(tb.config())), "127.0.0.1:0")
		b.open(url + "/overlay?" + test.query)
		for i, in := range inputs {
			r := tb.apply("", in)
			if r.Outcome != engine.Accepted {
				t.Fatalf("%s: %+v", in, r)
			}
			if i%20 != 0 && i != len(inputs)-1 {
				continue
			}
			b.until(fmt.Sprintf("document.documentElement.dataset.seq === %q", fmt.Sprint(r.Seq)))
			if got := b.eval(boxes); got != test.want {
				t.Fatalf("%s after %d inputs: got %s, want %s", test.match.game, i+2, got, test.want)
			}
		}
		stop()
	}
}

// A single die is entered with one press; several dice are chosen one by one
// before they are entered. Faces that the prompt also offers as answers appear
// only once, and show the cursor.
func TestDiceAreEntered(t *testing.T) {
	b := newTab(t)
	two := throwing()
	one := throwing()
	one.View.Prompts[0].Roll.N = 1
	offered := throwing()
	offered.View.Prompts[0].Roll.N = 1
	offered.View.Prompts[0].Options = []engine.Answer{{Key: "throw", Text: "Throw", Input: "red key roll"},
		{Key: "face", Text: "growth 1", Input: "red roll growth-1"}}
	offered.Status.Cursor = 1
	for _, test := range []struct {
		frame engine.Frame
		shows string
	}{
		{two,
			`document.querySelectorAll(".face").length === 12 && !document.querySelector(".face[data-input]") &&
			!!document.querySelector("[data-press=roll]")`},
		{one,
			`document.querySelectorAll(".face").length === 6 &&
			document.querySelector(".face").dataset.input === "red roll growth-1"`},
		{offered,
			`document.querySelectorAll("[data-input='red roll growth-1']").length === 1 &&
			document.querySelectorAll("#ask [data-press=roll]").length === 1 &&
			document.querySelector(".face.cursor").dataset.input === "red roll growth-1"`},
	} {
		url, stop := listen(t, exampleServer(test.frame), "127.0.0.1:0")
		b.open(url + "/?lang=en")
		b.click("[data-sheet=byhand]")
		b.until(test.shows)
		stop()
	}
}

// Faces chosen for a throw are gone with its question: neither an undo nor another match brings them back.
func TestChosenFacesAreForgotten(t *testing.T) {
	url, _ := listen(t, exampleServer(throwing()), "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.click("[data-sheet=byhand]")
	b.click(`[data-k=die0] .face`)
	b.click(`[data-k=die1] .face`)
	b.until(`document.querySelector("[data-k=enter]")?.disabled === false`)
	b.awaited(`Promise.all(["store", "actions/frames"].map(n => import("/assets/" + n + ".js"))).then(([{ state }, { frame }]) => {
		const at = seq => ({ ...state.live, view: { ...state.live.view, seq } }), { seq } = state.live.view;
		frame(at(seq + 1));
		frame(at(seq));
		return "";
	})`)
	b.until(`document.querySelector("[data-k=enter]")?.disabled === true`)
}
