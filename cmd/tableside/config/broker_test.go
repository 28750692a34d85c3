package config

import "testing"

// TestOpenBroker tests that an embedded broker that would refuse to start is a mistake
// of the file, with its line.
func TestOpenBroker(t *testing.T) {
	for source, want := range map[string]string{
		"[mqtt]\nembedded = \"0.0.0.0:1883\"": "t.toml:2: mqtt.embedded: 0.0.0.0:1883 is open to the network, " +
			"and asks for no password",
		"[mqtt]\nembedded = \":1883\"": "t.toml:2: mqtt.embedded: :1883 is open to the network, and asks for no password",
		"[mqtt]\nuser = \"u\"\nembedded = \"127.0.0.1:1883\"": "t.toml:1: mqtt: the embedded broker needs both a user " +
			"and a password, or neither",
		"[mqtt]\nembedded = \"0.0.0.0:1883\"\nuser = \"u\"\npassword = \"p\"": "",
		"[mqtt]\nbroker = \"a\"\nbrokers = [\"b\"]": "t.toml:3: mqtt.brokers: " +
			"broker and brokers exclude each other",
		"[mqtt]\nembedded = \"127.0.0.1:1883\"\nbrokers = [\"b\"]": "t.toml:1: mqtt: " +
			"broker and embedded exclude each other",
		"[mqtt]\nbrokers = [\"tcp://a\", \"tcp://u:p@b\"]": "t.toml:1: mqtt: put user and password in mqtt.user " +
			"and mqtt.password, not in the broker's address",
		"[mqtt]\nbrokers = [\"tcp://a\", \"ssl://b\"]\nuser = \"u\"": "",
		"[hall]\nlisten = \"127.0.0.1:1\"": "t.toml:2: hall.listen: " +
			"a hall without a broker hears nobody",
		"[mqtt]\nhall = \"club\"":                        "t.toml:2: mqtt.hall: a table without a broker hears no hall",
		"[mqtt]\nbroker = \"a\"\nhall = \"The Club\"":    "t.toml:3: mqtt.hall: \"The Club\" cannot name a hall",
		"[mqtt]\nbroker = \"a\"\nhall = \"club\"":        "",
		"[hall]\nname = \"a/b\"":                         "t.toml:2: hall.name: \"a/b\" cannot name a hall",
		"[hall]\ndata = \"hall\"":                        "t.toml:2: hall.data: got \"hall\", want an absolute path",
		"[table]\ndata = \"/x\"\n[hall]\ndata = \"/x/\"": "t.toml:4: hall.data: the same folder as table.data",
		"[hall]\nlisten = \"here\"\n[mqtt]\nbroker = \"h\"": "t.toml:2: hall.listen: \"here\" " +
			"is not an address such as 127.0.0.1:8080",
		"[hall]\nlisten = \"127.0.0.1:1\"\n[mqtt]\nbroker = \"h\"": "",
		"[hall]\nlisten = \"127.0.0.1:1\"\n[mqtt]\nbroker = \"h\"\n[http]\ntls = \"own\"": "t.toml:2: hall.listen: " +
			"the page of a hall has no TLS",
		"[hall]\nlisten = \"127.0.0.1:8080\"\n[mqtt]\nbroker = \"h\"\n[http]\nlisten = \"127.0.0.1:8080\"": "t.toml:2: " +
			"hall.listen: the same address as http.listen",
		"[hall]\nlisten = \"127.0.0.1:1883\"\n[mqtt]\nembedded = \"127.0.0.1:1883\"": "t.toml:2: hall.listen: " +
			"the same address as mqtt.embedded",
		"[hall]\nlisten = \"127.0.0.1:0\"\n[mqtt]\nembedded = \"127.0.0.1:0\"": "",
		"[mqtt]\nembedded = \"127.0.0.2:1883\"":                                "",
		"[mqtt]\nembedded = \"[::1]:1883\"":                                    "",
		"[mqtt]\nembedded = \"localhost:1883\"":                                "",
	} {
		_, err := load(source)
		if got := ""; err != nil {
			if got = err.Error(); got != want {
				t.Errorf("%q: %s\nwant %s", source, got, want)
			}
		} else if want != "" {
			t.Errorf("%q: no error, want %s", source, want)
		}
	}
}
