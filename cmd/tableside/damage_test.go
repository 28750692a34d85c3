package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tableside/cmd/tableside/certs"
	"tableside/device/evening"
	"tableside/device/history"
	"tableside/engine"
)

// damages holds the ways in which files of the data folder are damaged.
var damages = []string{"torn", "zeros", "flipped", "doubled", "empty", "unreadable"}

// A fate says what becomes of a file that is damaged before a start. The first word is "said" if
// the page or the log names the file, or the match in it. The second word is "kept" if the file
// stays as it is, "mended" if it is whole again, and "gone" if it is removed.
type fate string

// dataFiles holds the files that a table and the hall beside it read, with the fate of each for
// every one of the damages. Two kinds are missing: certificates (TestOwnFiles in certs), and
// invited.json, which only a command reads, and refuses. The text is "" for a file that the
// program has made. The part is the one that shows on the page that something is wrong with the
// file, if there is one.
var dataFiles = []struct {
	name, part, text string
	fates            [6]fate
}{
	// A flipped letter may name another card: people write this file, and it has no checksum.
	{"tags", "tags", "04000000000001 mutants/zombie.1\n04000000000002 mutants/zombie.2\n",
		[6]fate{"said kept", "said kept", "quiet kept", "said kept", "said kept", "said kept"}},
	// The same card twice is that card, and an owner may clear the file on the page.
	{"cards/mutants.txt", "definitions", "card zombie freeze 2\ncard robot freeze 2\n",
		[6]fate{"said kept", "said kept", "said kept", "quiet kept", "quiet kept", "said kept"}},
	// Nothing reads an old version until somebody asks for it on the page.
	{"cards/history/mutants/0001.txt", "", "card zombie freeze 2\ncard robot freeze 1\n",
		[6]fate{"quiet kept", "quiet kept", "quiet kept", "quiet kept", "quiet kept", "quiet kept"}},
	{"presets/own.txt", "presets", "tableside-presets 1\ngame tally/score\npreset long\noption target 50\n",
		[6]fate{"said kept", "said kept", "said kept", "said kept", "said kept", "said kept"}},
	{"setup.toml", "", "[[keyboards]]\ndevice = \"ffff:0035\"\nreads = \"tags\"\n",
		[6]fate{"said kept", "said kept", "said kept", "said kept", "said kept", "said kept"}},
	// A torn line was never acknowledged.
	{"history.log", "history.log", "",
		[6]fate{"quiet kept", "said kept", "said kept", "said kept", "said kept", "said kept"}},
	// At worst a flipped bit sends a match again, which the hall has already.
	{"hall.json", "", `{"hall":"club","matches":{"2026-11-18T20-15-00Z":{"home":true},` +
		`"2026-11-20T20-15-00Z":{"home":true},"2026-11-19T20-15-00Z":{"home":true}}}`,
		[6]fate{"said kept", "said kept", "quiet kept", "said kept", "said kept", "said kept"}},
	// A folder is no journal, whatever its name is.
	{"matches/2026-11-20T20-15-00Z.journal", "", "",
		[6]fate{"quiet kept", "said kept", "said kept", "said kept", "quiet gone", "quiet kept"}},
	// Without an index the journals are read.
	{"matches.index", "", "",
		[6]fate{"quiet mended", "quiet mended", "quiet mended", "quiet mended", "quiet mended", "quiet kept"}},
	// Another letter makes another token; an owner may have written any.
	{"token", "token", "",
		[6]fate{"said mended", "said mended", "quiet kept", "said mended", "said mended", "said kept"}},
	{"owner-token", "owner-token", "",
		[6]fate{"said mended", "said mended", "quiet kept", "said mended", "said mended", "said kept"}},
	// Its text only tells people who holds it; no process ID here, as a flipped one may be that of
	// the next table. In place of a folder there is no lock, and no table starts without one:
	// TestDamagedFilesRefused.
	{"lock", "", "nobody\n",
		[6]fate{"quiet mended", "quiet mended", "quiet mended", "quiet mended", "quiet mended", ""}},
	{"hall/evenings/2026-11-20T19-00-00Z.journal", "", "",
		[6]fate{"quiet kept", "said kept", "said kept", "said kept", "quiet gone", "quiet kept"}},
	// What tables may send again; at worst a hall takes a journal that it once replaced.
	{"hall/replaced", "", "\n2026-11-20T20-15-00Z@one 0123\n2026-11-21T20-15-00Z@one 4567",
		[6]fate{"quiet kept", "quiet kept", "quiet kept", "quiet kept", "quiet kept", "quiet kept"}},
	{"hall/owner-token", "", "",
		[6]fate{"said mended", "said mended", "quiet kept", "said mended", "said mended", "said kept"}},
}

