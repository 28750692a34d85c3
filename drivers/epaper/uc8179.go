package epaper

import "context"

// uc8179 is a UC8179 in KW mode, in which DTM1 is the old picture and DTM2 the new one.
//
// Nothing depends on what the controller remembers. The driver sets the registers for each
// picture. A partial refresh sends the old and the new picture of its window, and touches
// nothing outside. So a loss of power between two pictures does no harm. Deep sleep, in which
// the memories are lost, does no harm either.
type uc8179 struct {
	line   *line
	panel  *panel
	asleep bool
}

// uc7in5 holds registers (UC8179 command table), with the values of Waveshare's
// software unless noted.
var uc7in5 = []command{
	{0x01, []byte{0x07, 0x07, 0x3f, 0x3f}}, // PWR: internal; VGH 20 V, VGL -20 V, VDH 15 V, VDL -15 V
	{0x06, []byte{0x17, 0x17, 0x28, 0x17}}, // BTST: soft start and strength of the booster
	{0x00, []byte{0x1f}},                   // PSR: waveforms stored in the chip, KW mode, gates up, sources right
	{0x61, []byte{0x03, 0x20, 0x01, 0xe0}}, // TRES: 800 x 480
	{0x15, []byte{0x00}},                   // DUSPI: one data line
	{0x60, []byte{0x22}},                   // TCON: gap between source and gate
}

// uc5in83 holds the registers for the smaller glass, the one of 5.83 inches. Waveshare leaves
// the booster of this glass at its reset values. Since December 2025, Waveshare's software
// sends only PSR and relies on the values that the maker stored. Earlier versions and GxEPD2
// (GxEPD2_583_T8) send all of these registers.
var uc5in83 = []command{
	{0x01, []byte{0x07, 0x07, 0x3f, 0x3f}},
	{0x00, []byte{0x1f}},
	{0x61, []byte{0x02, 0x88, 0x01, 0xe0}}, // TRES: 648 x 480
	{0x15, []byte{0x00}},
	{0x60, []byte{0x22}},
}

// ucBorderOff lets the border float (CDI R50h BDZ). A border that is driven while the panel
// rests turns grey. Waveshare's software sends this command before deep sleep.
var ucBorderOff = command{0x50, []byte{0xf7}}

// ucFull and ucPartial set the registers for the two kinds of refresh. Both set CDI R50h so
// that a bit of 1 is white (DDX 01). After a refresh, the new picture becomes the old one
// (N2OCP).
//
// A full refresh drives the border like a pixel that changes to white. A partial refresh lets
// the border float.
var (
	ucFull = []command{
		{0x50, []byte{0x29, 0x07}},
		{0xe0, []byte{0x00}}, // CCSET: the waveform follows the temperature
	}
	ucPartial = []command{
		{0x50, []byte{0xa9, 0x07}},
		{0xe0, []byte{0x02}}, // CCSET TSFIX: the waveform is chosen by TSSET:
		{0xe5, []byte{0x6e}}, // where the maker stored the one for partial refreshes
	}
)

func (c *uc8179) wake(ctx context.Context, trusted bool) (kept bool, err error) {
	kept = true
	switch {
	case !trusted:
		err = c.line.restart(ctx)
	case c.asleep:
		kept, err = c.line.pulse(ctx)
	default:
		err = c.line.waitIdle(ctx, "the last picture", settleLimit)
	}
	c.asleep = false
	if err != nil {
		return false, err
	}
	return kept, c.line.sendAll(c.panel.setup)
}

func (c *uc8179) full(ctx context.Context, next []byte) error {
	if err := c.line.sendAll(ucFull); err != nil {
		return err
	}
	if err := c.line.switchBooster(ctx, "power on", 0x04); err != nil { // PON
		return err
	}
	all := c.panel.wholeBox()
	// The old picture is the opposite of the new one, so every pixel is driven.
	if err := c.line.sendBox(0x10, next, all, 0xff); err != nil {
		return err
	}
	if err := c.line.sendBox(0x13, next, all, 0); err != nil {
		return err
	}
	return c.line.refresh(ctx, true, 0x12) // DRF
}

func (c *uc8179) partial(ctx context.Context, was, next []byte) error {
	if err := c.line.sendAll(ucPartial); err != nil {
		return err
	}
	if err := c.line.switchBooster(ctx, "power on", 0x04); err != nil {
		return err
	}
	b := shrink(was, next, c.panel.stride(), c.panel.wholeBox())
	left, right, top, bottom := b.Min.X*8, b.Max.X*8-1, b.Min.Y, b.Max.Y-1
	if err := c.line.send(0x91); err != nil { // PTIN: from now on within the window
		return err
	}
	err := c.line.send(0x90, // PTL: both ends, and PT_SCAN: all gates are scanned
		byte(left>>8), byte(left), byte(right>>8), byte(right),
		byte(top>>8), byte(top), byte(bottom>>8), byte(bottom), 0x01)
	if err != nil {
		return err
	}
	if err := c.line.sendBox(0x10, was, b, 0); err != nil {
		return err
	}
	if err := c.line.sendBox(0x13, next, b, 0); err != nil {
		return err
	}
	if err := c.line.refresh(ctx, false, 0x12); err != nil {
		return err
	}
	return c.line.send(0x92) // PTOUT
}

// rest switches the border and the power off, because they harm the glass if they stay on.
// The registers and memories keep their contents (POF R02h).
func (c *uc8179) rest(ctx context.Context) error {
	if err := c.line.send(ucBorderOff.code, ucBorderOff.data...); err != nil {
		return err
	}
	return c.line.switchBooster(ctx, "power off", 0x02)
}

func (c *uc8179) sleep(ctx context.Context, trusted bool) error {
	if c.asleep && trusted || c.line.reset == nil {
		return nil
	}
	if err := c.line.deepSleep(ctx, trusted, ucBorderOff, command{0x07, []byte{0xa5}}); err != nil {
		return err
	}
	c.asleep = true
	return nil
}
