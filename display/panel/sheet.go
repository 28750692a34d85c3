package panel

import (
	"image"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// These are the least and the greatest number of rows of a score sheet that a panel shows.
// Fewer rows would say nothing, unless they are the whole sheet.
const minRows, maxRows = 3, 12

// sheet returns the block of the score sheet. The block has the names and as many rows as
// there is room for. The rows are the newest rounds or, on a sheet that does not count rounds,
// the first rows. If the sheet has no rows, the block is empty.
func (s *screen) sheet() *block {
	sheet := s.View.Sheet
	if sheet == nil || len(sheet.Rows) == 0 {
		return emptyBlock()
	}
	heights, fewest := []int{0}, min(len(sheet.Rows), minRows)
	for n := fewest; n <= min(len(sheet.Rows), maxRows); n++ {
		heights = append(heights, (n+1)*s.body.Line()+2)
	}
	b := &block{name: "sheet", heights: heights}
	b.draw = func(c *canvas.Canvas, r image.Rectangle) {
		n, rows := fewest+b.level-1, sheet.Rows
		if rows[0].Round > 0 {
			rows = rows[len(rows)-n:]
		}
		rows = rows[:n]
		r = canvas.Inset(r, 4)
		width := 0
		for _, row := range rows {
			width = max(width, s.body.Width(s.rowName(row)))
		}
		width = min(width, r.Dx()/3) + s.body.Cap()
		head := canvas.Row(&r, s.body.Line())
		for i, seats := range sheet.Columns {
			c.Right(s.bold, sheetCell(head, width, i, len(sheet.Columns)), text.Name(&s.View, seats[0]), black)
		}
		c.Fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1), black)
		r.Min.Y += 2
		for _, row := range rows {
			line := canvas.Row(&r, s.body.Line())
			c.Left(s.body, image.Rect(line.Min.X, line.Min.Y, line.Min.X+width, line.Max.Y), s.rowName(row), black)
			for i, seats := range sheet.Columns {
				if n, ok := row.Cells.Get(string(seats[0])); ok {
					c.Right(s.body, sheetCell(line, width, i, len(sheet.Columns)), number(n), black)
				}
			}
		}
	}
	return b
}

// sheetCell returns the rectangle of a cell in a line of the score sheet. The cell is in
// column i, counted from 0, of the given number of columns. The columns begin after the
// indent, which is the width in pixels of the names of the rows.
func sheetCell(line image.Rectangle, indent, i, cols int) image.Rectangle {
	left, each := line.Min.X+indent, (line.Dx()-indent)/cols
	return image.Rect(left+i*each+3, line.Min.Y, left+(i+1)*each, line.Max.Y)
}

func (s *screen) rowName(row engine.SheetRow) string {
	if row.Round > 0 {
		return number(row.Round)
	}
	return text.Label(&s.View, "row."+row.ID)
}
