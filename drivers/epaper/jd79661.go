package epaper

import "context"

// jd79661 is a JD79661, or the controller of one of Waveshare's 7.3" panels. Those controllers
// have no name but take the same commands. A jd79661 has one memory, in which each pixel has
// the number of its colour, and makes only full refreshes. The driver uses only black and
// white.
//
// The data sheet is not public. The names and the order of the commands are taken from the
// makers' software and from GxEPD2. Both reset the controller for each picture. This driver
// does the same, so nothing depends on what the controller remembers.
type jd79661 struct {
	line   *line
	panel  *panel
	asleep bool
}

// Register values from Pimoroni's software (inky_jd79661). Some registers have
// no name there.
var jdInky = []command{
	{0x4d, []byte{0x78}},
	{0x00, []byte{0x0f, 0x29}},                               // PSR
	{0x01, []byte{0x07, 0x00}},                               // PWR
	{0x03, []byte{0x10, 0x54, 0x44}},                         // POFS
	{0x06, []byte{0x0f, 0x0a, 0x2f, 0x25, 0x22, 0x2e, 0x21}}, // BTST
	{0x50, []byte{0x37}},                                     // CDI: the border is white
	{0x60, []byte{0x02, 0x02}},                               // TCON
	{0x61, []byte{0x00, 0x80, 0x00, 0xfa}},                   // TRES: 128 x 250
	{0xe7, []byte{0x1c}},
	{0xe3, []byte{0x22}}, // PWS
	{0xb6, []byte{0x6f}},
	{0xb4, []byte{0xd0}},
	{0xe9, []byte{0x01}},
	{0x30, []byte{0x08}}, // PLL
}

// jd7in3 returns register values from Waveshare's software (epd7in3g, epd7in3e),
// which names the registers but does not explain them. The two panels of 7.3"
// differ in the panel setting, the booster and the clock.
func jd7in3(setting, pump1, pump2, clock byte) []command {
	return []command{
		{0xaa, []byte{0x49, 0x55, 0x20, 0x08, 0x09, 0x18}}, // CMDH
		{0x01, []byte{0x3f}},                     // PWR
		{0x00, []byte{setting, 0x69}},            // PSR
		{0x03, []byte{0x00, 0x54, 0x00, 0x44}},   // POFS
		{0x05, []byte{0x40, 0x1f, 0x1f, 0x2c}},   // BTST1
		{0x06, []byte{0x6f, 0x1f, pump1, pump2}}, // BTST2
		{0x08, []byte{0x6f, 0x1f, 0x1f, 0x22}},   // BTST3
		{0x30, []byte{clock}},                    // PLL
		{0x50, []byte{0x3f}},                     // CDI: the border is white
		{0x60, []byte{0x02, 0x00}},               // TCON
		{0x61, []byte{0x03, 0x20, 0x01, 0xe0}},   // TRES: 800 x 480
		{0xe3, []byte{0x2f}},                     // PWS
		{0x84, []byte{0x01}},
	}
}

func (c *jd79661) wake(ctx context.Context, _ bool) (kept bool, err error) {
	if err := c.line.restart(ctx); err != nil {
		return false, err
	}
	c.asleep = false
	return false, c.line.sendAll(c.panel.setup)
}

func (c *jd79661) full(ctx context.Context, next []byte) error {
	if err := c.line.switchBooster(ctx, "power on", 0x04); err != nil { // PON
		return err
	}
	if err := c.line.command(0x10); err != nil { // DTM
		return err
	}
	for _, b := range next {
		if err := c.putPixels(b); err != nil {
			return err
		}
	}
	if err := c.line.flush(); err != nil {
		return err
	}
	return c.line.refresh(ctx, true, 0x12, c.panel.refreshData) // DRF
}

// putPixels sends eight pixels. Each bit of b is a pixel, where 0 is black and 1 is white. The
// pixels are sent as the colour numbers 0 and 1, with panel.pixelBits bits for each pixel and the
// first pixel in the highest bits.
func (c *jd79661) putPixels(b byte) error {
	depth := c.panel.pixelBits
	for range depth {
		v := byte(0)
		for range 8 / depth {
			v = v<<depth | b>>7
			b <<= 1
		}
		if err := c.line.put(v); err != nil {
			return err
		}
	}
	return nil
}

// partial shows the picture with a full refresh, because these panels have no partial one.
func (c *jd79661) partial(ctx context.Context, _, next []byte) error { return c.full(ctx, next) }

// rest switches the power off, because power that stays on harms the glass.
func (c *jd79661) rest(ctx context.Context) error {
	return c.line.switchBooster(ctx, "power off", 0x02, 0x00) // POF
}

func (c *jd79661) sleep(ctx context.Context, trusted bool) error {
	if c.asleep && trusted || c.line.reset == nil {
		return nil
	}
	if err := c.line.deepSleep(ctx, trusted, command{0x07, []byte{0xa5}}); err != nil {
		return err
	}
	c.asleep = true
	return nil
}
