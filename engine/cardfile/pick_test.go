package cardfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// roots holds the slots of fields, by game.
var roots = map[string][]string{"mindbug": {"ability", "standing", "discarded"}, "mutants": {"ability", "ongoing"},
	"genegrafter": {"ability"}}

// random returns a random tree for a slot. Below a depth it prefers rows without slots.
func (t *Table) random(rng *rand.Rand, p piece, g grammar, depth int) Slot {
	switch p.kind {
	case pieceNumber:
		if p.text == "1" {
			return Slot{Name: p.slot, N: 1}
		}
		return Slot{Name: p.slot, N: 1 + rng.IntN(t.number)}
	case pieceID:
		return Slot{Name: p.slot, Row: "zombie"}
	case pieceList:
		v := Slot{Name: p.slot}
		for _, r := range t.rowsIn(p, g) {
			if rng.IntN(2) == 0 {
				v.Slots = append(v.Slots, Slot{Row: r.id})
			}
		}
		if v.Slots == nil {
			return t.fresh(p, g)
		}
		return v
	}
	rows := t.rowsIn(p, g)
	r := rows[rng.IntN(len(rows))]
	if depth > 12 {
		r = rows[0]
	}
	v := Slot{Name: p.slot, Row: r.id}
	for _, in := range r.slots {
		v.Slots = append(v.Slots, t.random(rng, in, g.inside(p), depth+1))
	}
	v.raise("")
	return v
}

// TestPickedTrees sends random trees through the form's interface: the tree, and each of its
// sentences, come back as what was sent.
func TestPickedTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for game, table := range tables(t) {
		for _, root := range roots[game] {
			for range enginetest.Count("picks", 60) {
				tree := table.random(rng, rootOf(root), grammar{}, 0)
				long := max(len(strings.Fields(table.Write("en", tree))), len(strings.Fields(table.Write("fr", tree)))) > 50
				if long {
					continue
				}
				if !table.sound(root, tree) {
					t.Fatalf("%s: %s is not sound", game, table.Write(engine.English, tree))
				}
				b, whole := builder{t: table}, top(rootOf(root), &tree, grammar{})
				b.collect(whole)
				if again, ok := b.build(whole, true); !ok || !again.equal(tree) {
					t.Errorf("%s: %s is built as %v", game, table.Write(engine.English, tree), again)
				}
				sent, err := json.Marshal(Order{Tree: &tree})
				if err != nil {
					t.Fatal(err)
				}
				var o Order
				if err := json.Unmarshal(sent, &o); err != nil {
					t.Fatal(err)
				}
				shown, err := table.Pick(root, engine.French, o)
				if err != nil || !reflect.DeepEqual(*shown.Tree, tree) {
					t.Fatalf("%s: %s: %v", game, table.Write(engine.English, tree), err)
				}
				for _, lang := range engine.Languages {
					said, err := table.Pick(root, lang, Order{Text: shown.Said[lang]})
					if err != nil || !reflect.DeepEqual(*said.Tree, tree) {
						t.Fatalf("%s: %s: %v", game, shown.Said[lang], err)
					}
					whole := ""
					for _, w := range said.Words {
						whole += w.Text
					}
					if whole != shown.Said[lang] {
						t.Errorf("the words are %q, and the sentence %q", whole, shown.Said[lang])
					}
				}
			}
		}
	}
}

// TestPickedChanges picks at random: every result is a sentence, nothing that is offered fails,
// and what a form does to one effect leaves the others as they are.
func TestPickedChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for game, table := range tables(t) {
		for _, root := range roots[game] {
			var rows []string
			for _, tile := range (Control{Table: table, Slot: root}).Tiles(engine.English) {
				for _, p := range tile.Picks {
					rows = append(rows, p.Row)
				}
			}
			text := ""
			for range enginetest.Count("picks", 60) {
				o := Order{Text: text}
				before, err := table.Pick(root, engine.English, o)
				if err != nil {
					t.Fatalf("%s: %q: %v", game, text, err)
				}
				table.choose(rng, before, rows, &o)
				after, err := table.Pick(root, engine.English, o)
				if o.Do == "replace" && errors.Is(err, ErrPick) {
					continue // "you may" only stands before some of the rows
				}
				if err != nil {
					t.Fatalf("%s: %+v fails: %v", game, o, err)
				}
				checkChange(t, o, before, after)
				if text = after.Said[engine.English]; len(after.Lines) > 3 || len(strings.Fields(text)) > 30 {
					text = ""
				}
			}
		}
	}
}

