package halltest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats-server/v2/server"

	"tableside/mqtt"
	"tableside/mqtt/porttest"
)

// patience limits the waits for a cluster; no test sleeps that long.
const patience = 40 * time.Second

// A cluster is three nodes with the configuration that docs/hall.md shows.
type cluster struct {
	testing.TB
	nodes  []*node
	routes *routes
}

// startCluster starts a cluster with a hall and so many tables as users, and waits until all
// nodes serve them.
func startCluster(tb testing.TB, tables int) *cluster {
	tb.Helper()
	c := &cluster{TB: tb}
	var addresses [3]struct{ client, monitor, mqtt, route string }
	for i := range addresses {
		a := &addresses[i]
		for _, address := range []*string{&a.client, &a.monitor, &a.mqtt, &a.route} {
			*address = freeAddress()
		}
	}
	c.routes = newRoutes(tb, addresses[0].route, addresses[1].route, addresses[2].route)
	conf, users := documented(tb, "# nats-server.conf"), mqtt.NATSUsers(everyUser(tb, tables), "")
	for i, a := range addresses {
		dir := tb.TempDir()
		n := &node{name: fmt.Sprint("n", i+1), file: filepath.Join(dir, "nats-server.conf"), mqtt: a.mqtt, monitor: a.monitor}
		text := replaceAll(tb, conf,
			"server_name: n1", "server_name: "+n.name, "127.0.0.1:4222", a.client, "127.0.0.1:8222", a.monitor,
			"10.0.0.1:1883", a.mqtt, `listen: "10.0.0.1:6222"`, `listen: "`+a.route+`", advertise: "`+nowhere+`"`,
			"10.0.0.1:6222", c.routes.address(i, 0), "10.0.0.2:6222", c.routes.address(i, 1),
			"10.0.0.3:6222", c.routes.address(i, 2), "/var/lib/nats", filepath.Join(dir, "store"))
		text += fmt.Sprintf("log_file: %q\n", filepath.Join(dir, "log"))
		write(tb, n.file, text)
		write(tb, filepath.Join(dir, "users.conf"), users)
		c.nodes = append(c.nodes, n)
		n.start(tb)
		tb.Cleanup(n.kill)
	}
	began := time.Now()
	c.recovers()
	tb.Logf("the cluster serves MQTT %s after its start", time.Since(began).Round(time.Millisecond))
	return c
}

// nowhere is what nodes say to others to be their address for routes: only the configured
// routes, which a test can cut, lead to them.
const nowhere = "127.0.0.1:1"

// documented returns the block of docs/hall.md that begins with a line.
func documented(tb testing.TB, first string) string {
	tb.Helper()
	text, err := os.ReadFile("../../docs/hall.md")
	if err != nil {
		tb.Fatal(err)
	}
	_, block, found := strings.Cut(string(text), "```\n"+first)
	block, _, closed := strings.Cut(block, "```")
	if !found || !closed {
		tb.Fatalf("docs/hall.md has no block that begins with %q", first)
	}
	return first + block
}

func everyUser(tb testing.TB, tables int) []mqtt.User {
	tb.Helper()
	users := []mqtt.User{{Name: "hall", Rights: mqtt.HallRights("club"), Hashes: hashes(tb, "hall-secret")}}
	for n := range tables {
		name := tableName(n)
		users = append(users, mqtt.User{Name: name, Rights: mqtt.TableRights(name, "club", ""),
			Hashes: hashes(tb, secret(n))})
	}
	return users
}

func hashes(tb testing.TB, password string) mqtt.Hashes {
	tb.Helper()
	h, err := mqtt.HashPassword(password)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func tableName(n int) string { return fmt.Sprint("t-", n+1) }
func secret(n int) string    { return tableName(n) + "-secret" }

// replaceAll replaces every old by its new, each of which must be there.
func replaceAll(tb testing.TB, text string, oldNew ...string) string {
	tb.Helper()
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			tb.Fatalf("docs/hall.md does not say %q", oldNew[i])
		}
	}
	return strings.NewReplacer(oldNew...).Replace(text)
}

func write(tb testing.TB, file, text string) {
	tb.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func freeAddress() string { return fmt.Sprint("127.0.0.1:", porttest.Pick()) }

// until waits for a condition.
func (c *cluster) until(what string, condition func() bool) {
	c.Helper()
	for limit := time.Now().Add(patience); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			c.Fatalf("waited %s in vain: %s", patience, what)
		}
	}
}

func (c *cluster) brokers(first int) []string {
	var all []string
	for i := range c.nodes {
		all = append(all, "tcp://"+c.nodes[(first+i)%len(c.nodes)].mqtt)
	}
	return all
}

// recovers waits until every node that runs accepts a new client of the hall's and acknowledges
// what it publishes, and returns when it had come so far.
func (c *cluster) recovers() time.Time {
	c.Helper()
	ctx, done := context.WithTimeout(c.Context(), patience)
	defer done()
	var each sync.WaitGroup
	for _, n := range c.nodes {
		if n.alive == nil {
			continue
		}
		each.Go(func() {
			err := errors.New("it was not tried")
			for err != nil {
				if ctx.Err() != nil {
					c.Errorf("%s does not recover: %v; the end of its log:\n%s", n.name, err, n.logged())
					return
				}
				err = n.try()
			}
		})
	}
	each.Wait()
	if c.Failed() {
		c.FailNow()
	}
	return time.Now()
}

// try connects to a node and publishes something.
func (n *node) try() error {
	client := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + n.mqtt).SetClientID("try-" + n.name).
		SetUsername("hall").SetPassword("hall-secret").SetProtocolVersion(4).SetAutoReconnect(false).
		SetConnectTimeout(700 * time.Millisecond)) // a new cluster answers a later CONNECT sooner
	defer client.Disconnect(0)
	for _, ask := range []func() paho.Token{client.Connect, func() paho.Token {
		return client.Publish("tableside-hall/club/nobody/try", 1, false, "x")
	}} {
		token := ask()
		if !token.WaitTimeout(time.Second) {
			return errors.New("it does not answer")
		}
		if err := token.Error(); err != nil {
			time.Sleep(20 * time.Millisecond)
			return err
		}
	}
	return nil
}

// leader returns the index of the node that leads a stream, and waits until there is one.
func (c *cluster) leader(stream string) int {
	c.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(50 * time.Millisecond) {
		for _, asked := range c.nodes {
			var all server.JSInfo
			if asked.alive == nil || asked.ask("/jsz?streams=true&accounts=true", &all) != nil {
				continue
			}
			for i, n := range c.nodes {
				if n.alive != nil && leads(&all, stream, n.name) {
					return i
				}
			}
		}
	}
	c.Fatalf("nobody leads %s", stream)
	return 0
}

func leads(all *server.JSInfo, stream, name string) bool {
	for _, account := range all.AccountDetails {
		for _, s := range account.Streams {
			if s.Name == stream && s.Cluster != nil && s.Cluster.Leader == name {
				return true
			}
		}
	}
	return false
}
