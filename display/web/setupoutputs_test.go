package web

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tableside/display/web/setup"
)

// What is chosen on /setup stays while the page looks at the table every second.
func TestSetUpKeepsChoices(t *testing.T) {
	b := newTab(t)
	url, _ := listen(t, settingUp(nothingPluggedIn)(t).Server, "127.0.0.1:0")
	b.open(url + "/setup?lang=en")
	b.until(`!!document.querySelector("select[name=model]")`)
	b.eval(`document.querySelector("select[name=model]").value = "inky-phat";
		document.querySelector("input[name=power]").checked = true;
		window.looks = () => performance.getEntriesByType("resource").filter(e => e.name.includes("/api/setup")).length;
		window.then = looks(); ""`)
	b.until(`looks() >= then + 3`)
	b.until(`document.querySelector("select[name=model]").value === "inky-phat" &&
		document.querySelector("input[name=power]").checked`)
}

// TestSetUpGives tests that the page says in words how the parts do, those with trouble first, and
// that one press gives a part to another seat, and one tests them all.
func TestSetUpGives(t *testing.T) {
	b := newTab(t)
	s := settingUp(partWithFault)(t)
	ordered := make(chan setup.Order, 1)
	s.config.Setup.Do = func(_ context.Context, o setup.Order) error { ordered <- o; return nil }
	next := func(want setup.Order) {
		t.Helper()
		select {
		case got := <-ordered:
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		case <-time.After(patience):
			t.Errorf("nothing was ordered, want %+v", want)
		}
	}
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b.open(url + "/setup?lang=fr")
	b.until(`document.querySelector("h1").textContent === "Quatre éléments, dont un muet" &&
		[...document.querySelectorAll(".part")].map(e => e.dataset.part).join() === "keyboard-blue,lights,reader-red,panel" &&
		document.querySelector("[data-part=reader-red] .reads").textContent.replace("\u00a0", " ") === "Dernière carte : Croque-mort, il y a 1 minute."`)
	b.until(`[...document.querySelectorAll("[data-part=reader-red] .whose button")].every(e => e.disabled)`)
	b.click("[data-part=keyboard-blue] [data-seat=green] button")
	next(setup.Order{Do: "give", Part: "keyboard-blue", Seat: "green"})
	b.click("[data-act=everything] button")
	next(setup.Order{Do: "test", Part: "lights"})
	next(setup.Order{Do: "test", Part: "panel"})
	next(setup.Order{Do: "ask"})
}

// The forms for what nothing tells by itself order what their fields say, and nothing else.
func TestSetUpOrdersStrips(t *testing.T) {
	b := newTab(t)
	s := settingUp(nothingPluggedIn)(t)
	ordered := make(chan setup.Order, 1)
	s.config.Setup.Do = func(_ context.Context, o setup.Order) error { ordered <- o; return nil }
	url, _ := listen(t, s.Server, "127.0.0.1:0")
	b.open(url + "/setup?lang=en")
	b.until(`document.querySelectorAll("form.output").length === 3`)
	b.eval(`document.querySelector("[name=host]").value = "wled.local", document.querySelector("[name=model]").value = "inky-phat", ""`)
	for i, want := range []setup.Order{
		{Do: "panel", Model: "inky-phat"}, {Do: "lights", Chip: "ws2812", Count: 60, Limit: 500},
		{Do: "lights", Chip: "wled", Host: "wled.local", Count: 60},
	} {
		b.eval(fmt.Sprintf(`document.querySelectorAll("form.output button")[%d].click(), ""`, i))
		select {
		case got := <-ordered:
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		case <-time.After(patience):
			t.Fatalf("nothing was ordered: %s", b.eval(`document.querySelector(".news").textContent`))
		}
	}
}
