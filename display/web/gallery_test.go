//go:build pictures

package web

import (
	"fmt"
	"image"
	"testing"

	"tableside/display/panel"
	"tableside/display/poster"
	"tableside/display/seat"
	"tableside/engine"
)

// This file lists the pictures of "make pictures": pages, panels, screens and
// lights, in states that people reach, for somebody to look at.

// A shot is a picture of a page.
type shot struct {
	name          string
	width, height int64
	theme         string
	query         string // its language first
	show          any    // a played match, the name of an audit, or nil for an empty table
	page          audit  // unless show names one
}

var (
	mutants2    = played{"mutants/second-edition", 2, 40}
	mutants3    = played{"mutants/second-edition", 3, 60}
	mutants4    = played{"mutants/second-edition", 4, 90}
	uprising1   = played{"mutants/uprising", 1, 45}
	mindbug2    = played{"mindbug/first-contact", 2, 24}
	tokyo2      = played{"mindbug/king-of-tokyo", 2, 40}
	genegraft2  = played{"genegrafter/standard", 2, 60}
	genegraft3  = played{"genegrafter/standard", 3, 80}
	genegraft4  = played{"genegrafter/standard", 4, 110}
	tally2      = played{"tally/score", 2, 12}
	tally3      = played{"tally/score", 3, 20}
	tally4      = played{"tally/score", 4, 30}
	mutantsOver = played{"mutants/second-edition", 3, 0}
	mindbugOver = played{"mindbug/first-contact", 2, 0}
)

var (
	match_   = audit{path: "/", until: handShown}
	begin    = audit{path: "/", until: `!!document.querySelector(".games")`}
	options  = audit{path: "/", do: []string{".chosen button", "summary"}, until: `document.querySelector("details").open`}
	ending   = audit{path: "/", until: `!!document.querySelector("#end .race")`}
	onTV     = audit{path: "/tv"}
	onAir    = audit{path: "/overlay"}
	toEdit   = audit{path: "/overlay/edit", until: "!!" + fmt.Sprintf(inPreview, ".board")}
	nowhere  = audit{path: "/nowhere", until: `!!document.querySelector(".leads a")`}
	toTrust  = audit{path: "/trust"}
	toLabels = audit{path: "/cards/labels", until: `document.querySelector(".sheet img")?.naturalWidth > 0`}
)

// What a match leads to, later.
const (
	appears = `!!document.querySelector(".played")`
)

// handShown is true when the match is drawn and the hands have been loaded, or there are none.
const handShown = `!!document.querySelector("[data-seat]") && (!document.querySelector("#hand, .tray") ||
	!!document.querySelector("#tray .card") || !document.querySelector("#tray :is(.hand, .hand-row)"))`

