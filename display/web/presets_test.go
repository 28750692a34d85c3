package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/tally"
)

// newPresets returns presets that are kept in memory, with the checks of a file.
func newPresets(games ...engine.Game) *Presets {
	var mu sync.Mutex
	var kept []engine.Preset
	text := func() ([]byte, error) { return engine.FormatPresets(kept), nil }
	without := func(game, name string) []engine.Preset {
		return slices.DeleteFunc(slices.Clone(kept), func(p engine.Preset) bool { return p.Game == game && p.Name == name })
	}
	return &Presets{
		List: func() []engine.Preset { mu.Lock(); defer mu.Unlock(); return slices.Clone(kept) },
		Keep: func(presets ...engine.Preset) error {
			mu.Lock()
			defer mu.Unlock()
			for _, p := range presets {
				for _, g := range games {
					if err := p.Fit(g); err != nil {
						return err
					}
				}
			}
			if _, err := engine.ParsePresets("", engine.FormatPresets(presets)); err != nil {
				return err
			}
			for _, p := range presets {
				p.Own = true
				kept = append(without(p.Game, p.Name), p)
			}
			return nil
		},
		Remove: func(game, name string) error {
			mu.Lock()
			defer mu.Unlock()
			rest := without(game, name)
			if len(rest) == len(kept) {
				return fs.ErrNotExist
			}
			kept = rest
			return nil
		},
		Text:      text,
		ErrorText: func(err error, _ engine.Lang) string { return err.Error() },
	}
}

func presetServer() *Server {
	return newServer(Config{Games: func() []engine.Info { return []engine.Info{tally.Games()[0].Info()} },
		Presets: newPresets(tally.Games()...)})
}

func presetForm(t *testing.T) shown {
	s := presetServer()
	if err := s.Show(t.Context(), engine.Frame{Lang: engine.English, View: engine.View{Table: "t"}}); err != nil {
		t.Error(err)
	}
	return shown{Server: s}
}

// TestPresetsPlayedFirst checks that the games that were played here stand first, the newest match's
// before all.
func TestPresetsPlayedFirst(t *testing.T) {
	s := presetServer()
	s.config.Matches = func() ([]engine.MatchInfo, error) {
		played := []engine.MatchInfo{}
		for _, preset := range []string{"yahtzee", "", "belote", "yahtzee"} {
			played = append(played, engine.MatchInfo{Game: "tally/score", Preset: preset, Seats: []engine.Player{}})
		}
		return played, nil
	}
	if err := s.Show(t.Context(), engine.Frame{Lang: engine.English, View: engine.View{Table: "t"}}); err != nil {
		t.Fatal(err)
	}
	url, _ := listen(t, s, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	b.until(`[...document.querySelectorAll("[data-preset]")].map(e => e.textContent).slice(0, 4).join() ===
		"Yahtzee,Belote,500,6 nimmt!"`)
}

func TestPresetsByHTTP(t *testing.T) {
	s := presetServer()
	for _, c := range []struct {
		body string
		code int
		says string
	}{
		{`{"do":"keep","game":"tally/score","title":"Friday's game","options":{"target":"50"}}`, 200, `"name":"friday-s-game"`},
		{`{"do":"keep","game":"tally/score","title":"Игра","options":{}}`, 200, `"name":"u438u433u440u430"`},
		{`{"do":"keep","game":"tally/score","title":" ","options":{}}`, 400, "a name with a letter"},
		{`{"do":"keep","game":"tally/score","title":"A","options":{"goal":"middle"}}`, 409, "goal"},
		{`{"do":"keep","game":"tally/score","title":"` + strings.Repeat("long ", 9) + `","options":{}}`, 409, "40 letters"},
		{`{"do":"add","text":"tableside-presets 1\ngame tally/score\npreset a\noption target 60\npreset b\noption goal low\n"}`,
			200, `"name":"a"`},
		{`{"do":"add","text":"tableside-presets 1\ngame tally/score\npreset c\npreset d\noption goal middle\n"}`, 409, "goal"},
		{`{"do":"add","text":"tableside-presets 1\ngame tally/score\npreset e\ntitel en E\n"}`, 409, "4:"},
		{`{"do":"add","text":"tableside-presets 1\ngame tally/score\npreset a\noption target 70\n"}`, 200, `"name":"a-2"`},
		{`{"do":"add","text":"tableside-presets 1\ngame tally/score\npreset a\noption target 70\n"}`, 200, `"name":"a-2"`},
		{`{"do":"add","text":"tableside-presets 1\n` + strings.Repeat(`# long\n`, 20_000) + `"}`, 409, "has no presets"},
		{`{"do":"remove","game":"tally/score","name":"a-2"}`, 200, ""},
		{`{"do":"remove","game":"tally/score","name":"c"}`, 404, "no such preset"},
		{`{"do":"remove","game":"tally/score","name":"a"}`, 200, ""},
		{`{"do":"remove","game":"tally/score","name":"b"}`, 200, ""},
		{`{"do":"remove","game":"tally/score","name":"skull-king"}`, 404, "no such preset"},
		{`{"do":"shuffle"}`, 400, "keep, add, remove"},
	} {
		w := request{method: "POST", path: "/api/presets", kind: "application/json", body: c.body}.send(s)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: got %d %s, want %d %s", c.body, w.Code, w.Body, c.code, c.says)
		}
	}
	file := request{method: "GET", path: "/api/presets.txt"}.send(s).Body.String()
	if !strings.Contains(file, "preset friday-s-game\ntitle en \"Friday's game\"\noption target 50\n") {
		t.Errorf("the file is %s", file)
	}
	var games []core.Game
	body := request{method: "GET", path: "/api/games?lang=fr"}.send(s).Body.Bytes()
	if err := json.Unmarshal(body, &games); err != nil {
		t.Fatal(errors.Join(err, errors.New(string(body))))
	}
	var got []string
	for _, p := range games[0].Presets {
		got = append(got, p.Title)
	}
	if list := strings.Join(got, ", "); !strings.HasPrefix(list, "Friday's game, Игра, Agricola, ") ||
		!games[0].Presets[0].Own || games[0].Presets[2].Own {
		t.Errorf("the presets are %s", list)
	}
}

