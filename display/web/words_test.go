package web

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"tableside/display/web/core"
	"tableside/engine"
)

var (
	spokenKey   = regexp.MustCompile(`say\("([a-z.-]+)"[,)]`)
	picked      = regexp.MustCompile(`\? "([a-z]+\.[a-z.-]+)" : "([a-z]+\.[a-z.-]+)"`)
	forbidden   = regexp.MustCompile(`engine\.T\("((?:rights|reader|preset|rehearsal|journal)\.[a-z.-]+)"`) // by the server
	started     = regexp.MustCompile(`say\("([a-z]+\.[a-z-]*)" \+`)
	saidBySetup = regexp.MustCompile(`"(setup\.said-[a-z-]+)"`)
	refusals    = regexp.MustCompile(`"((?:files|past|players)\.[a-z-]+)"`)
	hole        = regexp.MustCompile(`\{([a-z]+)[|}]`)
)

// Keys that the scripts compose from a prefix and a value from the table.
var composed = map[string][]string{
	"lang.":        {"en", "fr"},
	"scene.":       {"two-seats", "four-seats", "lower-third", "track"},
	"theme.":       {"auto", "light", "dark"},
	"shell.":       {"table", "tables", "history", "players", "cards", "stream", "evenings", "parts", "trust"},
	"key.":         append([]string{"redo"}, engine.Keys...),
	"health.":      {string(engine.OK), string(engine.Degraded), string(engine.Broken)},
	"matches.":     {"playing", "unfinished", "finished", "abandoned", "damaged"},
	"receipt.":     {string(engine.Refused), string(engine.Unknown), string(engine.Malformed), string(engine.Failed)},
	"hardware.":    {"panel", "lights"},
	"exchange.":    {"txt", "csv", "mine", "theirs"},
	"tour.":        {"ask", "track", "hand"},
	"end.moments-": {"1", "2", "3"},
	"setup.kind-":  {"reader", "typist", "keyboard", "adapter", "panel", "lights", "other"},
	"setup.demo-":  {"reader", "keyboard", "lights"}, "setup.demo-how-": {"reader", "keyboard", "lights"},
	"cards.state-":  {"known", "yours", "stand-in", "missing", "wrong", "no-tag"},
	"labels.size-":  {"sleeve", "mini", "sticker", "l7160", "l7651", "5160"},
	"cards.names-":  {"en", "fr"},
	"cards.title-":  {"en", "fr"},
	"hall.":         {"game", "show", "sort"},
	"evening.why-":  {"nobody", "corrected", "second", "over", "earlier", "elsewhere", "before"},
	"evening.with-": {"best", "third"},
	"evening.undo-": {"player", "rename", "out", "in", "table", "no-table", "round", "swap", "move", "result", "clock",
		"take", "dismiss", "evening"},
	"evening.format-": {"swiss", "round-robin", "knock-out", "free"},
	"evening.by-":     {"direct", "wins", "buchholz", "buchholz-1", "sonneborn"},
	"evening.mark-":   {"won", "lost", "drawn", "open", "none"},
	"evening.about-":  {"direct", "wins", "buchholz", "buchholz-1", "sonneborn"},
	"hall.show-":      {"all", "playing", "free", "over", "trouble"},
	"hall.sort-":      {"name", "longest", "game", "round"},
	"past.":           {"morning", "afternoon", "evening", "night"},
	"players.": {"sure", "fairly", "guess", "streak", "best-in", "often", "longest", "began", "margin", "turn", "time",
		"range", "played", "wins-of", "length", "shortest", "beginner", "best"},
	"band.":       {"mindbug", "genegrafter", "attack-tokens", "defence-tokens"},
	"dice.":       {"attack", "defence"},
	"replay.by-":  {"move", "score", "round", "turn"},
	"reader.":     {"camera-refused", "camera-missing", "camera-broken", "nfc-refused", "nfc-missing"},
	"message.":    {"401", "403", "404", "503", "other", "history", "players", "cards", "stream", "evenings"},
	"trust.step-": {"1", "2", "3"}, "trust.step-how-": {"2", "3"},
	"signals.":        {"vibrate", "sound", "awake", "speech"},
	"seat.":           {"red", "blue", "yellow", "green", "white", "black", "orange", "purple", "table"},
	"players.soon-":   {"pairs", "records", "rating"},
	"players.record-": {"lead", "closest", "shortest", "longest"},
}

func TestEveryWordIsThereInEveryLanguage(t *testing.T) {
	words, wanted := core.Words(), map[string]bool{}
	for name, source := range scripts(t) {
		for _, m := range spokenKey.FindAllStringSubmatch(source, -1) {
			wanted[m[1]] = true
		}
		for _, m := range picked.FindAllStringSubmatch(source, -1) {
			wanted[m[1]], wanted[m[2]] = true, true
		}
		for _, m := range started.FindAllStringSubmatch(source, -1) {
			if composed[m[1]] == nil {
				t.Errorf("%s composes keys with the prefix %q: list them in this test", name, m[1])
			}
			for _, end := range composed[m[1]] {
				wanted[m[1]+end] = true
			}
		}
	}
	for file, said := range map[string]*regexp.Regexp{
		"past/matches.go": forbidden, "core/rights.go": forbidden, "presets.go": forbidden, "reader.go": forbidden,
		"../../cmd/tableside/rig/setup.go": saidBySetup, "../../cmd/tableside/rig/setupask.go": saidBySetup,
		"../../cmd/tableside/rig/setupheader.go": saidBySetup,
		"cards/cardfiles.go":                     refusals, "cards/cardput.go": refusals, "cards/exchange.go": refusals,
		"cards/pick.go":                  refusals,
		"cards/rehearsal.go":             forbidden,
		"../../device/history/change.go": refusals, "../../device/history/remove.go": refusals,
	} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said.FindAllStringSubmatch(string(source), -1) {
			wanted[m[1]] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if !words.Has(key) {
			t.Errorf("the pages use %q, which is missing in words.txt", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(words)) {
		if !wanted[key] {
			t.Errorf("no page uses %q", key)
		}
		for _, lang := range engine.Languages {
			if words[key].In(lang) == "" {
				t.Errorf("%q is missing in %q", key, lang)
			}
		}
		if en, fr := holes(words[key].In(engine.English)), holes(words[key].In(engine.French)); !slices.Equal(en, fr) {
			t.Errorf("%q has the arguments %v in English and %v in French", key, en, fr)
		}
	}
}

func holes(template string) []string {
	var names []string
	for _, m := range hole.FindAllStringSubmatch(template, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
