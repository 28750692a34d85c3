package mqtt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"tableside/engine"
)

// A readConn is a connection that can only be read.
type readConn struct {
	net.Conn
	io.Reader
}

func (c readConn) Read(p []byte) (int, error) { return c.Reader.Read(p) }

func publishPacket(t testing.TB, topic string, payload []byte, qos byte) []byte {
	t.Helper()
	p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	p.TopicName, p.Payload, p.Qos, p.MessageID = topic, payload, qos, 7
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLimit checks that packets of every size up to the limit pass, that a larger message is
// left out and its topic told, and that a larger one with QoS 1 ends the connection.
func TestLimit(t *testing.T) {
	var wire []byte
	sizes := []int{0, 1, 100, 127, 128, 16383, 16384, maxPacket - 7}
	for _, n := range sizes {
		wire = append(wire, publishPacket(t, "a/b", make([]byte, n), 1)...)
		wire = append(wire, publishPacket(t, "tableside/demo/input", make([]byte, maxPacket+n), 0)...)
	}
	for name, r := range map[string]io.Reader{
		"whole":  bytes.NewReader(wire),
		"halves": iotest.HalfReader(bytes.NewReader(wire)),
	} {
		skipped := 0
		conn := limit(readConn{Reader: r}, func(e *tooLargeError) {
			if skipped++; e.topic != "tableside/demo/input" || e.size < maxPacket {
				t.Errorf("%s: left out: %v", name, e)
			}
		})
		for i, n := range sizes {
			p, err := packets.ReadPacket(conn)
			if err != nil {
				t.Fatalf("%s: %d bytes: %v", name, n, err)
			}
			if got := len(p.(*packets.PublishPacket).Payload); got != n {
				t.Fatalf("%s: %d bytes arrive as %d", name, n, got)
			}
			if skipped != i {
				t.Errorf("%s: %d messages were left out, want %d", name, skipped, i)
			}
		}
		if _, err := packets.ReadPacket(conn); err != io.EOF || skipped != len(sizes) {
			t.Errorf("%s: at the end: %v, %d messages were left out", name, err, skipped)
		}
	}
	for _, giant := range []int{maxPacket, 1 << 24, 200 << 20} {
		header := publishPacket(t, "a/b", make([]byte, giant), 1)[:100]
		_, err := packets.ReadPacket(limit(readConn{Reader: bytes.NewReader(header)}, nil))
		var large *tooLargeError
		if !errors.As(err, &large) || large.size < giant {
			t.Errorf("%d bytes: %v %+v", giant, err, large)
		}
	}
}

// TestMosquittoGiant checks that a message that is too large is left unread and reported, and the
// table goes on.
func TestMosquittoGiant(t *testing.T) {
	t.Parallel()
	for _, retained := range []bool{false, true} {
		m := startMosquitto(t)
		w := watch(t, m.addr)
		tb := &table{}
		c := startClient(t, Config{Brokers: []string{m.addr}, Input: tb.input})
		c.waitOK(t)
		file := m.write(t, "giant", strings.Repeat("x", 2<<20))
		args := []string{"-t", "tableside/demo/input", "-f", file}
		if retained {
			args = append(args, "-r")
		}
		m.pub(t, args...)
		until(t, "the reason in health", func() bool {
			p := c.health.last()
			return p.Health == engine.Degraded && strings.Contains(p.Reason, "on tableside/demo/input") &&
				strings.Contains(p.Reason, "message_size_limit 1048576")
		})
		w.send(t, "tableside/demo/input", "red undo", false)
		until(t, "an answer", func() bool { return len(w.results(t, "tableside/demo/input")) == 1 })
		if c.health.said("failed") || w.count("tableside/demo/status ") != 1 {
			t.Error(c.health.parts)
		}
		m.kill()
	}
}

// TestMosquittoShutOut checks that a user without access gets an error that says
// so, and connects as soon as the access list is corrected.
func TestMosquittoShutOut(t *testing.T) {
	t.Parallel()
	const right = "topic readwrite tableside/demo/#\n"
	for name, list := range map[string]string{
		"no rights":  "user admin\ntopic readwrite #\n",
		"viewer":     "topic read tableside/demo/#\n",
		"write only": "topic write tableside/demo/#\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acl := filepath.Join(openDir(t), "acl")
			writeFile(t, acl, list)
			m := startMosquitto(t, "allow_anonymous true", "acl_file "+acl)
			c := newClient(t, Config{Brokers: []string{m.addr}, User: "tableside"})
			c.run(t)
			f := testFrame(t, engine.English, 7)
			c.Show(t.Context(), f)
			until(t, "the reason in health", func() bool {
				p := c.health.last()
				return p.Health == engine.Broken &&
					strings.Contains(p.Reason, "does not let user tableside write to tableside/demo/status") &&
					strings.Contains(p.Reason, `"topic readwrite tableside/demo/#"`)
			})
			err := Check(context.Background(), Config{Brokers: []string{m.addr}, User: "tableside", Table: "demo"})
			var p *Problem
			if !errors.As(err, &p) || !strings.Contains(p.Text, "does not let user tableside write to tableside/demo/doctor") ||
				!strings.Contains(p.Fix, "readwrite tableside/demo/#") {
				t.Errorf("doctor: %+v", err)
			}
			writeFile(t, acl, strings.ReplaceAll(right, "topic", "user tableside\ntopic"))
			if err := m.cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			c.waitOK(t)
			w := watch(t, m.addr, asUser("tableside"))
			until(t, "the state that was refused before",
				func() bool { return strings.Contains(w.get("tableside/demo/state"), `"seq":7,`) })
			again := Config{Brokers: []string{m.addr}, User: "tableside", Table: "demo"}
			if err := Check(context.Background(), again); err != nil {
				t.Error(err)
			}
		})
	}
}

