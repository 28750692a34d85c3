package web

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/mutants"
)

// playsMutants begins a match of Mutants and returns its page, which asks for codes.
func playsMutants(t *testing.T, seats []engine.Player, options map[string]string) (*table, *Server) {
	t.Helper()
	tb := newTable(t)
	tb.game = mutants.Games()[1]
	setup := engine.Setup{Game: tb.game.Info().Name, First: "red", Options: options, Seats: seats}
	if r := tb.order(t.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v", r)
	}
	config := tb.config()
	config.Token, config.OwnerToken, config.AskHere = "s3cret", "own3r", true
	return tb, tb.show(newServer(config))
}

var fourSeats = []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}, {Seat: "yellow", Name: "Bea"},
	{Seat: "green", Name: "Tom"}}

// playOn gives random answers until stop returns true for a view.
func (tb *table) playOn(chance *rand.Rand, stop func(engine.View) bool) {
	tb.t.Helper()
	for range 2000 {
		v := tb.match.View()
		if stop(v) || len(v.Winners) > 0 {
			return
		}
		var inputs []string
		for _, o := range slices.Concat(v.Prompts[0].Options, v.Prompts[chance.IntN(len(v.Prompts))].Options) {
			if o.Zone == "" {
				inputs = append(inputs, o.Input)
			}
			for _, card := range tb.dealer.Cards(o.Zone) {
				inputs = append(inputs, o.Input+" "+card)
			}
		}
		in, err := engine.ParseInput(inputs[chance.IntN(len(inputs))])
		if err != nil {
			tb.t.Fatal(err)
		}
		tb.input(tb.t.Context(), in)
	}
	tb.t.Fatal("the match never comes to the position")
}

