package epaper_test

import (
	"slices"
	"strings"
	"testing"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

// TestReadInky reads the EEPROM, which names the board and its panel.
func TestReadInky(t *testing.T) {
	for _, test := range []struct {
		variant     byte
		name, panel string
	}{
		{1, "Inky pHAT of 212x104, red", ""},
		{6, "Inky wHAT, red", ""},
		{10, "Inky pHAT of 250x122, black (SSD1608)", "inky-phat"},
		{11, "Inky pHAT of 250x122, red (SSD1608)", "inky-phat"},
		{12, "Inky pHAT of 250x122, yellow (SSD1608)", "inky-phat"},
		{22, "Inky Impression 7.3", ""},
		{23, "Inky pHAT of 250x122, red and yellow (JD79661)", "inky-phat-4colour"},
		{99, "an Inky that is not known here, 250x122", ""},
	} {
		e := epapertest.NewEEPROM(epapertest.Inky(250, 122, 7, 12, test.variant))
		board, err := epaper.ReadInky(e)
		if err != nil {
			t.Fatal(err)
		}
		if board != (epaper.InkyBoard{Width: 250, Height: 122, PCB: 12, Variant: int(test.variant)}) {
			t.Errorf("%+v", board)
		}
		if s := board.String(); !strings.HasPrefix(s, test.name) || !strings.HasSuffix(s, ", board 1.2") {
			t.Errorf("variant %d: %q, want %q", test.variant, s, test.name)
		}
		if board.Panel() != test.panel || test.panel != "" && !slices.Contains(epaper.Panels(), test.panel) {
			t.Errorf("variant %d: panel %q, want %q", test.variant, board.Panel(), test.panel)
		}
		if words := e.Violations(); len(words) > 0 {
			t.Error(words)
		}
	}
}

// TestInkyFits checks that a board that needs another panel, or none of ours, is
// refused with what to do, and that an unknown one is accepted.
func TestInkyFits(t *testing.T) {
	for _, test := range []struct {
		variant     int
		panel, want string
	}{
		{10, "inky-phat", ""},
		{23, "inky-phat-4colour", ""},
		{99, "inky-phat", ""},
		{23, "inky-phat", `model = "inky-phat-4colour" does`},
		{12, "inky-phat-4colour", `model = "inky-phat" does`},
		{4, "inky-phat", "nor does any other panel"},
	} {
		err := epaper.InkyBoard{Variant: test.variant}.Fits(test.panel)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("variant %d, %s: %v, want %q", test.variant, test.panel, err, test.want)
		}
	}
}

func TestReadInkyRefuses(t *testing.T) {
	gone := epapertest.NewEEPROM(epapertest.Inky(250, 122, 1, 12, 10))
	gone.Remove()
	if _, err := epaper.ReadInky(gone); err == nil || !strings.Contains(err.Error(), "0x50") {
		t.Error("nobody answers:", err)
	}
	for _, content := range [][]byte{nil, make([]byte, 29), []byte("R-Pi a HAT's own EEPROM, not an Inky's")} {
		if _, err := epaper.ReadInky(epapertest.NewEEPROM(content)); err == nil ||
			!strings.Contains(err.Error(), "not an Inky's") {
			t.Errorf("% x: %v", content, err)
		}
	}
}

func FuzzReadInky(f *testing.F) {
	f.Add(epapertest.Inky(250, 122, 7, 12, 23))
	f.Add(append(epapertest.Inky(212, 104, 2, 12, 1)[:7], slices.Repeat([]byte{0xff}, 22)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		board, err := epaper.ReadInky(epapertest.NewEEPROM(b))
		if err != nil {
			return
		}
		if board.String() == "" {
			t.Errorf("%+v", board)
		}
		if board.Panel() != "" && board.Fits(board.Panel()) != nil {
			t.Errorf("%v does not fit its own panel", board)
		}
	})
}
