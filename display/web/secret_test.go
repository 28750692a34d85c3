package web

import (
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/mutants"
)

// draftJournal returns the journal of a draft in which red has tapped its six cards.
func draftJournal(t *testing.T) string {
	game := mutants.Games()[1]
	match, err := engine.NewMatch(game, engine.Setup{Game: game.Info().Name, First: "red",
		Options: map[string]string{"pools": "draft", "data": "stand-in"},
		Seats:   []engine.Player{{Seat: "red"}, {Seat: "blue"}}})
	if err != nil {
		t.Fatal(err)
	}
	text, sealer := match.Setup().SealedHead()
	lines := strings.Repeat("table key next\n", 7)
	for _, card := range []string{"android", "krunk", "marv", "nebulon", "anubis", "omikami"} {
		lines += "red tap " + card + ".1\n"
	}
	for line := range strings.Lines(lines) {
		in, err := engine.ParseInput(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		step, err := match.Apply(in)
		if err != nil {
			t.Fatal(err)
		}
		text += sealer.Seal(step.Input.String())
	}
	return text + sealer.Seal(engine.Mark{Seq: match.Seq(), Hash: match.View().Hash()}.String())
}

// TestSecretsStayHere checks that only the owner reads the secret inputs of an unfinished match,
// by whatever way a browser gets at the match.
func TestSecretsStayHere(t *testing.T) {
	text := draftJournal(t)
	for visitor := range visitors {
		tb := newTable(t)
		config := tb.config()
		config.Token, config.OwnerToken, config.AskHere = "s3cret", "own3r", visitor == atHome
		config.Matches = func() ([]engine.MatchInfo, error) { return []engine.MatchInfo{{ID: "draft"}}, nil }
		config.Journal = func(string) ([]byte, error) { return []byte(text), nil }
		config.ReadMatch = func(string) (engine.Game, *engine.Journal, error) {
			journal, err := engine.ParseJournal("draft", []byte(text))
			return mutants.Games()[1], journal, err
		}
		s := tb.show(newServer(config))
		for _, path := range []string{"/api/journal", "/api/journal?match=draft", "/api/journal?match=draft&lang=fr"} {
			w := get(path).as(visitor).send(s)
			got := w.Body.String()
			if visitor == owner || visitor == here {
				if got != text {
					t.Errorf("%s: %s does not get %s as it is:\n%s", path, visitorNames[visitor], path, got)
				}
				continue
			}
			if w.Code != 200 || strings.Contains(got, "android") || strings.Contains(got, "omikami") ||
				strings.Count(got, "red tap ?\n") != 6 || !strings.Contains(got, "table key next\n") {
				t.Errorf("%s: %s gets %d\n%s", path, visitorNames[visitor], w.Code, got)
			}
			if _, err := engine.ParseJournal("", []byte(got)); err == nil {
				t.Errorf("%s: what %s gets is read as a journal", path, visitorNames[visitor])
			}
			if want := "face cachée"; strings.HasSuffix(path, "fr") && !strings.Contains(got, want) {
				t.Errorf("%s does not say why in French:\n%s", path, got)
			}
		}
		for _, path := range []string{"/api/replay?match=draft", "/matches/draft.html", "/api/result?match=draft",
			"/api/view", "/api/matches", "/matches/draft"} {
			if got := get(path).as(visitor).send(s).Body.String(); strings.Contains(got, "android.") ||
				strings.Contains(got, "red tap omikami") {
				t.Errorf("%s tells %s what red has drafted:\n%s", path, visitorNames[visitor], got)
			}
		}
	}
}

// TestUnreadableJournalIsKept checks that nobody but the owner reads a journal in which the
// table cannot find out what is secret.
func TestUnreadableJournalIsKept(t *testing.T) {
	text := strings.Replace(draftJournal(t), "seat red", "seat rex", 1)
	tb := newTable(t)
	config := tb.config()
	config.OwnerToken = "own3r"
	config.Journal = func(string) ([]byte, error) { return []byte(text), nil }
	s := tb.show(newServer(config))
	for visitor, want := range map[int]int{stranger: 500, owner: 200} {
		if w := get("/api/journal").as(visitor).send(s); w.Code != want || visitor == stranger &&
			strings.Contains(w.Body.String(), "android") {
			t.Errorf("%s gets %d\n%s", visitorNames[visitor], w.Code, w.Body)
		}
	}
}

// TestSecretsBehindDamage checks that nobody but the owner reads the secret inputs behind a damaged
// line, and in a line that is being written.
func TestSecretsBehindDamage(t *testing.T) {
	text := draftJournal(t)
	begun, _, _ := strings.Cut(text, "0s red tap android.1")
	for name, text := range map[string]string{
		"damaged": strings.Replace(text, "table key next", "table kez next", 2),
		"torn":    begun + "0s red tap andro",
	} {
		tb := newTable(t)
		config := tb.config()
		config.Token, config.OwnerToken = "s3cret", "own3r"
		config.Journal = func(string) ([]byte, error) { return []byte(text), nil }
		config.ReadMatch = func(string) (engine.Game, *engine.Journal, error) {
			journal, err := engine.ParseJournal("draft", []byte(text))
			return mutants.Games()[1], journal, err
		}
		s := tb.show(newServer(config))
		for visitor, want := range map[int]bool{stranger: false, owner: true} {
			w := get("/api/journal").as(visitor).send(s)
			if got := w.Body.String(); w.Code != 200 || strings.Contains(got, "andr") != want {
				t.Errorf("%s: %s gets %d\n%s", name, visitorNames[visitor], w.Code, got)
			}
		}
		if got := get("/api/journal").as(stranger).send(s).Body.String(); name == "torn" && got+"0s red tap andro" != text {
			t.Errorf("a line that is not whole masks the others:\n%s", got)
		}
	}
}
