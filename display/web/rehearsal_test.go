package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tableside/display/panel"
	"tableside/display/web/cards"
	"tableside/engine"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
)

// TestRehearsals rehearses every card of every box: it answers what is asked, unless it
// never comes to a hand, as bosses, Evolutions and Energy cards.
func TestRehearsals(t *testing.T) {
	painter := panel.NewPainter() // drawing its letters again for each card would take most of the time
	want := map[string]int{"mindbug": 138, "mutants": 25, "genegrafter": 9}
	for title, editions := range map[string][]engine.Game{"mindbug": mindbug.Games(), "mutants": mutants.Games(),
		"genegrafter": genegrafter.Games()} {
		var list []string
		for _, game := range editions {
			for _, card := range game.Info().Cards {
				if !slices.Contains(list, card) {
					list = append(list, card)
				}
			}
		}
		n := 0
		for _, card := range list {
			made, err := cards.RehearseCard(painter, editions, cards.RehearsalOrder{Card: card}, nil, engine.English)
			switch {
			case errors.Is(err, cards.ErrNoHand):
			case err != nil || len(made.View.Prompts) == 0 || made.Card == "":
				t.Errorf("%s: %v, %+v", card, err, made.View.Prompts)
			default:
				n++
			}
		}
		if n < want[title] {
			t.Errorf("%s: %d of %d cards come to a hand, want %d", title, n, len(list), want[title])
		}
	}
}

// TestOnPaper lays cards of every box open on the e-paper: all of some kind, whether or not
// they come to a hand, but for those that never lie on the table.
func TestOnPaper(t *testing.T) {
	painter := panel.NewPainter()
	none, err := cards.LayCard(painter, mindbug.Games(), cards.RehearsalOrder{Card: "ambush"}, nil, engine.English)
	if err != nil || none.Panel != "" {
		t.Errorf("an action that is never on the table: got %.40q, %v", none.Panel, err)
	}
	for card, editions := range map[string][]engine.Game{"sea-rex": mindbug.Games(), "zombie": mutants.Games(),
		"storm-caller": genegrafter.Games(), "fire-wave": genegrafter.Games()} {
		laid, err := cards.LayCard(painter, editions, cards.RehearsalOrder{Card: card}, nil, engine.French)
		if err != nil || !strings.HasPrefix(laid.Panel, "data:image/png;base64,") {
			t.Errorf("%s: got %.40q, %v", card, laid.Panel, err)
		}
	}
	strong := []string{"card sea-rex power 9"}
	weak, _ := cards.LayCard(painter, mindbug.Games(), cards.RehearsalOrder{Card: "sea-rex"}, nil, engine.English)
	laid, _ := cards.LayCard(painter, mindbug.Games(), cards.RehearsalOrder{Card: "sea-rex"}, strong, engine.English)
	if laid.Panel == weak.Panel {
		t.Error("the e-paper does not show what the form says")
	}
}

// TestRehearse plays a card with an effect that is not saved: the answer has the state
// after each input, undo works, a refusal says why, and nothing is kept.
func TestRehearse(t *testing.T) {
	m, s := withFiles(t)
	s.config.Files.Editions = func(string) []engine.Game { return genegrafter.Games() }
	before := m.text
	ask := func(order cards.RehearsalOrder) (made cards.RehearsalState, code int) {
		t.Helper()
		body, err := json.Marshal(order)
		if err != nil {
			t.Fatal(err)
		}
		w := post("/api/cards/play?lang=fr", string(body)).send(s)
		if w.Code == http.StatusOK {
			err = json.Unmarshal(w.Body.Bytes(), &struct {
				*cards.RehearsalState
				View json.RawMessage
			}{RehearsalState: &made})
		}
		if err != nil {
			t.Fatal(err)
		}
		return made, w.Code
	}
	order := cards.RehearsalOrder{Game: "genegrafter", Card: "card-7", Lines: []string{`card card-7 en "Long Night"`,
		"card card-7 kind event", "card card-7 does each player loses 2 health points"}}
	made, code := ask(order)
	if code != http.StatusOK || !strings.HasPrefix(made.Card, "card-7.") {
		t.Fatalf("got %d %+v", code, made)
	}
	order.Inputs, order.Input = made.Inputs, "red tap "+made.Card
	played, _ := ask(order)
	if !strings.HasPrefix(played.Panel, "data:image/png;base64,") || played.Panel == made.Panel {
		t.Errorf("got the panel %.60s", played.Panel)
	}
	log, _ := json.Marshal(played.History)
	if len(played.Inputs) != len(made.Inputs)+1 || !strings.Contains(string(log), "Long Night") {
		t.Errorf("got %v\n%s", played.Inputs, log)
	}
	order.Inputs, order.Input = played.Inputs, "red undo"
	if undone, _ := ask(order); len(undone.Inputs) != len(played.Inputs)+1 || undone.Refused != "" {
		t.Errorf("got %+v", undone)
	}
	order.Input = "blue tap nothing.1"
	if refused, _ := ask(order); refused.Refused == "" || len(refused.Inputs) != len(played.Inputs) {
		t.Errorf("got %+v", refused)
	}
	early, _ := json.Marshal(cards.RehearsalOrder{Game: "genegrafter", Card: "super-punch", Inputs: []string{"table undo"}})
	if w := post("/api/cards/play?lang=en", string(early)).send(s); w.Code != http.StatusBadRequest ||
		strings.Contains(w.Body.String(), "refusal.") || !strings.Contains(w.Body.String(), "undo") {
		t.Errorf("an input that is refused: %d %s", w.Code, w.Body)
	}
	for _, wrong := range []struct {
		order cards.RehearsalOrder
		code  int
	}{
		{cards.RehearsalOrder{Game: "genegrafter", Card: "no-card"}, http.StatusConflict},
		{cards.RehearsalOrder{Game: "chess", Card: "rook"}, http.StatusNotFound},
		{cards.RehearsalOrder{Game: "genegrafter", Card: "super-punch", Inputs: []string{"red"}}, http.StatusBadRequest},
		{cards.RehearsalOrder{Game: "genegrafter", Card: "card-7", Inputs: make([]string, cards.MaxRehearsalInputs+1)},
			http.StatusBadRequest},
	} {
		if _, code := ask(wrong.order); code != wrong.code {
			t.Errorf("%v: got %d, want %d", wrong.order, code, wrong.code)
		}
	}
	if m.text != before {
		t.Errorf("the file is now\n%s", m.text)
	}
}

// TestRehearseOnABrokenDisk checks what a table answers that cannot read the card file.
func TestRehearseOnABrokenDisk(t *testing.T) {
	_, s := withFiles(t)
	s.config.Files.Text = func(string) (string, error) { return "", errors.New("input/output error") }
	w := post("/api/cards/play?lang=fr", `{"game":"genegrafter","card":"super-punch"}`).send(s)
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "le disque est en panne") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// TestRehearsalInBrowser plays a card on its page: this one only in a battle.
func TestRehearsalInBrowser(t *testing.T) {
	url, _ := listen(t, workshopping(t).Server, "127.0.0.1:0")
	b := newTab(t)
	b.open(url + "/cards/play?game=genegrafter&card=super-punch&lang=en")
	b.until(`!!document.querySelector("#hand .card[data-legal=yes]")`)
	b.click(`#hand .card[data-legal=yes]`)
	b.until(`document.body.innerText.includes("in a battle only")`)
}