var gallery = []shot{
	{"mutants-2", 1280, 800, "dark", "lang=en", mutants2, match_},
	{"mutants-2-large", 1920, 1080, "light", "lang=en", mutants2, match_},
	{"mutants-2-phone", 390, 844, "light", "lang=en", mutants2, match_},
	{"mutants-3", 1280, 800, "light", "lang=fr", mutants3, match_},
	{"mutants-3-large", 1920, 1080, "dark", "lang=fr", mutants3, match_},
	{"mutants-4", 1280, 800, "dark", "lang=fr", mutants4, match_},
	{"mutants-4-large", 1920, 1080, "light", "lang=en", mutants4, match_},
	{"mutants-4-phone", 390, 844, "dark", "lang=fr", mutants4, match_},
	{"uprising", 1280, 800, "dark", "lang=en", uprising1, match_},
	{"uprising-large", 1920, 1080, "light", "lang=fr", uprising1, match_},
	{"uprising-phone", 390, 844, "light", "lang=en", uprising1, match_},
	{"mindbug", 1280, 800, "light", "lang=en", mindbug2, match_},
	{"mindbug-large", 1920, 1080, "dark", "lang=fr", mindbug2, match_},
	{"mindbug-phone", 390, 844, "light", "lang=fr", mindbug2, match_},
	{"tokyo", 1280, 800, "dark", "lang=fr", tokyo2, match_},
	{"tokyo-large", 1920, 1080, "dark", "lang=en", tokyo2, match_},
	{"tokyo-phone", 390, 844, "dark", "lang=en", tokyo2, match_},
	{"genegrafter-2", 1280, 800, "dark", "lang=en", genegraft2, match_},
	{"genegrafter-2-large", 1920, 1080, "light", "lang=fr", genegraft2, match_},
	{"genegrafter-3", 1280, 800, "light", "lang=fr", genegraft3, match_},
	{"genegrafter-4-large", 1920, 1080, "dark", "lang=en", genegraft4, match_},
	{"genegrafter-4-phone", 390, 844, "light", "lang=fr", genegraft4, match_},
	{"tally-2", 1280, 800, "light", "lang=en", tally2, match_},
	{"tally-3-phone", 390, 844, "dark", "lang=fr", tally3, match_},
	{"tally-4-large", 1920, 1080, "dark", "lang=fr", tally4, match_},

	{"begin", 1280, 800, "dark", "lang=en", nil, begin},
	{"begin-large", 1920, 1080, "light", "lang=fr", nil, begin},
	{"begin-phone", 390, 844, "light", "lang=fr", nil, begin},
	{"options", 1280, 800, "light", "lang=fr", nil, options},
	{"options-phone", 390, 844, "dark", "lang=en", nil, options},
	{"continue", 1280, 800, "dark", "lang=fr", "continue", audit{}},
	{"proposed", 1280, 800, "dark", "lang=en", "proposed", audit{}},
	{"proposed-phone", 390, 844, "light", "lang=fr", "proposed", audit{}},
	{"proposed-any", 1280, 800, "light", "lang=fr", "proposed, any game", audit{}},
	{"proposed-any-phone", 390, 844, "dark", "lang=en", "proposed, any game", audit{}},
	{"proposed-over", 1280, 800, "dark", "lang=fr", "proposed, over", audit{}},
	{"proposed-over-phone", 390, 844, "light", "lang=en", "proposed, over", audit{}},
	{"tv-proposed", 1920, 1080, "dark", "lang=fr", "tv, proposed", audit{}},
	{"called", 1280, 800, "dark", "lang=en", "called", audit{}},
	{"called-phone", 390, 844, "light", "lang=fr", "called", audit{}},
	{"tv-called", 1280, 720, "dark", "lang=fr", "tv, a message", audit{}},
	{"hall-call", 1280, 800, "dark", "lang=en", "hall, a call", audit{}},
	{"hall-call-phone", 390, 844, "light", "lang=fr", "hall, a call", audit{}},
	{"my-seat-asked", 390, 844, "dark", "lang=fr&seat=red", mindbug2, match_},
	{"my-seat-waits", 390, 844, "light", "lang=en&seat=blue", mindbug2, match_},
	{"hall", 1280, 800, "dark", "lang=en", "hall", audit{}},
	{"hall-large", 1920, 1080, "dark", "lang=fr&rotate=60", "hall", audit{}},
	{"hall-phone", 390, 844, "light", "lang=fr", "hall", audit{}},
	{"evenings", 1280, 800, "dark", "lang=en", "evenings, a new one", audit{}},
	{"evenings-phone", 390, 844, "light", "lang=fr", "evenings, a new one", audit{}},
	{"evening", 1280, 800, "dark", "lang=en", "evening", audit{}},
	{"evening-change", 390, 844, "dark", "lang=fr", "evening, a change", audit{}},
	{"evening-light", 1280, 800, "light", "lang=fr", "evening, tables of four", audit{}},
	{"evening-phone", 390, 844, "light", "lang=fr", "evening", audit{}},
	{"evening-wide", 1920, 1080, "light", "lang=fr", "evening", audit{}},
	{"evening-large", 1920, 1080, "dark", "lang=en&rotate=60", "evening, projector", audit{}},
	{"evening-seat", 390, 844, "dark", "lang=en", "evening, my seat", audit{}},
	{"evening-seat-light", 390, 844, "light", "lang=fr", "evening, my seat", audit{}},
	{"hall-deaf", 1280, 800, "light", "lang=fr", "hall, deaf", audit{}},
	{"end", 1280, 800, "dark", "lang=en", mutantsOver, ending},
	{"end-large", 1920, 1080, "light", "lang=fr", mindbugOver, ending},
	{"end-phone", 390, 844, "dark", "lang=fr", mutantsOver, ending},
	{"refused", 1280, 800, "light", "lang=fr", "mutants, four", audit{}},
	{"refused-phone", 390, 844, "dark", "lang=en", "mutants, four", audit{}},
	{"away", 1280, 800, "dark", "lang=fr", "away", audit{}},
	{"dice", 1280, 800, "light", "lang=en", "dice", audit{}},
	{"dice-phone", 390, 844, "dark", "lang=fr", "dice", audit{}},
	{"deal", 1366, 768, "light", "lang=fr", "a deal", audit{}},
	{"number", 1280, 800, "dark", "lang=en", "number", audit{}},
	{"number-phone", 390, 844, "light", "lang=fr", "number", audit{}},
	{"card", 1280, 800, "light", "lang=fr", "card", audit{}},
	{"form", 1280, 800, "dark", "lang=en", "all of a card", audit{}},
	{"form-phone", 390, 844, "light", "lang=fr", "all of a card", audit{}},
	{"log", 1280, 800, "dark", "lang=fr", mindbug2, audit{path: "/", do: []string{"#log li:nth-child(4) .line"},
		until: `!!document.querySelector("[data-act=undoTo]")`}},
	{"rename-phone", 390, 844, "dark", "lang=en", "rename", audit{}},
	{"menu", 1280, 800, "light", "lang=en", "menu", audit{}},
	{"menu-phone", 390, 844, "dark", "lang=fr", "menu", audit{}},
	{"other-match", 1280, 800, "dark", "lang=fr", "other match", audit{}},
	{"join", 1280, 800, "light", "lang=fr", "join", audit{}},
	{"health", 390, 844, "light", "lang=en", "health", audit{}},
	{"help", 1280, 800, "dark", "lang=fr", "help", audit{}},
	{"unknown-tag", 1280, 800, "dark", "lang=fr", "unknown tag", audit{}},
	{"learn", 1280, 800, "light", "lang=en", "learn a card", audit{}},
	{"learn-phone", 390, 844, "dark", "lang=fr", "learn a card", audit{}},
	{"learn-key-phone", 390, 844, "light", "lang=en", "learn a key", audit{}},

	{"clock", 1280, 800, "dark", "lang=fr", "clock", audit{}},
	{"clock-phone", 390, 844, "light", "lang=fr", "clock, over", audit{}},
	{"clock-stopped-phone", 390, 844, "dark", "lang=fr", "clock, stopped", audit{}},

	{"tv-clock", 1280, 720, "dark", "lang=en", "tv, clock", audit{}},
	{"overlay-clock", 1280, 720, "dark", "lang=en", "overlay, clock", audit{}},
	{"tv-mutants", 1920, 1080, "dark", "lang=fr", mutants4, onTV},
	{"tv-mindbug", 1280, 720, "dark", "lang=en", mindbug2, onTV},
	{"tv-genegrafter", 1920, 1080, "dark", "lang=fr", genegraft4, onTV},
	{"tv-tally", 1920, 1080, "dark", "lang=en", tally4, onTV},
	{"tv-over", 1920, 1080, "dark", "lang=fr", mutantsOver, onTV},
	{"tv-idle", 1920, 1080, "dark", "lang=fr", nil, onTV},

	{"overlay-two", 1920, 1080, "dark", "lang=en&scene=two-seats&best=3&wins=red:1,blue:0", mindbug2, onAir},
	{"overlay-two-small", 1280, 720, "dark", "lang=fr&scene=two-seats", tokyo2, onAir},
	{"overlay-four", 1920, 1080, "dark", "lang=fr&scene=four-seats", mutants4, onAir},
	{"overlay-four-small", 1280, 720, "dark", "lang=fr&scene=four-seats", genegraft4, onAir},
	{"overlay-lower-third", 1920, 1080, "dark", "lang=en&scene=lower-third", mindbug2, onAir},
	{"overlay-track", 1280, 720, "dark", "lang=fr&scene=track", mutants3, onAir},
	{"overlay-boss", 1920, 1080, "dark", "lang=fr", uprising1, onAir},
	{"overlay-played", 1920, 1080, "dark", "lang=en", mutants2, audit{path: "/overlay", until: appears}},
	{"overlay-light", 1280, 720, "dark", "lang=en&theme=light&position=top&prompt=1", tally4, onAir},
	{"overlay-over", 1920, 1080, "dark", "lang=fr", mutantsOver, onAir},
	{"edit", 1280, 800, "dark", "lang=fr", mindbug2, toEdit},
	{"edit-phone", 390, 844, "light", "lang=en", mindbug2, toEdit},
	{"edit-large", 1920, 1080, "light", "lang=en", mindbug2, toEdit},
	{"labels", 1280, 800, "dark", "lang=en", nil, toLabels},
	{"labels-phone", 390, 844, "light", "lang=fr", nil, toLabels},
	{"cards", 1366, 768, "dark", "lang=en", "cards, box", audit{}},
	{"cards-phone", 390, 844, "light", "lang=fr", "cards, box", audit{}},
	{"cards-large", 1920, 1080, "light", "lang=fr", "cards, box", audit{}},
	{"players", 1280, 1600, "dark", "lang=en", "players", audit{}},
	{"players-phone", 390, 2400, "light", "lang=fr", "players", audit{}},
	{"players-large", 1920, 1080, "light", "lang=fr", "players", audit{}},
	{"history", 1280, 800, "dark", "lang=fr", "history, a match", audit{}},
	{"history-phone", 390, 844, "light", "lang=en", "history, a match", audit{}},
	{"history-large", 1920, 1080, "light", "lang=en", "history, a match", audit{}},
	{"history-import", 1366, 768, "light", "lang=en", "history, import", audit{}},
	{"history-import-phone", 390, 844, "dark", "lang=fr", "history, import", audit{}},
	{"replay", 1366, 768, "dark", "lang=en", "replay", audit{}},
	{"replay-large", 1920, 1080, "light", "lang=fr", "replay", audit{}},
	{"replay-phone", 390, 844, "dark", "lang=fr", "replay, share", audit{}},
	{"history-no-hit", 1280, 800, "light", "lang=en", "history, no hit", audit{}},
	{"history-none-phone", 390, 844, "dark", "lang=fr", "history, none", audit{}},
	{"player", 1280, 1600, "light", "lang=fr", "a player", audit{}},
	{"players-one", 1280, 800, "light", "lang=en", "players, one match", audit{}},
	{"replay-live", 1280, 800, "dark", "lang=fr", "replay, live", audit{}},
	{"replay-live-phone", 390, 844, "light", "lang=fr", "replay, live", audit{}},
	{"replay-clock", 1280, 800, "dark", "lang=fr", "replay, clock", audit{}},
	{"replay-clock-phone", 390, 844, "light", "lang=en", "replay, clock", audit{}},
	{"reader-cards-phone", 390, 844, "dark", "lang=fr", "reader, cards", audit{}},
	{"reader-codes", 1366, 768, "light", "lang=en", "reader, which seat", audit{}},
	{"share", 1366, 768, "dark", "lang=en", "share", audit{}},
	{"share-differences", 1366, 768, "light", "lang=fr", "share, differences", audit{}},
	{"share-differences-phone", 390, 844, "dark", "lang=en", "share, differences", audit{}},
	{"share-phone", 390, 844, "light", "lang=fr", "share", audit{}},
	{"setup", 1366, 768, "dark", "lang=en", "setup, a fault", audit{}},
	{"setup-phone", 390, 844, "light", "lang=fr", "setup, a fault", audit{}},
	{"setup-asking", 1366, 768, "light", "lang=fr", "setup, asking", audit{}},
	{"setup-asking-phone", 390, 844, "dark", "lang=en", "setup, asking", audit{}},
	{"setup-nothing", 1366, 768, "dark", "lang=en", "setup, nothing", audit{}},
	{"setup-large", 1920, 1080, "light", "lang=fr", "setup, a fault", audit{}},
	{"setup-demo", 1366, 768, "light", "lang=en", "setup, simulated", audit{}},
	{"setup-demo-phone", 390, 844, "dark", "lang=fr", "setup, simulated", audit{}},
	{"nowhere", 1366, 768, "dark", "lang=en", mutants4, nowhere},
	{"nowhere-phone", 390, 844, "light", "lang=fr", mutants4, nowhere},
	{"nowhere-large", 1920, 1080, "dark", "lang=fr", mutants4, nowhere},
	{"trust-nothing", 1366, 768, "light", "lang=en", "trust, nothing", audit{}},
	{"trust-nothing-phone", 390, 844, "dark", "lang=fr", "trust, nothing", audit{}},
	{"trust", 1280, 800, "light", "lang=en", nil, toTrust},
	{"trust-phone", 390, 844, "dark", "lang=fr", nil, toTrust},
}

