package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
)

func doctorCommand() command {
	return command{
		name: "doctor", usage: "[--config FILE] [--data DIR] [--try] [--json] [--record|--replay FILE]",
		short: "checks everything an installation needs",
		help: `Checks what run needs, one line each: "ok" with what was measured, in
parentheses, or "FAIL" with the fix. It looks at the configuration, the data
folder (writable, not used by another program, not lost at the next boot, space
on the disk), the address of the page, the broker, its credentials and its
access list, the clock, the supply voltage and the card data; then at the
wiring: buses and pins, who may use them and who has them, overlays, the buffer
and the clock of SPI, and each reader, which is asked for its firmware. With
--try panel and screens show a test picture, a rainbow runs over the lights, and
every key waits to be pressed.

A table that is running already is no failure; its parts are not touched, so
stop it to have all of them asked, and for --try and --record. Nothing is
changed. Exit code 1 when something fails.

--record writes what passes over the buses on a tape: send it with a report of
what does not work. --replay plays a tape to the drivers of this version, without
any chip, and looks at nothing else: it counts what agrees for each part, or
prints the first difference. docs/hardware.md tells what is on a tape.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			file := flags.String("config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			data := flags.String("data", "", "look at this data `DIR` instead of the configured one")
			try := flags.Bool("try", false, "show a test picture and a rainbow, and wait for every key to be pressed")
			asJSON := flags.Bool("json", false, "print one JSON array")
			record := flags.String("record", "", "write what passes over the buses on a tape: a new `FILE`")
			replay := flags.String("replay", "", "play the tape in this `FILE` to the drivers instead")
			return func(ctx context.Context, args []string) error {
				if err := takes("doctor", args, 0, 0, ""); err != nil {
					return err
				}
				if *replay != "" && *record != "" {
					return wrong("doctor", "--record and --replay exclude each other", "")
				}
				if *replay != "" {
					return p.replayTape(ctx, *replay, *asJSON)
				}
				d := &doctor{program: p, ports: &rig.Raspberry{}, try: *try, record: *record}
				d.examine(ctx, *file, *data)
				return d.tell(*asJSON)
			}
		},
	}
}

// A doctor collects findings.
type doctor struct {
	*program
	ports    rig.Ports
	root     string // of the files of this computer; "" is the real one
	try      bool
	record   string // the file of a tape; "" is none
	findings []finding
}

// A finding is one line.
type finding struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Text  string `json:"text"`
	How   string `json:"how,omitempty"` // what a good line was measured by
	Fix   string `json:"fix,omitempty"`
}

// ok adds a good line. how says what it was measured by: that a file exists is
// less than that a chip has answered.
func (d *doctor) ok(check, text, how string) {
	d.findings = append(d.findings, finding{Check: check, OK: true, Text: text, How: how})
}

func (d *doctor) fail(check, text, fix string) {
	d.findings = append(d.findings, finding{Check: check, Text: text, Fix: fix})
}

// told reports whether a line says so already: the configuration is read
// before what it names is tried.
func (d *doctor) told(text string) bool {
	return slices.ContainsFunc(d.findings, func(f finding) bool { return strings.Contains(f.Text, text) })
}

func (d *doctor) tell(asJSON bool) error {
	failed := 0
	for _, f := range d.findings {
		if !f.OK {
			failed++
		}
		if asJSON {
			continue
		}
		line := fmt.Sprintf("ok    %-14s %s (%s)", f.Check, f.Text, f.How)
		if !f.OK {
			line = fmt.Sprintf("FAIL  %-14s %s", f.Check, f.Text)
			if f.Fix != "" {
				line += "; " + f.Fix
			}
		}
		fmt.Fprintln(d.out, oneLine(line))
	}
	if asJSON {
		if err := d.printJSON(d.findings); err != nil {
			return err
		}
	}
	if failed > 0 {
		return &failure{code: exitNo}
	}
	return nil
}

func (d *doctor) examine(ctx context.Context, file, data string) {
	c, err := d.loadConfig(file)
	if err != nil {
		f := failureOf(err)
		d.fail("configuration", f.Error(), f.hint)
	} else if _, err := os.Stat(config.DefaultFile); file == "" && err != nil {
		d.ok("configuration", "there is none; docs/configuration.md tells what holds without one", config.DefaultFile+" does not exist")
	} else {
		d.ok("configuration", cmp.Or(file, config.DefaultFile), "read and checked")
	}
	if data != "" {
		c.Table.Data = data
	}
	d.clock()
	d.power()
	running := d.page(ctx, c.HTTP.Listen)
	held := running
	d.overlay(c.Table.Data)
	if d.folder(c.Table.Data) {
		held = d.lock(c.Table.Data, running) || running
		d.space(c.Table.Data)
		d.cards(c.Table.Data)
	}
	d.broker(ctx, c, running)
	end := d.beginTape(&c.Wiring, held)
	d.hardware(ctx, &c, held)
	end()
}

// page finds out whether the page can listen, or already does: then a table
// is running.
func (d *doctor) page(ctx context.Context, addr string) (running bool) {
	l, err := net.Listen("tcp", addr)
	if err == nil {
		l.Close()
		d.ok("page", "http://"+addr+" is free", "listened there for a moment")
		return false
	}
	if answersAsTable(ctx, addr) {
		d.ok("page", "a table runs and answers at http://"+addr, "asked for /healthz")
		return true
	}
	d.fail("page", addr+": "+listenReason(err), "choose another http.listen; port 0 picks a free one")
	return false
}

func answersAsTable(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/healthz", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	return answer.StatusCode == http.StatusOK && strings.Contains(string(body), `"keeping"`)
}

// folder looks whether the data folder can be written.
func (d *doctor) folder(dir string) bool {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(dir)
		if unix.Access(parent, unix.W_OK) != nil {
			d.fail("data", dir+" does not exist and cannot be made", "mkdir "+dir+" and chown it to the user who runs the table")
			return false
		}
		d.ok("data", dir+" will be made", "the folder above may be written")
		return false
	case err != nil:
		d.fail("data", dir+": "+config.Reason(err), "")
		return false
	case !info.IsDir():
		d.fail("data", dir+" is not a folder", "choose another table.data")
		return false
	}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		d.fail("data", dir+" cannot be written: "+config.Reason(err), "chown it to the user who runs the table, or remount the disk writable")
		return false
	}
	probe.Close()
	os.Remove(probe.Name())
	d.ok("data", dir+" can be written", "wrote a file and removed it")
	return true
}

// lock looks whether another program holds the data folder: a table, also one
// whose page is not where the configuration says.
func (d *doctor) lock(dir string, running bool) (held bool) {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if errors.Is(err, fs.ErrNotExist) {
		d.ok("lock", "free", "no table has run here yet")
		return false
	}
	if err != nil {
		d.fail("lock", config.Reason(err), "chown "+filepath.Join(dir, "lock"))
		return false
	}
	defer f.Close() // and with it the lock, if it was to be had
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	pid := make([]byte, 20)
	n, _ := f.Read(pid)
	holder := strings.TrimSpace(string(pid[:n]))
	switch {
	case err == nil:
		d.ok("lock", "free", "had it for a moment")
	case running:
		d.ok("lock", "the running table (process "+holder+") has it", "tried to take it")
	default:
		d.fail("lock", "process "+holder+" uses the data folder, and no table answers where the configuration has its page", "stop it, or give this table another data folder")
	}
	return err != nil
}

// broker looks whether MQTT will work as configured.
func (d *doctor) broker(ctx context.Context, c config.Config, running bool) {
	switch m := c.MQTT; {
	case m.Broker != "":
		switch err := tryBroker(ctx, &c); {
		case err == nil:
			d.ok("broker", m.Broker+" lets the table in, read and write", "what was published there came back")
		case !d.told(brokerReason(err)):
			d.fail("broker", brokerReason(err), brokerFix(err))
		}
	case m.Embedded != "":
		l, err := net.Listen("tcp", m.Embedded)
		switch {
		case err == nil:
			l.Close()
			d.ok("broker", m.Embedded+" is free for the embedded broker", "listened there for a moment")
		case running:
			d.ok("broker", "the running table has "+m.Embedded, "the port is in use, and its page answered")
		default:
			d.fail("broker", m.Embedded+": "+listenReason(err), "set mqtt.broker to use the broker that is there, or choose another mqtt.embedded")
		}
	default:
		d.ok("broker", "none is configured: nothing goes to MQTT", "nobody was asked")
	}
}

// cards looks at the owner's files.
func (d *doctor) cards(dir string) {
	owners, read := ownersFile{dir, d.games}, map[string]bool{}
	for _, box := range d.games.boxes() {
		file := owners.path(box.Info().Name)
		if read[file] || !exists(file) {
			continue // one file serves every edition
		}
		read[file] = true
		if lines, err := owners.definitions(box.Info().Name); err != nil {
			d.fail("cards", err.Error(), owners.check(box))
		} else {
			d.ok("cards", fmt.Sprintf("%s holds %d definitions", file, len(lines)), "read and checked")
		}
	}
	if len(read) == 0 {
		d.ok("cards", "no owner's file: what the box says is asked for at the table", "looked in "+dir)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// listenReason is why an address cannot be listened on.
func listenReason(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "the port is in use"
	case errors.Is(err, syscall.EACCES):
		return "the port needs privileges"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "this machine has no such address"
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err.Error()
	}
	return err.Error()
}
