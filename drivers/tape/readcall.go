package tape

import (
	"strings"
	"time"
)

// readCall reads the rest of a line with the verb "call", which begins a call. The caller
// passes the time of the line. For errors, the caller also passes the column where the verb
// begins.
func (r *partState) readCall(p *parser, moment time.Duration, column int) error {
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
	r.fullCalls = append(r.fullCalls, int32(len(r.part.Calls)))
	r.part.Calls = append(r.part.Calls, Call{At: moment, Number: p.number, Name: words[0], Args: words[1:]})
	r.open = true
	return nil
}

// readSame reads the rest of a line with the verb "same", which holds a number of repeats. It
// adds the number to the repeats of the last call. For errors, the caller passes the column
// where the verb begins.
func (r *partState) readSame(p *parser, column int) error {
	n, err := p.count(maxSame)
	if err != nil {
		return err
	}
	if r.open || len(r.part.Calls) == 0 {
		return p.fail(column, "got same without a call that is over")
	}
	call := &r.part.Calls[len(r.part.Calls)-1]
	if call.SameCount += int(n); call.SameCount > maxSame {
		return p.fail(column, "got a call more than %d times", maxSame)
	}
	return p.checkLineEnd()
}

// readLike reads the rest of a line with the verb "like", which names an earlier call by its
// number. It adds the earlier call once more. Both calls share their lines in memory. For
// errors, the caller passes the column where the verb begins.
func (r *partState) readLike(p *parser, column int) error {
	if p.oldFormat {
		return p.fail(column, "got like in a tape that begins with %q, want %q", magic1, Magic)
	}
	n, err := p.count(int64(len(r.fullCalls)))
	if err != nil {
		return err
	}
	if r.open || n == 0 {
		return p.fail(column, "got like without a call that is over")
	}
	if err := p.reserve(callSize); err != nil {
		return err
	}
	again := r.part.Calls[r.fullCalls[n-1]]
	again.SameCount = 0
	r.part.Calls = append(r.part.Calls, again)
	return p.checkLineEnd()
}
