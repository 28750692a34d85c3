package epaper

import (
	"fmt"
	"image"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
)

// Sources:
//
//   - SSD1680: Solomon Systech, rev. 0.14, June 2019
//   - SSD1683: Solomon Systech, rev. 1.0, January 2021
//   - UC8179: UltraChip UC8179c, rev. 0.6, November 2019
//   - the makers' own software, for facts that only they have: how the glass is
//     wired and mounted, the border, and waveforms that are not stored in the
//     controller (Waveshare e-Paper: epd2in13_V3, epd2in13_V4, epd2in9_V2,
//     epd4in2_V2, epd5in83_V2, epd7in3e, epd7in3g, epd7in5_V2; Pimoroni inky:
//     inky_ssd1608, inky_jd79661)

// A mount describes how the glass is mounted on its board.
type mount int

const (
	across        mount = iota // lines of the memory are lines of the picture
	tallWaveshare              // the memory's first line is the right edge; its columns go down
	tallPimoroni               // the memory's first line is the left edge; its columns go up
)

// A family is a type of controller.
type family int

const (
	ssd16xxFamily family = iota
	uc8179Family
	jd79661Family
)

// A panel describes one type of panel: its glass, its controller and how they are driven. Each
// panel is one row of the package's table of panels.
type panel struct {
	name          string
	family        family
	width, height int // of the glass in the memory: columns and lines
	column        int // where the glass's first byte is in a line of the memory
	mount         mount

	// clock is the SPI clock of the maker's software. The controllers allow 20 MHz (SSD1680
	// table 12-1, p. 42), but not every cable does. A faster clock would gain little,
	// because a refresh takes far longer than the transfer.
	clock physic.Frequency

	resetLow  time.Duration // how long RST is pulled
	resetWait time.Duration // how long to wait after RST has risen

	// powerBehindReset says that the board cuts the panel's power while RST is low. On
	// such a board, a long pulse on RST costs the panel its memories.
	powerBehindReset bool

	// setup holds the commands that set the registers of a UC8179 or JD79661 before each
	// picture.
	setup []command

	// full and partial describe the refreshes; partial is nil if the panel has none.
	full, partial *update

	pixelBits   int  // of a pixel in a JD79661: 2 or 4
	refreshData byte // the data of 12h, the refresh of a JD79661

	// pause is the least time between two refreshes of a panel that only
	// refreshes in full.
	pause time.Duration

	colour bool // the second memory is for the colour, and stays empty

	// fullLimit and partialLimit are the limits for how long a refresh may take, even on
	// cold glass. They are several times the maker's time for room temperature.
	fullLimit, partialLimit time.Duration

	// fullEvery is the number of partial refreshes before a full one. Partial refreshes
	// leave traces, so makers ask for a full refresh after a few of them and at least once
	// a day. Waveshare's manuals ask for it after five. With a full refresh after every
	// five, the table would flicker all evening, so the number here is higher.
	fullEvery int

	maxChangedPercent int // of the pixels, in a partial refresh
}

// An update describes how an SSD16xx refreshes. For other families of controllers, an update
// is empty. If the field full or partial of a panel points to such an update, this only says
// that the panel can make this kind of refresh.
type update struct {
	sequence byte      // 22h, display update control 2
	sources  [2]byte   // 21h, display update control 1
	border   byte      // 3Ch, border waveform
	wave     *waveform // 32h, 3Fh, 03h, 04h, 2Ch; nil: the one stored in the controller
}

// Values of the command 22h (SSD1680 p. 26, SSD1683 p. 29). With each of these values, the
// controller switches its clock and its analog part on, takes the steps in the line comment,
// and switches both off again.
const (
	fullWritten    = 0xc7 // display mode 1 with the waveform in the register
	fullStored     = 0xf7 // temperature, stored waveform of mode 1, display
	partialWritten = 0xcf // display mode 2 with the waveform in the register
	partialStored  = 0xff // temperature, stored waveform of mode 2, display
)

// Values of the command 21h (SSD1680 p. 25, SSD1683 p. 28). The bit B[7] is for the SSD1680
// only. This bit says that the glass is bonded to the sources S8 to S167.
var (
	sourcesS8   = [2]byte{0x00, 0x80}
	sourcesAll  = [2]byte{0x00, 0x00}
	oldBypassed = [2]byte{0x40, 0x00} // the second memory counts as zero
)

// Values of 3Ch (SSD1680 p. 31).
const (
	borderWhite = 0x05 // follows LUT1, which ends white
	borderStill = 0x80 // VCOM: no change
)

