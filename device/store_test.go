package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

// A faultyDisk fails like real disks: it is full in the middle of a write, does
// not sync, or is slow.
type faultyDisk struct {
	mu       sync.Mutex
	size     int64 // the most bytes of a file, 0 for no limit
	openErr  error
	syncErr  error
	truncErr error
	gate     chan struct{} // each sync waits on it
	syncs    int
}

func (d *faultyDisk) set(change func(*faultyDisk)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(d)
}

func (d *faultyDisk) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncs
}

func (d *faultyDisk) open(path string, flag int) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.openErr != nil {
		return nil, d.openErr
	}
	f, err := openFile(path, flag)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &faultyFile{file: f, disk: d, synced: info.Size()}, nil
}

func (d *faultyDisk) into(t *Table) { t.store.open = d.open }

type faultyFile struct {
	file
	disk   *faultyDisk
	synced int64 // bytes that the disk has
}

func (f *faultyFile) WriteAt(p []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if size := f.disk.size; size > 0 && off+int64(len(p)) > size {
		n, _ := f.file.WriteAt(p[:max(0, size-off)], off)
		return n, syscall.ENOSPC
	}
	return f.file.WriteAt(p, off)
}

func (f *faultyFile) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.disk.truncErr != nil {
		return f.disk.truncErr
	}
	f.synced = min(f.synced, size)
	return f.file.Truncate(size)
}

// Sync loses what is not on the disk if it fails, as Linux may.
func (f *faultyFile) Sync() error {
	f.disk.mu.Lock()
	gate := f.disk.gate
	f.disk.syncs++
	f.disk.mu.Unlock()
	if gate != nil {
		<-gate
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if f.disk.syncErr != nil {
		_, err := f.file.WriteAt(make([]byte, info.Size()-f.synced), f.synced)
		return cmp.Or(err, f.disk.syncErr)
	}
	f.synced = info.Size()
	return f.file.Sync()
}

// lines returns the commands of a journal on the disk.
func lines(t *testing.T, table *running, id string) []string {
	t.Helper()
	data, err := table.Journal(id)
	if err != nil {
		t.Fatal(err)
	}
	j, err := engine.ParseJournal(id, data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	var commands []string
	for _, l := range j.Lines {
		if l.Mark == nil {
			commands = append(commands, l.Input.Command())
		}
	}
	return commands
}

// TestGroupCommit checks that one sync covers the inputs that arrive during
// another, that none is answered or shown before it, and that they keep their
// order.
func TestGroupCommit(t *testing.T) {
	disk := &faultyDisk{}
	table := start(t, configured(t.TempDir()), disk.into)
	table.begin("red")
	gate := make(chan struct{})
	disk.set(func(d *faultyDisk) { d.gate, d.syncs = gate, 0 })
	const n = 200
	var answered atomic.Int32
	var all sync.WaitGroup
	answers := make([]<-chan engine.Receipt, n)
	for i := range n {
		if i == 1 { // the first is on its way to the disk: the rest wait for it
			for limit := time.Now().Add(10 * time.Second); disk.count() == 0; runtime.Gosched() {
				if time.Now().After(limit) {
					t.Fatal("nothing is synced")
				}
			}
		}
		answers[i] = table.Emit(TagOn{Place: "reader", Seat: "red", Tag: fmt.Sprint("card-", i)})
		all.Go(func() {
			r := <-answers[i]
			answered.Add(1)
			if r.Outcome != engine.Accepted || r.Seq != i+1 {
				t.Errorf("input %d got %+v", i, r)
			}
		})
	}
	table.wait(context.Background(), closed(table, n)) // the loop has seen them all
	if got := answered.Load(); got != 0 || table.Frame().View.Seq != 0 {
		t.Errorf("%d were answered and seq %d shown before the disk had them", got, table.Frame().View.Seq)
	}
	if got := lines(t, table, ""); len(got) != 1 {
		t.Errorf("%d lines are on the disk while the first sync is under way", len(got))
	}
	close(gate)
	all.Wait()
	marks := n / markEvery
	if got := disk.count(); got != 2 {
		t.Errorf("%d inputs and %d marks took %d syncs", n, marks, got)
	}
	got := lines(t, table, "")
	if len(got) != n {
		t.Fatalf("%d lines, want %d", len(got), n)
	}
	for i, line := range got {
		if want := fmt.Sprintf("red tap card-%d.1", i); line != want {
			t.Fatalf("line %d is %q, want %q", i, line, want)
		}
	}
}

// closed returns a channel that gets a receipt when the loop has applied n inputs,
// synced or not.
func closed(table *running, n int) <-chan engine.Receipt {
	done := make(chan engine.Receipt, 1)
	var look func(l *loop)
	look = func(l *loop) {
		if l.game.match.Seq() < n {
			table.inbox.put(look)
			return
		}
		done <- engine.Receipt{}
	}
	table.inbox.put(look)
	return done
}

func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) { testDiskFull(t, dir) })
}

