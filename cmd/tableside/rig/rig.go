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

// Rig is the equipment of a table that is wired to ports.
type Rig struct {
	Ports  Ports
	Wiring *config.Wiring
	Log    *slog.Logger
	Parts  *Parts
}

// Configure opens the catalogue of tags. What is wired opens itself later.
func (r *Rig) Configure(c *device.Config) error {
	if faults := r.Ports.Missing(r.Wiring); len(faults) > 0 {
		return faults[0]
	}
	tags, err := catalogue.Open(filepath.Join(c.Dir, TagsFile), r.Log)
	if err != nil {
		return failed("tags", err.Error(), "mend the line, or set the file aside")
	}
	c.Tags, c.LearnTag = tags.Meaning, tags.Learn
	if r.Parts, err = All(r.Ports, r.Wiring, tags.Meaning); err != nil {
		return failed("hardware", err.Error(), "tableside doctor tells more")
	}
	return nil
}

// TagsFile is the catalogue in the data folder.
const TagsFile = "tags"

// Show adds nothing to the page: who is at the table sees the hardware.
func (r *Rig) Show(*web.Config) {}

// CopyPanel hands on each picture of the panel, and reports whether there is one.
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

// Halt leaves everything as it may stay while the program does not run.
func (r *Rig) Halt() error {
	if r.Parts == nil {
		return nil
	}
	return r.Parts.halt()
}
