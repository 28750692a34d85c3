package cardfile

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// tables reads the tables of all games.
func tables(t *testing.T) map[string]*Table {
	t.Helper()
	all := map[string]*Table{}
	for _, game := range []string{"mindbug", "genegrafter", "mutants"} {
		source, err := os.ReadFile("../" + game + "/rows.txt")
		if err != nil {
			t.Fatal(err)
		}
		if all[game], err = ParseTable(game, string(source), 30); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// every lists what a slot may hold, or some of it evenly where there is too much. A row that holds
// its own slot again, as an ability of two parts does, is left out.
func (t *Table) every(p piece, g grammar, most int) (all []Slot) {
	if p.kind == pieceNumber {
		all = []Slot{{Name: p.slot, N: 1}, {Name: p.slot, N: 2}, {Name: p.slot, N: t.number}}
		if p.text == "1" {
			all = all[:1]
		}
		return all
	}
	if p.kind == pieceID {
		return []Slot{{Name: p.slot, Row: "killer-bee"}}
	}
	rows := t.rowsIn(p, g)
	if p.kind == pieceList {
		for set := 1; set < 1<<len(rows); set++ {
			list := Slot{Name: p.slot}
			for i, row := range rows {
				if set&(1<<i) != 0 {
					list.Slots = append(list.Slots, Slot{Row: row.id})
				}
			}
			all = append(all, list)
		}
		return all
	}
	for _, row := range rows {
		lists := [][]Slot{nil}
		for _, in := range row.in[0] {
			if in.kind < pieceNumber || t.words(in, g) != nil {
				continue
			}
			var next [][]Slot
			if in.text != p.text {
				for _, option := range t.every(in, g.inside(p), most) {
					for _, list := range lists {
						if n := len(list); in.slot == "high" && n > 0 && list[n-1].Name == "low" && list[n-1].N > option.N {
							continue
						}
						next = append(next, append(slices.Clip(list), option))
					}
				}
			}
			if single := len(row.in[0]) == 1; !single && len(next) > most {
				lists = nil
				for i := range most {
					lists = append(lists, next[i*len(next)/most])
				}
			} else {
				lists = next
			}
		}
		for _, list := range lists {
			all = append(all, Slot{Name: p.slot, Row: row.id, Slots: list})
		}
	}
	return all
}

// notFrench finds what elides or contracts in French, and has not.
var notFrench = regexp.MustCompile(
	`(?i)\b(de|le|la|que|ne|se) [aeiouyéèêàâîôh]|\bde (\d|jusqu)|\b(de|à) les? |\bdes autres|\bjusqu'à un|\bsi ils?\b`)

func TestNotFrench(t *testing.T) {
	for said, wrong := range map[string]bool{
		"prenez le contrôle de 1 créature": true, "prenez le contrôle de jusqu'à 2 créatures": true,
		"bloquée par des autres":  true,
		"l'effet de une créature": true, "la Arène": true, "jusqu'à un nombre": true, "de les créatures": true,
		"s'il le peut": false,
		"jouez 1 carte de votre défausse, au plus": false, "de la sienne d'au plus 1": false,
		"jusqu'à 2 autres créatures": false,
	} {
		if notFrench.MatchString(said) != wrong {
			t.Errorf("%q: got %v", said, !wrong)
		}
	}
}

// TestEverySentence writes every sentence in both languages. Each must be read as what it was
// written from, and no two may be equal.
func TestEverySentence(t *testing.T) {
	most := 60
	if enginetest.Nightly() {
		most = 500
	}
	all := tables(t)
	delete(all, "mutants") // its sentences nest without end: engine/mutants/rows_test.go
	for game, table := range all {
		count := 0
		for _, slot := range []string{"deed", "wish", "part", "standing", "discarded"} {
			root := "ability"
			if slot == "standing" || slot == "discarded" {
				root = slot
			}
			said := map[string]Slot{}
			for _, v := range table.every(piece{kind: pieceNamed, text: slot, slot: slot}, grammar{}, most) {
				switch slot { // what holds it
				case "deed":
					v = Slot{Name: "wish", Row: "order", Slots: []Slot{v}}
					fallthrough
				case "wish":
					v = Slot{Name: "part", Row: "always", Slots: []Slot{v}}
					fallthrough
				case "part":
					v = Slot{Name: "ability", Row: "parts", Slots: []Slot{v, {Name: "more", Row: "none"}}}
				}
				for _, lang := range engine.Languages {
					count++
					words := table.Write(lang, v)
					if before, known := said[words]; known && !reflect.DeepEqual(before, v) {
						t.Errorf("%s: %q is written for %+v and for %+v", game, words, before, v)
					}
					said[words] = v
					if lang == engine.French && notFrench.MatchString(words) {
						t.Errorf("%s: %q is no French", game, words)
					}
					for _, spelt := range []string{words, strings.ToUpper(words) + "."} {
						p := NewParser(spelt, 1)
						if got, err := p.Sentence(table, root); err != nil || !p.Done() || !reflect.DeepEqual(got, v) {
							t.Errorf("%s: %q is read as %+v, and not %+v: %v", game, spelt, got, v, err)
						}
					}
				}
			}
		}
		t.Log(game, count, "sentences")
	}
}

// TestRowsOfBothLanguages checks what holds for every table: slots stand in the same order in
// all languages, each slot has rows, and no sentence has a sign that joins sentences.
func TestRowsOfBothLanguages(t *testing.T) {
	for game, table := range tables(t) {
		slots := func(form []piece) (names []string) {
			for _, p := range form {
				if p.kind < pieceNumber || table.words(p, grammar{}) != nil {
					continue
				}
				if names = append(names, p.slot); p.kind > pieceID && len(table.rows[p.text]) == 0 {
					t.Errorf("%s: no row stands in %s", game, p.text)
				}
			}
			return names
		}
		for name, rows := range table.rows {
			for _, r := range rows {
				if en, fr := slots(r.in[0]), slots(r.in[1]); !slices.Equal(en, fr) {
					t.Errorf("%s: the slots of %s differ: %v and %v", game, r.id, en, fr)
				}
				for _, p := range slices.Concat(r.in[0], r.in[1]) {
					if !r.joins && p.kind == pieceWord && p.text != "K.O." && strings.ContainsAny(p.text+p.many, ",.:;{}") {
						t.Errorf("%s: %s in %s has a sign in %q", game, r.id, name, p.text)
					}
				}
			}
		}
	}
}

func TestTableErrors(t *testing.T) {
	for source, line := range map[string]int{
		"row a": 1, "# all\nrow a slot | only English": 2, "verb lose | lose | loses": 1, "alt side | a | b": 1,
		"raw a b | c | d": 1,
	} {
		_, err := ParseTable("t", source, 9)
		var e *engine.SyntaxError
		if !errors.As(err, &e) || e.Line != line {
			t.Errorf("%s: got %v", source, err)
		}
	}
}

// TestNoRow checks where a sentence is said not to fit, with what comes near.
func TestNoRow(t *testing.T) {
	table := Must(ParseTable("t", `
verb draw | draw | draws | piochez | piocher | pioche
verb lose | lose | loses | perdez | perdre | perd
alt ability last | {wish} | {wish}
alt ability then | {wish} , then {ability} | {wish} , puis {ability}
alt wish order | {deed} | {deed}
alt wish may | you may {~effect} | vous pouvez {~effect}
alt deed you | {effect} | {effect}
alt deed opponent | your opponent {^theirs} | votre adversaire {^theirs}
row hand where | {your} hand | {votref} main
row top! where | the top of {your} deck | le sommet de {vos} cartes
row draw effect | {draw} {n} card/cards | {draw} {n} carte/cartes | take prenez
row lose effect theirs | {lose} {n} card/cards from {where} | {lose} {n} carte/cartes de {where}
row rest effect | the turn ends | le tour finit
row grow effect | {lose} +{m} power | {lose} +{m} de force
row find effect | {draw} the effect of {1:n} card | {draw} l'effet d'une{1:n} carte
row range effect | {draw} cards {m:low} to {m:high} | {draw} les cartes {m:low} à {m:high}
row into effect | {draw} {id:card} | {draw} {id:card}
row twice effect | the turn ends | fin
row also effect | fin | ainsi
`, 9))
	for _, c := range []struct {
		said   string
		column int
		near   string // "" where it is read
	}{
		{"Draw one card.", 0, ""}, {"draw a card, then you may lose 1 card from your hand", 0, ""},
		{"your opponent loses 1 card from the top of their deck", 0, ""},
		{"votre adversaire perd 2 cartes de sa main", 0, ""},
		{"lose +1 power", 0, ""}, {"lose +one power", 6, `"lose +1 power"`},
		{"perdez +une de force", 8, `"perdez +1 de force"`},
		{"lose one power", 10, `"lose +1 power"`}, {"lose +10 power", 6, `not a number from 1 to 9`},
		{"draw the effect of a card", 0, ""}, {"piochez l'effet d'une carte", 0, ""},
		{"piochez l'effet d'1 carte", 17, `"piochez l'effet d'une carte"`},
		{"draw cards 4 to 4", 0, ""}, {"draw cards 6 to 4", 17, `"draw cards 1 to 1"`},
		{"draw 12 cards", 6, "not a number from 1 to 9"}, {"draw old-card", 0, ""}, {"draw Old.Card", 6, `"draw card-id"`},
		{"the turn ends", 1, `"the turn ends" can be read in 2 ways`}, {"fin", 1, `"fin" can be read in 2 ways`},
		{"lose 1 card from the top of your deck", 18, `"lose 1 card from your hand"`},
		{"lose 1 card from their hand", 18, `"lose 1 card from your hand"`},
		{"you may the turn ends", 9, `"the turn ends"`},
		{"draw 2 card", 8, `"draw 1 card"`}, {"draw 2", 7, `"draw 1 card"`}, {"take 3 cards", 1, `"draw 1 card"`},
		{"prenez 3 cartes", 1, `"piochez 1 carte"`}, {"you may your opponent loses 1 card", 9, `"your opponent loses 1 card`},
		{"draw 1 card,", 13, `"`}, {"draw 1 card. draw 1 card", 12, `"draw 1 card"`}, {"", 1, `"draw 1 card"`},
	} {
		p := NewParser(c.said, 1)
		said, err := p.Sentence(table, "ability", "deed")
		var e *engine.SyntaxError
		switch {
		case c.near == "" && err != nil:
			t.Errorf("%s: %v", c.said, err)
		case c.near != "" && (!errors.As(err, &e) || !errors.Is(err, ErrNoRow)):
			t.Errorf("%s is read as %+v, %v", c.said, said, err)
		case c.near != "" && (e.Column != c.column || !strings.Contains(e.Reason, c.near)):
			t.Errorf("%s: got %v, want column %d and %s", c.said, e, c.column, c.near)
		}
	}
}

// TestJoinedRows reads and writes rows that join others: behind "you may", about you in a sentence
// about another person, and in several sentences.
func TestJoinedRows(t *testing.T) {
	table := Must(ParseTable("t", `
verb draw | draw | draws | piochez | piocher | pioche
verb down | knock down | knocks down | mettez K.O. | mettre K.O. | met K.O.
alt ability one | {wish} | {wish}
alt ability also | {wish} . {ability} | {wish} . {ability}
alt wish order | {group} | {group}
alt wish may | you may {~group} | vous pouvez {~group}
alt wish she | she {^effect} | elle {^effect}
alt group all | {effect} {and} | {effect} {and}
alt and none | |
alt and and | and {effect} {and} | et {effect} {and}
alt pair both | {effect} , then {effect} | {effect} , puis {effect}
row down effect | {down} {n} card/cards in {your} hand | {down} {n} carte/cartes de {votref} main
row draw effect | {draw} {n} card/cards {per} | {draw} {n} carte/cartes {per}
row once per | |
row mine! per | for each card in {!whose} hand | par carte de {!whose} main
row hand whose | {your} | {votref}
`, 9))
	for _, said := range [][2]string{
		{"you may draw 1 card and knock down 2 cards in your hand. Draw 1 card",
			"vous pouvez piocher 1 carte et mettre K.O. 2 cartes de votre main. Piochez 1 carte"},
		{"she draws 2 cards for each card in your hand", "elle pioche 2 cartes par carte de votre main"},
		{"knock down 1 card in your hand", "mettez K.O. 1 carte de votre main"},
	} {
		for _, words := range said {
			p := NewParser(words+".", 1)
			v, err := p.Sentence(table, "ability", "effect")
			if en, fr := table.Write(engine.English, v), table.Write(engine.French, v); err != nil || en != said[0] || fr != said[1] {
				t.Errorf("%s: read as %q, %q, %v", words, en, fr, err)
			}
		}
	}
	want := []string{"Knock down 1 card in your hand, then knock down 1 card in your hand.",
		"Draw 1 card, then knock down 1 card in your hand.", "Knock down 1 card in your hand, then draw 1 card."}
	if got := table.Examples(engine.English, "pair"); !slices.Equal(got, want) {
		t.Errorf("got examples %q", got)
	}
	if got := table.Sentences("pair"); len(got) != len(want) {
		t.Errorf("got %d sentences", len(got))
	}
}
