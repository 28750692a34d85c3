package doctor

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
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
	"tableside/mqtt"
)

// Config holds the options of Examine.
type Config struct {
	Settings  config.Config
	File      string // name of the configuration file; "" is the default one
	LoadError error  // the error of reading the configuration file, or nil

	Try  bool      // show pictures, and wait for every key to be pressed
	Out  io.Writer // receives instructions meanwhile: what to look at or press
	Tape rig.TapeFile

	// CheckCards checks the owner's files in a data folder. The caller provides this function,
	// because only the commands know the games that read the files.
	CheckCards func(dir string) []Finding

	root string // prepended to the paths of system files, for tests
}

// A doctor collects findings.
type doctor struct {
	Config
	ports    rig.Ports
	findings []Finding
}

// Examine checks everything that the command "tableside run" needs, with the hardware on the
// given ports. It returns a finding for each check.
func Examine(ctx context.Context, c Config, p rig.Ports) []Finding {
	d := &doctor{Config: c, ports: p}
	d.examine(ctx)
	return d.findings
}

// Finding is the result of one check.
type Finding struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Text  string `json:"text"`
	How   string `json:"how,omitempty"` // the evidence of a good line
	Fix   string `json:"fix,omitempty"`
	// Paste holds lines to add to the configuration.
	Paste string `json:"paste,omitempty"`
}

// ok adds a good finding. The finding also says on what evidence it rests (how), because some
// evidence is better than other evidence. For example, the answer of a chip proves more than
// an existing file.
func (d *doctor) ok(check, text, how string) {
	d.findings = append(d.findings, Finding{Check: check, OK: true, Text: text, How: how})
}

func (d *doctor) fail(check, text, fix string) {
	text = strings.TrimPrefix(text, check+": ")
	d.findings = append(d.findings, Finding{Check: check, Text: text, Fix: fix})
}

// failed adds an error, or each of several mistakes, with its own advice or the usual one.
func (d *doctor) failed(check string, err error, usual string) {
	all, several := errors.AsType[config.Errors](err)
	for _, e := range all {
		d.failed(check, e, usual)
	}
	if !several {
		d.fail(check, err.Error(), fixFor(err, usual))
	}
}

func (d *doctor) examine(ctx context.Context) {
	c := d.Settings
	if d.LoadError != nil {
		d.failed("configuration", d.LoadError, "")
	} else if _, err := os.Stat(config.DefaultFile); d.File == "" && err != nil {
		d.ok("configuration", "there is none; docs/configuration.md has the defaults",
			config.DefaultFile+" does not exist")
	} else {
		d.ok("configuration", cmp.Or(d.File, config.DefaultFile), "read and checked")
	}
	d.setup(&c)
	d.clock(ctx, c.Hall.Listen, c.HTTP.Listen)
	d.checkPower()
	if e := (*config.Error)(nil); errors.As(d.LoadError, &e) && e.Unread {
		d.fail("the rest", "nothing else was checked", "mend the configuration first")
		return
	}
	d.checkComments()
	running := d.page(ctx, c.HTTP.Listen)
	held := running
	if hall := c.Hall.Listen; hall != "" {
		d.checkFree("hall", hall, "http://"+hall+" is free", running, "choose another hall.listen; port 0 picks a free one")
	}
	d.checkOverlay(c.Table.Data)
	if d.folder(c.Table.Data) {
		held = d.checkLock(c.Table.Data, running) || running
		d.space(c.Table.Data)
		d.findings = append(d.findings, d.CheckCards(c.Table.Data)...)
	}
	d.checkCertificate(c)
	d.broker(ctx, c, running)
	if d.LoadError != nil { // the drivers trust that the wiring was checked
		d.fail("hardware", "no part was asked", "mend the configuration first")
		return
	}
	d.record(&c.Wiring, held, func() { d.checkHardware(ctx, &c, held) })
	d.addUnused(ctx, &c.Wiring)
}

func (d *doctor) setup(c *config.Config) {
	const usual = "mend the line, or delete the file and open /setup again"
	if err := c.SetupError; err != nil {
		d.failed("setup", err, usual)
	}
	for _, e := range c.LeftOut {
		d.fail("setup", "a part of "+config.SetupFile+" is not used: "+e.Error(), cmp.Or(e.Hint, usual))
	}
}

// page checks whether a table's page can listen at an address. It reports whether a running
// table already has its page at this address.
func (d *doctor) page(ctx context.Context, addr string) (running bool) {
	if bytes.Contains(ask(ctx, addr, "/healthz"), []byte(`"keeping"`)) {
		d.ok("page", "a table runs and answers at http://"+addr, "asked for /healthz")
		return true
	}
	d.checkFree("page", addr, "http://"+addr+" is free", false, "choose another http.listen; port 0 picks a free one")
	return false
}