// TestDamagedFiles damages all files of a data folder at once, and starts a table with it, which
// has to start whatever the damage is.
func TestDamagedFiles(t *testing.T) {
	whole := wholeFolder(t)
	for i, damage := range damages {
		t.Run(damage, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			if err := os.CopyFS(data, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			age(t, filepath.Join(data, soundJournal)) // else the indexes do not have it
			damaged := map[string]string{}
			for _, file := range dataFiles {
				if file.fates[i] != "" {
					damaged[file.name] = damageFile(t, filepath.Join(data, file.name), damage)
				}
			}
			p := startOn(t, data)
			said := "\n" + p.saysOfMatches(t)
			for _, file := range dataFiles {
				if file.part == "" || file.fates[i] != "said kept" {
					continue
				}
				health := engine.Degraded
				if file.part == "definitions" && damage == "unreadable" {
					health = engine.Broken // no match of the game begins
				}
				p.untilHealth(file.part, health)
				said += "/" + filepath.Base(file.name) + "\n"
			}
			p.interrupt()
			said += p.errs.String()
			for _, file := range dataFiles { // cards are told of among the first lines of the output
				if logged := "file=" + file.part + " "; file.part != "" && file.part != "definitions" &&
					file.fates[i] == "said kept" && !strings.Contains(p.errs.String(), logged) {
					t.Errorf("the log has no %q", logged)
				}
			}
			for _, file := range dataFiles {
				if file.fates[i] == "" {
					continue
				}
				now, err := os.ReadFile(filepath.Join(data, file.name))
				got, name := "quiet ", strings.TrimSuffix(filepath.Base(file.name), ".journal")
				if strings.HasPrefix(file.name, "hall/") {
					name = file.name
				}
				for _, before := range []string{"\n", "/", "="} {
					if strings.Contains(said, before+name) {
						got = "said "
					}
				}
				switch {
				case errors.Is(err, fs.ErrNotExist):
					got += "gone"
				case err != nil && damage == "unreadable", err == nil && string(now) == damaged[file.name]:
					got += "kept"
				default:
					got += "mended"
				}
				if want := file.fates[i]; fate(got) != want {
					t.Errorf("%s: %s, want %s", file.name, got, want)
				}
			}
			if t.Failed() {
				t.Log(said)
			}
		})
	}
}

// soundJournal is a journal that is not damaged.
const soundJournal = "matches/2026-11-19T20-15-00Z.journal"

func age(t *testing.T, file string) {
	t.Helper()
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, before, before); err != nil {
		t.Fatal(err)
	}
}

