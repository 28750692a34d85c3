package web

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

// scoring returns a table with a match of tally after these lines: options, then inputs.
func scoring(t *testing.T, seats int, options map[string]string, lines ...string) (*table, shown) {
	t.Helper()
	tb := newTable(t)
	tb.game = tally.Games()[0]
	setup := engine.Setup{Game: "tally/score", Options: options, First: "red"}
	names := []string{"Alice", "Max", "Zoé", "Barthélemy", "Li", "Anna", "Jean-Luc", "Mo"}
	for i, seat := range engine.UsualSeats[:seats] {
		setup.Seats = append(setup.Seats, engine.Player{Seat: seat, Name: names[i]})
	}
	if r := tb.order(t.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v", r)
	}
	s := shown{Server: tb.show(newServer(tb.config()))}
	tb.web = s.Server
	for _, line := range lines {
		in, err := engine.ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%s: %+v", line, r)
		}
	}
	return tb, s
}

// threeRounds are the inputs of two rounds and a half.
var threeRounds = []string{"red choose 12", "blue choose 0", "yellow choose 37", "table key next", "red choose -5",
	"blue choose 13", "yellow choose 8", "table key next", "blue choose 21"}

// scored returns a match with bids after a round.
func scored(t *testing.T) shown {
	_, s := scoring(t, 3, map[string]string{"bids": "0 20 -10 10 -10", "rounds": "10", "deal": "on"},
		"red choose 1", "blue choose 0", "yellow choose 0", "red choose 1", "blue choose 0", "yellow choose 0")
	return s
}

// dealt returns a match of Tarot for five after a deal.
func dealt(t *testing.T) shown {
	_, s := scoring(t, 5, map[string]string{"turns": "off", "sum": "0", "deal": "on", "deals": "tarot"},
		`table choose deal "taker red | contract garde | partner alone | bouts 2 | points 49"`)
	return s
}

// A deal is filled in beside the sheet: what it brings is said before it is booked, and what the
// table lacks is kept until then. On a phone the form lies over the sheet.
func TestDealOnThePage(t *testing.T) {
	tb, s := scoring(t, 4, map[string]string{"turns": "off", "sum": "0", "deal": "on", "deals": "tarot"})
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.click(`#ask [data-keep="rounds"][data-value="true"]`)
	pick := func(field, word string) { b.click(fmt.Sprintf(`.deal [data-field=%q][data-word=%q]`, field, word)) }
	pick("taker", "green")
	pick("contract", "garde")
	b.click(`.deal [data-k="book"]`) // so far
	b.until(`!document.getElementById("dialog").open`)
	b.until(`document.querySelector(".deals").textContent === "1 Barthélemy · guard"`)
	b.click(`#ask [data-act="deal"]`)
	pick("bouts", "2")
	for _, digit := range []string{"4", "9", "9", "⌫", "7"} { // no more than 91: a digit too many is not taken
		b.click(fmt.Sprintf(`.deal [data-digit=%q]`, digit))
	}
	b.until(`document.querySelector(".deal .typed b").textContent === "47"`)
	b.until(`document.querySelector('.brings [data-k="green"] b')?.textContent === "+186"`)
	if n := tb.match.Position(); n != 1 {
		t.Errorf("%d inputs before the deal is booked, want 1", n)
	}
	b.click(`.deal .primary`)
	b.until(`document.querySelector('tr[data-k="green"] .sum').textContent === "186"`)
	b.until(`document.querySelector(".deals").textContent === "1 Barthélemy · guard · 2 oudlers · 47 points"`)
	b.until(`document.querySelector("#dialog.beside h2")?.textContent === "Deal 2"`)
	b.click(`#ask [data-input$=" undo"]`)
	b.until(`document.querySelector('tr[data-k="green"] .sum').textContent === "0"`)

	b.do(chromedp.EmulateViewport(390, 844))
	b.open(url + "/?lang=fr&seat=red")
	b.click(`#ask [data-act="deal"]`)
	b.until(`document.querySelector('.deal [data-word="green"]')?.getAttribute("aria-pressed") === "true"`)
	pick("bouts", "3")
	b.click(`.deal [data-digit="5"]`)
	b.until(`document.querySelector('.brings [data-k="green"] b')?.textContent === "−336"`)
	b.click(`.deal .primary`)
	b.until(`!document.getElementById("dialog").open`)
	v := tb.match.View()
	if n, _ := v.Seat("green").Counters.Get("score"); n != -336 {
		t.Errorf("the taker has %d, want -336", n)
	}
}

