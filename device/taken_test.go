package device

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

// TestSymlinksAreNotFollowed checks that a link out of the folder, or a path that
// is not a file, is not a journal.
func TestSymlinksAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(head), 0o600); err != nil {
		t.Fatal(err)
	}
	table := start(t, configured(dir))
	if err := os.Symlink(secret, table.store.path("linked")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(table.store.path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(table.store.path("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"linked", "pipe", "folder", "nul\x00", strings.Repeat("x", 300)} {
		if data, err := table.Journal(id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %q, %v", id, data, err)
		}
		if r := table.order(engine.Order{Do: "resume", Match: id}); r.Text.Key != "receipt.no-such-match" {
			t.Errorf("%q: %+v", id, r)
		}
	}
	table.stop()

	if err := errors.Join(os.Remove(filepath.Join(dir, lockName)),
		os.Symlink(secret, filepath.Join(dir, lockName))); err != nil {
		t.Fatal(err)
	}
	if _, err := New(configured(dir)); err == nil ||
		!strings.Contains(err.Error(), `its file "lock" is a symbolic link; remove it`) {
		t.Errorf("lock as a link: %v", err)
	}
	if read(t, secret) != head {
		t.Error("the file behind the link was changed")
	}
}

// TestJournalTakenAway checks that a journal that somebody removes or moves in
// mid-game is kept in a new file, with everything in the old one.
func TestJournalTakenAway(t *testing.T) {
	for name, take := range map[string]func(path string) error{
		"removed":            os.Remove,
		"moved":              func(path string) error { return os.Rename(path, path+".old") },
		"with its folder":    func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"the folder renamed": func(path string) error { return os.Rename(filepath.Dir(path), filepath.Dir(path)+"-old") },
	} {
		t.Run(name, func(t *testing.T) {
			config := configured(t.TempDir())
			table := start(t, config)
			table.begin("red", "blue")
			table.must("red key plus", "blue key plus")
			id := string(table.Frame().View.Match)
			if err := take(table.store.path(id)); err != nil {
				t.Fatal(err)
			}
			table.must("red key plus", "red key plus")
			if f := table.Frame(); !f.Status.Keeping {
				t.Errorf("status %+v", f.Status)
			}
			if got := lines(t, table, id); len(got) != 4 {
				t.Errorf("%d lines are kept", len(got))
			}
			if table.order(engine.Order{Do: "abandon"}); table.begin("red").Outcome != engine.Accepted {
				t.Error("no other match begins")
			}
			if err := table.stop(); err != nil {
				t.Error(err)
			}
			again := start(t, config)
			if r := again.order(engine.Order{Do: "resume", Match: id}); r.Outcome != engine.Accepted || r.Seq != 4 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestJournalReplaced checks that a foreign file in place of the journal is left
// alone: players are told that nothing is being saved, and everything is saved
// once it is gone.
func TestJournalReplaced(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(dir))
		table.begin("red", "blue")
		id := string(table.Frame().View.Match)
		path := table.store.path(id)
		if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte("mine"), 0o600)); err != nil {
			t.Fatal(err)
		}
		table.must("red key plus")
		if f := table.Frame(); f.Status.Keeping || !strings.HasPrefix(f.Status.Trouble, "Another file has taken the place") {
			t.Errorf("status %+v", f.Status)
		}
		if read(t, path) != "mine" {
			t.Error("the file was changed")
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if f := table.Frame(); !f.Status.Keeping || len(lines(t, table, id)) != 1 {
			t.Errorf("status %+v", f.Status)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestJournalTakenAwayOnFailingDisk checks that a journal that was removed is whole again, even if
// the disk loses the first attempt to write it in a new file.
func TestJournalTakenAwayOnFailingDisk(t *testing.T) {
	dir, disk := t.TempDir(), &faultyDisk{}
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(dir), disk.into)
		table.begin("red", "blue")
		table.must("red key plus")
		id := string(table.Frame().View.Match)
		if err := os.Remove(table.store.path(id)); err != nil {
			t.Fatal(err)
		}
		disk.set(func(d *faultyDisk) { d.syncErr = syscall.EIO })
		table.must("red key plus")
		disk.set(func(d *faultyDisk) { d.syncErr = nil })
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := lines(t, table, id); len(got) != 2 || !table.Frame().Status.Keeping {
			t.Errorf("kept are %q", got)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestFolderBehindLinkTakenAway checks that a link to a missing folder, such as a disk
// leaves when it is pulled out, is not taken for an existing journal: the match
// begins, and players are told about the disk.
func TestFolderBehindLinkTakenAway(t *testing.T) {
	dir, disk := t.TempDir(), filepath.Join(t.TempDir(), "disk")
	if err := errors.Join(os.Mkdir(disk, 0o700), os.Symlink(disk, filepath.Join(dir, "matches"))); err != nil {
		t.Fatal(err)
	}
	table := start(t, configured(dir))
	table.begin("red", "blue")
	table.order(engine.Order{Do: "abandon"})
	if err := os.RemoveAll(disk); err != nil {
		t.Fatal(err)
	}
	table.begin("red", "blue")
	if f := table.Frame(); f.Status.Keeping ||
		!strings.Contains(f.Status.Trouble, "is a link to a folder that does not exist") {
		t.Errorf("status %+v", f.Status)
	}
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := table.stop(); err != nil {
		t.Error(err)
	}
}
