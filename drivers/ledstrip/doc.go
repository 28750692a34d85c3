// Package ledstrip drives a strip of addressable LEDs from an SPI port:
// WS2812B, SK6812 RGBW and APA102. It knows how bright the strip may be and
// how much current it may take.
//
// # WS2812B and SK6812
//
// They have one data line, wired to MOSI, on which the length of each pulse
// tells a 0 from a 1. Each bit for an LED is four bits of SPI at 3.07 MHz: 1000
// is a 0 and 1100 a 1. Controllers of Raspberry Pis divide their core clock by
// an even number, so that what comes out is one SPI bit of 327 to 330 ns at
// every core clock there is (200, 250, 333, 400, 500, 550 MHz), and:
//
//	          ours     WS2812B-V5   SK6812RGBW   WS2812B of 2013
//	T0H   327..330 ns   220..380     150..450     250..550
//	T0L   981..990 ns   580..1000    750..1050    700..1000
//	T1H   654..660 ns   580..1000    450..750     650..950
//	T1L   654..660 ns   580..1000    450..750     300..600
//	RES      303 us       > 280         80          > 50
//
// The core clock must not change while the program runs: config.txt needs
// core_freq=250 (Pi 3, Zero 2 W) or core_freq_min=500 (Pi 4).
//
// The one value outside, T1L of the oldest parts, errs to the side on which
// nothing happens: a low may last until it is a reset, and the same sheet
// allows 1.25 us ± 600 ns for the whole bit. Parts of today read nothing
// after a low that is too short.
//
// Each SPI byte ends low. Some controllers hold the line low for a clock
// between two bytes (Pi 4 with DMA: jgarff/rpi_ws281x#499; any Pi without
// DMA): here this makes a low longer and moves no edge of a pulse. The usual
// encoding with three bits of SPI is cut to pieces by it.
//
// A frame begins and ends with a reset. The one in front is for controllers
// that leave MOSI high while they are idle, which is the beginning of a pulse
// for the strip: without it the first LED goes green. The one behind shows the
// frame at once.
//
// A frame must be one transfer. Between two of them the line rests for as long
// as the kernel likes, and a rest is a reset: the LEDs would show the first
// half, and take the second half for the beginning of a new frame. So New
// refuses a strip that is longer than a transfer may be: with the spidev
// module's usual 4096 bytes 322 WS2812B or 241 SK6812.
//
// # APA102
//
// They have a clock of their own and mind no pause. This is not periph's
// driver, which is right but connects in mode 3: the auxiliary controllers,
// SPI1 and SPI2 of a Pi, know only modes 0 and 2. It also draws colours on a
// curve made for eyes, where the pictures to draw are in light already, and
// its curve leaves no way to know a frame's current before it is sent. What it
// taught is kept: dim LEDs use the 5-bit brightness that all three colours
// share, which makes their steps 31 times finer.
//
// The frame ends in zeros, 32 and one for each two LEDs: each LED passes on
// its data half a clock late, and SK9822, which are sold as APA102, show a
// frame only when they see the zeros after it. LEDs behind the last one that
// was counted do not light up from zeros.
//
// # A bus of its own
//
// A strip has no chip select: whatever is sent to another chip on the same
// bus would be a picture for the strip. On a Raspberry Pi a WS2812B or SK6812
// belongs on SPI0, as SPI1 has no DMA and rests when an interrupt is late.
package ledstrip
