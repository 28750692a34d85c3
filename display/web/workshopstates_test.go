package web

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tableside/display/web/cards"
	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/genegrafter"
)

// workshopping returns a table with some of the owner's cards of Genegrafter.
func workshopping(t *testing.T) shown {
	_, s := withFiles(t)
	files := s.config.Files
	files.Editions = func(string) []engine.Game { return genegrafter.Games() }
	files.Workshop = func(game, text string, lang engine.Lang) (cards.Workshop, error) {
		owners := files.Owners(game)
		w := cards.Workshop{Game: game, Title: "Genegrafter"}
		for _, form := range owners.Forms {
			f := cards.WorkshopForm{Line: form.Line, Title: form.Line}
			for _, row := range form.Rows {
				said := cards.WorkshopRow{Row: row, Title: row.Field}
				for _, word := range row.Words {
					said.Words = append(said.Words, core.Value{Value: word, Title: word})
				}
				if row.Table != nil {
					said.None, said.Tiles = true, row.Tiles(lang)
				}
				f.Rows = append(f.Rows, said)
			}
			w.Forms = append(w.Forms, f)
		}
		states := map[string]string{"zorro": "yours", "dna": "known", "super-punch": "stand-in", "sea-rex": "known"}
		for _, thing := range owners.Things(text) {
			about, id := thing.ID, thing.ID
			if id == "" {
				about = thing.Line
			} else if states[id] == "" {
				continue
			}
			c := cards.WorkshopCard{Line: thing.Line, ID: id, About: about, Name: about, State: states[id], Copies: 2, Taught: 1,
				Next: "genegrafter/" + about + ".2", Gaps: []string{}, Says: []string{"Effect: rests", "Attack: 2"}, Box: thing.Box,
				StandIn: thing.StandIn, Own: append([]cardfile.OwnLine{}, thing.Own...)}
			if c.State == "" {
				c.State = "missing"
			}
			if c.State == "stand-in" {
				c.Gaps = []string{"does"}
			}
			w.Cards = append(w.Cards, c)
		}
		return w, nil
	}
	files.Say = func(string, string, string, engine.Lang) (string, []string) { return "El Zorro", []string{"Attack: 2"} }
	files.Versions = func(string, int) ([]cardfile.Version, error) {
		return []cardfile.Version{{N: 1, Text: "# mine\n", Time: time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC)}}, nil
	}
	s.config.Games = func() []engine.Info { return []engine.Info{{Name: "genegrafter/standard", Cards: []string{"dna"}}} }
	return shown{Server: s}
}

func (b *tab) mistypes(shown) {
	b.click(`[data-open=zorro]`)
	b.until(`!!document.querySelector("#f-does")`)
	b.eval(`(on => { on.value = "draw two crads"; on.dispatchEvent(new Event("input", { bubbles: true })); return ""; })(
		document.querySelector("#f-does"))`)
}

// picks opens an ability and what it may say; sets also takes an effect with many slots, from what
// is printed on the card.
func (b *tab) picks(shown) {
	b.click(`[data-open=sea-rex]`)
	b.click(`[data-act=ability][data-field=play]`)
	b.until(`!!document.querySelector(".picker .offer")`)
}

func (b *tab) sets(s shown) {
	b.picks(s)
	b.click(`[data-act=shutEffects]`)
	b.until(`!!document.querySelector("#f-text")`)
	b.eval(`(on => { on.value = "Destroy an enemy creature, then hum."; on.dispatchEvent(new Event("input", { bubbles: true }));
		return ""; })(document.querySelector("#f-text"))`)
	b.click(`.on-card .offer`)
	b.until(`!!document.querySelector(".setting")`)
}

func (b *tab) lacks(shown) {
	b.click(`[data-open=super-punch]`)
	b.eval(`import("/assets/actions/workshop.js").then(({ put }) => put({ values: { kind: "ability" } })); ""`)
}

func (b *tab) somebodyElse(shown) {
	b.click(`[data-open=zorro]`)
	b.eval(`import("/assets/actions/workshop.js").then(({ put }) => put({ conflict: { tag: "x",
		theirs: ["card zorro kind gear"] }, tag: { tag: "04A1B2C3D4E5F6", card: "" } })); ""`)
}

func (b *tab) named(shown) {
	b.click(`[data-act=names]`)
	b.until(`document.activeElement.matches(".names [data-act=name]")`)
	b.do(chromedp.KeyEvent("Le Renard"))
	b.eval(`history.back(); ""`)
	b.until(`!!document.querySelector(".leaving")`)
}

// mayLeave lets the next test use a tab in which something is typed and not saved.
const mayLeave = `addEventListener("beforeunload", e => e.stopImmediatePropagation());`

// TestBox looks at the box of Genegrafter: what is missing, what is the owner's, and the way to a
// card and back.
func TestBox(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, workshopping(t).Server, "127.0.0.1:0")
	b.open(url + "/cards?game=genegrafter&lang=en")
	b.until(`document.querySelector(".sub")?.textContent === "2 of 5 cards match yours" &&
		document.querySelector(".tile.stand-in .state").textContent.startsWith("!1 missing") &&
		document.querySelector(".tile.yours .plate")?.textContent === "yours"`)
	b.click(`[data-filter=yours]`)
	b.until(`document.querySelectorAll(".tile").length === 1`)
	b.click(`[data-filter=all]`)
	b.click(`.main[data-open=super-punch]`)
	b.until(`location.hash === "#super-punch" && !!document.querySelector("#card h2") && !document.querySelector(".tile")`)
	b.eval(`history.back(); ""`)
	b.until(`document.querySelectorAll(".tile").length > 3 && !document.querySelector("#card")`)
}
