package epapertest

import "time"

// A mount describes how the glass is mounted on its board.
type mount int

const (
	across        mount = iota // lines of the memory are lines of the picture
	tallWaveshare              // the picture's right edge is the memory's first line
	tallPimoroni               // the picture's left edge is the memory's first line
)

// A family is a type of controller.
type family int

const (
	ssd16xxFamily family = iota
	uc8179Family
	jd79661Family
)

// A model describes a panel: a glass and its controller.
type model struct {
	name                  string
	family                family
	sources               int // of the controller
	gates                 int
	lut                   lutFormat
	outputMode            bool // 21h has the source output mode
	width, height         int  // of the glass, in sources and gates
	firstSource           int  // the source of the glass's first column
	mount                 mount
	otpPartial            bool // the maker stored a waveform for partial refreshes
	redInk                bool
	depth                 int             // bits of a pixel in the memory of a JD79661
	commands              map[byte][2]int // of a JD79661; nil: jdCommands
	fullTime, partialTime time.Duration   // a refresh with the stored waveforms, at room temperature
}

// models holds the panels that can be emulated.
//
// The sizes of the memories are from SSD1680 §1 (176 sources, 296 gates), SSD1683 §1 (400,
// 300) and UC8179 TRES R61h. The other sizes are those that the makers' software sets. The
// refresh times are from the makers' product pages, rounded.
//
// Waveshare's 2.13" and 2.9" glass begins at source S8, because Waveshare's software always
// sets 21h B[7]. Pimoroni's glass begins there, too: Pimoroni's software leaves B[7] alone and
// starts at the second byte.
var models = []model{
	{name: "waveshare-2in13-v2", sources: 160, gates: 296, lut: lut70, width: 122, height: 250,
		mount: tallWaveshare, fullTime: 2 * time.Second, partialTime: 300 * time.Millisecond},
	{name: "waveshare-2in13-v3", sources: 176, gates: 296, lut: lut153, outputMode: true, width: 122, height: 250,
		firstSource: 8, mount: tallWaveshare, fullTime: 2 * time.Second, partialTime: 300 * time.Millisecond},
	{name: "waveshare-2in13-v4", sources: 176, gates: 296, lut: lut153, outputMode: true, width: 122, height: 250,
		firstSource: 8, mount: tallWaveshare, otpPartial: true, fullTime: 2 * time.Second,
		partialTime: 300 * time.Millisecond},
	{name: "waveshare-2in9-v2", sources: 176, gates: 296, lut: lut153, outputMode: true, width: 128, height: 296,
		firstSource: 8, mount: tallWaveshare, fullTime: 2 * time.Second, partialTime: 300 * time.Millisecond},
	{name: "waveshare-4in2-v2", sources: 400, gates: 300, lut: lut227, width: 400, height: 300,
		mount: across, otpPartial: true, fullTime: 4 * time.Second, partialTime: 600 * time.Millisecond},
	{name: "waveshare-7in5-v2", family: uc8179Family, sources: 800, gates: 600, width: 800, height: 480,
		mount: across, otpPartial: true, fullTime: 4 * time.Second, partialTime: 400 * time.Millisecond},
	{name: "inky-phat", sources: 176, gates: 296, lut: lut153, outputMode: true, width: 122, height: 250, firstSource: 8,
		mount: tallPimoroni, redInk: true, fullTime: 15 * time.Second},
	{name: "inky-phat-4colour", family: jd79661Family, sources: 128, gates: 250, depth: 2, width: 122, height: 250,
		mount: tallPimoroni, fullTime: 21400 * time.Millisecond},
	{name: "waveshare-5in83-v2", family: uc8179Family, sources: 800, gates: 600, width: 648, height: 480,
		mount: across, otpPartial: true, fullTime: 4100 * time.Millisecond, partialTime: 400 * time.Millisecond},
	{name: "waveshare-7in3-g", family: jd79661Family, sources: 800, gates: 480, depth: 2,
		commands: jd7in3Commands, width: 800, height: 480, mount: across, fullTime: 20 * time.Second},
	{name: "waveshare-7in3-e", family: jd79661Family, sources: 800, gates: 480, depth: 4,
		commands: jd7in3Commands, width: 800, height: 480, mount: across, fullTime: 12500 * time.Millisecond},
}

// Names returns the names of the panels that New knows.
func Names() []string {
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = m.name
	}
	return names
}

func findModel(name string) (model, bool) {
	for _, m := range models {
		if m.name == name {
			return m, true
		}
	}
	return model{}, false
}
