package host

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"tableside/device"
	"tableside/display/web"
	"tableside/engine"
)

// presets returns the functions with which the page lists and changes the owner's presets. If
// a preset's file has a mistake, listing the presets also updates the table's health. The same
// happens if a file had a mistake when the presets were last listed.
func (h *Host) presets() *web.Presets {
	kept := &device.Presets{Dir: h.Config.Table.Data, Games: h.Games}
	var mu sync.Mutex
	faulty := false
	list := func() []web.Preset {
		presets, faults := kept.List()
		mu.Lock()
		defer mu.Unlock()
		if len(faults) > 0 || faulty {
			faulty = len(faults) > 0
			part := engine.Part{Name: "presets", Health: engine.OK}
			var why []string
			for _, fault := range faults {
				part.Health = engine.Degraded
				why = append(why, h.sayPreset(fault, h.lang))
			}
			part.Reason = strings.Join(why, "; ")
			h.table.Report(part)
		}
		var all []web.Preset
		for _, p := range presets {
			all = append(all, web.Preset(p))
		}
		return all
	}
	return &web.Presets{List: list, Keep: kept.Keep, Remove: kept.Remove, Text: kept.Text, ErrorText: h.sayPreset}
}

// sayPreset returns what is wrong with a preset, in the given language. The text does not
// contain the path of the data folder, which nobody needs to know.
func (h *Host) sayPreset(err error, lang engine.Lang) string {
	text := engine.ErrorIn(err, lang)
	if preset, ok := errors.AsType[*device.PresetError](err); ok {
		text = preset.In(lang)
	}
	return strings.ReplaceAll(text, filepath.Clean(h.Config.Table.Data)+"/", "")
}
