package engine

import (
	"encoding/json"
	"testing"
)

const catalogue = `
# for tests
[plain]
en = Hello
fr = Bonjour
[who]
en = {seat} takes {card}
fr = {seat} prend {card}
[count]
en = {n} {n|card|cards}
fr = {n} {n|carte|cartes}
[nested]
en = because {reason}, {number}
fr = car {reason}, {number}
[english]
en = only here
fr =
[card.zombie]
en = Zombie
[seat.red]
en = Red
fr = Rouge
[equals]
en = a = b
fr = a = c
[torn]
en = {n
fr = n}
`

func testWords(t *testing.T) Words {
	t.Helper()
	w, err := ParseWords("words.txt", catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return Merge(CoreWords(), w)
}

func TestSay(t *testing.T) {
	w := testWords(t)
	names := map[Seat]string{"blue": "Max", "red": ""}
	for _, c := range []struct {
		text   Text
		en, fr string
	}{
		{T("plain"), "Hello", "Bonjour"},
		{T("who", "seat", Seat("blue"), "card", Word("card.zombie")), "Max takes Zombie", "Max prend Zombie"},
		{T("who", "seat", Seat("red"), "card", "that"), "Red takes that", "Rouge prend that"},
		{T("who", "seat", Seat("green"), "card", CardWord("")), "Green takes a card", "Vert prend une carte"},
		{T("who", "seat", Table, "card", CardWord("zombie.2")), "The table takes Zombie", "La table prend Zombie"},
		// CLDR: zero is plural in English and singular in French.
		{T("count", "n", 0), "0 cards", "0 carte"},
		{T("count", "n", 1), "1 card", "1 carte"},
		{T("count", "n", 2), "2 cards", "2 cartes"},
		{T("count", "n", -1), "-1 card", "-1 carte"},
		{T("count", "n", "1"), "1 cards", "1 cartes"}, // no number, so nothing to count
		{T("nested", "reason", T("count", "n", 1), "number", 7), "because 1 card, 7", "car 1 carte, 7"},
		{T("nested", "reason", T("nested", "reason", T("plain"), "number", 1), "number", 2), "because because Hello, 1, 2",
			"car car Bonjour, 1, 2"},
		{T("nested", "reason", Literal("wool"), "number", Word("counter.wool")), "because wool, «counter.wool»",
			"car wool, «counter.wool»"},
		{T("english"), "only here", "only here"},
		{T("equals"), "a = b", "a = c"},
		{T("missing", "n", 1), "«missing»", "«missing»"},
		{T("count"), "{n} {n|card|cards}", "{n} {n|carte|cartes}"}, // an argument was forgotten
		{T("torn", "n", 1), "{n", "n}"},
	} {
		if got := w.Say(English, c.text, names); got != c.en {
			t.Errorf("%v: %q, want %q", c.text, got, c.en)
		}
		if got := w.Say(French, c.text, names); got != c.fr {
			t.Errorf("%v: %q, want %q", c.text, got, c.fr)
		}
	}
}

func TestParseWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"[a]\nen = x\n[b]\nfr = y":  "",
		"en = x":                    "w:1:1: text before any key",
		"[a]\nde = x":               `w:2:1: expected a key in brackets, or a line such as "en = words"`,
		"[a]\nwords":                `w:2:1: expected a key in brackets, or a line such as "en = words"`,
		"[a]\nen = x\n\n[a]":        `w:4:1: key "a" stands here twice`,
		"[a]\nen = x\n# c\nen = y ": `w:4:1: key "a" has its en text twice`,
	} {
		if _, err := ParseWords("w", text); message(err) != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestCoreWords checks that the table's own catalogue has every language.
func TestCoreWords(t *testing.T) {
	for key, said := range CoreWords() {
		for _, lang := range Languages {
			if said.In(lang) == "" {
				t.Errorf("%q has no words in %q", key, lang)
			}
		}
	}
}

// A language that shares the field of another would say that one's words.
func TestWordingKeepsLanguagesApart(t *testing.T) {
	said := Worded(func(lang Lang) string { return string(lang) })
	for _, lang := range Languages {
		if got := said.In(lang); got != string(lang) {
			t.Errorf("in %q it says the words in %q", lang, got)
		}
	}
}

func TestParseLang(t *testing.T) {
	for s, want := range map[string]Lang{"fr": French, "fr_FR.UTF-8": French, "en": English, "": English, "de": English,
		"C": English} {
		if got := ParseLang(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

func TestEventText(t *testing.T) {
	w := Merge(testWords(t),
		MustWords("w", "[zone.deck]\nen = deck\n[event.move]\nen = {seat}: {card}, {from} to {to}, {n}, {other}"))
	e := Event{Name: "move", Seat: "red", Other: "blue", Card: "zombie.2", From: "red/deck", To: "deck", N: 3}
	if got := w.SpeakEvents(English, []Event{e}, nil)[0].Spoken; got != "Red: Zombie, deck to deck, 3, Blue" {
		t.Errorf("%q", got)
	}
}

func TestRefusalAsError(t *testing.T) {
	err := Refuse("refusal.bound", "n", 7, "counter", Word("counter.life"))
	if err.Error() != "refused: refusal.bound counter=counter.life n=7" {
		t.Errorf("%v", err)
	}
}

func TestSpeakViewLeavesTheViewAlone(t *testing.T) {
	v := fullView()
	before := v.Hash()
	w := Merge(testWords(t), MustWords("w", "[state.last-turn]\nen = last turn\nfr = dernier tour"))
	en, fr := w.SpeakView(English, v), w.SpeakView(French, v)
	if v.Hash() != before || v.Prompts[0].Text != "" || v.Seats[0].Zones[0].Cards[0].Name != "" {
		t.Errorf("speaking changed the view: %+v", v)
	}
	if en.Prompts[0].Options[0].Text != "Yes" || fr.Prompts[0].Options[0].Text != "Oui" ||
		fr.Prompts[0].Text != "«prompt.block»" {
		t.Errorf("%+v, %+v", en.Prompts[0], fr.Prompts[0])
	}
	if card := en.Seats[0].Zones[0].Cards[0]; card.Name != "Zombie" || card.Under[0].Name != "Zombie" {
		t.Errorf("%+v", card)
	}
	if fr.Labels["state.last-turn"] != "dernier tour" {
		t.Errorf("a player's state has no words: %v", fr.Labels)
	}
	f := Frame{View: en, Lang: English, Words: w}
	if got := f.In(French).View.Prompts[0].Options[0].Text; got != "Oui" {
		t.Errorf("the frame in French says %q", got)
	}
}

// TestLiteral checks that a literal is not taken for a key where JSON and events
// lose the type.
func TestLiteral(t *testing.T) {
	data, err := json.Marshal(T("count", "what", Literal("wool")))
	if want := `{"key":"count","args":{"what":"=wool"}}`; err != nil || string(data) != want {
		t.Errorf("got %s, %v, want %s", data, err, want)
	}
	for _, word := range []any{Literal("wool"), Literal(""), Literal("=")} {
		if got := ParseWord(word.(Literal).Word()); got != word {
			t.Errorf("got %#v, want %#v", got, word)
		}
	}
	if got := ParseWord("counter.wool"); got != Word("counter.wool") {
		t.Errorf("got %#v, want a Word", got)
	}
}
