package chances

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"tableside/engine"
	"tableside/engine/advice"
	"tableside/engine/mindbug"
)

func reading(t *testing.T, name string) func(string) (engine.Game, *engine.Journal, error) {
	data, err := os.ReadFile(filepath.Join("../../cmd/tableside/testdata/journals", name))
	if err != nil {
		t.Fatal(err)
	}
	return func(match string) (engine.Game, *engine.Journal, error) {
		if match == "none" {
			return nil, nil, fs.ErrNotExist
		}
		j, err := engine.ParseJournal(name, data)
		if match == "unfinished" {
			j.Lines, j.End = j.Lines[:len(j.Lines)-2], nil
		}
		return engine.Find(mindbug.Games(), "mindbug/first-contact"), j, err
	}
}

// TestPast finds the same moments again after a restart, and mistakes only in a match that is over.
func TestPast(t *testing.T) {
	read := reading(t, "mindbug-first-contact-silent-no.journal")
	f := &Finder{Read: read, Folder: filepath.Join(t.TempDir(), "chances")}
	_, j, _ := read("old")
	mistakes := 0
	var found []advice.Moment
	seqs := []int{0, 34, 85, 91, 98, len(j.Lines) + 1}
	for _, seq := range seqs {
		m, err := f.At(t.Context(), "old", seq)
		if err != nil {
			t.Fatal(err)
		}
		if m.Seq != min(seq, 98) || seq <= 98 && (m.Of == 0 || len(m.List) != 2 || math.Abs(m.List[0].Mean+m.List[1].Mean-1) > 1e-9) {
			t.Errorf("%+v", m)
		}
		if m.Mistake != nil {
			t.Logf("after %d: %+v", seq, *m.Mistake)
			if mistakes++; m.Mistake.Best-m.Mistake.Given < mistaken || m.Mistake.Better["en"] == "" || m.Mistake.Better["fr"] == "" {
				t.Errorf("%+v", m.Mistake)
			}
		}
		found = append(found, m)
	}
	if mistakes == 0 {
		t.Error("nobody has made a mistake")
	}
	again := &Finder{Read: read, Folder: f.Folder}
	for i, seq := range seqs[:5] {
		want := found[i]
		if m, err := again.At(t.Context(), "old", seq); err != nil || !reflect.DeepEqual(m, want) {
			t.Fatalf("kept as %+v, want %+v: %v", m, want, err)
		}
	}

	file := filepath.Join(f.Folder, "old.jsonl")
	data, _ := os.ReadFile(file)
	if err := os.WriteFile(file, data[:len(data)-9], 0o600); err != nil { // the power failed
		t.Fatal(err)
	}
	last := found[4].Seq
	if m, err := (&Finder{Read: read, Folder: f.Folder}).At(t.Context(), "old", last); err != nil || m.Seq != last {
		t.Error(m, err)
	}

	for _, seq := range []int{0, 34} {
		if m, err := f.At(t.Context(), "unfinished", seq); err != nil || m.Mistake != nil {
			t.Errorf("in a match that is not over: %+v, %v", m, err)
		}
	}
	if _, err := os.Stat(filepath.Join(f.Folder, "unfinished.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("moments of a match that is not over are kept:", err)
	}
	if _, err := f.At(t.Context(), "none", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	f.turn.Lock() // somebody imagines
	if _, err := f.At(t.Context(), "unfinished", 34); err != nil {
		t.Error(err)
	}
	f.turn.Unlock()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := f.At(ended, "old", 3); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
