package host

import (
	"path/filepath"
	"strings"

	"tableside/device"
	"tableside/display/web"
	"tableside/engine"
)

// presets returns the functions with which the page lists and changes the owner's presets.
// Listing them also updates the table's health. They are listed once now, so that a mistake in
// a file is said at the start.
func (h *Host) presets() *web.Presets {
	kept := &device.Presets{Dir: h.Config.Table.Data, Games: h.Games}
	list := func() []engine.Preset {
		presets, faults := kept.List()
		h.table.ReportFile("presets", faults...)
		return presets
	}
	list()
	return &web.Presets{List: list, Keep: kept.Keep, Remove: kept.Remove, Text: kept.Text, ErrorText: h.sayPreset}
}

// sayPreset returns what is wrong with a preset, in the given language. The text does not
// contain the path of the data folder, which nobody needs to know.
func (h *Host) sayPreset(err error, lang engine.Lang) string {
	return strings.ReplaceAll(engine.ErrorIn(err, lang), filepath.Clean(h.Config.Table.Data)+"/", "")
}
