package rig

import (
	"image"
	"log/slog"
	"path/filepath"
	"slices"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/device/reader"
	"tableside/display/web"
)

// Rig is the equipment of a table on real or emulated ports.
type Rig struct {
	Ports  Ports
	Wiring *config.Wiring
	Log    *slog.Logger
	Parts  *Parts

	network *reader.Network // tags from elsewhere
}

// Configure opens the catalogue of tags and lists the parts, which open themselves
// later.
func (r *Rig) Configure(c *device.Config) error {
	if faults := r.Ports.Missing(r.Wiring); len(faults) > 0 {
		return faults[0]
	}
	tags, err := catalogue.Open(filepath.Join(c.Dir, TagsFile), r.Log)
	if err != nil {
		return failed("tags", err.Error(), "mend the line, or set the file aside")
	}
	c.Tags, c.LearnTag = tags.Meaning, tags.Learn
	board := reader.NewBoard()
	if r.Parts, err = AllParts(r.Ports, r.Wiring, board, tags.Meaning); err != nil {
		return failed("hardware", err.Error(), "run tableside doctor for details")
	}
	c.Digits = slices.ContainsFunc(r.Wiring.Keyboards, func(k config.Keyboard) bool { return k.HasDigits() })
	r.network = NewNetwork(r.Wiring, c, board)
	return nil
}

// TagsFile is the name of the catalogue of tags in the data folder.
const TagsFile = "tags"

// Show gives the page the tags from elsewhere; players see the hardware itself.
func (r *Rig) Show(c *web.Config) { c.Readers = NetworkReaders(r.network) }

// CopyPanel calls to with each picture of the panel, and reports whether there is a
// panel.
func (r *Rig) CopyPanel(to func(image.Image)) bool {
	r.Parts.copyPanel = to
	return r.Wiring.Panel != nil
}

// Add connects all parts to a table.
func (r *Rig) Add(t *device.Table, _ *web.Server) {
	r.network.Connect(t)
	for _, part := range r.Parts.All {
		t.Add(part)
	}
}

// Halt puts all hardware into the state in which it waits for the next start: fields and
// lights off, the panel asleep with its last picture.
func (r *Rig) Halt() error {
	if r.Parts == nil {
		return nil
	}
	return r.Parts.halt()
}
