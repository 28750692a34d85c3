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
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"tableside/engine"
)

// A readConn is a connection that can only be read.
type readConn struct {
	net.Conn
	io.Reader
}

func (c readConn) Read(p []byte) (int, error)      { return c.Reader.Read(p) }
func (c readConn) SetReadDeadline(time.Time) error { return nil }

func publishPacket(t testing.TB, topic string, payload []byte, retain bool) []byte {
	t.Helper()
	p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	p.TopicName, p.Payload, p.Qos, p.MessageID, p.Retain = topic, payload, 1, 7, retain
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLimit checks that packets of every size up to the limit pass, and that the
// header of a larger one ends the connection with an error that names its topic.
func TestLimit(t *testing.T) {
	var wire []byte
	sizes := []int{0, 1, 100, 127, 128, 16383, 16384, maxPacket - 7}
	for _, n := range sizes {
		wire = append(wire, publishPacket(t, "a/b", make([]byte, n), false)...)
	}
	for _, giant := range []int{maxPacket, 1 << 24, 200 << 20} {
		header := publishPacket(t, "tableside/demo/input", make([]byte, giant), true)[:100]
		for name, r := range map[string]io.Reader{
			"whole":  bytes.NewReader(append(wire[:len(wire):len(wire)], header...)),
			"halves": iotest.HalfReader(bytes.NewReader(append(wire[:len(wire):len(wire)], header...))),
		} {
			conn := limit(readConn{Reader: r})
			for _, n := range sizes {
				p, err := packets.ReadPacket(conn)
				if err != nil {
					t.Fatalf("%s: %d bytes: %v", name, n, err)
				}
				if got := len(p.(*packets.PublishPacket).Payload); got != n {
					t.Fatalf("%s: %d bytes arrive as %d", name, n, got)
				}
			}
			_, err := packets.ReadPacket(conn)
			var large *tooLargeError
			if !errors.As(err, &large) || large.topic != "tableside/demo/input" || !large.retained || large.size < giant {
				t.Errorf("%s: %d bytes: %v %+v", name, giant, err, large)
			}
			if _, again := conn.Read(make([]byte, 10)); again == nil {
				t.Error("reading continues after the error")
			}
		}
	}
}

// TestMosquittoGiant checks that a message that is too large is refused and
// reported, and the table goes on. If it was retained, the table clears it.
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
		until(t, "the table is back", func() bool {
			w.send(t, "tableside/demo/input", "red undo", false)
			return len(w.results(t, "tableside/demo/input")) > 0
		})
		if !c.health.said("degraded") || c.health.said("failed") {
			t.Error(c.health.parts)
		}
		if found := m.sub(t); found["tableside/demo/input"] != "" || found["tableside/demo/status"] != online {
			t.Errorf("retained %v: the broker keeps %d bytes of it, status %q", retained, len(found["tableside/demo/input"]),
				found["tableside/demo/status"])
		}
	}
}

// TestMosquittoGiantKept checks that the table does not subscribe to the topic
// of a retained message that is too large, and that it may not clear, until the
// message is gone.
func TestMosquittoGiantKept(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	acl := filepath.Join(dir, "acl")
	writeFile(t, acl,
		"topic readwrite tableside/demo/status\ntopic readwrite tableside/demo/state\ntopic read "+
			"tableside/demo/input\ntopic write tableside/demo/input/result\nuser admin\ntopic readwrite #\n")
	m := startMosquitto(t, "allow_anonymous true", "acl_file "+acl)
	m.pub(t, "-u", "admin", "-r", "-t", "tableside/demo/input", "-f", m.write(t, "giant", strings.Repeat("x", 2<<20)))
	c := newClient(t, Config{Brokers: []string{m.addr}, Input: (&table{}).input})
	c.delays.giant = time.Millisecond
	c.run(t)
	until(t, "the reason in health", func() bool {
		p := c.health.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "mosquitto_pub -r -n -t tableside/demo/input")
	})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w := watch(t, m.addr, asUser("admin"))
	until(t, "the state", func() bool { return strings.Contains(w.get("tableside/demo/state"), `"seq":7,`) })
	m.pub(t, "-u", "admin", "-r", "-n", "-t", "tableside/demo/input")
	c.waitOK(t)
	w.send(t, "tableside/demo/input", "red undo", false)
	until(t, "an answer", func() bool { return len(w.results(t, "tableside/demo/input")) == 1 })
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
		s.hear(nil, keptMessage{topic: topic})
	}
	found := c.box.take().retained
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
