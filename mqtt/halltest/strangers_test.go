package halltest

import (
	"context"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
	"tableside/mqtt"
)

// TestStrangers checks what the users of tables may do on a cluster, and that one which is not
// invited any more is thrown out when the nodes have read their files again.
func TestStrangers(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 3)
	testStrangers(c)
	last := paho.NewClient(paho.NewClientOptions().AddBroker(c.brokers(0)[0]).SetClientID("last").
		SetUsername(tableName(2)).SetPassword(secret(2)).SetProtocolVersion(4).SetAutoReconnect(false))
	if token := last.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("the last table is not let in: %v", token.Error())
	}
	t.Cleanup(func() { last.Disconnect(100) })
	for _, n := range c.nodes {
		write(t, filepath.Join(filepath.Dir(n.file), "users.conf"), mqtt.NATSUsers(everyUser(t, 2), ""))
		n.reload(t)
	}
	c.until("the last table is thrown out", func() bool { return !last.IsConnected() })
	if token := last.Connect(); !token.WaitTimeout(patience) || token.Error() == nil {
		t.Error("the last table is let in again")
	}
}

// TestStrangersMosquitto checks what they may do on mosquitto.
func TestStrangersMosquitto(t *testing.T) {
	t.Parallel()
	testStrangers(&cluster{TB: t, nodes: []*node{startMosquitto(t)}})
}

// startMosquitto starts mosquitto with the users of three tables and a hall.
func startMosquitto(t *testing.T) *node {
	t.Helper()
	dir, address := t.TempDir(), freeAddress()
	file := func(name string) string { return filepath.Join(dir, name) }
	host, port, _ := strings.Cut(address, ":")
	users := everyUser(t, 3)
	write(t, file("passwords"), mqtt.PasswordFile(users, ""))
	write(t, file("access"), mqtt.AccessList(users, ""))
	write(t, file("mosquitto.conf"), "listener "+port+" "+host+"\nuser root\nallow_anonymous false\nacl_file "+
		file("access")+"\npassword_file "+file("passwords")+"\n")
	program, err := exec.LookPath("mosquitto")
	if err != nil {
		program = "/usr/sbin/mosquitto" // not in every user's PATH
	}
	cmd := exec.Command(program, "-c", file("mosquitto.conf"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	return &node{name: "mosquitto", mqtt: address}
}

// testStrangers lets the user of the second table publish and listen where only others may.
func testStrangers(c *cluster) {
	club, own := c.openClub(0, true), c.openTable(0)
	club.follows([]*table{own}, time.Time{}, time.Now().Add(patience))

	var mu sync.Mutex
	var health engine.Part
	forged, err := mqtt.New(mqtt.Config{
		Brokers: c.brokers(0), User: tableName(1), Password: secret(1), Table: tableName(2), Log: c.log("forged"),
		Health: func(p engine.Part) {
			mu.Lock()
			defer mu.Unlock()
			health = p
			if p.Health == engine.OK {
				c.Error("another table's user is as good as its own")
			}
		}})
	if err != nil {
		c.Fatal(err)
	}
	forged.Show(c.Context(), engine.Frame{View: engine.EmptyView()})
	stop := c.background(func(ctx context.Context) error { forged.Run(ctx); return nil })
	c.until("a table says that its user is another's", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return health.Health == engine.Broken
	})
	stop()
	c.Logf("it says: %s", health.Reason)

	stranger := c.openStranger()
	for _, topic := range []string{"tableside/t-1/state", "tableside/t-1/status", "tableside/t-1/result",
		"tableside/t-1/alive", "tableside/t-1/call", "tableside-hall/club/t-1/kept", "tableside-hall/club/t-2/kept",
		"tableside-hall/club/t-1/seating", "tableside/t-2/nothing"} {
		stranger.ask(stranger.Publish(topic, 1, false, "x"))
	}
	stranger.ask(stranger.Publish("tableside/t-2/status", 1, false, "online"))
	c.until("the hall knows the stranger's own table", func() bool {
		list, _ := club.hall.List(0)
		if list.Aside.N != 0 {
			c.Fatalf("the hall got %+v", list.Aside)
		}
		return len(list.Tables) == 2 && list.Tables[0].Name == own.name && list.Tables[1].Name == tableName(1)
	})

	own.play(c, rand.New(rand.NewPCG(1, 1)))
	club.follows([]*table{own}, time.Time{}, time.Now().Add(soon))
	stranger.ask(stranger.Publish("tableside/t-2/status", 1, false, "online"))
	c.until("the stranger hears what it published itself", func() bool {
		return stranger.all()["tableside/t-2/status"] > 1
	})
	for topic := range stranger.all() {
		if !strings.HasPrefix(topic, "tableside/t-2/") {
			c.Errorf("the stranger hears %s", topic)
		}
	}

	// What the hall has told a table is there for whoever subscribes later.
	seating := "tableside-hall/club/" + tableName(1) + "/seating"
	told := &engine.Seating{Evening: "Friday"}
	if err := club.tell.Seat(tableName(1), told); err != nil {
		c.Fatal(err)
	}
	c.until("the second table hears the hall", func() bool {
		stranger.Subscribe(seating, 0, nil).WaitTimeout(patience)
		return stranger.all()[seating] > 0
	})
}

// A stranger is a client of the second table's user that listens to what others say.
type stranger struct {
	paho.Client
	tb testing.TB

	mu     sync.Mutex
	topics map[string]int
}

func (c *cluster) openStranger() *stranger {
	c.Helper()
	s := &stranger{tb: c, topics: map[string]int{}}
	s.Client = paho.NewClient(paho.NewClientOptions().AddBroker(c.brokers(0)[0]).SetClientID("stranger").
		SetUsername(tableName(1)).SetPassword(secret(1)).SetProtocolVersion(4).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.topics[m.Topic()]++
		}))
	s.ask(s.Connect())
	c.Cleanup(func() { s.Disconnect(100) })
	// Those that are refused are only told so; that nothing comes is checked later.
	for _, filter := range []string{"#", "tableside/+/state", "tableside/t-1/#", "tableside-hall/#", "$MQTT/#",
		"tableside/t-2/status"} {
		s.Subscribe(filter, 0, nil).WaitTimeout(patience)
	}
	return s
}

func (s *stranger) ask(token paho.Token) {
	s.tb.Helper()
	if !token.WaitTimeout(patience) || token.Error() != nil {
		s.tb.Fatalf("the broker does not answer: %v", token.Error())
	}
}

func (s *stranger) all() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.topics)
}
