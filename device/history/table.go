package history

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// WriteTable writes a table as CSV, with a row for each player of each match. It passes visit
// a function that writes the rows of one match. visit must call this function with each match,
// and must return its error.
func WriteTable(out io.Writer, visit func(func(Entry) error) error) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"match", "begin", "game", "state", "minutes", "inputs", "rounds", "seat", "player", "rank", "won",
		"value", "counter"})
	err := visit(func(e Entry) error {
		for _, s := range e.Seats {
			won := "0"
			if s.Won {
				won = "1"
			}
			_ = w.Write([]string{e.ID, e.Begin.Local().Format("2006-01-02 15:04:05"), e.Game, e.State,
				strconv.FormatFloat(float64(e.Seconds)/60, 'f', 1, 64), strconv.Itoa(e.Inputs), strconv.Itoa(e.Round),
				string(s.Seat), noFormula(s.Name), strconv.Itoa(s.Rank), won, strconv.Itoa(s.Value), e.Counter})
		}
		return w.Error()
	})
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// noFormula returns the name. If a spreadsheet would take the name for a formula, noFormula
// puts an apostrophe before it.
func noFormula(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "'" + name
	}
	return name
}
