package rig

import (
	"slices"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/display/web"
	"tableside/engine"
)

// NewNetwork returns the network of a table, to which other devices send tags. board is
// that of the table's readers; nil means there are none.
func NewNetwork(w *config.Wiring, c *device.Config, board *reader.Board) *reader.Network {
	n := reader.NetworkConfig{Readers: map[string]engine.Seat{}, Seats: slices.Clone(engine.UsualSeats), Board: board}
	for _, r := range w.Readers {
		n.Readers[r.Name] = engine.Seat(r.Seat)
	}
	for _, p := range c.Seats {
		n.Seats = append(n.Seats, p.Seat)
	}
	words, lang := engine.Merge(engine.CoreWords(), device.Words()), c.Lang
	n.Say = func(t engine.Text) string { return words.Say(lang, t, nil) }
	return reader.NewNetwork(n)
}

// NetworkReaders returns the readers of a network as the page and the broker use them.
func NetworkReaders(n *reader.Network) *web.Readers {
	return &web.Readers{Seat: n.Seat, Tap: n.Tap, Lift: n.Lift, See: reader.NewCameras(n).See}
}
