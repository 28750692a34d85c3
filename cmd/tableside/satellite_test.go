package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/mqtt"
)

// TestSatellites plays on a table without a reader with the messages that the
// configurations in docs/satellite.md send, over a real broker.
func TestSatellites(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/satellite.md")
	if err != nil {
		t.Fatal(err)
	}
	find := func(pattern string) string {
		t.Helper()
		m := regexp.MustCompile(pattern).FindSubmatch(page)
		if m == nil {
			t.Fatalf("docs/satellite.md has no %s", pattern)
		}
		return string(m[1])
	}
	espTap := find(`(?s)on_tag:.*?mqtt\.publish:\s+topic: (\S+)\s+payload: !lambda 'return id\(lying\);'`)
	espLift := find(`(?s)on_tag_removed:.*?mqtt\.publish:\s+topic: (\S+)\s+payload: !lambda 'return id\(lying\);'`)
	espResult := find(`(?s)on_json_message:\s+topic: (\S+)`)
	born := find(`(?s)birth_message:\s+topic: (\S+)\s+payload: online\s+retain: true`)
	will := find(`(?s)will_message:\s+topic: (\S+)\s+payload: offline\s+retain: true`)
	full := find(`FullTopic (\S+); Prefix3 reader; Topic blue`)
	lwt := strings.NewReplacer("%prefix%", "reader", "%topic%", "blue").Replace(full) + "LWT"
	rule := find(`Rule1 ON PN532#UID DO Publish (\S+ %value%) ENDON`)
	tasmotaTap, _, _ := strings.Cut(rule, " ")

	broker := startMosquitto(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "table.toml")
	config := `
[table]
name = "demo"
data = "` + dir + `/data"
[http]
listen = "127.0.0.1:0"
[mqtt]
broker = "tcp://` + broker + `"
[game]
name = "mindbug/first-contact"
seats = ["red=Alice", "blue=Max"]
first = "red"
`
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(broker)
	// Its message is older than the table's connection.
	publishOnce(t, host, port, "-r", "-t", lwt, "-m", "Online")
	p := startTable(t, "run", "--config", file)
	results := map[string]<-chan []byte{}
	for _, place := range []string{"red", "blue", "table", "sofa"} {
		results[place] = hear(t, broker, "tableside/demo/reader/"+place+"/result")
	}
	if espResult != "tableside/demo/reader/red/result" {
		t.Errorf("ESPHome listens to %s", espResult)
	}
	for online := hear(t, broker, "tableside/demo/status"); string(<-online) != "online"; {
	}
	// Both send with QoS 0 and without the retain flag.
	send := func(topic, payload string, outcome engine.Outcome, key string) {
		t.Helper()
		publishOnce(t, host, port, "-t", topic, "-m", payload)
		place := strings.Split(topic, "/")[3]
		select {
		case data := <-results[place]:
			var r mqtt.Result
			if err := json.Unmarshal(data, &r); err != nil {
				t.Fatal(err)
			}
			if r.Outcome != outcome || r.Reason.Key != key || (key != "") != (r.Text != "") {
				t.Errorf("%s %s: got %s, want %s %s", topic, payload, data, outcome, key)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s %s: no answer", topic, payload)
		}
	}

	// ESPHome writes a UID with hyphens, Tasmota without.
	send(espTap, "04-A1-B2-C3-D4-E5-F6", engine.Unknown, "receipt.unknown-tag")
	send(espLift, "04-A1-B2-C3-D4-E5-F6", engine.Accepted, "")
	learn := `{"do":"learn","tag":"04A1B2C3D4E5F6","card":"key/no"}`
	answer, err := http.Post(p.page+"/api/match", "application/json", strings.NewReader(learn))
	if err != nil || answer.Body.Close() != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v, %v", learn, answer, err)
	}
	// A text needs no catalogue.
	send(espTap, "tableside:mindbug/axolotl-healer.1", engine.Accepted, "")
	send(espLift, "tableside:mindbug/axolotl-healer.1", engine.Accepted, "")
	v, err := p.view()
	if err != nil || v.Seq != 1 {
		t.Errorf("after a card: seq %d, %v", v.Seq, err)
	}
	send(tasmotaTap, "04A1B2C3D4E5F6", engine.Accepted, "") // Blue does not want the card
	send(tasmotaTap, "04A1B2C3D4E5F6", engine.Accepted, "") // it lies there, and is reported again
	if v, err = p.view(); err != nil || v.Seq != 2 {
		t.Errorf("after the answer: seq %d, %v", v.Seq, err)
	}
	for _, c := range []struct{ topic, payload, key string }{
		{espTap, "hello", "receipt.no-tag"},
		{espTap, "04-A1-B2", "receipt.no-tag"},
		{espTap, "08-11-22-33", "receipt.random-tag"},
		{espTap, strings.Repeat("04", 300), "receipt.tag-too-long"},
		{espTap, strings.Repeat("04", 3000), "mqtt.too-long"},
		{espTap, "tableside:mindbug/", "receipt.no-meaning"},
		{"tableside/demo/reader/sofa/tap", "04-A1-B2-C3-D4-E5-F6", "receipt.no-place"},
		{"tableside/demo/reader/sofa/lift", "04-A1-B2-C3-D4-E5-F6", "receipt.no-place"},
	} {
		send(c.topic, c.payload, engine.Malformed, c.key)
	}
	if v, err = p.view(); err != nil || v.Seq != 2 {
		t.Errorf("after bad input: seq %d, %v", v.Seq, err)
	}

	// Both say when they come, and the broker says when they go.
	p.untilHealth("satellite-blue", engine.OK)
	publishOnce(t, host, port, "-r", "-t", born, "-m", "online")
	p.untilHealth("satellite-red", engine.OK)
	pullPlug(t, host, port, born, will)
	p.untilHealth("satellite-red", engine.Broken)
	publishOnce(t, host, port, "-r", "-t", lwt, "-m", "Offline")
	p.untilHealth("satellite-blue", engine.Broken)
	out, _ := exec.Command(binary(), "doctor", "--config", file).CombinedOutput() // it finds fault with them
	for _, place := range []string{"red", "blue"} {
		if !regexp.MustCompile("(?m)^FAIL +satellite " + place + " +it is off, or has no network;").Match(out) {
			t.Errorf("doctor says\n%s", out)
		}
	}
	publishOnce(t, host, port, "-r", "-n", "-t", lwt)
	p.untilHealth("satellite-blue", "")

	// A flood is limited; the table goes on.
	flood := connect(t, net.JoinHostPort(host, port), "flood")
	for range 500 {
		if token := flood.Publish(espTap, 0, false, "04-A1-B2-C3-D4-E5-F7"); token.Wait() && token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	failed := 0
	for range 500 {
		var r mqtt.Result
		if err := json.Unmarshal(<-results["red"], &r); err != nil {
			t.Fatal(err)
		}
		if r.Outcome == engine.Failed {
			failed++
		}
	}
	if failed < 300 {
		t.Errorf("%d of 500 taps at once were refused", failed)
	}
	send("tableside/demo/reader/table/tap", "04-A1-B2", engine.Malformed, "receipt.no-tag")
}

// pullPlug connects with a last will, as a satellite does, and breaks off without a
// goodbye. known is a topic with a retained message: when that arrives it is connected.
func pullPlug(t *testing.T, host, port, known, will string) {
	t.Helper()
	c := exec.Command("mosquitto_sub", "-h", host, "-p", port, "-t", known, "--will-topic", will, "--will-payload",
		"offline", "--will-retain")
	said, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := said.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	_ = c.Process.Kill()
	_ = c.Wait() // that it was killed
}

// untilHealth waits for the health of a part, "" for a part that is not listed.
func (p *process) untilHealth(part string, want engine.Health) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var health struct{ Parts []engine.Part }
		body, err := p.get("/healthz")
		if err == nil {
			err = json.Unmarshal(body, &health)
		}
		if err != nil {
			p.t.Fatal(err)
		}
		i := slices.IndexFunc(health.Parts, func(p engine.Part) bool { return p.Name == part })
		if i < 0 && want == "" || i >= 0 && health.Parts[i].Health == want {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s never was %q: %s", part, want, body)
		}
	}
}

func publishOnce(t *testing.T, host, port string, args ...string) {
	t.Helper()
	args = append([]string{"-h", host, "-p", port}, args...)
	if out, err := exec.Command("mosquitto_pub", args...).CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
}
