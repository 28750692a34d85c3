package config

import (
	"errors"
	"strings"
	"testing"
)

// TestHints tests what is suggested for a part that is written otherwise than here.
func TestHints(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`chip = "pn532"`, `chip = "rc522"`, "did you mean mfrc522?"},
		{`chip = "pn532"`, `chip = "RC522"`, "did you mean mfrc522?"},
		{`chip = "pn532"`, `chip = "PN532"`, "did you mean pn532?"},
		{`chip = "ws2812"`, `chip = "WLED"`, "did you mean wled?"},
		{`chip = "ws2812"`, `chip = "neopixel"`, "did you mean ws2812?"},
		{`chip = "ws2812"`, `chip = "candles"`, ""},
		{`dc = "GPIO23"`, `dc = "gpio23"`, "did you mean GPIO23?"},
		{`dc = "GPIO23"`, `dc = "gpio28"`, `"GPIO0" to "GPIO27", by the numbers of the chip and not of the header`},
	} {
		source := strings.Replace(whole, test.old, test.new, 1)
		_, err := load(source)
		var e *Error
		if source == whole || !errors.As(err, &e) || e.Hint != test.want {
			t.Errorf("%s: %v, %+v\nwant the hint %q", test.new, err, e, test.want)
		}
	}
}
