package tally

import (
	"slices"
	"strconv"

	"tableside/engine"
)

// sheetView returns the sheet as the view shows it, or nil for a match without one.
func (s *state) sheetView() *engine.Sheet {
	if !s.sheet {
		return nil
	}
	sheet := &engine.Sheet{Columns: make([][]engine.Seat, s.columns), Rows: []engine.SheetRow{}, Low: s.goalLow}
	for at, p := range s.seats {
		sheet.Columns[s.column(at)] = append(sheet.Columns[s.column(at)], p.id)
	}
	if s.rows != nil {
		for i, r := range s.rows {
			sheet.Rows = append(sheet.Rows, engine.SheetRow{ID: r.name, Cells: s.lineCells(i + 1)})
		}
		if cells := s.lineCells(len(s.rows) + 1); len(cells) > 0 || s.bonus.rows > 0 {
			sheet.Rows = append(sheet.Rows, engine.SheetRow{ID: bonusRow, Cells: cells})
		}
		return sheet
	}
	for _, n := range s.shownRounds() {
		sheet.Rows = append(sheet.Rows, s.roundRow(n))
	}
	return sheet
}

// shownRounds returns the numbers of the rounds that the view shows. These are the rounds with
// entries and, until the match is over, the current round. If there are more than
// engine.MaxRounds such rounds, shownRounds returns only the last ones.
func (s *state) shownRounds() []int {
	var shown []int
	for at, c := range s.cells {
		if c != (cell{}) {
			shown = append(shown, at.line)
		}
	}
	if !s.isOver() {
		shown = append(shown, s.round)
	}
	slices.Sort(shown)
	shown = slices.Compact(shown)
	return shown[max(0, len(shown)-engine.MaxRounds):]
}

// roundRow returns the row of a round. In a match with bids, the parts of the row are the
// bids, the tricks and the extra points.
func (s *state) roundRow(n int) engine.SheetRow {
	row := engine.SheetRow{ID: "round-" + strconv.Itoa(n), Round: n, Cells: s.lineCells(n), Deal: s.dealOf(n)}
	if s.bids == nil {
		return row
	}
	for _, p := range []part{bid, tricks, points} {
		one := engine.SheetPart{ID: p.name() + "-" + strconv.Itoa(n), Name: p.name()}
		for column := range s.columns {
			if c := s.cell(n, column)[p]; c.entered {
				one.Cells = append(one.Cells, engine.Counter{Name: string(s.seats[column].id), Value: c.n})
			}
		}
		row.Parts = append(row.Parts, one)
	}
	return row
}

// lineCells returns the points in one line of the sheet, for each column that has any. In the
// bonus row, the points include the bonus for the first rows.
func (s *state) lineCells(n int) engine.Counters {
	var cells engine.Counters
	for column := range s.columns {
		value, extra := s.points(n, column), 0
		if s.rows != nil && n == len(s.rows)+1 {
			extra = s.bonusOf(column)
		}
		if extra != 0 || s.cell(n, column).filled() {
			cells = append(cells, engine.Counter{Name: string(s.seats[column].id), Value: value + extra})
		}
	}
	return cells
}