// Titles that would have one name get two, and a preset of the same title is replaced.
func TestPresetNames(t *testing.T) {
	s := presetServer()
	for _, c := range []struct{ title, name string }{
		{"Pips", "pips"}, {"Pips!", "pips-2"}, {"Pips?", "pips-3"}, {"Pips!", "pips-2"}, {"Pips", "pips"},
		{"Skull King", "skull-king"}, {"Skull-King", "skull-king-2"},
		{"Настольная игра А", presetName("Настольная игра А")},
		{"Настольная игра Б", presetName("Настольная игра А") + "-2"},
		{strings.Repeat("a", 39), strings.Repeat("a", 39)}, {strings.Repeat("a", 39) + "!", strings.Repeat("a", 38) + "-2"},
	} {
		body := `{"do":"keep","game":"tally/score","title":"` + c.title + `","options":{}}`
		w := request{method: "POST", path: "/api/presets", kind: "application/json", body: body}.send(s)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"name":"`+c.name+`"`) {
			t.Errorf("%s: got %d %s, want %s", c.title, w.Code, w.Body, c.name)
		}
	}
	if kept := s.config.Presets.List(); len(kept) != 9 {
		t.Errorf("%d presets are kept, want 9: %v", len(kept), kept)
	}
}

// A preset of a file that gets a new name takes that of no other preset in the file. The same
// file keeps nothing twice.
func TestPresetNamesInFile(t *testing.T) {
	for _, c := range []struct{ name, file, first, kept string }{
		{"the new name is in the file", "preset pips\noption target 60\npreset pips-2\noption target 70\n", "pips-3",
			"pips 50, pips-3 60, pips-2 70"},
		{"it comes first", "preset pips-2\noption target 70\npreset pips\noption target 60\n", "pips-2",
			"pips 50, pips-2 70, pips-3 60"},
		{"both are the same", "preset pips\noption target 60\npreset pips-2\noption target 60\n", "pips-3",
			"pips 50, pips-3 60, pips-2 60"},
		{"of another game", "preset pips\noption target 60\ngame tally/other\npreset pips-2\noption target 70\n", "pips-2",
			"pips 50, pips-2 60, pips-2 70"},
	} {
		s := presetServer()
		add := func(presets string) string {
			body, _ := json.Marshal(map[string]string{"do": "add",
				"text": "tableside-presets 1\ngame tally/score\n" + presets})
			return request{method: "POST", path: "/api/presets", kind: "application/json", body: string(body)}.send(s).
				Body.String()
		}
		add("preset pips\noption target 50\n")
		for range 2 {
			if got := add(c.file); !strings.Contains(got, `"name":"`+c.first+`"`) {
				t.Errorf("%s: got %s, want %s", c.name, got, c.first)
			}
		}
		var kept []string
		for _, p := range s.config.Presets.List() {
			kept = append(kept, p.Name+" "+p.Options["target"])
		}
		if got := strings.Join(kept, ", "); got != c.kept {
			t.Errorf("%s: got %s, want %s", c.name, got, c.kept)
		}
	}
}

// What is wrong with presets is said in the language of the page, without the folder.
func TestPresetsSayWhy(t *testing.T) {
	s := presetServer()
	s.config.Presets.Text = func() ([]byte, error) { return nil, errors.New("open /var/lib/own.txt: permission denied") }
	s.config.Presets.ErrorText = func(_ error, lang engine.Lang) string { return "said in " + string(lang) }
	s.config.Presets.Remove = func(string, string) error {
		return &os.LinkError{Op: "rename", Old: "/var/lib/.own.txt-7", New: "/var/lib/own.txt", Err: syscall.ENOSPC}
	}
	if w := post("/api/presets?lang=fr", `{"do":"remove","game":"tally/score","name":"pips"}`).send(s); w.Code !=
		http.StatusInternalServerError || strings.Contains(w.Body.String(), "own.txt") ||
		!strings.Contains(w.Body.String(), "disque est plein") {
		t.Errorf("on a full disk: %d %s", w.Code, w.Body)
	}
	if w := (request{method: "GET", path: "/api/presets.txt?lang=fr"}).send(s); w.Code != http.StatusInternalServerError ||
		!strings.Contains(w.Body.String(), `"said in fr"`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	w := request{method: "POST", path: "/api/presets?lang=fr", kind: "application/json",
		body: `{"do":"keep","game":"tally/score","title":"301"}`}.send(s)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "un nom avec une lettre") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// A preset is found by a part of its name. It sets the options of the form, and the owner's options
// are kept under a name.
func TestPresetsOnThePage(t *testing.T) {
	url, _ := listen(t, presetForm(t).Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/?lang=en")
	typed := func(field, text string) {
		b.eval(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("input", { bubbles: true })); return ""; })(
			document.querySelector('%s'))`, text, field))
	}
	value := func(option, want string) {
		t.Helper()
		b.until(`document.querySelector('[data-keep$=" ` + option + `"]').value === "` + want + `"`)
	}
	b.until(`document.querySelectorAll("[data-preset]").length === 12`)
	b.click(`[data-act=allPresets]`)
	b.until(`document.querySelectorAll("[data-preset]").length >= 45`)
	typed("[type=search]", "yah")
	b.until(`[...document.querySelectorAll("[data-preset]")].map(e => e.textContent).join() === "Yahtzee"`)
	b.do(chromedp.SendKeys(chromedp.CSS("[type=search]"), "\r"))
	b.until(`document.querySelector("[data-preset=yahtzee]").ariaPressed === "true" &&
		document.querySelector("[data-begin]").textContent === "Begin Yahtzee"`)
	typed("[type=search]", "nothing like it")
	b.until(`!document.querySelector("[data-preset]") &&
		document.querySelector(".editions").textContent.includes("None is called that")`)
	typed("[type=search]", "")
	b.click(`[data-preset="darts-301"]`)
	b.click(".chosen button")
	value("start", "301")
	value("target", "0")
	b.click(`[data-preset="wizard"]`)
	value("rounds", "60/seats")
	value("start", "0")
	b.click(`[data-game="tally/score"]`)
	value("rounds", "0")
	typed(`[data-keep$=" target"]`, "77")
	typed(`[data-keep="plan.preset"]`, "Ours")
	b.click("[data-act=keepPreset]")
	b.until(`document.querySelector("[data-preset=ours]")?.ariaPressed === "true"`)
	b.click(`[data-game="tally/score"]`)
	value("target", "none")
	b.click(`[data-preset="ours"]`)
	value("target", "77")
	b.click("[data-act=removePreset]")
	b.until(`!document.querySelector("[data-preset=ours]")`)
	value("target", "77")
}
