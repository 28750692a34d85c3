package host

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/history"
	played "tableside/display/web/past"
	"tableside/engine"
	"tableside/engine/tally"
)

// tableWith returns a host whose table runs with this data folder until the test ends.
func tableWith(t *testing.T, data string) *Host {
	t.Helper()
	games := tally.Games()
	table, err := device.New(device.Config{Name: "test", Dir: data, Games: games, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	h := &Host{Config: config.New(func(string) string { return "" }), Games: games, table: table}
	h.Config.Table.Data = data
	return h
}

// A player who had another name when the match on the table began is not removed, and the
// match is not deleted: its journal goes on.
func TestChangeWhileWriting(t *testing.T) {
	data := t.TempDir()
	const old = "2026-11-20T20-15-00Z"
	if err := os.MkdirAll(filepath.Join(data, "matches"), 0o750); err != nil {
		t.Fatal(err)
	}
	text := "tableside-journal 1\ngame tally/score\noption target 5\nseat red Alice\nbegin 2026-11-20T20:15:00Z\n" +
		"10s red choose +5\n"
	if err := os.WriteFile(filepath.Join(data, "matches", old+".journal"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h := tableWith(t, data)
	past := history.New(data, h.Games)
	past.Rewrite = h.table.Rewrite
	does := func(r engine.Receipt) {
		t.Helper()
		if r.Outcome != engine.Accepted {
			t.Fatalf("got %+v", r)
		}
	}
	does(h.table.Do(t.Context(), engine.Order{Do: "begin", Setup: engine.Setup{Game: "tally/score",
		Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}}}))
	does(h.table.Input(t.Context(), engine.Input{Seat: "red", Verb: engine.Set, Args: []string{"name", "Carol"}}))
	match := string(h.table.Frame().View.Match)
	for c, want := range map[played.Change]string{
		{Do: "remove", Name: "Alice"}:              "players.on-table",
		{Do: "remove", Name: "Max"}:                "players.on-table",
		{Do: "delete", Match: match}:               "past.on-table",
		{Do: "restore", Match: "deleted/" + match}: "past.unknown",
	} {
		if r, refused := engine.AsRefusal(change(past, c, time.Now())); !refused || r.Text.Key != want {
			t.Errorf("%v: got %v, want %s", c, r, want)
		}
	}
	does(h.table.Input(t.Context(), engine.Input{Seat: "red", Verb: engine.Choose, Args: []string{"+3"}}))
	now, err := os.ReadFile(filepath.Join(data, "matches", match+".journal"))
	if err != nil || !strings.Contains(string(now), "Alice") || !strings.Contains(string(now), "choose +3") {
		t.Errorf("%v\n%s", err, now)
	}
	if err := change(past, played.Change{Do: "delete", Match: old}, time.Now()); err != nil {
		t.Error(err)
	}
	if got := h.table.Matches(); len(got) != 1 || got[0].ID != match {
		t.Errorf("got %+v", got)
	}
}