// checkFree checks whether a server can listen at an address. If the address is free,
// checkFree adds a good finding with the text in freeText. If the address is in use and a table
// runs (running is set), checkFree assumes that this table has the address, and the finding is
// good, too. In all other cases, checkFree adds a fault, and the last argument says what to
// do.
func (d *doctor) checkFree(what, addr, freeText string, running bool, fix string) {
	l, err := net.Listen("tcp", addr)
	switch {
	case err == nil:
		l.Close()
		d.ok(what, freeText, "listened there for a moment")
	case running:
		d.ok(what, "the running table has "+addr, "the port is in use, and its page answered")
	default:
		d.fail(what, addr+": "+config.ListenReason(err), fix)
	}
}

// ask returns what a page answers at an address of this machine, or nil if there is no such
// page.
func ask(ctx context.Context, addr, path string) []byte {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	host, port, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() { // no table answers to such a name
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return nil
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(answer.Body, 16<<20)) // a hall lists up to 4,096 tables
	if answer.StatusCode != http.StatusOK {
		return nil
	}
	return body
}

// folder checks the data folder, and reports whether it exists and can be written.
func (d *doctor) folder(dir string) bool {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(dir)
		if unix.Access(parent, unix.W_OK) != nil {
			d.fail("data", dir+" does not exist and cannot be made", "mkdir "+dir+" and chown it to the user who runs the table")
			return false
		}
		d.ok("data", dir+" will be made", "its parent folder can be written")
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
		d.fail("data", dir+" cannot be written: "+config.Reason(err),
			"chown it to the user who runs the table, or remount the disk writable")
		return false
	}
	probe.Close()
	os.Remove(probe.Name())
	d.ok("data", dir+" can be written", "wrote a file and removed it")
	return true
}

// checkLock checks whether another process holds the data folder, and reports the result. If
// running is set, a table answers at the configured address. Then checkLock assumes that this
// table holds the folder, and adds no fault. If running is not set, a process that holds the
// folder is a fault. For example, this process may be a table with its page at another
// address.
func (d *doctor) checkLock(dir string, running bool) (held bool) {
	f, err := os.Open(filepath.Join(dir, "lock"))
	if errors.Is(err, fs.ErrNotExist) {
		d.ok("lock", "free", "no table has run here yet")
		return false
	}
	if err != nil {
		d.fail("lock", config.Reason(err), "chown "+filepath.Join(dir, "lock"))
		return false
	}
	defer f.Close() // releases the lock, too
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	pid := make([]byte, 20)
	n, _ := f.Read(pid)
	holder := strings.TrimSpace(string(pid[:n]))
	switch {
	case err == nil:
		d.ok("lock", "free", "held it for a moment")
	case running:
		d.ok("lock", "the running table (process "+holder+") holds it", "tried to take it")
	default:
		d.fail("lock", "process "+holder+" uses the data folder, but no table answers at the configured address",
			"stop it, or give this table another data folder")
	}
	return err != nil
}

func (d *doctor) satellites(states map[string]string) {
	for _, place := range slices.Sorted(maps.Keys(states)) {
		if who := "satellite " + place; states[place] == "offline" {
			d.fail(who, "it is off, or has no network", "switch it on; if it is gone for good, clear its retained message")
		} else {
			d.ok(who, "it is online", "read its status from the broker")
		}
	}
}

// broker checks whether MQTT will work as configured. If running is set, the address of the
// embedded broker may belong to a table that runs.
func (d *doctor) broker(ctx context.Context, c config.Config, running bool) {
	switch m := c.MQTT; {
	case len(m.Addresses()) > 0:
		there := map[string]string{} // satellites, by their place
		for _, address := range m.Addresses() {
			d.brokerAt(ctx, c, address, there)
		}
		d.satellites(there)
	case m.Embedded != "":
		d.checkFree("broker", m.Embedded, m.Embedded+" is free for the embedded broker", running,
			"set mqtt.broker or mqtt.brokers to use the broker that is there, or choose another mqtt.embedded")
	default:
		d.ok("broker", "none is configured: nothing goes to MQTT", "nothing to check")
	}
}

// brokerAt checks the broker at one address. It also enters the state of each satellite that
// this broker knows in the map states.
func (d *doctor) brokerAt(ctx context.Context, c config.Config, address string, states map[string]string) {
	settings := rig.Client(&c)
	settings.Brokers, settings.Lang = []string{address}, "" // commands print English
	settings.Presence = func(place, state string) { states[place] = state }
	switch err := mqtt.Check(ctx, settings); {
	case err == nil:
		d.ok("broker", address+" lets the table in, read and write", "what was published there came back")
	case ctx.Err() != nil:
		d.fail("broker", "the check of "+address+" was stopped", "run doctor again")
	default:
		text := strings.TrimPrefix(err.Error(), "mqtt: ")
		if !slices.ContainsFunc(d.findings, func(f Finding) bool { return strings.Contains(f.Text, text) }) {
			d.fail("broker", text, fixFor(err, ""))
		}
	}
}
