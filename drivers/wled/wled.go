// Package wled drives a strip of lights on a WLED controller over the network. It sends
// pictures as DDP over UDP. It reads the state of the controller over HTTP, because nothing
// comes back on UDP.
//
// The source for DDP is 3waylabs.com/ddp. The source for WLED's treatment of DDP is its own
// code (wled/WLED, wled00/e131.cpp, udp.cpp, json.cpp of August 2026). The source for WLED's
// JSON API is kno.wled.ge/interfaces/json-api.
//
// # What WLED does with a picture
//
// WLED shows a frame when the packet with the flag PUSH arrives. It uses the colour order of
// its own settings. It dims the frame by its own brightness and its own limit of the current.
// By default, WLED does no gamma correction of such pictures ("Disable realtime gamma
// correction"). So half the value gives half the light, as on a wired strip.
//
// If nothing has come for 2.5 s (a setting, "Timeout"), WLED falls back to its own effect. So
// the caller of Draw repeats the picture each second, which allows for one lost packet. Halt
// gives the strip back immediately.
//
// # What this driver does not do
//
// The driver does not learn whether a frame has arrived, and does not send a lost frame again.
// It does not address white LEDs. A controller with white LEDs can make white from the three
// colours if it is configured to.
package wled

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/display"

	"tableside/drivers/ledstrip"
)

