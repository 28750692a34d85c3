package rig

import (
	"bytes"
	"image"

	"tableside/display/panel"
	"tableside/engine"
)

// CopyingDrawer is a panel's painter that also passes each changed picture to a function. On
// an idle panel, a QR code shows the token to phones. The picture that the function gets lacks
// this code. Such a picture goes to a broker, where people who may not play can also see it.
type CopyingDrawer struct {
	panel.Drawer
	Sink *func(image.Image) // receives the copies; points to nil where nobody does
	last *image.Paletted
}

func (c *CopyingDrawer) Draw(f engine.Frame, size image.Point) *image.Paletted {
	picture := c.Drawer.Draw(f, size)
	if *c.Sink == nil {
		return picture
	}
	open := picture
	if f.View.Match == "" && f.Status.Address != "" {
		f.Status.Address = ""
		open = c.Drawer.Draw(f, size)
	}
	if c.last == nil || !bytes.Equal(open.Pix, c.last.Pix) {
		c.last = open
		(*c.Sink)(open)
	}
	return picture
}
