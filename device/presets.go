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

	mu         sync.Mutex
	fileStamps string // names, sizes and times of the files from which presets and faults were read
	presets    []KeptPreset
	faults     []error
}

// A KeptPreset is a preset from the owner's files. The field Own says whether the preset comes
// from the table's own file. Only the presets of that file can be removed at the table.
type KeptPreset struct {
	engine.Preset
	Own bool
}

// List returns the presets of all files. The presets of the table's own file come first. If
// several presets have the same game and name, List returns only the first of them. A file
// with a mistake is left out as a whole, and faults says why.
//
// If the folder cannot be read, or has more than maxPresetFiles, List returns no presets and
// one fault. The caller must not change the results, because they are shared.
func (p *Presets) List() (kept []KeptPreset, faults []error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	files, stamps, err := p.files()
	if err != nil {
		return nil, []error{err}
	}
	if stamps != p.fileStamps {
		p.presets, p.faults = p.readAll(files)
		p.fileStamps = stamps
	}
	return p.presets, p.faults
}

func (p *Presets) readAll(files []string) (kept []KeptPreset, faults []error) {
	for _, file := range files {
		presets, err := p.read(file)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		for _, preset := range presets {
			same := func(k KeptPreset) bool { return k.Game == preset.Game && k.Name == preset.Name }
			if !slices.ContainsFunc(kept, same) {
				kept = append(kept, KeptPreset{preset, file == ownPresets})
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
	if err := p.check(ownPresets, text); err != nil {
		return err
	}
	return Replace(filepath.Join(p.Dir, "presets", ownPresets), string(text))
}

// files lists the names of the preset files. The table's own file comes first, even if it does
// not exist. The second result is a string that changes when a file in the folder changes. If
// there are more than maxPresetFiles, files returns an error.
func (p *Presets) files() (files []string, stamps string, err error) {
	entries, err := os.ReadDir(filepath.Join(p.Dir, "presets"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	files = []string{ownPresets}
	for _, e := range entries {
		name := e.Name()
		if info, err := e.Info(); err == nil {
			stamps += fmt.Sprintf("%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		if name != ownPresets && strings.HasSuffix(name, ".txt") && !strings.HasPrefix(name, ".") {
			files = append(files, name)
		}
	}
	if len(files) > maxPresetFiles {
		return nil, "", fmt.Errorf("presets: %d files; keep at most %d", len(files), maxPresetFiles)
	}
	return files, stamps, nil
}

// read reads the presets in a file. If the file does not exist, there are no presets.
func (p *Presets) read(file string) ([]engine.Preset, error) {
	f, err := openPlain(filepath.Join(p.Dir, "presets", file), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, errIrregular) {
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
	if err := p.check(file, data); err != nil {
		return nil, err
	}
	return engine.ParsePresets(file, data)
}

// check returns an error if a file is malformed or a game refuses one of its presets.
func (p *Presets) check(file string, data []byte) error {
	presets, err := engine.ParsePresets("presets/"+file, data)
	if err != nil {
		return err
	}
	for _, preset := range presets {
		i := slices.IndexFunc(p.Games, func(g engine.Game) bool { return g.Info().Name == preset.Game })
		if i < 0 {
			return &PresetError{File: "presets/" + file, Name: preset.Name,
				Err: engine.NewSetupError("setup.preset-game", "name", preset.Game)}
		}
		if err := preset.Check(p.Games[i]); err != nil {
			return &PresetError{File: "presets/" + file, Name: preset.Name, Game: p.Games[i], Err: err}
		}
	}
	return nil
}

// A PresetError tells why a game does not accept a preset.
type PresetError struct {
	File, Name string
	Game       engine.Game // nil if there is no such game
	Err        error
}

func (e *PresetError) Error() string { return e.In(engine.English) }

// In returns the error in a language.
func (e *PresetError) In(lang engine.Lang) string {
	why := e.Err.Error()
	if setup := (*engine.SetupError)(nil); errors.As(e.Err, &setup) {
		words := engine.CoreWords()
		if e.Game != nil {
			words = engine.Merge(words, e.Game.Info().Words)
		}
		why = words.Say(lang, setup.Text, nil)
	}
	return e.File + ": " + e.Name + ": " + why
}

func (e *PresetError) Unwrap() error { return e.Err }