// choose makes an order of what a form offers.
func (t *Table) choose(rng *rand.Rand, p Picked, rows []string, o *Order) {
	if len(p.Lines) == 0 || !p.Full && rng.IntN(5) == 0 {
		o.Do, o.Row = "add", rows[rng.IntN(len(rows))]
		return
	}
	n := rng.IntN(len(p.Lines))
	line := p.Lines[n]
	o.At = line.At
	switch rng.IntN(6) {
	case 0:
		o.Do = "remove"
	case 1:
		o.Do, o.Row = "replace", rows[rng.IntN(len(rows))]
	case 2:
		if line.Later {
			o.Do, o.N = "move", 1
		}
	default:
		slots := slices.Concat(line.Joins, line.Slots)
		if len(slots) == 0 {
			return
		}
		slot := slots[rng.IntN(len(slots))]
		o.Do, o.At = "set", slot.At
		if slot.High > 0 {
			o.N = 1 + rng.IntN(slot.High)
			return
		}
		if slot.Card != "" {
			o.Row = "zombie"
			return
		}
		c := slot.Choices[rng.IntN(len(slot.Choices))]
		if c.Off || slot.Several && c.On {
			o.Do = ""
		}
		o.Row = c.Row
	}
}

func checkChange(t *testing.T, o Order, before, after Picked) {
	t.Helper()
	verbs := func(p Picked) (all []string) {
		for _, line := range p.Lines {
			s := line.Says
			all = append(all, s)
		}
		slices.Sort(all)
		return all
	}
	was, is := verbs(before), verbs(after)
	switch o.Do {
	case "add":
		if len(is) != len(was)+1 {
			t.Fatalf("%+v leads to %q", o, is)
		}
	case "remove":
		if len(is) != len(was)-1 {
			t.Fatalf("%+v leads to %q", o, is)
		}
	case "move":
		if len(is) != len(was) {
			t.Fatalf("%+v leads from %q to %q", o, was, is)
		}
	case "replace":
		if len(is) != len(was) {
			t.Fatalf("%+v leads from %q to %q", o, was, is)
		}
	case "set":
		if len(is) < len(was) {
			t.Fatalf("%+v leads from %q to %q", o, was, is)
		}
	}
}