// liveFor returns what a page gets that has the code of a seat, or the table's code for "".
func liveFor(t *testing.T, s *Server, seat engine.Seat, lang engine.Lang, piles bool) (m Live) {
	t.Helper()
	token := "s3cret"
	if seat != "" {
		token = core.SeatCode(token, seat)
	}
	box := s.register()
	defer s.unregister(box)
	text, err := s.drain(box, lang).message.text(s, audience{s.RightsFor(token), piles})
	if err == nil {
		err = json.Unmarshal(text[bytes.IndexByte(text, '{'):], &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func asksFor(key string) func(engine.View) bool {
	return func(v engine.View) bool { return v.Prompts[0].Key == key }
}

// TestLegalIsWhatApplySays compares what pages of four seats are told with what the table then does.
func TestLegalIsWhatApplySays(t *testing.T) {
	tb, s := playsMutants(t, fourSeats, map[string]string{"data": "stand-in"})
	chance := rand.New(rand.NewPCG(5, 5))
	largest, legal, refused := 0, 0, 0
	for range 12 {
		n := tb.match.Seq() + 25
		tb.playOn(chance, func(v engine.View) bool { return v.Seq >= n && v.Prompts[0].Seat != engine.Table })
		all := liveFor(t, s, "", engine.English, true)
		said, _ := json.Marshal(map[string]any{"legal": all.Legal, "why": all.Why})
		largest = max(largest, len(said))
		for id, n := range all.Legal {
			_, err := tb.match.Try(tapped(tb.tapper(all.View, id), id))
			_, isRefusal := engine.AsRefusal(err)
			switch {
			case strings.ContainsAny(id, "/ "): // a place or a word
			case n == 0 && err != nil:
				t.Errorf("%s is legal, but: %v", id, err)
			case n > 0 && (n > len(all.Why) || all.Why[n-1] == "" || strings.Contains(all.Why[n-1], "«")):
				t.Errorf("%s is refused as %d of %q", id, n, all.Why)
			case n > 0 && !isRefusal && !strings.HasPrefix(all.Why[n-1], "No two cards"):
				t.Errorf("%s is refused with %q, but: %v", id, all.Why[n-1], err)
			case n == 0:
				legal++
			default:
				refused++
			}
		}
		checkHands(t, tb, s, all)
	}
	if legal < 30 || refused < 5 {
		t.Errorf("only %d legal and %d refused cards", legal, refused)
	}
	if largest > 6<<10 {
		t.Errorf("the verdicts take %d bytes", largest)
	}
	t.Logf("%d legal, %d refused, at most %d bytes", legal, refused, largest)
}

// tapper returns the seat that would tap a card: the one that is asked for a card of its pile, else
// the one that is asked first.
func (tb *table) tapper(v engine.View, card string) engine.Seat {
	for _, p := range v.Prompts {
		for _, o := range p.Options {
			if o.Zone != "" && slices.Contains(tb.dealer.Cards(o.Zone), card) {
				return p.Seat
			}
		}
	}
	return v.Prompts[0].Seat
}

// checkHands checks that a seat is told nothing of the hidden cards of another one, and a stranger
// nothing at all.
func checkHands(t *testing.T, tb *table, s *Server, all Live) {
	t.Helper()
	open := liveFor(t, s, "", engine.English, false)
	for _, p := range all.View.Seats {
		m := liveFor(t, s, p.ID, engine.English, true)
		for id := range m.Legal {
			for _, pile := range tb.dealer.Piles() {
				owner, _, _ := strings.Cut(pile.Place, "/")
				_, isOpen := open.Legal[id]
				if slices.Contains(pile.Cards, id) && owner != string(p.ID) && !isOpen {
					t.Errorf("%s is told of %s in %s", p.ID, id, pile.Place)
				}
			}
		}
		for id, n := range open.Legal {
			if p.ID != all.View.Prompts[0].Seat && m.Legal[id] != n {
				t.Errorf("%s is told %d of the open %s, and the table %d", p.ID, m.Legal[id], id, n)
			}
		}
	}
}

// TestUnpayableIsForTheHand checks that only those who see a hand learn that it cannot pay for a
// mutant, as a card and as a word, in both languages.
func TestUnpayableIsForTheHand(t *testing.T) {
	tb, s := playsMutants(t, fourSeats[:2], map[string]string{"data": "stand-in"})
	chance := rand.New(rand.NewPCG(7, 7))
	isUnpayable := func(key string) func(engine.View) bool {
		return func(v engine.View) bool {
			if v.Prompts[0].Key != key {
				return false
			}
			verdicts := tb.match.Judge(engine.Moves(&v, tb.dealer.Piles()))
			return slices.ContainsFunc(verdicts, func(v engine.Verdict) bool { return v.Unpaid.Key != "" })
		}
	}
	for _, key := range []string{"action", "breed-or-incubate"} {
		tb.playOn(chance, isUnpayable(key))
		all := liveFor(t, s, "", engine.French, true)
		at := slices.IndexFunc(all.Why, func(why string) bool { return strings.HasPrefix(why, "Aucune paire de cartes en main") }) + 1
		if at == 0 {
			t.Fatalf("%s: %v %q", key, all.Legal, all.Why)
		}
		id := ""
		for k, n := range all.Legal {
			if n == at {
				id = k
			}
		}
		asked := all.View.Prompts[0].Seat
		other := map[engine.Seat]engine.Seat{"red": "blue", "blue": "red"}[asked]
		if own := liveFor(t, s, asked, engine.French, true); own.Legal[id] == 0 {
			t.Errorf("%s: %s is not told why it cannot pay for %s", key, asked, id)
		}
		for name, m := range map[string]Live{"the other seat": liveFor(t, s, other, engine.English, true), "a page without piles": liveFor(t, s, asked, engine.English, false)} {
			if m.Legal[id] != 0 {
				t.Errorf("%s: %s learns of a hand: %v %q", key, name, m.Legal, m.Why)
			}
		}
	}
}

// TestDraftIsNoOracle checks that a shared pile of a draft tells a seat only of its own picks.
func TestDraftIsNoOracle(t *testing.T) {
	tb, s := playsMutants(t, fourSeats[:2], map[string]string{"data": "stand-in", "pools": "draft"})
	for range 7 {
		tb.input(t.Context(), pressed(engine.Table, "next"))
	}
	for _, card := range slices.Clone(tb.dealer.Cards("red/drafted")) {
		tb.input(t.Context(), tapped("red", card))
	}
	copies := tb.dealer.Cards("copies")
	count := func(m Live) (legal, refused int) {
		for _, card := range copies {
			switch n, ok := m.Legal[card]; {
			case ok && n == 0:
				legal++
			case ok:
				refused++
			}
		}
		return legal, refused
	}
	if legal, refused := count(liveFor(t, s, "red", engine.English, true)); legal != draftPicks || refused != len(copies)-draftPicks {
		t.Errorf("red may take %d of the copies, and not %d", legal, refused)
	}
	for _, seat := range []engine.Seat{"blue", ""} {
		if legal, refused := count(liveFor(t, s, seat, engine.English, true)); legal+refused > 0 {
			t.Errorf("%q learns of %d and %d copies that red may take", seat, legal, refused)
		}
	}
	if m := liveFor(t, s, "blue", engine.English, true); len(m.Legal) == 0 {
		t.Error("blue learns nothing of its own cards")
	}
	for range draftPicks {
		for _, card := range tb.dealer.Cards("copies") {
			tb.input(t.Context(), tapped("red", card))
		}
	}
	for _, seat := range []engine.Seat{"red", ""} { // while only blue is asked
		if legal, refused := count(liveFor(t, s, seat, engine.English, true)); legal+refused > 0 {
			t.Errorf("%q learns of %d and %d copies that blue may take", seat, legal, refused)
		}
	}
}

const draftPicks = 6

// TestJudgesOncePerView checks that the table judges once for all browsers and for as long as the
// view stays, never for those who only read, and again after an input.
func TestJudgesOncePerView(t *testing.T) {
	tb, s := playsMutants(t, fourSeats, map[string]string{"data": "stand-in"})
	tb.playOn(rand.New(rand.NewPCG(1, 1)), asksFor("action"))
	stranger := firstMessage(t, s, request{method: http.MethodGet, path: "/api/live", peer: remotePeer})
	if strings.Contains(stranger, `"legal"`) || tb.judged != 0 {
		t.Errorf("judged %d times for a stranger: %s", tb.judged, stranger)
	}
	first := liveFor(t, s, "", engine.English, true)
	for _, seat := range []engine.Seat{"", "red", "blue"} {
		liveFor(t, s, seat, engine.English, true)
		liveFor(t, s, seat, engine.French, false)
	}
	tb.show(s) // a frame with the same view
	if m := liveFor(t, s, "", engine.English, true); !reflect.DeepEqual(m.Legal, first.Legal) || tb.judged != 1 {
		t.Errorf("judged %d times: %v, %v", tb.judged, m.Legal, first.Legal)
	}
	tb.input(t.Context(), engine.Input{Seat: "red", Verb: engine.Undo})
	if liveFor(t, s, "", engine.English, true); tb.judged != 2 {
		t.Errorf("judged %d times after an undo", tb.judged)
	}
	tb.mu.Lock()
	if _, err := tb.match.Apply(engine.Input{Seat: "red", Verb: engine.Redo}); err != nil { // not shown yet
		t.Error(err)
	}
	tb.mu.Unlock()
	s.judged.match = ""
	if m := liveFor(t, s, "", engine.English, true); m.Legal != nil {
		t.Errorf("an old view has verdicts of a new one: %v", m.Legal)
	}
}

// TestBusyTableIsAskedOnce tests that pages do not wait one after the other for a table that does not
// answer, and that readers do not wait at all.
func TestBusyTableIsAskedOnce(t *testing.T) {
	tb, s := playsMutants(t, fourSeats, map[string]string{"data": "stand-in"})
	tb.playOn(rand.New(rand.NewPCG(1, 1)), asksFor("action"))
	asked := 0
	s.config.Judge = func(ctx context.Context, _ string, _ int, _ []engine.Move) ([]engine.Verdict, bool) {
		asked++
		<-ctx.Done()
		return nil, false
	}
	for range 30 {
		if m := liveFor(t, s, "", engine.English, false); m.Legal != nil {
			t.Errorf("got verdicts %v of a busy table", m.Legal)
		}
	}
	if asked != 1 {
		t.Errorf("the table was asked %d times", asked)
	}
}
