package device

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tableside/device/disk"
	"tableside/engine"
)

// ownPresets is the file that the table writes. Other preset files lie beside it.
const ownPresets = "own.txt"

// maxPresetFiles is the greatest number of preset files. If there are more, none is read.
const maxPresetFiles = 50

// Presets reads and keeps the owner's presets: the files <data>/presets/*.txt. It may be
// used by several goroutines.
type Presets struct {
	Dir   string        // the data folder of the table
	Games []engine.Game // a preset of any other game is a fault

	mu sync.Mutex // held while files are read or changed
}

// List returns the presets of all files. The presets of the table's own file come first. If
// several presets have the same game and name, List returns only the first of them. A file
// with a mistake is left out as a whole, and faults says why.
//
// If the folder cannot be read, or has more than maxPresetFiles, List returns no presets and
// one fault.
func (p *Presets) List() (kept []engine.Preset, faults []error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	files, err := p.files()
	if err != nil {
		return nil, []error{err}
	}
	for _, file := range files {
		presets, err := p.read(file)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		for _, preset := range presets {
			if !slices.ContainsFunc(kept, named(preset.Game, preset.Name)) {
				preset.Own = file == ownPresets
				kept = append(kept, preset)
			}
		}
	}
	return kept, faults
}

// Keep adds presets to the table's own file. It adds all of them or none. A preset replaces a
// preset in this file with the same game and name.
func (p *Presets) Keep(presets ...engine.Preset) error {
	return p.change(func(all []engine.Preset) ([]engine.Preset, error) {
		for _, preset := range presets {
			if i := slices.IndexFunc(all, named(preset.Game, preset.Name)); i >= 0 {
				all[i] = preset
			} else {
				all = append(all, preset)
			}
		}
		return all, nil
	})
}

// Remove removes a preset from the table's own file. It returns fs.ErrNotExist if the preset
// is not there.
func (p *Presets) Remove(game, name string) error {
	return p.change(func(all []engine.Preset) ([]engine.Preset, error) {
		i := slices.IndexFunc(all, named(game, name))
		if i < 0 {
			return nil, fs.ErrNotExist
		}
		return slices.Delete(all, i, i+1), nil
	})
}

// Text returns the presets of the table's own file, in the form of that file. If the file does
// not exist, the text has only the first line that every such file has.
func (p *Presets) Text() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	presets, err := p.read(ownPresets)
	return engine.FormatPresets(presets), err
}

func named(game, name string) func(engine.Preset) bool {
	return func(p engine.Preset) bool { return p.Game == game && p.Name == name }
}

// change passes the presets of the table's own file to the function edit, which returns the
// new presets. Then change writes these to the file. If edit fails, or if the new file could
// not be read again, change returns an error and writes nothing.
func (p *Presets) change(edit func([]engine.Preset) ([]engine.Preset, error)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	all, err := p.read(ownPresets)
	if err != nil {
		return err
	}
	if all, err = edit(all); err != nil {
		return err
	}
	text := engine.FormatPresets(all)
	if _, err := p.parse(ownPresets, text); err != nil {
		return err
	}
	return disk.Replace(filepath.Join(p.Dir, "presets", ownPresets), string(text))
}

// files lists the names of the preset files. The table's own file comes first, even if it does
// not exist. If there are more than maxPresetFiles, files returns an error.
func (p *Presets) files() (files []string, err error) {
	entries, err := os.ReadDir(filepath.Join(p.Dir, "presets"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	files = []string{ownPresets}
	for _, e := range entries {
		name := e.Name()
		if name != ownPresets && strings.HasSuffix(name, ".txt") && !strings.HasPrefix(name, ".") {
			files = append(files, name)
		}
	}
	if len(files) > maxPresetFiles {
		return nil, fmt.Errorf("presets: %d files; keep at most %d", len(files), maxPresetFiles)
	}
	return files, nil
}

// read reads the presets in a file. If the file does not exist, there are no presets.
func (p *Presets) read(file string) ([]engine.Preset, error) {
	f, err := disk.OpenPlain(filepath.Join(p.Dir, "presets", file), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, disk.ErrIrregular) {
		return nil, fmt.Errorf("presets/%s: %w", file, err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, engine.MaxPresetFile+1))
	if err != nil {
		return nil, err
	}
	return p.parse(file, data)
}

// parse returns an *engine.SyntaxError if a file is malformed or a game refuses one of its presets.
func (p *Presets) parse(file string, data []byte) ([]engine.Preset, error) {
	presets, err := engine.ParsePresets("presets/"+file, data)
	if err != nil {
		return nil, err
	}
	for i := range presets {
		preset := &presets[i]
		game := engine.Find(p.Games, preset.Game)
		err := error(engine.NewSetupError("setup.preset-game", "name", preset.Game))
		if game != nil {
			err = preset.Fit(game)
		}
		if err != nil {
			why := engine.Worded(func(lang engine.Lang) string { return preset.Name + ": " + engine.SayFault(err, game, lang) })
			return nil, &engine.SyntaxError{File: "presets/" + file, Reason: why.In(engine.English), Reasons: why}
		}
	}
	return presets, nil
}
