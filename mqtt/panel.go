package mqtt

import (
	"bytes"
	"image"
	"image/png"
	"time"
)

// pictureEvery is the least time between two published pictures of the panel. maxPicture is the
// most bytes of one; a panel of 800 by 480 pixels takes 20 KB.
const (
	pictureEvery = 5 * time.Second
	maxPicture   = 128 << 10
)

// A picture is the panel's picture on the broker. It belongs to Run's goroutine.
type picture struct {
	next      image.Image // nil once it is published or dropped
	png       []byte      // the picture that was published last; nil before the first
	encodedAt time.Time   // when a picture was last encoded
	wake      *time.Timer // fires when next can be published
}

// ShowPanel hands over the picture that a panel shows, and does not wait for the broker. The
// picture must not change afterwards.
func (c *Client) ShowPanel(picture image.Image) {
	c.box.put(func(m *mail) { m.picture = picture })
}

// panel returns the panel's picture to publish, or nil if there is none. If pictureEvery has passed
// since the last one was published, it is the newest picture. Otherwise it is the last published
// one.
//
// A picture is encoded only when it is published. A picture that is too large is logged and
// dropped.
func (c *Client) panel() []byte {
	p := &c.picture
	if wait := pictureEvery - time.Since(p.encodedAt); p.next != nil && wait > 0 {
		p.wake.Reset(wait)
	} else if p.next != nil {
		var b bytes.Buffer
		err := png.Encode(&b, p.next)
		p.next, p.encodedAt = nil, time.Now()
		if err != nil || b.Len() > maxPicture {
			c.log.Warn("mqtt: the panel's picture is not published", "bytes", b.Len(), "error", err)
		} else {
			p.png = b.Bytes()
		}
	}
	return p.png
}