func testDiskFull(t *testing.T, dir string) {
	disk := &faultyDisk{}
	table := start(t, configured(dir), disk.into)
	table.begin("red")
	table.must("red key plus")
	data, _ := table.Journal("")
	good := len(data)
	for _, room := range []int{0, 1, 20, 60} { // the write ends anywhere in this line or the next
		disk.set(func(d *faultyDisk) { d.size = int64(good + room) })
		for range 3 {
			table.must("red key plus", "red tap a-card-with-a-long-name.1")
		}
		s := table.Frame().Status
		if s.Keeping || !strings.Contains(s.Trouble, "disk is full") || s.Health[0].Health != engine.Broken {
			t.Errorf("room %d: status %+v", room, s)
		}
		data, _ := table.Journal("")
		if len(data) < good {
			t.Fatalf("room %d: what was kept is damaged", room)
		}
		if _, err := engine.ParseJournal("", data); err != nil {
			t.Errorf("room %d: %v", room, err)
		}
		disk.set(func(d *faultyDisk) { d.size = 0 })
		table.must("red key plus")
		time.Sleep(inputRetryWait) // then all of it is written
		synctest.Wait()
		if s := table.Frame().Status; !s.Keeping || s.Trouble != "" || s.Health[0].Health != engine.OK {
			t.Errorf("room %d: status %+v", room, s)
		}
		data, _ = table.Journal("")
		good = len(data)
	}
	if got, want := len(lines(t, table, "")), table.Frame().View.Seq; got != want {
		t.Errorf("%d lines for seq %d", got, want)
	}
	id := string(table.Frame().View.Match)
	if err := table.stop(); err != nil {
		t.Error(err)
	}
	again := start(t, configured(dir))
	before := table.Frame().View.Seq
	if r := again.order(engine.Order{Do: "resume", Match: id}); r.Outcome != engine.Accepted || r.Seq != before {
		t.Errorf("resume: %+v, seq was %d", r, before)
	}
	if err := again.stop(); err != nil {
		t.Error(err)
	}
}

