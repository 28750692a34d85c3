package web

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"tableside/display/web/past"
	"tableside/engine"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

// TestHistoryHow checks that the list tells the edition of a box and the options that were
// chosen, or the preset that they are, and that a match is found by them.
func TestHistoryHow(t *testing.T) {
	b := newTab(t)
	entry := func(id, game string, options map[string]string) map[string]any {
		return map[string]any{"id": id, "game": game, "options": options, "begin": "2026-11-20T20:15:00Z",
			"seconds": 600, "state": "finished", "seats": []any{}}
	}
	wizard := map[string]string{"bids": "20 10 -10", "rounds": "60/seats", "deal": "on"}
	list := []map[string]any{
		entry("a", "mutants/second-edition", map[string]string{"data": "stand-in", "pools": "draft"}),
		entry("b", "mutants/uprising", nil),
		entry("c", "tally/score", wizard),
		entry("d", "tally/score", map[string]string{"target": "10", "step": "1"}),
		entry("e", "tally/score", nil),
		entry("f", "chess/blitz", map[string]string{"target": "10"}),
	}
	list[2]["preset"] = "wizard"
	page, _ := listen(t, newServer(Config{
		Games: func() (all []engine.Info) {
			for _, g := range slices.Concat(mutants.Games(), tally.Games()) {
				all = append(all, g.Info())
			}
			return all
		},
		History: &past.History{Matches: func(bool, engine.Lang) (any, error) { return list, nil }},
	}), "127.0.0.1:0")
	for lang, want := range map[string][]string{
		"en": {"second edition, 10 min · Gene pools: draft · Card data: with stand-ins",
			"Uprising, solo, 10 min", "10 min", "Target: 10, 10 min", "10 min", "10 min"},
		"fr": {"nouvelle édition, 10 min · Réserves de Gènes\u00a0: draft · Données des cartes\u00a0: avec substituts",
			"La Révolte, solo, 10 min", "10 min", "But\u00a0: 10, 10 min", "10 min", "10 min"},
	} {
		b.open(page + "/history?lang=" + lang)
		b.until(`document.querySelectorAll("li").length === 6`)
		got := b.eval(`[...document.querySelectorAll("li")].map(l => [l.querySelector(".game small"), l.querySelector("form p")]` +
			`.filter(Boolean).map(e => e.textContent).join(" · ")).join("\n")`)
		if got != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", lang, got, strings.Join(want, "\n"))
		}
		b.until(`document.querySelectorAll(".game b")[2].textContent === "Wizard"`)
	}
	for text, want := range map[string]string{"wizard": "c", "révolte": "b", "but : 10": "d"} {
		b.open(page + "/history?lang=fr&text=" + url.QueryEscape(text))
		b.until(`document.querySelectorAll("li").length === 1 && ` +
			`document.querySelector("li a").getAttribute("href") === "/matches/` + want + `"`)
	}
}
