package tally

import "tableside/engine"

// A place is a cell's line, which is a round or the number of a named row from 1, and its column.
type place struct{ line, column int }

// A cell holds the numbers that were entered for one column in one line. The points of the
// cell are computed from these numbers.
type cell [parts]struct {
	n       int
	entered bool
}

// A part is one of the three numbers of a cell: points, bid or tricks.
type part int

const (
	points part = iota // entered by hand; in a match with bids, on top of what the bid brings
	bid
	tricks
	parts
)

var partNames = [parts]string{"bonus", "bid", "tricks"}

func (p part) name() string { return partNames[p] }

// bonusRow is the name of the extra row for points that belong to no other row. Every sheet
// with named rows has this row.
const bonusRow = "bonus"

func (s *state) column(at int) int { return at % s.columns }

func (s *state) cell(n, column int) cell { return s.cells[place{n, column}] }

func (s *state) currentLine(p *seat) int {
	switch {
	case s.rows == nil:
		return s.round
	case p.row > 0:
		return p.row
	}
	return len(s.rows) + 1
}

func (s *state) points(n, column int) int {
	c := s.cell(n, column)
	sum := c[points].n
	if c[bid].entered && c[tricks].entered {
		sum += s.bids.score(n, c[bid].n, c[tricks].n)
	}
	return sum
}

func (c cell) filled() bool { return c[points].entered || c[bid].entered && c[tricks].entered }

func (s *state) enter(n, column int, p part, value int) {
	s.lastEntryRound = s.round
	s.edit(n, column, func(c *cell) { c[p].n, c[p].entered = value, true })
}

func (s *state) edit(n, column int, change func(*cell)) {
	was := s.points(n, column) + s.bonusOf(column)
	c := s.cell(n, column)
	change(&c)
	s.cells[place{n, column}] = c
	by := s.points(n, column) + s.bonusOf(column) - was
	s.put(column, 0, s.seats[column].values[0]+by)
}

func (s *state) score(at, amount int) {
	if !s.sheet {
		s.put(at, 0, s.seats[at].values[0]+amount)
		return
	}
	n, column := s.currentLine(&s.seats[at]), s.column(at)
	s.enter(n, column, points, s.cell(n, column)[points].n+amount)
}

// bonusOf returns the extra points of a column. If the first rows of the column have too few
// points, or if the match has no bonus, bonusOf returns 0.
func (s *state) bonusOf(column int) int {
	sum := 0
	for i := range s.bonus.rows {
		sum += s.points(i+1, column)
	}
	if sum < s.bonus.threshold {
		return 0
	}
	return s.bonus.extra
}

func (s *state) countMissing(n int, has func(cell) bool) int {
	missing := 0
	for column := range s.columns {
		if !has(s.cell(n, column)) && !s.isColumnOut(column) {
			missing++
		}
	}
	return missing
}

// hasBegun reports whether something was entered in this round, also in a counter that ends the
// match. A named row belongs to no round, because each seat fills the rows in its own order. In a
// match with named rows, hasBegun therefore checks whether the last entry was made in this round.
func (s *state) hasBegun() bool {
	if s.rows != nil {
		return s.lastEntryRound == s.round
	}
	for column := range s.columns {
		if s.cell(s.round, column) != (cell{}) {
			return true
		}
	}
	return s.finish != nil && s.apartRound == s.round
}

func (s *state) isFull() bool {
	for i := range s.rows {
		if s.countMissing(i+1, cell.filled) > 0 {
			return false
		}
	}
	return s.rows != nil
}

// rowWord returns the word with which an event names a row. Named rows are counted from 1, and
// the word of a named row is its key or its title. If n is greater than the number of named
// rows, rowWord returns the key of the bonus row.
func (s *state) rowWord(n int) string {
	if n > len(s.rows) {
		return "row." + bonusRow
	}
	return wordFor(s.words, "row."+s.rows[n-1].name, s.rows[n-1].title)
}

// choose applies the choice of a row. For example, "red choose sixes" chooses the row to fill,
// and "red choose sixes 24" also fills the row. If the row is unknown or filled already,
// choose returns a refusal.
func (s *state) choose(at int, in engine.Input) ([]engine.Event, error) {
	p, i := &s.seats[at], s.rowNamed(in.Arg(0))
	switch {
	case s.rows == nil || i < 0 || i == len(s.rows):
		return nil, refuseNumber(in.Arg(0))
	case s.cell(i+1, s.column(at)).filled():
		return nil, engine.Refuse("refusal.row-filled", "row", engine.ParseWord(s.rowWord(i+1)))
	}
	p.row = i + 1
	if len(in.Args) == 1 {
		return []engine.Event{{Name: "row", Seat: p.id, Word: s.rowWord(i + 1)}}, nil
	}
	n, ok := engine.Whole(in.Arg(1), 0, maxNumber)
	n *= s.rows[i].times
	if !ok { // points may be lost: 7 Wonders' battles
		n, ok = amount(in.Arg(1))
	}
	if !ok {
		return nil, refuseNumber(in.Arg(1))
	}
	return s.fill(at, n)
}

// fill enters n points in the row that a seat has chosen. If the counter has then gone past
// the target, the method handlePast may take the points back. If it is the seat's turn, fill
// also ends the turn, unless the match is over.
func (s *state) fill(at, n int) ([]engine.Event, error) {
	p := &s.seats[at]
	events := []engine.Event{{Name: "fill", Seat: p.id, N: n, Word: s.rowWord(p.row)}}
	had := s.bonusOf(s.column(at))
	s.score(at, n)
	events = append(events, s.handlePast(at, n)...)
	if err := s.checkSum(at); err != nil {
		return nil, err
	}
	if now := s.bonusOf(s.column(at)); now != had {
		events = append(events, engine.Event{Name: "row-bonus", Seat: p.id, N: now})
	}
	p.row = 0
	if s.version < winnerVersion { // in which time is over only by the key
		s.now = 0
	}
	if s.turns && s.turn == at && !s.isOver() {
		next, err := s.endTurn(engine.Input{Seat: p.id})
		return append(events, next...), err
	}
	return events, nil
}

// checkSum refuses an input after which the first counter of a seat is too long to draw.
func (s *state) checkSum(at int) error {
	if n := s.seats[at].values[0]; n < -maxNumber || n > maxNumber {
		return engine.Refuse("refusal.bound", "counter", engine.ParseWord(s.counterWords[0]), "n", n)
	}
	return nil
}
