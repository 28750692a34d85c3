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

// PanelPainter returns the painter of the panel.
func (p *Parts) PanelPainter() *CopyingDrawer {
	return &CopyingDrawer{Drawer: p.discreet(panel.NewPainter()), Sink: &p.copyPanel}
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

// discreet returns a painter for what may be on a tape, as pictures are: while one is recorded, it
// draws no address, which holds the token, and no numbers of tags if the tape hides them.
func (p *Parts) discreet(painter panel.Drawer) panel.Drawer {
	if r, ok := p.Ports.(*Recording); ok {
		return discreetDrawer{painter, r.hideTags}
	}
	return painter
}

type discreetDrawer struct {
	panel.Drawer
	hideTags bool
}

func (d discreetDrawer) Draw(f engine.Frame, size image.Point) *image.Paletted {
	f.Status.Address = ""
	if r := f.Status.Receipt; d.hideTags && r != nil && r.Text.Args["tag"] != nil {
		said := *r
		said.Spoken = "" // then only the outcome is told
		f.Status.Receipt = &said
	}
	return d.Drawer.Draw(f, size)
}