// TestSyncFails checks that lines whose sync failed are written again, even if
// the file could not be truncated in between: a failed sync may have lost them.
func TestSyncFails(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		disk := &faultyDisk{}
		table := start(t, configured(dir), disk.into)
		table.begin("red")
		disk.set(func(d *faultyDisk) { d.syncErr, d.truncErr = syscall.EIO, syscall.EIO })
		table.must("red key plus", "red key plus")
		if s := table.Frame().Status; s.Keeping || !strings.Contains(s.Trouble, "input/output error") {
			t.Errorf("status %+v", s)
		}
		disk.set(func(d *faultyDisk) { d.syncErr, d.truncErr = nil, nil })
		table.must("red key minus")
		time.Sleep(inputRetryWait)
		synctest.Wait()
		if got := lines(t, table, ""); strings.Join(got, ",") != "red key plus,red key plus,red key minus" {
			t.Errorf("lines %q", got)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestBeginOnFullDisk checks that a match begins on a full disk and is kept as
// soon as possible.
func TestBeginOnFullDisk(t *testing.T) {
	for _, fault := range []struct {
		name string
		set  func(*faultyDisk)
	}{
		{"create", func(d *faultyDisk) { d.openErr = syscall.ENOSPC }},
		{"write", func(d *faultyDisk) { d.size = 10 }},
		{"sync", func(d *faultyDisk) { d.syncErr = syscall.ENOSPC }},
	} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			disk := &faultyDisk{}
			table := start(t, configured(dir), disk.into)
			disk.set(fault.set)
			table.begin("red")
			table.must("red key plus")
			if table.Frame().Status.Keeping {
				t.Errorf("%s: the table reports that it keeps inputs on a full disk", fault.name)
			}
			disk.set(func(d *faultyDisk) { d.openErr, d.size, d.syncErr = nil, 0, nil })
			table.must("red key plus")
			time.Sleep(inputRetryWait)
			synctest.Wait()
			if got := lines(t, table, ""); len(got) != 2 || !table.Frame().Status.Keeping {
				t.Errorf("%s: lines %q, status %+v", fault.name, got, table.Frame().Status)
			}
			if err := table.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTooManyFiles checks that the disk is not blamed when the program has too many files open.
func TestTooManyFiles(t *testing.T) {
	disk := &faultyDisk{}
	table := start(t, configured(t.TempDir()), disk.into)
	disk.set(func(d *faultyDisk) { d.openErr = &os.PathError{Op: "open", Path: "x.journal", Err: syscall.EMFILE} })
	table.begin("red")
	if s := table.Frame().Status; s.Keeping || !strings.Contains(s.Trouble, "The disk is well") {
		t.Errorf("status %+v", s)
	}
	disk.set(func(d *faultyDisk) { d.openErr = nil })
	table.must("red key plus")
}

// TestLeftMatchIsKept checks that a match that is left while the disk is full
// still gets its last lines, and so does the next one.
func TestLeftMatchIsKept(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) { testLeftMatch(t, dir) })
}

func testLeftMatch(t *testing.T, dir string) {
	disk := &faultyDisk{}
	table := start(t, configured(dir), disk.into)
	table.begin("red")
	first := string(table.Frame().View.Match)
	disk.set(func(d *faultyDisk) { d.size = 1 })
	table.must("red key plus")
	table.order(engine.Order{Do: "abandon"})
	if r := table.order(engine.Order{Do: "resume", Match: first}); r.Outcome != engine.Failed ||
		!strings.Contains(r.Spoken, "not on the disk yet") {
		t.Errorf("a match whose lines are missing was opened: %+v", r)
	}
	table.begin("red")
	if table.Frame().Status.Keeping {
		t.Error("keeping on a full disk")
	}
	disk.set(func(d *faultyDisk) { d.size = 0 })
	table.must("red key plus")
	time.Sleep(inputRetryWait)
	synctest.Wait()
	if got := lines(t, table, first); len(got) != 1 {
		t.Errorf("the match that was left has %q", got)
	}
	if data, _ := table.Journal(first); !strings.Contains(string(data), "\nend abandoned") {
		t.Errorf("no end:\n%s", data)
	}
	if got := lines(t, table, ""); len(got) != 1 {
		t.Errorf("the match after it has %q", got)
	}
	if err := table.stop(); err != nil {
		t.Error(err)
	}
}

// TestRetry checks that the lines are written when the disk works again, without
// any further input.
func TestRetry(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		disk := &faultyDisk{}
		table := start(t, configured(dir), disk.into)
		table.begin("red")
		disk.set(func(d *faultyDisk) { d.syncErr = syscall.EIO })
		table.must("red key plus")
		disk.set(func(d *faultyDisk) { d.syncs = 0 })
		time.Sleep(time.Hour)
		disk.set(func(d *faultyDisk) {
			if d.syncs < 100 || d.syncs > 150 {
				t.Errorf("%d tries in an hour", d.syncs)
			}
			d.syncErr = nil
		})
		time.Sleep(maxRetryWait)
		synctest.Wait()
		if s := table.Frame().Status; !s.Keeping || len(lines(t, table, "")) != 1 {
			t.Errorf("status %+v", s)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestDiskHangs checks that play goes on a while after the disk stops answering,
// and that nothing is missing when it answers again.
func TestDiskHangs(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		disk := &faultyDisk{}
		table := start(t, configured(dir), disk.into)
		table.begin("red")
		gate := make(chan struct{})
		disk.set(func(d *faultyDisk) { d.gate = gate })
		began := time.Now()
		table.must("red key plus")
		if took := time.Since(began); took != syncLimit {
			t.Errorf("players waited %v", took)
		}
		table.must("red key plus", "red key plus")
		if took := time.Since(began); took != syncLimit {
			t.Errorf("players waited again: %v", took)
		}
		if s := table.Frame().Status; s.Keeping || !strings.Contains(s.Trouble, "does not answer") ||
			table.count("red") != 3 {
			t.Errorf("status %+v", s)
		}
		close(gate)
		synctest.Wait()
		if s := table.Frame().Status; !s.Keeping || len(lines(t, table, "")) != 3 {
			t.Errorf("status %+v, lines %q", s, lines(t, table, ""))
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestStopWithMissingLines checks that switching off with lines that could not be
// kept returns an error.
func TestStopWithMissingLines(t *testing.T) {
	disk := &faultyDisk{}
	table := start(t, configured(t.TempDir()), disk.into)
	table.begin("red")
	disk.set(func(d *faultyDisk) { d.syncErr = syscall.ENOSPC })
	table.must("red key plus")
	if err := table.stop(); err == nil || !strings.Contains(err.Error(), "could not be kept") {
		t.Errorf("stop: %v", err)
	}
}

// TestStopWhileDiskHangs checks that the table can be switched off although the
// disk hangs forever.
func TestStopWhileDiskHangs(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		disk := &faultyDisk{}
		table := start(t, configured(dir), disk.into)
		table.begin("red")
		gate := make(chan struct{})
		disk.set(func(d *faultyDisk) { d.gate = gate })
		answer := table.Emit(Press{Seat: "red", Key: "plus"})
		began := time.Now()
		synctest.Wait()
		if err := table.stop(); err == nil || !strings.Contains(err.Error(), "could not be kept: The disk does not answer") {
			t.Errorf("stop: %v", err)
		}
		if took := time.Since(began); took > 2*syncLimit {
			t.Errorf("it took %v", took)
		}
		if r := <-answer; r.Outcome != engine.Accepted {
			t.Errorf("receipt %+v", r)
		}
		close(gate)
	})
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	table, err := New(configured(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(configured(dir))
	want := fmt.Sprintf("another tableside (process %d) uses it", os.Getpid())
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want %q", err, want)
	}
	if err := closeTable(table); err != nil {
		t.Fatal(err)
	}
	if table, err = New(configured(dir)); err != nil {
		t.Fatal(err)
	}
	if err := closeTable(table); err != nil {
		t.Error(err)
	}
	if r := table.Input(context.Background(), engine.Input{}); r.Outcome != engine.Failed || r.Spoken == "" {
		t.Errorf("a closed table answered %+v", r)
	}
}

// TestLockRemoved checks that a table takes its lock again after somebody has removed it, alone
// or with the whole folder.
func TestLockRemoved(t *testing.T) {
	config := configured(t.TempDir())
	table := start(t, config)
	table.begin("red")
	for _, gone := range []string{filepath.Join(config.Dir, lockName), config.Dir} {
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
		table.must("red key plus")
		if second, err := New(config); err == nil {
			t.Errorf("without %s a second table starts", gone)
			_ = closeTable(second)
		} else if !strings.Contains(err.Error(), "another tableside") {
			t.Error(err)
		}
	}
	table.stop()
	second, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	if m := second.Matches(); len(m) != 1 || m[0].Inputs != 2 {
		t.Errorf("kept are %+v", m)
	}
	_ = closeTable(second)
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folders := []string{filepath.Join(file, "data"), "/proc/tableside"}
	if os.Geteuid() != 0 { // root writes anywhere
		for _, sub := range []string{"", "matches"} {
			folder := filepath.Join(dir, "read-only"+sub)
			if err := os.MkdirAll(filepath.Join(folder, "matches"), 0o700); err != nil {
				t.Fatal(err)
			}
			closed := filepath.Join(folder, sub)
			if err := os.Chmod(closed, 0o500); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
			folders = append(folders, folder)
		}
	}
	for _, folder := range folders {
		if _, err := New(configured(folder)); err == nil || !strings.Contains(err.Error(), "data folder "+folder) {
			t.Errorf("%s: error %v", folder, err)
		}
	}
}

// TestExclusive checks that two matches in one second, and a file of the same
// name, lead to other names.
func TestExclusive(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(dir))
		inTheWay := filepath.Join(dir, "matches", time.Now().UTC().Format("2006-01-02T15-04-05Z")+".journal")
		if err := os.WriteFile(inTheWay, []byte("something"), 0o600); err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for range 3 {
			table.begin("red")
			ids[string(table.Frame().View.Match)] = true
			table.order(engine.Order{Do: "abandon"})
		}
		if len(ids) != 3 {
			t.Errorf("matches %v", ids)
		}
		if data, _ := os.ReadFile(inTheWay); string(data) != "something" {
			t.Errorf("the file in the way holds %q", data)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestJournalNames(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	for _, id := range []string{"", "../lock", "nothing", ".hidden", `a\b`} {
		if _, err := table.Journal(id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("journal %q: %v", id, err)
		}
	}
}

// A durableDisk records what a power cut would leave: only the bytes written
// before the last sync.
type durableDisk struct {
	mu   sync.Mutex
	left map[string][]byte
}

func (d *durableDisk) into(t *Table) {
	t.store.open = func(path string, flag int) (file, error) {
		f, err := openFile(path, flag)
		return &durableFile{f, d, path}, err
	}
}

type durableFile struct {
	file
	disk *durableDisk
	path string
}

func (f *durableFile) Sync() error {
	data, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.disk.left[f.path] = data
	return nil
}

// inputs counts the inputs of a match that a power cut now would leave.
func (d *durableDisk) inputs(path string) (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	j, err := engine.ParseJournal(path, d.left[path])
	if err != nil {
		return 0, err
	}
	for _, l := range j.Lines {
		if l.Mark == nil {
			n++
		}
	}
	return n, nil
}

type showFunc func(context.Context, engine.Frame) error

func (f showFunc) Show(ctx context.Context, frame engine.Frame) error { return f(ctx, frame) }

// TestPowerCut checks that every input that is shown or answered would survive a
// power cut at that moment.
func TestPowerCut(t *testing.T) {
	disk := &durableDisk{left: map[string][]byte{}}
	table := start(t, configured(t.TempDir()), disk.into)
	var shown atomic.Int32
	survives := func(v engine.View, seq int) {
		if v.Match == "" {
			return
		}
		if n, err := disk.inputs(table.store.path(string(v.Match))); err != nil || n < seq {
			t.Errorf("seq %d was seen, a power cut would leave %d: %v", seq, n, err)
		}
		shown.Add(1)
	}
	table.Add(Part{Name: "panel", Output: showFunc(func(_ context.Context, f engine.Frame) error {
		survives(f.View, f.View.Seq)
		return nil
	})})
	for range 3 {
		table.begin("red", "blue", "green")
		view := table.Frame().View
		survives(view, 0)
		var players sync.WaitGroup
		for _, seat := range []engine.Seat{"red", "blue", "green"} {
			players.Go(func() {
				for range 60 {
					r := table.Input(context.Background(), engine.Input{Seat: seat, Verb: engine.Key, Args: []string{"plus"}})
					survives(view, r.Seq)
				}
			})
		}
		players.Wait()
		table.order(engine.Order{Do: "abandon"})
	}
	if shown.Load() < 500 {
		t.Errorf("got only %d frames", shown.Load())
	}
}

// TestSweep checks that a start removes what dead programs have left of their writes, and
// nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	put := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".tags-1", ".token-12", ".owner-token-3", ".setup.toml-4", ".hall.json-5",
		".history.json-6", ".matches.json-7", ".matches.index-1", ".history.log-8", ".history.log.aside-1-9", ".invited.json-1",
		"broker/.access-2", "tls/.page.pem-3", "tls/.new-4", "presets/.own.txt-5", "cards/.mutants.txt-6",
		"cards/history/mutants/.0001.txt-7", "matches/.probe-8", "matches/.2026-11-28T12-58-42Z@kk.journal-3214567890",
		"matches/deleted/.2026-11-28T12-58-42Z.journal.aside-1-2"} {
		put(name)
	}
	kept := []string{".tags-old", ".tags-", "tags-1", ".notes-1", "cards/mutants.txt-1", "matches/.hidden.journal",
		"presets/.own.txt-1/x", ".tags-1234"}
	for _, name := range kept {
		put(name)
	}
	beingWritten, err := os.Open(filepath.Join(dir, ".tags-1234"))
	if err != nil {
		t.Fatal(err)
	}
	defer beingWritten.Close()
	if err := syscall.Flock(int(beingWritten.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	table, err := New(configured(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer closeTable(table)
	var left []string
	_ = filepath.WalkDir(dir, func(path string, file fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, path); err == nil && !file.IsDir() && name != lockName {
			left = append(left, name)
		}
		return err
	})
	slices.Sort(kept)
	slices.Sort(left)
	if !slices.Equal(left, kept) {
		t.Errorf("left are %q\nwant %q", left, kept)
	}
}
