package rig

import (
	"context"
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
	Setup  *Setup // changes the parts while the table runs; nil where nobody may

	network *reader.Network // tags read by phones and other machines
	board   *reader.Board
	tags    *catalogue.Catalogue
}

// Configure opens the catalogue of tags and lists the parts, which open themselves later. If a
// device in the configuration file does not exist or may not be used, Configure fails.
func (r *Rig) Configure(c *device.Config) error {
	needed := r.Wiring
	if r.Setup != nil { // a part that was set up may be missing: its own health shows it
		needed = &r.Setup.config.FileWiring
	}
	if faults := r.Ports.Missing(needed); len(faults) > 0 {
		return faults[0]
	}
	tags, err := catalogue.Open(filepath.Join(c.Dir, catalogue.FileName), r.Log)
	if err != nil {
		return failed("tags", err.Error(), "mend the line, or set the file aside")
	}
	c.Tags, c.LearnTag = tags.Meaning, tags.Learn
	r.tags, r.board = tags, reader.NewBoard()
	if r.Setup != nil {
		r.Setup.begin(r)
	}
	if r.Parts, err = AllParts(r.Ports, r.Wiring, r.board, tags.Meaning); err != nil {
		return failed("hardware", err.Error(), "run tableside doctor for details")
	}
	c.Digits = r.Wiring.HasDigits()
	if r.Setup != nil {
		for i, part := range r.Parts.All {
			r.Parts.All[i] = r.Setup.watch(part)
		}
	}
	r.network = NewNetwork(r.Wiring, c, r.board)
	return nil
}

// addParts adds the readers, keyboards, panel and lights in w to the list of running parts. It
// returns the added parts. Each part opens itself.
func (r *Rig) addParts(w *config.Wiring) []device.Part {
	before := len(r.Parts.All)
	r.Parts.tapInitial = false // what lies there may have been tapped before
	r.Parts.addReaders(w, r.board, r.tags.Meaning)
	_ = r.Parts.keyboards(w) // fails only for a device's name, which was checked
	r.Parts.panel(w)
	r.Parts.lights(w)
	fresh := r.Parts.All[before:]
	for i, part := range fresh {
		fresh[i] = r.Setup.watch(part)
	}
	return slices.Clone(fresh)
}

// index returns the index of the newest part with this name, or -1. An older part with this
// name was removed, but has not stopped yet.
func (r *Rig) index(name string) int {
	for i, part := range slices.Backward(r.Parts.All) {
		if part.Name == name {
			return i
		}
	}
	return -1
}

// has reports whether a part with this name runs.
func (r *Rig) has(name string) bool { return r.index(name) >= 0 }

// drop stops and closes the part with this name. The table keeps running.
func (r *Rig) drop(ctx context.Context, t *device.Table, name string) error {
	if err := t.Remove(ctx, name); err != nil {
		return err
	}
	i := r.index(name)
	if i < 0 {
		return nil
	}
	if err := r.Parts.halts[i](); err != nil {
		r.Log.Info("a part that is removed", "part", name, "error", err) // it may be unplugged
	}
	r.Parts.All, r.Parts.halts = slices.Delete(r.Parts.All, i, i+1), slices.Delete(r.Parts.halts, i, i+1)
	return nil
}

// Show lets the page use the readers on the network. If parts may be changed, Show also lets
// the page use the setup. It puts no pictures of the hardware on the page, because players see
// the hardware itself.
func (r *Rig) Show(c *web.Config) {
	c.Readers = NetworkReaders(r.network)
	if r.Setup != nil {
		c.Setup = &web.Setup{State: r.Setup.state, Do: r.Setup.do}
	}
}

// CopyPanel passes each picture of the panel to the given function. It reports whether there
// is a panel.
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
	if r.Setup != nil {
		r.Setup.connect(t)
	}
}

// Halt halts all hardware. The hardware then waits for the next start. RF fields and lights
// are off, and the panel sleeps with its last picture.
func (r *Rig) Halt() error {
	if r.Setup != nil {
		r.Setup.halt()
	}
	if r.Parts == nil {
		return nil
	}
	return r.Parts.halt()
}
