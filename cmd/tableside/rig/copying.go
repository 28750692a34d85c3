package rig

import (
	"bytes"
	"image"

	"tableside/display/panel"
	"tableside/engine"
)

// Copying hands on the pictures that it draws for a panel, each that
// differs from the one before. An idle panel shows phones the token as a code:
// the copy is without it, because more people read a broker than may play.
type Copying struct {
	panel.Drawer
	To   *func(image.Image) // nil in it: nobody wants them
	last *image.Paletted
}

func (c *Copying) Draw(f engine.Frame, size image.Point) *image.Paletted {
	picture := c.Drawer.Draw(f, size)
	if *c.To == nil {
		return picture
	}
	open := picture
	if f.View.Match == "" && f.Status.Address != "" {
		f.Status.Address = ""
		open = c.Drawer.Draw(f, size)
	}
	if c.last == nil || !bytes.Equal(open.Pix, c.last.Pix) {
		c.last = open
		(*c.To)(open)
	}
	return picture
}