// Opts are the options of a strip.
type Opts struct {
	Host       string  // name or address, with a port where WLED's page is not on 80
	Count      int     // LEDs
	Brightness float64 // of full light, above 0 to 1; 0 means 1. WLED's own dims further

	Port int // UDP port of DDP; 0 is 4048, and WLED has no other

	// Resolve returns the addresses of a name. nil stands for the system's resolver.
	Resolve func(ctx context.Context, name string) ([]netip.Addr, error)
	// Dial opens connections. nil stands for the system's network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// maxLEDs is the greatest number of LEDs in a strip. The DMA buffers of an ESP32 hold even
// fewer.
const maxLEDs = 4000

// These are the longest times that the network may take.
const (
	resolveLimit = 2 * time.Second
	sendLimit    = 100 * time.Millisecond // for a packet to get into the socket
)

// A Dev is a strip on a WLED. Its picture is a row of Count×1 pixels. Its colours are linear,
// so half the value gives half the light. Only one goroutine may call Connect, Draw and Halt.
// Another goroutine may call Ask or Overridden meanwhile, but not during Connect.
type Dev struct {
	opts       Opts
	name, port string // of Host

	brightness uint32     // share of full light; 1<<16 is all of it
	pixels     []byte     // the LEDs as they were drawn: red, green, blue
	packet     []byte     // one packet, with its header
	sequence   byte       // number of the last packet, 1 to 15; 0 before the first
	conn       net.Conn   // for DDP; nil before Connect
	frameSent  bool       // a frame was sent since Connect
	address    netip.Addr // of the controller
}

// New returns a strip on a WLED. It sends nothing; Connect does.
func New(o *Opts) (*Dev, error) {
	name, port, err := Split(o.Host)
	if err != nil {
		return nil, fmt.Errorf("wled: host: %w", err)
	}
	if o.Count < 1 || o.Count > maxLEDs {
		return nil, fmt.Errorf("wled: got %d LEDs, want 1 to %d", o.Count, maxLEDs)
	}
	if !(o.Brightness >= 0 && o.Brightness <= 1) { // NaN is neither
		return nil, fmt.Errorf("wled: got brightness %v, want 0 to 1", o.Brightness)
	}
	d := &Dev{
		opts: *o, name: name, port: port, brightness: 1 << 16,
		pixels: make([]byte, 3*o.Count),
		packet: make([]byte, headerSize+min(maxData, 3*o.Count)),
	}
	if o.Brightness > 0 {
		d.brightness = uint32(math.Round(o.Brightness * (1 << 16)))
	}
	d.opts.Port = cmp.Or(d.opts.Port, Port)
	if d.opts.Resolve == nil {
		d.opts.Resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	if d.opts.Dial == nil {
		d.opts.Dial = (&net.Dialer{}).DialContext
	}
	return d, nil
}

// Split splits a host, such as "wled-table.local:8080", into its name and its port. An address
// may stand in place of the name. The port is that of WLED's page. If the host has no port,
// Split returns port 80.
func Split(host string) (name, port string, err error) {
	name, port = host, "80"
	if !strings.Contains(host, "/") && (strings.HasPrefix(host, "[") || strings.Count(host, ":") == 1) {
		if name, port, err = net.SplitHostPort(host); err != nil {
			return "", "", fmt.Errorf("got %q, want a name or an address, as \"wled-table.local\"", host)
		}
	}
	if _, err := netip.ParseAddr(name); err != nil && !isName(name) {
		const form = "got %q, want a name or an address without http:// and path, as \"wled-table.local\""
		return "", "", fmt.Errorf(form, host)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", "", fmt.Errorf("got port %q, want 1 to 65535", port)
	}
	return name, port, nil
}

// isName reports whether s may be the name of a host (RFC 1123, 2.1). Underscores are allowed
// too, because some routers use them.
func isName(s string) bool {
	for label := range strings.SplitSeq(strings.TrimSuffix(s, "."), ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for _, r := range label {
			if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
				return false
			}
		}
	}
	return len(s) <= 253
}

// Connect finds the controller and asks for its name and version. Call Connect before the
// first Draw. Call it again after an error, because a controller may come back with another
// address.
//
// The error wraps ErrUnknownName, ErrSilent or ErrNotWLED, or says that UDP could not be
// opened. Connect takes 4 s at most.
func (d *Dev) Connect(ctx context.Context) (Info, error) {
	d.close()
	address, err := d.resolve(ctx)
	if err != nil {
		return Info{}, fmt.Errorf("wled: %s: %w", d.name, err)
	}
	d.address = address
	info, err := d.Ask(ctx)
	if err != nil {
		return info, err
	}
	to := netip.AddrPortFrom(address, uint16(d.opts.Port)).String()
	if d.conn, err = d.opts.Dial(ctx, "udp", to); err != nil {
		return info, fmt.Errorf("wled: open UDP to %s: %w", to, rootOf(err))
	}
	return info, nil
}

// resolve returns the controller's address. It prefers an IPv4 address, because WLED supports
// IPv4.
func (d *Dev) resolve(ctx context.Context) (netip.Addr, error) {
	if address, err := netip.ParseAddr(d.name); err == nil {
		return address, nil
	}
	ctx, cancel := context.WithTimeout(ctx, resolveLimit)
	defer cancel()
	all, err := d.opts.Resolve(ctx, d.name)
	if err != nil {
		return netip.Addr{}, &unknownNameError{err}
	}
	for _, address := range all {
		if address = address.Unmap(); address.Is4() {
			return address, nil
		}
	}
	if len(all) == 0 {
		return netip.Addr{}, &unknownNameError{errors.New("no address")}
	}
	return all[0], nil
}

// ErrUnknownName reports that the name of the controller has no address.
var ErrUnknownName = errors.New("the name has no address")

type unknownNameError struct{ cause error }

func (u *unknownNameError) Error() string        { return "find its address: " + u.cause.Error() }
func (u *unknownNameError) Unwrap() error        { return u.cause }
func (u *unknownNameError) Is(target error) bool { return target == ErrUnknownName }

// Address returns the address that Connect last found for the controller, even if nothing
// answers there.
func (d *Dev) Address() netip.Addr { return d.address }

func (d *Dev) String() string { return fmt.Sprintf("wled{%s, %d LEDs}", d.opts.Host, d.opts.Count) }

// ColorModel implements display.Drawer.
func (d *Dev) ColorModel() color.Model { return color.NRGBAModel }

// Bounds returns the rectangle of the strip: Count×1 pixels from 0, 0 on.
func (d *Dev) Bounds() image.Rectangle { return image.Rect(0, 0, d.opts.Count, 1) }

// Draw implements display.Drawer. It changes the LEDs within r and sends the whole picture,
// even if nothing has changed. If r covers no LED, Draw sends nothing. Before Connect, Draw
// fails. A half-transparent pixel is half as bright.
func (d *Dev) Draw(r image.Rectangle, src image.Image, sp image.Point) error {
	if d.conn == nil {
		return errors.New("wled: draw: not connected")
	}
	changed := ledstrip.Pixels(d.opts.Count, r, src, sp, func(x int, red, green, blue uint32) {
		led := d.pixels[3*x:]
		led[0], led[1], led[2] = d.dim(red), d.dim(green), d.dim(blue)
	})
	if !changed {
		return nil
	}
	return d.send()
}

// dim converts one component of a colour from 16 bits to 8 bits, and reduces it to the
// brightness of the strip.
func (d *Dev) dim(part uint32) byte { return byte(((part>>8)*d.brightness + 1<<15) >> 16) }

// Halt implements conn.Resource. It turns the strip dark and gives it back to WLED. If nothing
// was drawn since Connect, Halt leaves the strip alone. Halt takes 1.1 s at most. Call Connect
// before drawing again.
func (d *Dev) Halt() error {
	if d.conn == nil {
		return nil
	}
	defer d.close()
	if !d.frameSent {
		return nil
	}
	clear(d.pixels)
	return errors.Join(d.send(), d.release())
}

func (d *Dev) close() {
	if d.conn != nil {
		_ = d.conn.Close() // nothing is buffered in it
		d.conn, d.frameSent = nil, false
	}
}

var (
	_ display.Drawer = (*Dev)(nil)
	_ conn.Resource  = (*Dev)(nil)
)
