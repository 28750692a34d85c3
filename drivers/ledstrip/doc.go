// Package ledstrip drives a strip of addressable LEDs from an SPI port. The LEDs are WS2812B,
// SK6812 RGBW or APA102. The package limits the brightness of the strip and the current that
// the strip takes.
//
// # WS2812B and SK6812
//
// These chips have one data line, which is wired to MOSI. On the line, a short pulse is a 0
// and a long pulse is a 1. Each bit for an LED is four bits of SPI at 3.07 MHz: 1000 is a 0,
// and 1100 is a 1. The SPI controllers of Raspberry Pis divide their core clock by an even
// number. So an SPI bit takes 327 to 330 ns at every core clock that they have (200, 250, 333,
// 400, 500, 550 MHz). The table compares the times of this package with the data sheets:
//
//	          ours     WS2812B-V5   SK6812RGBW   WS2812B of 2013
//	T0H   327..330 ns   220..380     150..450     250..550
//	T0L   981..990 ns   580..1000    750..1050    700..1000
//	T1H   654..660 ns   580..1000    450..750     650..950
//	T1L   654..660 ns   580..1000    450..750     300..600
//	RES      303 us       > 280         80          > 50
//
// The core clock must not change while the program runs. For this, config.txt needs
// core_freq=250 (Pi 3, Zero 2 W) or core_freq_min=500 (Pi 4).
//
// One value is outside the limits: T1L of the oldest parts. The difference is harmless,
// because a low may last until it is a reset. The same data sheet allows 1.25 us ± 600 ns for
// the whole bit. Today's parts read nothing after a low that is too short.
//
// Each SPI byte ends with a low level. Some controllers hold the line low for a clock between
// two bytes (Pi 4 with DMA: jgarff/rpi_ws281x#499; any Pi without DMA). With four bits of SPI,
// such a pause only makes a low longer and moves no edge of a pulse. The usual encoding with
// three bits does not work with such a pause.
//
// A frame begins and ends with a reset. The reset at the beginning is for controllers that
// leave MOSI high while they are idle. For the strip, the high level is the beginning of a
// pulse, and without the reset the first LED goes green. The reset at the end shows the frame
// at once.
//
// A frame must be one transfer. Between two transfers the line is idle for as long as the
// kernel likes, and a long idle time is a reset. The LEDs would show the first half of the
// frame, and take the second half for the beginning of a new frame. So New refuses a strip
// whose frame is longer than a transfer may be. The usual 4096 bytes of the module spidev hold
// 322 WS2812B or 241 SK6812.
//
// # APA102
//
// These chips have a clock line and tolerate pauses. periph's driver for them is not used. It
// is correct but connects in mode 3, and the auxiliary controllers of a Pi, SPI1 and SPI2,
// support only modes 0 and 2. It also maps colours to a curve made for eyes, though the
// pictures to draw are linear already. With that curve, the current of a frame cannot be
// computed before the frame is sent. This package takes one idea from periph's driver: dim
// LEDs use the 5-bit brightness that all three colours share, which makes their steps 31 times
// finer.
//
// The frame ends in zeros: 32 bits, and one bit for every two LEDs. Each LED passes on its
// data half a clock late. The chips SK9822, which are sold as APA102, show a frame only when
// they see the zeros after the frame. LEDs past the configured count do not light up from
// zeros.
//
// # A bus of its own
//
// A strip has no chip select. If another chip were on the same bus, the strip would show that
// chip's data. On a Raspberry Pi, a WS2812B or SK6812 belongs on SPI0, because SPI1 has no DMA
// and pauses when an interrupt is late.
package ledstrip