// wholeFolder makes a data folder with every file in it.
func wholeFolder(t *testing.T) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "whole")
	const match = "2026-11-20T20-15-00Z"
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(data, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	putAll := func() {
		for _, file := range dataFiles {
			if file.text != "" {
				put(file.name, file.text)
			}
		}
	}
	putAll()
	for _, day := range []int{19, 20} {
		begin := time.Date(2026, 11, day, 20, 15, 0, 0, time.UTC)
		setup := engine.Setup{Game: "tally/score", Options: map[string]string{"target": "10"}, Begin: begin,
			Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}
		journal, sealer := setup.SealedHead()
		for _, line := range []string{"10s red choose +5", "60s red key next", "65s blue choose +10"} {
			journal += sealer.Seal(line)
		}
		file := "matches/" + setup.MatchID() + ".journal"
		put(file, journal)
		age(t, filepath.Join(data, file))
	}
	book, err := evening.Open(evening.Config{
		Dir: filepath.Join(data, "hall/evenings"), Log: slog.Default(), Changed: func(string) {},
		Now: func() time.Time { return time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC) },
	})
	if err == nil {
		_, err = book.Create(evening.Plan{Name: "Friday", Format: evening.Free, Players: strings.Fields("Ann Bob Cem Dee Eve Fay Gil Hal")})
	}
	if err != nil {
		t.Fatal(err)
	}
	past := history.New(data, allGames())
	for _, note := range []string{"first", "second"} {
		if err := past.Note(match, note, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	p := startOn(t, data)
	if _, err := past.Read(); err != nil {
		t.Error(err)
	}
	p.interrupt()
	putAll() // the table has written some of them
	return data
}

// startOn starts a table that uses every file of a data folder.
func startOn(t *testing.T, data string) *process {
	t.Helper()
	config := filepath.Join(t.TempDir(), "table.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, `[http]
listen = "127.0.0.1:0"
local = "token"
[table]
data = %q
[mqtt]
embedded = "127.0.0.1:0"
hall = "club"
[hall]
name = "club"
listen = "127.0.0.1:0"
data = %q
`, data, filepath.Join(data, "hall")), 0o600); err != nil {
		t.Fatal(err)
	}
	return startTable(t, "run", "--config", config)
}

// damageFile damages a file, and returns its text afterwards.
func damageFile(t *testing.T, file, damage string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := len(text)
	at := n * 4 / 5
	if bytes.Count(text, []byte("\n")) < 2 {
		at = n / 2
	}
	switch damage {
	case "torn":
		text = text[:at]
	case "zeros":
		text = append(text[:at], make([]byte, n-at)...)
	case "flipped":
		text[at] ^= 1
	case "doubled":
		text = append(text, text[bytes.LastIndexByte(text[:n-1], '\n')+1:]...)
	case "empty":
		text = nil
	case "unreadable":
		if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o750)); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	if err := errors.Join(os.Remove(file), os.WriteFile(file, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// saysOfMatches returns what the page says of damaged matches. It also asks for the history.
func (p *process) saysOfMatches(t *testing.T) (said string) {
	t.Helper()
	var matches []engine.MatchInfo
	body, err := p.get("/api/matches")
	if err == nil {
		err = json.Unmarshal(body, &matches)
	}
	if err != nil {
		t.Error(err)
	}
	_, _ = p.get("/api/history") // fails if the log of the history cannot be read
	for _, m := range matches {
		if m.Reason != "" {
			said += m.ID + ": " + m.Reason + "\n"
		}
	}
	return said
}

// TestDamagedFilesRefused checks the only files without which no table starts: the lock, and the
// authority of the page, which no table replaces, as phones trust it.
func TestDamagedFilesRefused(t *testing.T) {
	for _, damage := range []string{"torn", "zeros", "empty", "unreadable"} {
		data := t.TempDir()
		config := filepath.Join(t.TempDir(), "table.toml")
		text := fmt.Appendf(nil, "[http]\nlisten = \"127.0.0.1:0\"\ntls = \"own\"\n[table]\ndata = %q\n", data)
		authority := filepath.Join(data, "tls", "authority.pem")
		if _, err := certs.OpenOwn(certs.ForTable(data, "table", nil, slog.New(slog.DiscardHandler))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(config, text, 0o600); err != nil {
			t.Fatal(err)
		}
		before := damageFile(t, authority, damage)
		if code, _, errs := speak(t, "", "run", "--config", config); code == 0 || !strings.Contains(errs, authority) {
			t.Errorf("%s authority: %d, %s", damage, code, errs)
		}
		if now, _ := os.ReadFile(authority); string(now) != before {
			t.Errorf("the %s authority was changed", damage)
		}
		lock := filepath.Join(data, "lock")
		if err := errors.Join(os.Remove(lock), os.Mkdir(lock, 0o750)); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := speak(t, "", "run", "--config", config); code == 0 || !strings.Contains(errs, lock) {
			t.Errorf("a folder as the lock: %d, %s", code, errs)
		}
	}
}
