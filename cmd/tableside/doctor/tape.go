package doctor

import (
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
)

// beginTape begins recording if Record names a tape. It returns the function that ends the
// recording. If held is set, a running table has the hardware. Then nothing can be recorded,
// and beginTape adds a fault.
func (d *doctor) beginTape(w *config.Wiring, held bool) (end func()) {
	if d.Record == "" {
		return func() {}
	}
	if held {
		d.fail("record", "the running table has the hardware", stopTable+"; or run it with --record")
		return func() {}
	}
	r, err := rig.Record(d.Record, d.Version, d.ports, w)
	if err != nil {
		d.fail("record", err.Error(), fixFor(err, ""))
		return func() {}
	}
	d.ports = r
	return func() {
		d.ports = r.Ports
		if err := r.Close(); err != nil {
			d.fail("record", err.Error(), fixFor(err, ""))
			return
		}
		d.ok("record", d.Record+" is the tape; docs/hardware.md describes what is on it", "it was written to its end")
	}
}
