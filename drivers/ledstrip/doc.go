// Package ledstrip drives a strip of addressable LEDs from an SPI port:
// WS2812B, SK6812 RGBW and APA102. It limits the brightness of the strip and
// the current it takes.
//
// # WS2812B and SK6812
//
// These chips have one data line, wired to MOSI, on which a short pulse is a 0
// and a long one a 1. Each bit for an LED is four bits of SPI at 3.07 MHz: 1000
// is a 0 and 1100 a 1. SPI controllers of Raspberry Pis divide their core clock
// by an even number, so an SPI bit takes 327 to 330 ns at every core clock that
// they have (200, 250, 333, 400, 500, 550 MHz), and:
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
// The one value outside the limits, T1L of the oldest parts, errs on the
// harmless side: a low may last until it is a reset, and the same sheet allows
// 1.25 us ± 600 ns for the whole bit. Today's parts read nothing after a low
// that is too short.
//
// Each SPI byte ends low. Some controllers hold the line low for a clock
// between two bytes (Pi 4 with DMA: jgarff/rpi_ws281x#499; any Pi without DMA).
// With four bits of SPI that only makes a low longer and moves no edge of a
// pulse; it breaks the usual encoding with three.
//
// A frame begins and ends with a reset. The one in front is for controllers
// that leave MOSI high while they are idle, which is the beginning of a pulse
// for the strip: without it the first LED goes green. The one at the end shows
// the frame at once.
//
// A frame must be one transfer. Between two transfers the line is idle for as
// long as the kernel likes, and a long idle time is a reset: the LEDs would
// show the first half, and take the second half for the beginning of a new
// frame. So New refuses a strip whose frame is longer than a transfer may be: the
// spidev module's usual 4096 bytes hold 322 WS2812B or 241 SK6812.
//
// # APA102
//
// These chips have a clock line and tolerate pauses. periph's driver is not used: it is
// correct but connects in mode 3, and the auxiliary controllers, SPI1 and SPI2 of a Pi,
// support only modes 0 and 2. It also maps colours to a curve made for eyes, though the
// pictures to draw are linear already, and with that curve a frame's current cannot be
// computed before the frame is sent. One idea is taken from that driver: dim LEDs use the
// 5-bit brightness that all three colours share, which makes their steps 31 times finer.
//
// The frame ends in zeros, 32 bits and one for every two LEDs: each LED passes on
// its data half a clock late, and SK9822, which are sold as APA102, show a frame
// only when they see the zeros after it. LEDs past the configured count do not
// light up from zeros.
//
// # A bus of its own
//
// A strip has no chip select. If another chip were on the same bus, the strip would show
// that chip's data. On a Raspberry Pi a WS2812B or SK6812 belongs on SPI0, as SPI1 has no
// DMA and pauses when an interrupt is late.
package ledstrip
