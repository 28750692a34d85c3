package tape

import (
	"strings"
	"time"
)

// call reads the rest of a line with the verb "call", which begins a call. moment is the time
// of the line, and column is where the verb begins, for errors.
func (r *reading) call(p *parser, moment time.Duration, column int) error {
	if r.open {
		begun := r.part.Calls[len(r.part.Calls)-1].Number
		return p.fail(column, "got a call before the end of the one in line %d", begun)
	}
	words := strings.Split(p.rest, " ")
	if words[0] == "" {
		return p.fail(p.column(), "got a call of nothing")
	}
	if err := p.reserve(callSize + len(words)*wordSize + len(p.rest)); err != nil {
		return err
	}
	r.full = append(r.full, int32(len(r.part.Calls)))
	r.part.Calls = append(r.part.Calls, Call{At: moment, Number: p.number, Name: words[0], Args: words[1:]})
	r.open = true
	return nil
}

// readSame reads the rest of a line with the verb "same", a number of repeats, and adds it to
// those of the last call. column is where the verb begins, for errors.
func (r *reading) readSame(p *parser, column int) error {
	n, err := p.count(mostSame)
	if err != nil {
		return err
	}
	if r.open || len(r.part.Calls) == 0 {
		return p.fail(column, "got same without a call that is over")
	}
	call := &r.part.Calls[len(r.part.Calls)-1]
	if call.Same += int(n); call.Same > mostSame {
		return p.fail(column, "got a call more than %d times", mostSame)
	}
	return p.ends()
}

// readLike reads the rest of a line with the verb "like", which names an earlier call by its
// number. It adds that call once more; both share their lines in memory. column is where the
// verb begins, for errors.
func (r *reading) readLike(p *parser, column int) error {
	if p.old {
		return p.fail(column, "got like in a tape that begins with %q, want %q", magic1, Magic)
	}
	n, err := p.count(int64(len(r.full)))
	if err != nil {
		return err
	}
	if r.open || n == 0 {
		return p.fail(column, "got like without a call that is over")
	}
	if err := p.reserve(callSize); err != nil {
		return err
	}
	again := r.part.Calls[r.full[n-1]]
	again.Same = 0
	r.part.Calls = append(r.part.Calls, again)
	return p.ends()
}
