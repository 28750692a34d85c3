package doctor

import (
	"io"
	"sync"

	"tableside/cmd/tableside/config"
)

// record makes checks, and records a tape meanwhile if Tape names a file. If held is set, a running
// table has the hardware, so nothing can be recorded.
func (d *doctor) record(w *config.Wiring, held bool, check func()) {
	if held && d.Tape.Name != "" {
		d.fail("record", "the running table has the hardware", stopTable+"; or run it with --record")
		d.Tape.Name = ""
	}
	check = sync.OnceFunc(check)
	err := d.Tape.During(&d.ports, w, io.Discard, func() error { check(); return nil })
	switch {
	case err != nil:
		d.failed("record", err, "")
		check() // no tape could be begun
	case d.Tape.Name != "":
		d.ok("record", d.Tape.Name+" is the tape: "+d.Tape.Contents(), "it was written to its end")
	}
}
