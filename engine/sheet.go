package engine

import "strconv"

// A Sheet is a score sheet: what each column got in each row. `set` corrects a cell by
// the row's ID: "red set round-2 15".
type Sheet struct {
	Columns [][]Seat   `json:"columns"`       // the seats of each column: a player, or a team
	Rows    []SheetRow `json:"rows"`          // from the top
	Low     bool       `json:"low,omitempty"` // whether the fewest points win
}

// Worth returns a change of a score as it counts for the ranking: fewer points are more
// where the fewest win.
func (v *View) Worth(points int) int {
	if v.Sheet != nil && v.Sheet.Low {
		return -points
	}
	return points
}

// A SheetRow is a row of a sheet. Cells are named by the first seat of their column; an
// empty one is left out. Labels have the word for "row.<ID>" if it is not a round.
type SheetRow struct {
	ID    string      `json:"id"`
	Round int         `json:"round,omitempty"` // 0 for a row with a name
	Cells Counters    `json:"cells"`
	Parts []SheetPart `json:"parts,omitempty"` // the numbers from which the cells follow
}

// A SheetPart holds one of the numbers from which the cells of a row follow, such as the
// bids. Labels have the word for "part.<Name>".
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

// corrects replaces the points of rounds by those of the sheet, in which a round may have
// been corrected later. The totals follow from the first.
func (s *Sheet) corrects(rounds []RoundResult) {
	if s == nil {
		return
	}
	moved := map[Seat]int{} // by the corrections so far
	for i := range rounds {
		row, points, totals := s.Row("round-"+strconv.Itoa(rounds[i].Round)), map[Seat]int{}, map[Seat]int{}
		if row == nil {
			return // longer ago than the sheet shows
		}
		for _, column := range s.Columns {
			n, _ := row.Cells.Get(string(column[0]))
			for _, seat := range column {
				moved[seat] += n - rounds[i].Points[seat]
				points[seat], totals[seat] = n, rounds[i].Totals[seat]+moved[seat]
			}
		}
		rounds[i].Points, rounds[i].Totals = points, totals
	}
}

func (w *jsonWriter) sheet(s *Sheet) {
	jsonList(w.key('{', "columns"), s.Columns, func(w *jsonWriter, seats []Seat) { jsonList(w, seats, jsonText) })
	jsonList(w.key(',', "rows"), s.Rows, (*jsonWriter).row)
	if s.Low {
		*w = append(*w, `,"low":true`...)
	}
	w.end()
}

func (w *jsonWriter) row(r SheetRow) {
	w.key('{', "id").text(r.ID)
	if r.Round != 0 {
		w.key(',', "round").number(r.Round)
	}
	w.key(',', "cells").counters(r.Cells)
	if len(r.Parts) > 0 {
		jsonList(w.key(',', "parts"), r.Parts, func(w *jsonWriter, p SheetPart) {
			w.key('{', "id").text(p.ID)
			w.key(',', "name").text(p.Name)
			w.key(',', "cells").counters(p.Cells)
			w.end()
		})
	}
	w.end()
}

func (s *speaker) sheet(sheet *Sheet) {
	if sheet == nil {
		return
	}
	for _, row := range sheet.Rows {
		s.label("row.", row.ID)
		for _, part := range row.Parts {
			s.label("part.", part.Name)
		}
	}
}
