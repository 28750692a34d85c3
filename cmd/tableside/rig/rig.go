package rig

import (
	"image"
	"log/slog"
	"path/filepath"
	"slices"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/device/computer"
	"tableside/device/reader"
	"tableside/display/web"
	"tableside/display/web/setup"
)

// Rig is the equipment of a table on real or emulated ports.
type Rig struct {
	Ports  Ports
	Wiring *config.Wiring
	Log    *slog.Logger
	Parts  *Parts
	Setup  *Setup // changes the parts while the table runs; nil where nobody may

	network  *reader.Network // tags read by phones and other machines
	computer computer.Player
	board    *reader.Board
	tags     *catalogue.Catalogue
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
	// The file is read again until it can be read; Add shows what is wrong with it.
	tags, _ := catalogue.Open(filepath.Join(c.Dir, catalogue.FileName))
	c.Tags, c.LearnTag = tags.Meaning, tags.Learn
	r.tags, r.board = tags, reader.NewBoard()
	if r.Setup != nil {
		r.Setup.begin(r)
	}
	var err error
	if r.Parts, err = AllParts(r.Ports, r.Wiring, r.board, tags.Meaning); err != nil {
		return config.Failed("hardware", err.Error(), "run tableside doctor for details")
	}
	c.Digits = r.Wiring.HasDigits()
	if r.Setup != nil {
		for i, part := range r.Parts.All {
			r.Parts.All[i] = r.Setup.watch(part)
		}
	}
	r.network = NewNetwork(r.Wiring, c, r.board)
	r.computer.Games, r.computer.Log = c.Games, c.Log
	c.Followers, c.Computer = []device.Follower{&r.computer}, &r.computer
	return nil
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

// Show lets the page use the readers on the network. If parts may be changed, Show also lets
// the page use the setup. It puts no pictures of the hardware on the page, because players see
// the hardware itself.
func (r *Rig) Show(c *web.Config) {
	c.Readers = NetworkReaders(r.network)
	if r.Setup != nil {
		c.Setup = &setup.Setup{State: r.Setup.state, Do: r.Setup.do}
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
	r.tags.Watch(func(faults []error) { t.ReportFile(catalogue.FileName, faults...) })
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
