package web

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"tableside/display/web/core"
	"tableside/engine"
)

// Presets keeps the owner's presets.
type Presets struct {
	List   func() []engine.Preset
	Keep   func(...engine.Preset) error  // all or none
	Remove func(game, name string) error // fs.ErrNotExist if the table does not keep it
	Text   func() ([]byte, error)        // what the owner gives to others

	// ErrorText returns the text of an error in a language.
	ErrorText func(error, engine.Lang) string
}

// presetsOf returns the presets of a game. The presets of the owner come first, and those that
// come with the game follow. If both have a preset of the same name, the game's preset is left
// out. The slice ownersPresets may also hold presets for other games, which are ignored.
func presetsOf(info engine.Info, ownersPresets []engine.Preset, lang engine.Lang) []core.Preset {
	list := []core.Preset{}
	known := map[string]bool{}
	for _, p := range slices.Concat(ownersPresets, info.Presets) {
		if p.Game == info.Name && !known[p.Name] {
			known[p.Name] = true
			list = append(list, core.Preset{Name: p.Name, Title: p.Title(lang), Min: p.MinSeats, Max: p.MaxSeats, Options: p.Options, Own: p.Own})
		}
	}
	return list
}

func (s *Server) keptPresets() []engine.Preset {
	if s.config.Presets == nil {
		return nil
	}
	return s.config.Presets.List()
}

// presetFile serves the owner's presets as a file.
func (s *Server) presetFile(w http.ResponseWriter, r *http.Request) (any, error) {
	text, err := s.config.Presets.Text()
	if err != nil {
		return nil, core.FailWith(http.StatusInternalServerError, s.config.Presets.ErrorText(err, s.LangFor(r)))
	}
	return core.Document{Kind: core.PlainText, Name: "presets.txt", Data: text}, nil
}

// changePresets keeps a preset, adds the presets of a file, or removes a preset.
func (s *Server) changePresets(w http.ResponseWriter, r *http.Request) (any, error) {
	var ask struct {
		Do      string            `json:"do"` // "keep", "add" or "remove"
		Game    string            `json:"game"`
		Name    string            `json:"name,omitempty"`
		Title   string            `json:"title,omitempty"`
		Options map[string]string `json:"options,omitempty"`
		Text    string            `json:"text,omitempty"` // of a file
	}
	const limit = 2 * engine.MaxPresetFile // JSON escapes line ends and quotes
	if err := core.DecodeUpTo(w, r, limit, core.TooLong(limit), &ask); err != nil {
		return nil, err
	}
	title := strings.Join(strings.Fields(ask.Title), " ")
	name := ask.Name
	if name == "" {
		name = s.freeName(ask.Game, presetName(title), nil, func(p engine.Preset) bool {
			return slices.Contains(slices.Collect(maps.Values(p.Titles)), title)
		})
	}
	var err error
	switch ask.Do {
	case "keep":
		if name == "" {
			return nil, core.FailWith(http.StatusBadRequest, engine.T("preset.letter"))
		}
		titles := map[engine.Lang]string{cmp.Or(s.LangFor(r), engine.English): title}
		err = s.config.Presets.Keep(engine.Preset{Game: ask.Game, Name: name, Titles: titles, Options: ask.Options})
	case "add":
		name, err = s.addPresets(ask.Text)
	case "remove":
		err = s.config.Presets.Remove(ask.Game, name)
	default:
		return nil, core.Failf(http.StatusBadRequest, `"do" is one of %s`, "keep, add, remove")
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, core.Failf(http.StatusNotFound, "there is no such preset")
	case errors.Is(err, errNoPreset):
		return nil, core.FailWith(http.StatusConflict, engine.T("preset.empty"))
	case errors.As(err, new(syscall.Errno)):
		return nil, core.Failf(http.StatusInternalServerError, "this cannot be kept: %s", err)
	case err != nil:
		return nil, core.FailWith(http.StatusConflict, s.config.Presets.ErrorText(err, s.LangFor(r)))
	}
	return map[string]string{"name": name}, nil
}

// addPresets stores the presets of a file, and returns the name of the first one. If the file
// has no presets, it returns errNoPreset. If the name of a preset is taken, the preset gets a
// new name; freeName says when a name is taken. Thus the presets of one game in the file all
// have different names.
func (s *Server) addPresets(text string) (first string, err error) {
	presets, err := engine.ParsePresets("", []byte(text))
	if err != nil {
		return "", err
	}
	if len(presets) == 0 {
		return "", errNoPreset
	}
	for i, p := range presets {
		beside := slices.Concat(presets[:i], presets[i+1:])
		presets[i].Name = s.freeName(p.Game, p.Name, beside, func(o engine.Preset) bool {
			return maps.Equal(o.Titles, p.Titles) && maps.Equal(o.Options, p.Options)
		})
	}
	return presets[0].Name, s.config.Presets.Keep(presets...)
}

var errNoPreset = errors.New("a file without a preset")

// freeName returns a name for a new preset of a game. It returns wantedName, such as "skat",
// if this name is free. If it is taken, the result has a number, such as "skat-2". If
// wantedName is "", so is the result.
//
// A name is taken if a preset of the batch has it, because the batch is stored together with
// the new preset. A name is also taken if a preset of the owner or of the game has it, unless
// the given function reports that this older preset is equal to the new one.
func (s *Server) freeName(game, wantedName string, batch []engine.Preset, same func(engine.Preset) bool) string {
	others := slices.Clone(s.keptPresets())
	for _, info := range s.config.Games() {
		others = append(others, info.Presets...)
	}
	name := wantedName
	named := func(p engine.Preset) bool { return p.Game == game && p.Name == name }
	taken := func(p engine.Preset) bool { return named(p) && !same(p) }
	for n := 2; wantedName != "" && (slices.ContainsFunc(batch, named) || slices.ContainsFunc(others, taken)); n++ {
		end := "-" + strconv.Itoa(n)
		name = strings.TrimRight(wantedName[:min(len(wantedName), 40-len(end))], "-") + end
	}
	return name
}

// presetName makes the name of a preset from its title, such as "friday-s-game" from "Friday's
// game". A letter outside ASCII becomes its code point. If nothing in the title can be used,
// the name is empty.
func presetName(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case r > 0x7f && b.Len() < 32:
			fmt.Fprintf(&b, "u%x", r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	return strings.Trim(name[:min(len(name), 40)], "-")
}
