package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tableside/engine"
)

// TestMeasureCrowd prints how much processor time an input takes while 64
// pages are open: that of the whole daemon, its rules and journal too. Without
// TABLESIDE_BIN it only shows that the measurement works; that a frame is
// encoded once for all pages is tested where it is encoded.
func TestMeasureCrowd(t *testing.T) {
	inputs, pages := 20, 64
	if os.Getenv("TABLESIDE_BIN") != "" {
		inputs = 500
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "table.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil,
		"[table]\ndata = %q\n[http]\nlisten = \"127.0.0.1:0\"\n[game]\nname = \"tally/score\"\noptions = { turns = "+
			"\"off\" }\n", dir), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startTable(t, "run", "--config", config)
	alone := p.inputCost(inputs)
	var readers sync.WaitGroup
	defer readers.Wait()
	ready := make(chan bool, pages)
	var size atomic.Int64
	for range pages {
		page, err := http.Get(p.page + "/api/live")
		if err != nil || page.StatusCode != http.StatusOK {
			t.Fatal(page, err)
		}
		defer page.Body.Close()
		readers.Go(func() {
			lines := bufio.NewScanner(page.Body)
			lines.Buffer(nil, 1<<20)
			for first := true; lines.Scan(); {
				if !bytes.HasPrefix(lines.Bytes(), []byte("data: {")) {
					continue
				}
				size.Store(int64(len(lines.Bytes())))
				if first {
					first = false
					ready <- true
				}
			}
		})
	}
	for range pages {
		<-ready
	}
	t.Logf("an input takes %v of processor time, and %v with %d pages open, of %d bytes for each",
		alone.Round(10*time.Microsecond), p.inputCost(inputs).Round(10*time.Microsecond), pages, size.Load())
	p.interrupt()
}

// inputCost returns the processor time of one input, averaged over many. Pauses
// between them, as people make, let each have frames of its own.
func (p *process) inputCost(inputs int) time.Duration {
	before := p.processor()
	pace := time.NewTicker(10 * time.Millisecond)
	defer pace.Stop()
	for range inputs {
		r, err := p.input("red choose +1")
		if err != nil || r.Outcome != engine.Accepted {
			p.t.Fatal(r, err)
		}
		<-pace.C
	}
	return (p.processor() - before) / time.Duration(inputs)
}

// processor returns the processor time of a process.
func (p *process) processor() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	// The name, in brackets, may hold spaces; proc(5) counts from 1.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] {
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // USER_HZ is 100
}