// An amount is typed with the digits of the page, for one seat after the other, and a cell
// of an earlier round is corrected.
func TestSheetOnThePage(t *testing.T) {
	tb, s := scoring(t, 3, map[string]string{"turns": "off"}, threeRounds...)
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	cell := func(row, seat, want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector('.scores td[data-k=%q] [data-seat=%q]')?.textContent === %q`,
			row, seat, want))
	}
	digits := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			b.click(fmt.Sprintf(`.digits [data-digit=%q]`, key))
		}
		b.click(`.stepper [type="submit"]`)
	}
	b.click(`.counts[data-seat="red"] [data-add]`)
	digits("3", "8", "⌫", "7", "±")
	// Max has his points; Zoé is next.
	b.until(`document.querySelector("#dialog h2")?.textContent === "Zoé: ± score"`)
	b.eval(`document.getElementById("dialog").dispatchEvent(new Event("close")); ""`) // of the dialog before, late
	digits("0")
	b.until(`!document.getElementById("dialog").open`)
	b.click(`#ask [data-keep="rounds"][data-value="true"]`)
	cell("round-3", "red", "-37")
	cell("round-3", "yellow", "0")
	b.click(`.scores td[data-k="round-2"] [data-seat="blue"]`)
	b.until(`document.querySelector("#dialog h2")?.textContent === "Max: Round 2"`)
	digits("1", "5")
	cell("round-2", "blue", "15")
	b.until(`document.querySelector('tr[data-k="blue"] .sum').textContent === "36"`)
	b.click(`#ask [data-input$=" undo"]`)
	cell("round-2", "blue", "13")
	b.click(`.scores td[data-k="round-1"] [data-seat="yellow"]`)
	digits("⌫")
	cell("round-1", "yellow", "")
	if got := tb.match.View().Seats[2].Counters[0].Value; got != 8 {
		t.Errorf("the score is %d, want 8", got)
	}

	// The digits lie beside the sheet, and ask for one seat after the other, round after round.
	for _, round := range []string{"4", "5"} {
		b.click(`#ask [data-input="table key next"]`)
		for _, name := range []string{"Alice", "Max", "Zoé"} {
			b.until(fmt.Sprintf(`document.querySelector("#dialog h2")?.textContent === "%s: Round %s"`, name, round))
			b.until(`document.querySelector(".amount.on")?.getBoundingClientRect().right <
				document.querySelector("#dialog.beside[open]")?.getBoundingClientRect().left`)
			digits("7")
		}
		cell("round-"+round, "yellow", "7")
		b.until(`!document.getElementById("dialog").open`)
	}
	b.click(`.scores td[data-k="round-5"] [data-seat="red"]`)
	b.click(`#ask [data-keep="rounds"][data-value=""]`)
	b.until(`!document.getElementById("dialog").open`)

	// They do not lie over the end.
	b.click(`#ask [data-keep="rounds"][data-value="true"]`)
	b.click(`#ask [data-input="table key next"]`)
	b.until(`document.getElementById("dialog").open`)
	b.eval(`fetch("/api/input", { method: "POST", headers: { "Content-Type": "application/json" },
		body: '{"input":"table choose end"}' }); ""`)
	b.until(`document.body.dataset.state === "over" && !document.getElementById("dialog").open`)
}

// Bids are asked with their numbers, and the cell shows from what its points follow.
func TestBidsOnThePage(t *testing.T) {
	_, s := scoring(t, 3, map[string]string{"bids": "0 20 -10 10 -10", "rounds": "10", "deal": "on"},
		"blue choose 1", "yellow choose 0")
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.click(`.counts [data-input="red choose 1"]`)
	for _, line := range []string{"blue choose 0", "yellow choose 0", "red choose 1"} {
		b.click(fmt.Sprintf(`.counts [data-input=%q]`, line))
	}
	b.click(`#ask [data-keep="rounds"][data-value="true"]`)
	const cell = `.scores td[data-k="round-1"] [data-seat="red"]`
	b.until(`document.querySelector('` + cell + `').parentElement.textContent === "201 / 1"`)
	b.click(cell)
	b.click(`.others [data-what="tricks-1"]`)
	if folder := os.Getenv("PICTURES"); folder != "" {
		b.do(chromedp.EmulateViewport(390, 844))
		b.shoot(filepath.Join(folder, "cell.png"))
	}
	b.click(`.digits [data-digit="0"]`)
	b.click(`.stepper [type="submit"]`)
	b.until(`document.querySelector('` + cell + `').parentElement.textContent === "-101 / 0"`)
}

// A row is filled by a number, by a long press on a number to lose as much, and by the digits.
func TestRowsOnThePage(t *testing.T) {
	tb, s := scoring(t, 2, map[string]string{"rows": "Military conflicts/Conflits militaires,Treasury,Wonder", "turns": "off"})
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=fr")
	choose := func(row, number string) {
		t.Helper()
		b.click(`.counts [data-input="red choose ` + row + `"]`)
		b.until(`!!document.querySelector('.counts [data-input="red choose ` + number + `"]')`)
	}
	b.until(`document.querySelector('.counts [data-input="red choose military-conflicts"]')?.textContent === "Conflits militaires"`)
	choose("military-conflicts", "6")
	b.eval(`document.querySelector('.counts [data-input="red choose 6"]').dispatchEvent(
		new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch", pointerId: 7 })); ""`)
	b.until(`document.querySelector('.counts[data-seat="red"] .huge').textContent === "-6"`)
	choose("treasury", "4")
	b.click(`.counts [data-input="red choose 4"]`)
	b.until(`document.querySelector('.counts[data-seat="red"] .huge').textContent === "-2"`)
	choose("wonder", "6")
	b.click(`.counts [data-seat="red"] .any, .counts [data-k="any"]`)
	for _, digit := range []string{"4", "5"} {
		b.click(fmt.Sprintf(`.digits [data-digit=%q]`, digit))
	}
	b.click(`.stepper [type="submit"]`)
	b.until(`document.querySelector('.counts[data-seat="red"] .huge').textContent === "43"`)
	if got := tb.match.View().Sheet.Rows[0].Cells; len(got) != 1 || got[0].Value != -6 {
		t.Errorf("the battles are %v", got)
	}
}

// TestScoreboard draws tables of all sizes into the folder that PICTURES names, and checks
// that nothing lies beyond the page and that every cell can be touched.
func TestScoreboard(t *testing.T) {
	yahtzee := map[string]string{"rows": "Ones*1,Twos*2,Threes*3,Fours*4,Fives*5,Sixes*6,Three of a kind,Four of a kind," +
		"Full house=25,Small straight=30,Large straight=40,Yahtzee=50,Chance", "bonus": "6 63 35"}
	for i, c := range []struct {
		name  string
		seats int
		with  map[string]string
		lines []string
	}{
		{"two", 2, nil, []string{"red choose 12"}},
		{"three", 3, map[string]string{"turns": "off"}, threeRounds},
		{"four", 4, map[string]string{"turns": "off", "target": "500"}, threeRounds},
		{"eight", 8, map[string]string{"turns": "off", "deal": "on", "teams": "4"}, threeRounds},
		{"bids", 4, map[string]string{"bids": "0 20 -10 10 -10", "rounds": "10", "deal": "on"},
			[]string{"red choose 1", "blue choose 0", "yellow choose 1", "green choose 0", "red choose 1", "blue choose 1"}},
		{"rows", 3, yahtzee, []string{"red choose sixes 24", "blue choose full-house 25"}},
	} {
		if i%2 == 0 && !enginetest.Nightly() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			_, s := scoring(t, c.seats, c.with, c.lines...)
			url, _ := listen(t, s.Server, "127.0.0.1:0")
			b := newTab(t)
			var size [2]int
			look := func(name string) {
				t.Helper()
				wide := b.eval(`document.documentElement.scrollWidth > innerWidth ? "wide" : ""`)
				small := b.eval(`[...document.querySelectorAll(".scores .amount, .pad button")].filter(e => e.checkVisibility() &&
					(e.getBoundingClientRect().width < 43 || innerWidth < 600 && e.getBoundingClientRect().height < 43))
					.map(e => e.outerHTML.slice(0, 90)).join("\n")`)
				cut := b.eval(`[...document.querySelectorAll(".pad button")].filter(e => e.checkVisibility() &&
					!e.closest(".choices") && e.getBoundingClientRect().bottom > e.closest(".seat").getBoundingClientRect().bottom)
					.map(e => e.outerHTML.slice(0, 90)).join("\n")`)
				if wide+small+cut != "" {
					t.Errorf("%s %v: %s %s %s", name, size, wide, small, cut)
				}
				if folder := os.Getenv("PICTURES"); folder != "" {
					b.shoot(filepath.Join(folder, fmt.Sprintf("%s-%s-%d.png", c.name, name, size[0])))
				}
			}
			for _, size = range [][2]int{{1366, 768}, {390, 844}} {
				b.do(chromedp.EmulateViewport(int64(size[0]), int64(size[1])))
				b.open(url + "/?lang=fr")
				b.until(settled(`!!document.querySelector(".counts, .scores")`))
				sheet := b.eval(`String(!!document.querySelector(".segs"))`) == "true"
				if sheet { // named rows begin on it on a phone
					b.click(`#ask [data-keep="rounds"][data-value=""]`)
				}
				b.until(settled(`!!document.querySelector(".counts")`))
				look("tiles")
				if !sheet {
					continue
				}
				b.click(`#ask [data-keep="rounds"][data-value="true"]`)
				b.until(settled(`!!document.querySelector(".scores .amount")`))
				look("sheet")
			}
			b.do(chromedp.EmulateViewport(1280, 720))
			b.open(url + "/tv?lang=en")
			b.until(settled(`!!document.querySelector(".seat .score")`))
			if bad := b.eval(clipped); strings.TrimSpace(bad) != "" {
				t.Errorf("/tv: %s", bad)
			}
			if folder := os.Getenv("PICTURES"); folder != "" {
				b.shoot(filepath.Join(folder, c.name+"-tv.png"))
			}
		})
	}
}

