package bench

import (
	"tableside/cmd/tableside/rig"
	"tableside/drivers/wled"
	"tableside/drivers/wled/wledtest"
)

// WLEDPorts adds a network with an emulated WLED to other ports.
type WLEDPorts struct {
	rig.Ports
	There *wledtest.WLED
}

// Network implements rig.Networked.
func (p WLEDPorts) Network(o *wled.Opts) { o.Dial, o.Resolve = p.There.Dial, p.There.Resolve }