// Times for Waveshare's driver board, which cuts the panel's power while RST is low. A pulse
// of 5 ms already empties the capacitors, and the memories lose their content
// (waveshareteam/e-Paper issue 309). All of Waveshare's software pulls RST low for 2 ms, and
// waits 200 ms after switching a panel on.
const (
	waveshareReset = 2 * time.Millisecond
	longPulse      = 4 * time.Millisecond
	powerUp        = 200 * time.Millisecond
)

var panels = []panel{
	{
		name: "waveshare-2in13-v3", width: 122, height: 250, mount: tallWaveshare, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 20 * time.Millisecond,
		full:      &update{sequence: fullWritten, sources: sourcesS8, border: borderWhite, wave: &full2in13v3},
		partial:   &update{sequence: partialWritten, sources: sourcesS8, border: borderStill, wave: &partial2in13v3},
		fullLimit: 10 * time.Second, partialLimit: 4 * time.Second, fullEvery: 30, maxChangedPercent: 35,
	},
	{
		name: "waveshare-2in13-v4", width: 122, height: 250, mount: tallWaveshare, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 20 * time.Millisecond,
		full:      &update{sequence: fullStored, sources: sourcesS8, border: borderWhite},
		partial:   &update{sequence: partialStored, sources: sourcesS8, border: borderStill},
		fullLimit: 10 * time.Second, partialLimit: 4 * time.Second, fullEvery: 30, maxChangedPercent: 35,
	},
	{
		// The maker stored no partial waveform in this one.
		name: "waveshare-2in9-v2", width: 128, height: 296, mount: tallWaveshare, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 20 * time.Millisecond,
		full:      &update{sequence: fullStored, sources: sourcesS8, border: borderWhite},
		partial:   &update{sequence: partialWritten, sources: sourcesS8, border: borderStill, wave: &partial2in9v2},
		fullLimit: 10 * time.Second, partialLimit: 4 * time.Second, fullEvery: 30, maxChangedPercent: 35,
	},
	{
		// Display mode 1 of the SSD1683 is for three colours (p. 29), so the
		// second memory must not count then. Waveshare's fast full refresh (1Ah,
		// then D7h) is not used: full refreshes are rare, and are there to
		// remove all that partial ones have left.
		name: "waveshare-4in2-v2", width: 400, height: 300, mount: across, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 20 * time.Millisecond,
		full:      &update{sequence: fullStored, sources: oldBypassed, border: borderWhite},
		partial:   &update{sequence: partialStored, sources: sourcesAll, border: borderStill},
		fullLimit: 15 * time.Second, partialLimit: 5 * time.Second, fullEvery: 30, maxChangedPercent: 35,
	},
	{
		name: "waveshare-7in5-v2", family: uc8179Family, width: 800, height: 480, mount: across, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 20 * time.Millisecond,
		setup: uc7in5,
		full:  &update{}, partial: &update{},
		fullLimit: 20 * time.Second, partialLimit: 6 * time.Second, fullEvery: 15, maxChangedPercent: 35,
	},
	{
		// Boards sold before Waveshare's software had a partial refresh for
		// them may lack its waveform; they flash then.
		name: "waveshare-5in83-v2", family: uc8179Family, width: 648, height: 480, mount: across, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 20 * time.Millisecond,
		setup: uc5in83, full: &update{}, partial: &update{},
		fullLimit: 20 * time.Second, partialLimit: 6 * time.Second, fullEvery: 15, maxChangedPercent: 35,
	},
	{
		// Four colours.
		name: "waveshare-7in3-g", family: jd79661Family, width: 800, height: 480, mount: across, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 100 * time.Millisecond,
		setup: jd7in3(0x4f, 0x14, 0x14, 0x08), full: &update{}, pixelBits: 2, refreshData: 0x01, pause: slowPause,
		fullLimit: 45 * time.Second, fullEvery: 1, maxChangedPercent: 100,
	},
	{
		// Six colours. GxEPD2 (GxEPD2_730c_GDEP073E01) measured 12.5 s.
		name: "waveshare-7in3-e", family: jd79661Family, width: 800, height: 480, mount: across, clock: 4 * physic.MegaHertz,
		powerBehindReset: true, resetLow: waveshareReset, resetWait: 50 * time.Millisecond,
		setup: jd7in3(0x5f, 0x17, 0x49, 0x03), full: &update{}, pixelBits: 4, refreshData: 0x00, pause: slowPause,
		fullLimit: 45 * time.Second, fullEvery: 1, maxChangedPercent: 100,
	},
	{
		// The driver cannot distinguish black, red and yellow ones, and the
		// second memory of the coloured ones is for their colour: no partial
		// refresh. A coloured one takes some 15 s, more when it is cold.
		// Pimoroni's software leaves 21h alone, so the glass, which begins at S8,
		// is one byte in.
		name: "inky-phat", width: 122, height: 250, column: 1, mount: tallPimoroni, clock: 488 * physic.KiloHertz,
		resetLow: 100 * time.Millisecond, resetWait: 100 * time.Millisecond,
		full:   &update{sequence: fullStored, sources: sourcesAll, border: borderWhite},
		colour: true, fullLimit: 45 * time.Second, fullEvery: 1, maxChangedPercent: 100,
	},
	{
		// The board of 2025: black, white, red and yellow. A refresh takes some
		// 21 s (GxEPD2, GDEY0213F51: 21.4 s on the same glass); Pimoroni allows
		// 40 s.
		name: "inky-phat-4colour", family: jd79661Family, width: 122, height: 250, mount: tallPimoroni,
		clock:    physic.MegaHertz,
		resetLow: 30 * time.Millisecond, resetWait: 30 * time.Millisecond,
		setup: jdInky, full: &update{}, pixelBits: 2, pause: slowPause,
		fullLimit: 45 * time.Second, fullEvery: 1, maxChangedPercent: 100,
	},
}

