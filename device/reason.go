package device

import (
	"path/filepath"
	"slices"
	"strings"

	"tableside/device/disk"
	"tableside/engine"
)

func wordingOf(err error) engine.Wording {
	return engine.Worded(func(lang engine.Lang) string { return disk.Reason(err, lang) })
}

// ReportFile shows what is wrong with a file of the data folder as the health of a part, and logs
// it. If nothing has changed since the last call, ReportFile does nothing. What it shows does not
// contain the path of the data folder, which nobody needs to know. Faults that are nil do not count.
func (t *Table) ReportFile(name string, faults ...error) {
	var why []string
	faults = slices.DeleteFunc(slices.Clone(faults), func(err error) bool { return err == nil })
	for _, fault := range faults {
		why = append(why, engine.ErrorIn(fault, t.loop.Lang))
	}
	part := engine.Part{Name: name, Health: engine.OK}
	if n := len(why); n > 0 {
		part.Health = engine.Degraded
		if why = why[:min(n, 3)]; n > 3 {
			why = append(why[:3:3], "…")
		}
		part.Reason = strings.ReplaceAll(strings.Join(why, "; "), filepath.Clean(t.store.dir)+"/", "")
	}
	t.inbox.put(func(l *loop) {
		known := slices.ContainsFunc(l.outbox.health, func(p engine.Part) bool { return p.Name == name })
		if (known || len(faults) > 0) && l.outbox.setHealth(part) {
			for _, fault := range faults {
				l.Log.Error("a part of a file is not used", "file", name, "error", fault)
			}
		}
	})
}
