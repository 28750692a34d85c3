// Package halltest runs tables and a hall, with the client code that they have, on a cluster
// of three NATS servers with JetStream and MQTT, some of which die or are cut off.
//
// It is a module of its own: the program needs no NATS server.
package halltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// isNode is the variable that makes this program a node of a cluster: its configuration.
const isNode = "HALLTEST_NODE"

// TestMain runs the tests, or one node of a cluster: a test kills a process of its own.
func TestMain(m *testing.M) {
	if file := os.Getenv(isNode); file != "" {
		if err := runNode(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// runNode runs a server until standard input ends: no node outlives the test that started it.
// As nats-server does, it reads its configuration again when it gets SIGHUP.
func runNode(file string) error {
	opts, err := server.ProcessConfigFile(file)
	if err != nil {
		return err
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return err
	}
	s.ConfigureLogger()
	go s.Start()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// A node is one server of a cluster, as a process of its own.
type node struct {
	name, file    string // its configuration
	mqtt, monitor string // its addresses
	cmd           *exec.Cmd
	alive         io.Closer // its standard input; nil while it does not run
}

func (n *node) start(tb testing.TB) {
	tb.Helper()
	n.cmd = exec.Command(os.Args[0])
	n.cmd.Env = append(os.Environ(), isNode+"="+n.file)
	n.cmd.Stderr = os.Stderr
	in, err := n.cmd.StdinPipe()
	if err == nil {
		err = n.cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	n.alive = in
}

func (n *node) logged() string {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(n.file), "log"))
	if err != nil {
		return err.Error()
	}
	lines := strings.SplitAfter(string(text), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "")
}

func (n *node) kill() {
	if n.alive == nil {
		return
	}
	_ = n.cmd.Process.Kill() // it may have ended
	_ = n.cmd.Wait()
	n.alive.Close()
	n.alive = nil
}

func (n *node) reload(tb testing.TB) {
	tb.Helper()
	if err := n.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		tb.Fatal(err)
	}
}

// ask gets JSON from the node's monitoring port.
func (n *node) ask(path string, into any) error {
	client := http.Client{Timeout: time.Second}
	answer, err := client.Get("http://" + n.monitor + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}