// TestPick follows a person who picks.
func TestPick(t *testing.T) {
	table := tables(t)["mindbug"]
	text := ""
	for _, step := range []struct {
		do   Order
		want string // what it says then
	}{
		{Order{Do: "add", Row: "lose-life"}, "lose 1 life"},
		{Order{Do: "set", At: "deed", Row: "opponent"}, "your opponent loses 1 life"},
		{Order{Do: "set", At: "n", N: 3}, "your opponent loses 3 life"},
		{Order{Do: "add", Row: "defeat"}, "your opponent loses 3 life, then defeat 1 creature"},
		{Order{Do: "set", At: "count", N: 2}, "your opponent loses 3 life, then defeat 2 creatures"},
		{Order{Do: "set", At: "side", Row: "enemy"}, "your opponent loses 3 life, then defeat 2 enemy creatures"},
		{Order{Do: "set", At: "part 2", Row: "if"}, "your opponent loses 3 life, then if you have fewer creatures than your " +
			"opponent, defeat 2 enemy creatures"},
		{Order{Do: "set", At: "wish 2", Row: "may"}, "your opponent loses 3 life, then if you have fewer creatures than your " +
			"opponent, you may defeat 2 enemy creatures"},
		{Order{Do: "move", At: "effect 1", N: 1}, "if you have fewer creatures than your opponent, you may defeat 2 enemy " +
			"creatures, then your opponent loses 3 life"},
		{Order{Do: "set", At: "part 1", Row: "always"}, "you may defeat 2 enemy creatures, then your opponent loses 3 life"},
		{Order{Do: "set", At: "wish 1", Row: "may-choose"}, "you may choose one: defeat 2 enemy creatures or gain 1 life, then " +
			"your opponent loses 3 life"},
		{Order{Do: "replace", At: "effect 2", Row: "control"}, "you may choose one: defeat 2 enemy creatures or take control of " +
			"1 creature, then your opponent loses 3 life"},
		{Order{Do: "remove", At: "effect 1"}, "you may take control of 1 creature, then your opponent loses 3 life"},
		{Order{Do: "remove", At: "effect 1"}, "your opponent loses 3 life"},
		{Order{Do: "add", Words: "discard 1 card"}, ""},
		{Order{Do: "add", Words: "votre adversaire défausse 1 carte, puis gagnez 2 PV"}, "your opponent loses 3 life, then your " +
			"opponent discards 1 card, then gain 2 life"},
	} {
		step.do.Text = text
		if name, number, _ := strings.Cut(step.do.At, " "); name != "" {
			step.do.At = table.placeOf(t, text, name, number)
		}
		made, err := table.Pick("ability", engine.English, step.do)
		if step.want == "" {
			if !errors.Is(err, ErrPick) {
				t.Errorf("%+v: got %v", step.do, err)
			}
			continue
		}
		if err != nil || made.Said[engine.English] != step.want {
			t.Fatalf("%+v leads to %q, %v, want %q", step.do, made.Said[engine.English], err, step.want)
		}
		text = made.Said[engine.English]
	}
	price := Order{Text: "you may lose 17 power to freeze this mutant", Do: "move", At: "0.0.0.0.0", N: 1}
	made, err := tables(t)["mutants"].Pick("ability", engine.English, price)
	if err != nil || made.Said[engine.English] != "you may freeze this mutant to lose 17 power" {
		t.Errorf("got %+v, %v", made.Said, err)
	}
	if made, err := table.Pick("ability", engine.English, Order{Text: "gain 2 life", Do: "remove", At: "0.0.0.0.0"}); err != nil ||
		made.Tree != nil || len(made.Lines) != 0 {
		t.Errorf("got %+v, %v", made, err)
	}
}

// placeOf returns the place of the slot with a name, or of the one with a number.
func (t *Table) placeOf(test *testing.T, text, name, number string) string {
	test.Helper()
	tree, err := t.sentence("ability", text)
	if err != nil {
		test.Fatal(err)
	}
	var all []string
	var visit func(spot)
	visit = func(s spot) {
		if s.p.slot == name || name == "effect" && s.p.slot == "theirs" {
			all = append(all, s.at)
		}
		for _, in := range t.inside(s) {
			visit(in)
		}
	}
	visit(top(rootOf("ability"), &tree, grammar{}))
	n := 1
	if number != "" {
		fmt.Sscan(number, &n)
	}
	if n > len(all) {
		test.Fatalf("%q has %d of %s", text, len(all), name)
	}
	return all[n-1]
}

// TestPickRefuses checks what is no order.
func TestPickRefuses(t *testing.T) {
	table := tables(t)["mindbug"]
	deep := Slot{Name: "ability", Row: "parts"}
	for range 5000 {
		deep = Slot{Name: "ability", Row: "parts", Slots: []Slot{deep}}
	}
	for _, o := range []Order{
		{Do: "dance"}, {Do: "add"}, {Do: "add", Row: "zombie"}, {Do: "set", At: "0", Row: "parts"},
		{Text: "gain 1 life", Do: "set", At: "0.7", Row: "x"}, {Text: "gain 1 life", Do: "set", At: "", N: 3},
		{Text: "gain 1 life", Do: "set", At: "0.0.0.0.0.0", N: 0}, {Text: "gain 1 life", Do: "set", At: "0.0.0.0.0.0", N: 31},
		{Text: "gain 1 life", Do: "move", At: "0.0.0.0.0", N: 1}, {Text: "gain 1 life", Do: "add", Words: "sing"},
		{Tree: &deep}, {Tree: &Slot{}}, {Tree: &Slot{Name: "ability"}}, {Tree: &Slot{Name: "part", Row: "always"}},
	} {
		if _, err := table.Pick("ability", engine.English, o); !errors.Is(err, ErrPick) {
			t.Errorf("%.200v: got %v", o, err)
		}
	}
	if p, err := table.Pick("ability", engine.English, Order{Text: "sing a song"}); !errors.Is(err, ErrNoRow) || p.Lines == nil ||
		p.Words == nil {
		t.Errorf("got %+v, %v", p, err)
	}
	if _, err := table.Pick("standing", engine.English, Order{Text: "this creature has +1 power", Do: "add", Row: "have"}); !errors.
		Is(err, ErrPick) {
		t.Errorf("a second rule: got %v", err)
	}
}

