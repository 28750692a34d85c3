package main

import (
	"image"
	"log/slog"
	"path/filepath"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/display/web"
)

// Wired is the equipment of a configuration on real ports.
type wired struct {
	ports  ports
	wiring *config.Wiring
	log    *slog.Logger
	parts  *parts
}

// configure opens the catalogue of tags. What is wired opens itself later.
func (w *wired) configure(c *device.Config) error {
	if faults := w.ports.missing(w.wiring); len(faults) > 0 {
		return wrong(faults[0].Key, faults[0].Why, faults[0].Hint)
	}
	tags, err := catalogue.Open(filepath.Join(c.Dir, tagsFile), w.log)
	if err != nil {
		return no("tags", err.Error(), "mend the line, or set the file aside")
	}
	c.Tags, c.LearnTag = tags.Meaning, tags.Learn
	if w.parts, err = allParts(w.ports, w.wiring, tags.Meaning); err != nil {
		return no("hardware", err.Error(), "tableside doctor tells more")
	}
	return nil
}

// tagsFile is the catalogue in the data folder.
const tagsFile = "tags"

func (w *wired) show(*web.Config) {}

func (w *wired) copyPanel(to func(image.Image)) bool {
	w.parts.copyPanel = to
	return w.wiring.Panel != nil
}

func (w *wired) add(t *device.Table, _ *web.Server) {
	for _, part := range w.parts.all {
		t.Add(part)
	}
}

func (w *wired) halt() error {
	if w.parts == nil {
		return nil
	}
	return w.parts.halt()
}
