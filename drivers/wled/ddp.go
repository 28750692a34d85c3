package wled

import (
	"encoding/binary"
	"fmt"
	"time"
)

// Port is the UDP port on which WLED listens for DDP.
const Port = 4048

// Fields of the header of a packet (3waylabs.com/ddp; wled/WLED, ESPAsyncE131.h).
const (
	headerSize = 10
	maxData    = 1440 // 480 LEDs: they fit in an Ethernet frame, and WLED has room for no more

	version1 = 0x40
	push     = 0x01 // show it now
	rgb8     = 0x0b // red, green, blue, 8 bits each
	display1 = 1    // the default output

	maxSequence = 15 // and the first is 1; 0 is no number
)

// send sends the picture in d.pixels as one frame, in as many packets as it needs.
func (d *Dev) send() error {
	if err := d.conn.SetWriteDeadline(time.Now().Add(sendLimit)); err != nil {
		return fmt.Errorf("wled: send a frame to %s: %w", d.opts.Host, rootOf(err))
	}
	d.frameSent = true
	for offset := 0; offset < len(d.pixels); offset += maxData {
		data := d.pixels[offset:min(offset+maxData, len(d.pixels))]
		p := d.packet[:headerSize+len(data)]
		p[0] = version1
		if offset+len(data) == len(d.pixels) {
			p[0] |= push
		}
		d.sequence = d.sequence%maxSequence + 1
		p[1], p[2], p[3] = d.sequence, rgb8, display1
		binary.BigEndian.PutUint32(p[4:], uint32(offset))
		binary.BigEndian.PutUint16(p[8:], uint16(len(data)))
		copy(p[headerSize:], data)
		if _, err := d.conn.Write(p); err != nil {
			return fmt.Errorf("wled: send a frame to %s: %w", d.opts.Host, rootOf(err))
		}
	}
	return nil
}
