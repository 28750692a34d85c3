package rig

import (
	"image"
	"log/slog"
	"path/filepath"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/display/web"
)

// Rig is the equipment of a table on real or emulated ports.
type Rig struct {
	Ports  Ports
	Wiring *config.Wiring
	Log    *slog.Logger
	Parts  *Parts
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
	c.Tags = tags.Meaning
	if len(r.Wiring.Readers)+len(r.Wiring.Keyboards) > 0 { // else nothing reads the tags that it learns
		c.LearnTag = tags.Learn
	}
	if r.Parts, err = AllParts(r.Ports, r.Wiring, tags.Meaning); err != nil {
		return failed("hardware", err.Error(), "run tableside doctor for details")
	}
	return nil
}

// TagsFile is the name of the catalogue of tags in the data folder.
const TagsFile = "tags"

// Show adds nothing to the page: players see the hardware itself.
func (r *Rig) Show(*web.Config) {}

// CopyPanel calls to with each picture of the panel, and reports whether there is a
// panel.
func (r *Rig) CopyPanel(to func(image.Image)) bool {
	r.Parts.copyPanel = to
	return r.Wiring.Panel != nil
}

// Add connects all parts to a table.
func (r *Rig) Add(t *device.Table, _ *web.Server) {
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
