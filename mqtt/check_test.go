package mqtt

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"tableside/engine"
)

// TestMosquittoCertificates checks that a problem with a certificate is reported
// with a hint, in the same words by Check and by the table's health.
func TestMosquittoCertificates(t *testing.T) {
	other, _, _ := certificate(t, openDir(t), nil)
	for name, c := range map[string]struct {
		change    func(*x509.Certificate)
		ca        string // "own", "other" or ""
		text, fix string
	}{
		"good": {nil, "own", "", ""},
		"expired": {func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }, "own", "expired on 20",
			"Renew it at the broker"},
		"early": {func(c *x509.Certificate) { c.NotBefore = time.Now().Add(30 * time.Minute) }, "own",
			"is valid only from 20", "Set the clock of this computer"},
		"other name": {func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"broker.lan", "mqtt.lan"} },
			"own",
			"is for broker.lan, mqtt.lan and not for 127.0.0.1", "with a name that the certificate has"},
		"unknown authority": {nil, "", "signed by an authority that this computer does not know", "as mqtt.ca"},
		"other authority": {nil, "other", "is not signed by the authority in " + other,
			"the certificate of the broker's authority"},
		"for clients": {func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }, "own",
			"is not accepted", "made for a server"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ca, cert, key := certificate(t, openDir(t), c.change)
			m := startMosquitto(t, "allow_anonymous true", "cafile "+ca, "certfile "+cert, "keyfile "+key)
			cfg := Config{Brokers: []string{"ssl://" + m.addr}, Table: "demo",
				CAFile: map[string]string{"own": ca, "other": other}[c.ca]}
			err := Check(t.Context(), cfg)
			if c.text == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var p *Problem
			if !errors.As(err, &p) || !strings.Contains(p.Text, c.text) || !strings.Contains(p.Fix, c.fix) {
				t.Errorf("doctor: %v; %+v", err, p)
			}
			client := startClient(t, cfg)
			until(t, "the same in health", func() bool {
				h := client.health.last()
				return h.Health == engine.Broken && strings.Contains(h.Reason, c.text) && strings.Contains(h.Reason, c.fix)
			})
		})
	}
}

// TestCheck checks the reports of other problems with the broker.
func TestCheck(t *testing.T) {
	m := startMosquitto(t)
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	go func() {
		if conn, err := mute.Accept(); err == nil {
			conn.Close()
		}
	}()
	for _, c := range []struct {
		cfg       Config
		text, fix string
	}{
		{Config{Brokers: []string{"tcp://127.0.0.1:1"}}, "cannot be reached: connect: connection refused",
			"Check mqtt.broker"},
		{Config{Brokers: []string{"ssl://" + m.addr}}, "not with TLS", "write tcp://"},
		{Config{Brokers: []string{mute.Addr().String()}}, "does not answer as an MQTT broker", "Check the port"},
		{Config{Brokers: []string{"tcp://" + strings.Repeat("a", 254)}}, "at most 253 letters", ""},
		{Config{Brokers: []string{"ws://" + m.addr}}, "WebSockets are not supported", ""},
		{Config{Brokers: []string{"ssl://" + m.addr}, CAFile: "/does/not/exist"}, "CA file", ""},
		{Config{Brokers: []string{"ssl://" + m.addr}, CAFile: filepath.Join(m.dir, "mosquitto.conf")},
			"holds no PEM certificate", ""},
	} {
		err := Check(t.Context(), c.cfg)
		var p *Problem
		if errors.As(err, &p) != (c.fix != "") || !strings.Contains(err.Error(), c.text) ||
			p != nil && !strings.Contains(p.Fix, c.fix) {
			t.Errorf("%+v: %v %+v", c.cfg, err, p)
		}
	}
	if err := Check(t.Context(), Config{Brokers: []string{m.addr}, Table: "demo"}); err != nil {
		t.Error(err)
	}
}

// TestRefusalAgrees checks that Check and the client report a broker that is too
// busy in the same words, the broker's own.
func TestRefusalAgrees(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	defer serving.Wait()
	defer busy.Close()
	serving.Go(func() {
		for {
			conn, err := busy.Accept()
			if err != nil {
				return
			}
			_, _ = packets.ReadPacket(conn)
			refusal := packets.NewControlPacket(packets.Connack).(*packets.ConnackPacket)
			refusal.ReturnCode = packets.ErrRefusedServerUnavailable
			_ = refusal.Write(conn)
			conn.Close()
		}
	})
	cfg := Config{Brokers: []string{busy.Addr().String()}, Table: "demo"}
	var p *Problem
	if err := Check(t.Context(), cfg); !errors.As(err, &p) ||
		!strings.Contains(p.Text, "the connection is refused: server Unavailable") {
		t.Fatalf("%v", err)
	}
	client := startClient(t, cfg)
	until(t, "the same in health", func() bool { return strings.Contains(client.health.last().Reason, p.Text) })
}

// TestCheckEnds checks that Check ends when its caller gives up, and within its
// bound, however late a broker answers.
func TestCheckEnds(t *testing.T) {
	for _, c := range []struct {
		name    string
		welcome time.Duration // when the broker answers the hello; then it is silent
		stop    time.Duration // when the caller gives up
		ends    time.Duration
		err     string
	}{
		{"stopped before the welcome", time.Hour, time.Second, time.Second, "context canceled"},
		{"stopped after the welcome", time.Second, 2 * time.Second, 2 * time.Second, "context canceled"},
		{"slow welcome", checkTimeout - time.Second, time.Hour, checkTimeout, "it answers too slowly"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer time.AfterFunc(c.stop, stop).Stop()
				var serving sync.WaitGroup
				dial := func(context.Context, string, string) (net.Conn, error) {
					ours, theirs := net.Pipe()
					serving.Go(func() {
						defer theirs.Close()
						_, _ = packets.ReadPacket(theirs)
						welcome := time.AfterFunc(c.welcome, func() {
							_ = packets.NewControlPacket(packets.Connack).Write(theirs)
						})
						defer welcome.Stop()
						_, _ = io.Copy(io.Discard, theirs)
					})
					return ours, nil
				}
				began := time.Now()
				err := Check(ctx, Config{Brokers: []string{"tcp://broker:1883"}, Table: "demo", Dial: dial})
				if took := time.Since(began); took != c.ends || err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v after %v, want %q after %v", err, took, c.err, c.ends)
				}
				serving.Wait()
			})
		})
	}
}
