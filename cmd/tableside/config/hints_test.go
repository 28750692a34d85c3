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

// TestMistakesOfPeople checks what is said of mistakes that people make who have never written
// TOML.
func TestMistakesOfPeople(t *testing.T) {
	for _, test := range []struct{ source, want, hint string }{
		{"[http]\ntls = true\n", "f:2: http.tls: got true or false, want text in quotes", `tls = "own"`},
		{"[[readers]]\nreset = 25\n", "f:2: readers.reset: got a number, want text in quotes", `"GPIO25"`},
		{"[table]\nname = “kitchen”\n", "f:2:8: got “, want a value", "straight quotes"},
		{"\xff\xfe[\x00h\x00t\x00t\x00p\x00]\x00", "f:1: the file is not UTF-8, but probably UTF-16", "UTF-8"},
		{"[table]\nname = \"kitchen\nlang = \"fr\"\n", "f:2:16: the text ends without its closing quote", ""},
		{"\ufeff[HTTP]\r\nListen = \"a\r\n", "f:2:12: the text ends without its closing quote", ""},
		{"\ufeff[HTTP]\r\nListen = \"a\"\r\n", "f:2: http.listen: \"a\" is not an address such as 127.0.0.1:8080", ""},
		{"[http]\nlisten = \n", "f:2:10: the value is missing", ""},
		{"[table]\nnme = \"x\"\n[http]\nlisen = \"x\"\n", "f:2: unknown key table.nme; f:4: unknown key http.lisen", "name"},
		{"[foo]\na = 1\n[foo.bar]\nb = 1\n[game]\noptions = { a = 1 }\n", "f:1: unknown key foo; f:6: game.options.a: got a number, want text in quotes", ""},
		{"readers = [{ name = \"x\", nme = 3 }]\n[foo]\na = 1\n", "f:1: unknown key readers.nme; f:2: unknown key foo", "name"},
		{"[mqtt]\nembedded = \"127.0.0.1:1\"\nuser = \"a\"\npassword = \"b\"\npassword_file = \"/c\"\n",
			"f:5: mqtt.password_file: password and password_file exclude each other", ""},
	} {
		c := New(func(string) string { return "" })
		err := c.read("f", test.source)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error()+"; ", test.want+"; ") || !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%q: got %v, %+v", test.source, err, e)
		}
	}
}
