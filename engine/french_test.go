package engine

import (
	"strings"
	"testing"
)

const elisions = `
[of]
fr = C'est le tour de {x}
[Of]
fr = De {x}, tant que {y}
[guarded]
fr = « de {x} » vide {x} (la {x}) ; {x} de
[behind]
fr = Posez-le {x}
[count]
fr = moins de {n} {n|carte|cartes}
`

func TestFrenchElides(t *testing.T) {
	w := MustWords("w", elisions+"[card.harpy]\nen = Harpy Mother\n[card.axolotl]\nfr = Axolotl\n[none]\nfr = aucun")
	names := map[Seat]string{"a": "Alice", "e": "élodie", "y": "Yves", "i": "Yann", "h": "Hélène", "z": "Zoé",
		"s": "Ørjan", "digit": "8", "oui": "Oui Oui", "one": "Y"}
	for _, c := range []struct {
		value any
		want  string
	}{
		{Seat("a"), "d'Alice"}, {Seat("e"), "d'élodie"}, {Seat("y"), "d'Yves"}, {Seat("i"), "de Yann"},
		{Seat("h"), "d'Hélène"}, {Seat("z"), "de Zoé"}, {Seat("s"), "d'Ørjan"}, {Seat("one"), "d'Y"},
		{Seat("digit"), "de 8"}, {8, "de 8"}, {"11", "de 11"}, {"onze", "de onze"}, {Seat("oui"), "de Oui Oui"},
		{"onze, puis douze", "de onze, puis douze"}, {Seat("orange"), "d'orange"}, {Seat("blue"), "de blue"}, {"", "de "},
		{Word("card.harpy"), "de Harpy Mother"}, {Word("card.axolotl"), "d'Axolotl"}, {T("none"), "d'aucun"},
	} {
		if got, want := w.Say(French, T("of", "x", c.value), names), "C'est le tour "+c.want; got != want {
			t.Errorf("%v: %q, want %q", c.value, got, want)
		}
	}
	if got, want := w.Say(French, T("Of", "x", "Alice", "y", "elle"), nil), "D'Alice, tant qu'elle"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := w.Say(French, T("guarded", "x", "os"),
		nil), "«\u00a0d'os\u00a0» vide os (l'os)\u00a0; os de"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := w.Say(French, T("behind", "x", "ici"), nil), "Posez-le ici"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := w.Say(French, T("count", "n", 8), nil), "moins de 8 cartes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFrenchContracts checks that "de" and "à" join the article of a title, and
// leave a player's name as it is.
func TestFrenchContracts(t *testing.T) {
	const texts = `
[of]
fr = la capacité de {x}
[Of]
fr = De {x}
[to]
fr = la place à {x}
[To]
fr = À {x} de jouer
[until]
fr = jusqu'à {x}
[sees]
fr = {x} voit {x}
[seat.boss]
fr = le Boss
[card.devourer]
fr = Le Dévoreur
[card.twins]
fr = Les Jumelles
[card.revolt]
fr = La Révolte
[card.eye]
fr = L'Œil
[card.leech]
fr = Lechuza
[card.alien]
fr = Alien
`
	w := MustWords("w", texts)
	names := map[Seat]string{"red": "Le Gall"}
	for _, c := range []struct {
		key   string
		value any
		want  string
	}{
		{"of", Word("card.devourer"), "la capacité du Dévoreur"}, {"Of", Word("card.devourer"), "Du Dévoreur"},
		{"to", Word("card.devourer"), "la place au Dévoreur"}, {"of", Word("card.twins"), "la capacité des Jumelles"},
		{"to", Word("card.twins"), "la place aux Jumelles"}, {"of", Word("card.revolt"), "la capacité de la Révolte"},
		{"to", Word("card.eye"), "la place à l'Œil"}, {"of", Word("card.eye"), "la capacité de l'Œil"},
		{"of", Word("card.leech"), "la capacité de Lechuza"}, {"of", Word("card.alien"), "la capacité d'Alien"},
		{"of", Seat("boss"), "la capacité du Boss"}, {"To", Seat("boss"), "Au Boss de jouer"},
		{"until", T("card.devourer"), "jusqu'au Dévoreur"}, {"sees", Word("card.devourer"), "Le Dévoreur voit Le Dévoreur"},
		{"of", Seat("red"), "la capacité de Le Gall"}, {"of", "Le Gall", "la capacité de Le Gall"},
	} {
		if got := w.Say(French, T(c.key, "x", c.value), names); got != c.want {
			t.Errorf("%v: got %q, want %q", c.value, got, c.want)
		}
	}
}

// FuzzElide checks that eliding loses and adds no words, and that English is
// unchanged.
func FuzzElide(f *testing.F) {
	f.Add("le tour de ", "Alice")
	f.Add("«\u00a0que ", "\u0301")
	f.Add("jusque ", "Élodie")
	f.Fuzz(func(t *testing.T, before, value string) {
		if strings.ContainsAny(before+value, "{}\r\n[]#=") || strings.TrimSpace(before) == "" {
			return
		}
		w := Words{"k": Worded(func(Lang) string { return before + "{v}" })}
		if got := w.Say(English, T("k", "v", value), nil); got != before+value {
			t.Errorf("got %q in English, want %q", got, before+value)
		}
		got := w.Say(French, T("k", "v", value), nil)
		if got != before+value && got != before[:len(before)-2]+"'"+value {
			t.Errorf("%q and %q are said as %q", before, value, got)
		}
	})
}