// slowPause is the pause between two pictures of a slow panel. A picture takes twenty seconds
// of flashing to appear, and should stay for longer than these seconds. The makers ask for
// three minutes between two refreshes. After three minutes, a picture would be too old for a
// table.
const slowPause = 30 * time.Second

// stride returns the number of bytes in a line of a picture. A picture has one bit per pixel,
// because panels with colours show only black and white here.
func (p *panel) stride() int { return (p.width + 7) / 8 }

// size returns the number of bytes in a picture of one bit per pixel.
func (p *panel) size() int { return p.stride() * p.height }

func (p *panel) wholeBox() box { return image.Rect(0, 0, p.stride(), p.height) }

// busyLevel returns the level of BUSY while the panel is busy. The level is high for the
// SSD16xx (SSD1680 §5, p. 8), and low for the others (BUSY_N).
func (p *panel) busyLevel() gpio.Level { return gpio.Level(p.family == ssd16xxFamily) }

// idlePull returns the pull that gives BUSY the level of an idle panel. The BUSY of some boards
// is only ever pulled low (waveshareteam/e-Paper issue 392), and a panel that is missing should
// not look busy.
func (p *panel) idlePull() gpio.Pull {
	if p.busyLevel() == gpio.Low {
		return gpio.PullUp
	}
	return gpio.PullDown
}

// mappingFor returns the mapping for a picture that is turned clockwise by the given degrees. A
// mapping relates the memory's pixels to the picture. If the angle is not 0, 90, 180 or 270,
// mappingFor returns an error.
func (p *panel) mappingFor(degrees int) (mapping, error) {
	// m.column and m.line are the steps in the picture, before it is turned, to the
	// next column and the next line of the memory.
	m := mapping{width: p.width, height: p.height, column: image.Pt(1, 0), line: image.Pt(0, 1)}
	size := image.Pt(p.width, p.height)
	switch p.mount {
	case tallWaveshare:
		size = image.Pt(p.height, p.width)
		m.column, m.line, m.start = image.Pt(0, 1), image.Pt(-1, 0), image.Pt(size.X-1, 0)
	case tallPimoroni:
		size = image.Pt(p.height, p.width)
		m.column, m.line, m.start = image.Pt(0, -1), image.Pt(1, 0), image.Pt(0, size.Y-1)
	}
	switch degrees {
	case 0, 90, 180, 270:
	default:
		return mapping{}, fmt.Errorf("epaper: %s: got a turn of %d degrees, want 0, 90, 180 or 270", p.name, degrees)
	}
	// Where the picture is turned to the right, the panel's (x, y) is the
	// picture's (y, width-1-x).
	for ; degrees > 0; degrees -= 90 {
		m.column, m.line = image.Pt(m.column.Y, -m.column.X), image.Pt(m.line.Y, -m.line.X)
		m.start = image.Pt(m.start.Y, size.X-1-m.start.X)
		size = image.Pt(size.Y, size.X)
	}
	m.bounds = image.Rectangle{Max: size}
	return m, nil
}
