package history

import (
	"encoding/csv"
	"io"
	"strconv"

	"tableside/engine/cardfile"
)

// WriteTable writes a table as CSV, with a row for each player of each match.
func WriteTable(out io.Writer, matches []Entry) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"match", "begin", "game", "state", "minutes", "inputs", "rounds", "seat", "player", "rank", "won",
		"value", "counter", "preset"})
	for _, e := range matches {
		for _, s := range e.Seats {
			won := "0"
			if s.Won {
				won = "1"
			}
			_ = w.Write([]string{e.ID, e.Begin.Local().Format("2006-01-02 15:04:05"), e.Game, e.State,
				strconv.FormatFloat(float64(e.Seconds)/60, 'f', 1, 64), strconv.Itoa(e.Inputs), strconv.Itoa(e.Round),
				string(s.Seat), cardfile.AsCell(s.Name), strconv.Itoa(s.Rank), won, strconv.Itoa(s.Value),
				cardfile.AsCell(e.Counter), cardfile.AsCell(e.Preset)})
		}
	}
	w.Flush()
	return w.Error()
}
