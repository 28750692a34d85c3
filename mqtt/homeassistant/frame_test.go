package homeassistant

import (
	"testing"

	"tableside/engine"
)

// testWords returns the catalogue of a small game.
func testWords(t testing.TB) engine.Words {
	t.Helper()
	words, err := engine.ParseWords("test", `
[game.race]
en = The Race
fr = La course
[phase.turn]
en = Turn
fr = Tour
[counter.score]
en = score
fr = score
[counter.life]
en = life points
fr = points de vie
[counter.pot]
en = pot
fr = cagnotte
[track.power]
en = power
fr = puissance
[event.moved]
en = {seat} moves {n}
fr = {seat} avance de {n}
[prompt.move]
en = {seat}, move
fr = {seat}, avance
`)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Merge(engine.CoreWords(), words)
}

// testFrame returns a frame after one move.
func testFrame(t testing.TB, lang engine.Lang, score int) engine.Frame {
	t.Helper()
	v := engine.EmptyView(engine.Prompt{Seat: "red", Key: "move", Args: engine.Args{}, Options: []engine.Answer{}})
	v.Table, v.Match, v.Game, v.Seq = "demo", "2026-11-20T20-15-00Z", "race/first", score
	v.Phase, v.Round, v.Rounds, v.Turn, v.First = "turn", 2, 5, "red", "blue"
	v.Seats = []engine.SeatView{
		{ID: "red", Name: "Alice", Colour: "#d7263d", Counters: engine.Counters{{Name: "score", Value: score},
			{Name: "life", Value: 3}}},
		{ID: "blue", Colour: "#1b6ec2", Counters: engine.Counters{{Name: "score", Value: -2}}},
	}
	v.Counters = engine.Counters{{Name: "pot", Value: 12}}
	v.Tracks = []engine.Track{{ID: "power", First: 1, Last: 12, Areas: []engine.Area{},
		Stacks: map[int][]engine.Seat{9: {"blue", "red"}, 1: {}}}}
	f := engine.Frame{
		View:   v,
		Events: []engine.Event{{Name: "moved", Seat: "red", N: score}},
		Status: engine.Status{Keeping: true, Health: []engine.Part{
			{Name: "reader-red", Health: engine.OK},
			{Name: "strip", Health: engine.Degraded, Reason: "no answer: cable?"},
		}},
		Words: testWords(t),
	}
	return f.In(lang)
}