// A message that is too large among the retained ones does not cost Home
// Assistant the entities of earlier matches.
func TestMosquittoGiantBesideAnnouncement(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	const announcement = "homeassistant/device/tableside_demo/config"
	giant := m.write(t, "giant", strings.Repeat("x", 2<<20))
	m.pub(t, "-r", "-t", "tableside/demo/seat/red/old", "-f", giant)
	m.pub(t, "-r", "-t", announcement, "-m",
		`{"cmps":{"seat_green_score":{"p":"sensor","name":"Zoe: Score","state_topic":"tableside/demo/seat/green/score"}}}`)
	c := startClient(t, Config{Brokers: []string{m.addr}, Input: (&table{}).input})
	c.Show(t.Context(), testFrame(t, engine.English, 7))
	w := watch(t, m.addr)
	until(t, "the announcement", func() bool { return strings.Contains(w.get(announcement), "seat_red_score") })
	if !strings.Contains(w.get(announcement), `"seat_green_score":{"availability"`) {
		t.Error("an entity of an earlier match is lost")
	}
}

// Of the retained messages below its own prefix the table keeps only the topics.
func TestFoundWithoutPayload(t *testing.T) {
	c := newClient(t, Config{Brokers: []string{"localhost"}})
	s := &session{Client: c.Client, prefix: "tableside/demo"}
	const announcement = "homeassistant/device/tableside_demo/config"
	for _, topic := range []string{"tableside/demo/seat/red/junk", announcement, "tableside/demo/status"} {
		s.hear(keptMessage{topic: topic})
	}
	found := c.box.take(resultBatch).retained
	if junk, ok := found["tableside/demo/seat/red/junk"]; !ok || junk != nil || len(found[announcement]) == 0 ||
		len(found) != 2 {
		t.Errorf("%q", found)
	}
}

// A keptMessage is a retained message.
type keptMessage struct {
	paho.Message
	topic string
}

func (m keptMessage) Topic() string { return m.topic }
func (keptMessage) Payload() []byte { return []byte("payload") }
func (keptMessage) Retained() bool  { return true }