// Where the points of a deal are 26, a hand that is over is said, and who is left has nothing once others have all.
func TestHeartsOnThePage(t *testing.T) {
	tb, s := scoring(t, 4, map[string]string{"turns": "off", "sum": "26", "target": "100", "goal": "low", "deals": "hearts"})
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b := newTab(t)
	b.do(chromedp.EmulateViewport(1366, 768))
	b.open(url + "/?lang=en")
	b.click(`#ask [data-act="deal"]`)
	press := func(digits ...string) {
		for _, digit := range digits {
			b.click(fmt.Sprintf(`.deal [data-digit=%q]`, digit))
		}
	}
	press("2", "0", "next", "9")
	b.until(`document.querySelector(".brings .trouble")?.textContent === "Together they have more than 26" &&
		document.querySelector('.deal [data-k="book"]').disabled`)
	press("⌫", "6")
	b.until(`document.querySelectorAll(".brings b").length === 4 && !!document.querySelector(".deal .primary")`)
	b.click(`.deal .primary`)
	b.until(`document.querySelector("#dialog.beside h2")?.textContent === "Deal 2" || !document.getElementById("dialog").open`)
	b.until(`document.body.dataset.seq === "1"`)
	for seat, want := range map[string]int{"red": 20, "blue": 6, "yellow": 0, "green": 0} {
		v := tb.match.View()
		if n, _ := v.Seat(engine.Seat(seat)).Counters.Get("score"); n != want {
			t.Errorf("%s has %d, want %d", seat, n, want)
		}
	}
}
