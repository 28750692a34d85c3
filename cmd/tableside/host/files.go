package host

import (
	"path/filepath"

	"tableside/cmd/tableside/shelf"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/device/history"
	"tableside/engine"
)

// A DataFile is what is wrong with a file of the data folder. Faults is empty if it is whole
// or missing.
type DataFile struct {
	Name, Fix string
	Faults    []string
}

// CheckFiles examines the files of a data folder that a table reads besides the cards and the
// journals. It changes nothing.
func CheckFiles(data string, games shelf.List, lang engine.Lang) []DataFile {
	const tokenFix = "restart the table: it mends the file, or makes another token"
	tags, _ := catalogue.Open(filepath.Join(data, catalogue.FileName)) // Faults has the error, too
	_, presets := (&device.Presets{Dir: data, Games: games}).List()
	return []DataFile{
		{catalogue.FileName, "mend the line, or take it out", sayAll(tags.Faults(), lang)},
		{"presets", "mend the file, or take it out of the folder", sayAll(presets, lang)},
		{history.LogFile, "bring the file back from a backup; " +
			"else the next change sets it aside and goes on from the last whole line",
			sayAll([]error{history.New(data, games).Damage()}, lang)},
		{tokenFile, tokenFix, tokenFaults(filepath.Join(data, tokenFile), lang)},
		{ownerFile, tokenFix, tokenFaults(filepath.Join(data, ownerFile), lang)},
	}
}

func sayAll(faults []error, lang engine.Lang) (why []string) {
	for _, fault := range faults {
		if fault != nil {
			why = append(why, engine.ErrorIn(fault, lang))
		}
	}
	return why
}