// A drawing is a picture that the table draws itself.
type drawing struct {
	name  string
	match played
	lang  engine.Lang
	draw  func(t *testing.T, tb *table, f engine.Frame) image.Image
}

func onPanel(w, h int) func(*testing.T, *table, engine.Frame) image.Image {
	return func(_ *testing.T, _ *table, f engine.Frame) image.Image {
		return panel.NewPainter().Draw(f, image.Pt(w, h))
	}
}

func inFront(id engine.Seat) func(*testing.T, *table, engine.Frame) image.Image {
	return func(_ *testing.T, _ *table, f engine.Frame) image.Image {
		return seat.NewPainter(id).Draw(f, image.Pt(128, 64))
	}
}

func onStrip(_ *testing.T, tb *table, _ engine.Frame) image.Image { return tb.strip() }

func toShare(t *testing.T, tb *table, f engine.Frame) image.Image {
	game, journal, _ := tb.played()
	r, err := engine.Summarise(game, journal, f.Lang, nil)
	if err != nil {
		t.Fatal(err)
	}
	return poster.Draw(r, f.Lang)
}

var drawings = []drawing{
	{"panel-250-mutants", mutants4, engine.French, onPanel(250, 122)},
	{"panel-250-mindbug", mindbug2, engine.English, onPanel(250, 122)},
	{"panel-296-tokyo", tokyo2, engine.French, onPanel(296, 128)},
	{"panel-296-genegrafter", genegraft3, engine.English, onPanel(296, 128)},
	{"panel-400-mutants", mutants3, engine.French, onPanel(400, 300)},
	{"panel-400-mindbug", mindbug2, engine.French, onPanel(400, 300)},
	{"panel-400-over", mutantsOver, engine.English, onPanel(400, 300)},
	{"panel-800-mutants", mutants4, engine.French, onPanel(800, 480)},
	{"panel-800-genegrafter", genegraft4, engine.French, onPanel(800, 480)},
	{"panel-800-tally", tally4, engine.English, onPanel(800, 480)},
	{"seat-mindbug", mindbug2, engine.French, inFront("red")},
	{"seat-mutants", mutants3, engine.English, inFront("blue")},
	{"lights-mutants", mutants4, engine.English, onStrip},
	{"lights-mindbug", mindbug2, engine.English, onStrip},
	{"result-mutants", mutantsOver, engine.French, toShare},
	{"result-mindbug", mindbugOver, engine.English, toShare},
}
