package rig

import (
	"slices"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/display/web"
	"tableside/engine"
)

// NewNetwork returns the network readers of a table. A network reader is a phone or other
// device that sends tags. The network readers and the table's own readers use the same Board.
// If the table has no readers of its own, the Board is nil.
func NewNetwork(w *config.Wiring, c *device.Config, board *reader.Board) *reader.Network {
	n := reader.NetworkConfig{Readers: readerSeats(w), Seats: slices.Clone(engine.UsualSeats), Board: board}
	for _, p := range c.Seats {
		n.Seats = append(n.Seats, p.Seat)
	}
	words, lang := engine.Merge(engine.CoreWords(), device.Words()), c.Lang
	n.Say = func(t engine.Text) string { return words.Say(lang, t, nil) }
	return reader.NewNetwork(n)
}

func readerSeats(w *config.Wiring) map[string]engine.Seat {
	seats := map[string]engine.Seat{}
	for _, r := range w.Readers {
		seats[r.Name] = engine.Seat(r.Seat)
	}
	return seats
}

// NetworkReaders returns functions of the network n. The page and the broker call these
// functions to pass tags on.
func NetworkReaders(n *reader.Network) *web.Readers {
	return &web.Readers{
		Seat: n.Seat, Tap: n.Tap, Lift: n.Lift, Key: n.PressedKey, Presence: n.Presence, See: reader.NewCameras(n).See,
	}
}