// TestTiles checks that a form offers every row of a sentence once, in at most twelve tiles, and
// that what else may stand before effects is offered in none.
func TestTiles(t *testing.T) {
	for game, table := range tables(t) {
		if len(table.tiles) > 12 {
			t.Errorf("%s has %d tiles", game, len(table.tiles))
		}
		seen := map[string]int{}
		for _, tile := range table.tiles {
			for _, id := range tile.rows {
				seen[id]++
			}
		}
		for _, root := range roots[game] {
			for _, tile := range (Control{Table: table, Slot: root}).Tiles(engine.French) {
				for _, p := range tile.Picks {
					if seen[p.Row] != 1 || p.Says == "" || !strings.Contains(p.Search, tile.Title) {
						t.Errorf("%s: %s is offered %d times, as %q, found by %q", game, p.Row, seen[p.Row], p.Says, p.Search)
					}
				}
			}
		}
		for slot, rows := range table.rows {
			for _, r := range rows {
				if isSentence := slices.Contains([]string{"effect", "turn", "theirs", "rule", "lying", "deed", "price"}, slot); isSentence && !r.joins && seen[r.id] != 1 {
					t.Errorf("%s: %s of %s is in %d tiles", game, r.id, slot, seen[r.id])
				}
			}
		}
	}
}

// TestProposals checks what is proposed for printed words, which words stay marked, and for which
// words nothing is proposed: a sentence must not drop, add or swap what matters.
func TestProposals(t *testing.T) {
	table := tables(t)["mindbug"]
	for _, c := range []struct{ printed, says, unread string }{
		{"Gain 2 life.", "gain 2 life", ""},
		{"Gagnez deux PV.", "gain 2 life", ""},
		{"Gain two points of life.", "gain 2 life", ""},
		{"Destroy an enemy creature.", "defeat 1 enemy creature", ""},
		{"Kill a creature with power 4 or more.", "defeat 1 creature with power 4 or more", ""},
		{"You may destroy an enemy creature.", "you may defeat 1 enemy creature", ""},
		{"Gracefully gain 3 life.", "gain 3 life", "Gracefully"},
		{"Opponent discards two cards.", "your opponent discards 2 cards", ""},
		{"Your opponent loses 1 life and gain 2 life.", "your opponent loses 1 life | gain 2 life", ""},
		{"Détruisez une créature ennemie, puis gagnez 1 PV.", "defeat 1 enemy creature, then gain 1 life", ""},
		{"Gain 2 life if you have no hand.", "", "*"},
		{"Each player loses 1 life.", "", "*"},
		{"Do not gain 2 life.", "", "*"},
		{"Gain 2 life or 3 Energy.", "", "*"},
		{"Defeat all creatures other than this.", "", "*"},
		{"If you do, gain 2 life.", "", "*"},
		{"Skip a turn.", "", "*"},
		{"Lose 1 life to lose 2 life.", "", "*"},
	} {
		var says, unread []string
		for _, clause := range table.Propose("ability", engine.English, c.printed) {
			if len(clause.Says) > 0 {
				says = append(says, clause.Says[0])
			}
			for _, w := range clause.Words {
				if w.Unread {
					unread = append(unread, strings.Trim(w.Text, "."))
				}
			}
		}
		if got := strings.Join(says, " | "); got != c.says {
			t.Errorf("%s: got %q, want %q", c.printed, got, c.says)
		}
		if got := strings.Join(unread, " "); c.unread != "*" && got != c.unread {
			t.Errorf("%s: unread is %q, want %q", c.printed, got, c.unread)
		}
	}
}
