package poster_test

import (
	"image"
	"testing"

	"tableside/display/displaytest"
	"tableside/display/poster"
	"tableside/engine"
	"tableside/engine/tally"
)

const match = `tableside-journal 1
game tally/score
option rounds 3
seat red Alice
seat black Barthélémy
seat yellow Zoé
begin 2026-11-21T20:15:00Z
600s red choose +5
660s red key next
720s black choose +10
780s black key next
840s yellow choose +5
900s yellow key next
1200s red choose -5
1260s red key next
1320s black key plus
1380s black key next
1440s yellow key next
1800s red key next
2400s black choose +10
3660s black key next
3720s yellow key next
`

func TestPicture(t *testing.T) {
	journal, err := engine.ParseJournal("match", []byte(match))
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range engine.Languages {
		r, err := engine.Summarise(tally.Games()[0], journal, lang, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := poster.Draw(r, lang)
		if got.Bounds() != image.Rect(0, 0, poster.Width, poster.Height) {
			t.Fatalf("the picture is %v", got.Bounds())
		}
		displaytest.Golden(t, "testdata/tally-"+string(lang)+".png", got)
	}
}

// A match without moves, with as many seats as a table has, is drawn too.
func TestPictureOfAnyResult(t *testing.T) {
	r := engine.Result{Game: "tally/score"}
	poster.Draw(r, engine.English)
	for _, seat := range []engine.Seat{"red", "blue", "yellow", "green", "white", "black", "orange", "purple", "left",
		"right"} {
		r.Seats = append(r.Seats, engine.Standing{Seat: seat, Rank: 1, Value: -1200, Colour: "grey"})
		r.Winners = append(r.Winners, seat)
		poster.Draw(r, engine.French)
	}
}
