package engine

import (
	"slices"
	"strconv"
)

// A Sheet is a score sheet. It says what each column got in each row. An input with the verb
// `set` corrects a cell by the ID of the row, such as "red set round-2 15".
type Sheet struct {
	Columns [][]Seat   `json:"columns"`       // the seats of each column: a player, or a team
	Rows    []SheetRow `json:"rows"`          // from the top
	Low     bool       `json:"low,omitempty"` // whether the fewest points win
}

// Worth returns points as they count for the ranking: negated where the fewest points win.
func (v *View) Worth(points int) int {
	if v.Sheet != nil && v.Sheet.Low {
		return -points
	}
	return points
}

// A SheetRow is a row of a sheet. Each cell is named after the first seat of its column. Empty
// cells are left out. If the row is not a round, View.Labels has the title of the row under
// the key "row.<ID>".
type SheetRow struct {
	ID    string      `json:"id"`
	Round int         `json:"round,omitempty"` // 0 for a row with a name
	Cells Counters    `json:"cells"`
	Parts []SheetPart `json:"parts,omitempty"` // the numbers from which the cells follow
	Deal  []FormWord  `json:"deal,omitempty"`  // what was entered for them, as for a form
}

// A SheetPart holds one of the numbers from which the cells of a row follow, such as the bids.
// View.Labels has the title of the part under the key "part.<Name>".
type SheetPart struct {
	ID    string   `json:"id"` // what set corrects: "bid-2"
	Name  string   `json:"name"`
	Cells Counters `json:"cells"`
}

// Row returns a row by its ID, or nil.
func (s *Sheet) Row(id string) *SheetRow {
	if s == nil {
		return nil
	}
	for i := range s.Rows {
		if s.Rows[i].ID == id {
			return &s.Rows[i]
		}
	}
	return nil
}

// MaxRounds is the greatest number of rounds on a sheet. If a match has more rounds, the
// sheet has only the newest rounds. The sheet needs a limit because a match may go on without
// end.
const MaxRounds = 50

// correctRounds replaces the points and totals of rounds by the values on the sheet. A round
// may have been corrected after it ended. correctRounds also needs the present values of the
// seats, which are the totals after the last round.
//
// A round without a row scored 0. A full sheet has dropped the rows of the oldest rounds. For
// these rounds, only the sum of the corrections is known, and the last of these rounds gets
// the whole sum. If there is no sheet, or if a row is not a round, nothing is replaced.
func (s *Sheet) correctRounds(rounds []RoundResult, values map[Seat]int) {
	if s == nil || slices.ContainsFunc(s.Rows, func(r SheetRow) bool { return r.Round == 0 }) {
		return
	}
	before := 0
	for len(s.Rows) >= MaxRounds && before < len(rounds) && rounds[before].Round < s.Rows[0].Round {
		before++
	}
	for i := max(0, before-1); i < len(rounds); i++ {
		r := &rounds[i]
		points, totals, row := map[Seat]int{}, map[Seat]int{}, s.Row("round-"+strconv.Itoa(r.Round))
		for _, column := range s.Columns {
			later := s.totalAfter(r.Round, column[0])
			for _, seat := range column {
				totals[seat] = values[seat] - later
				switch {
				case i < before:
					points[seat] = r.Points[seat] + totals[seat] - r.Totals[seat]
				case row != nil:
					points[seat], _ = row.Cells.Get(string(column[0]))
				default:
					points[seat] = 0
				}
			}
		}
		r.Points, r.Totals = points, totals
	}
}

// totalAfter returns the sum of the cells of a column in all rounds after the given one.
func (s *Sheet) totalAfter(round int, column Seat) int {
	sum := 0
	for _, row := range s.Rows {
		if row.Round > round {
			n, _ := row.Cells.Get(string(column))
			sum += n
		}
	}
	return sum
}

func (s *speaker) sheet(sheet *Sheet) *Sheet {
	if sheet == nil {
		return nil
	}
	said := *sheet
	said.Rows = slices.Clone(sheet.Rows)
	for i, row := range said.Rows {
		s.label("row.", row.ID)
		said.Rows[i].Deal = s.formWords(row.Deal)
		for _, part := range row.Parts {
			s.label("part.", part.Name)
		}
	}
	return &said
}
