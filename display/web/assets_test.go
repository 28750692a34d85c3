package web

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/display/web/core"
	"tableside/engine"
)

func scripts(t *testing.T) map[string]string { return sources(t, ".js") }

// sources returns the assets with these extensions by their path below assets.
func sources(t *testing.T, endings ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, folder := range assetFolders {
		err := fs.WalkDir(assetFiles, folder, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !slices.Contains(endings, path.Ext(name)) {
				return err
			}
			data, err := assetFiles.ReadFile(name)
			all[strings.TrimPrefix(name, folder+"/")] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

var imported = regexp.MustCompile(`(?:from |import |import\()"([^"]+)"`)

func imports(name, source string) []string {
	var paths []string
	for _, m := range imported.FindAllStringSubmatch(source, -1) {
		paths = append(paths, path.Join(path.Dir(name), m[1]))
	}
	return paths
}

// entries are the scripts that start a page.
var entries = map[string]bool{
	"app.js": true, "evenings.js": true, "hall.js": true, "history.js": true, "labels.js": true, "message.js": true,
	"overlay-edit.js": true, "overlay.js": true,
	"players.js": true, "reader.js": true, "rehearsal.js": true, "replay.js": true, "setup.js": true,
	"share.js": true, "trust.js": true, "tv.js": true, "workshop.js": true,
}

// TestScriptsImportOneWay checks that dependencies point one way: the entries
// start the pages, the parts draw the state, and only the actions
// fetch and change the state.
func TestScriptsImportOneWay(t *testing.T) {
	all := scripts(t)
	rules := []struct {
		what    string
		pattern *regexp.Regexp
		allowed func(name string) bool
	}{
		{"fetches", regexp.MustCompile(`\bfetch\(|XMLHttpRequest|sendBeacon`), only("actions/server.js", "stream.js")},
		{"changes the state", regexp.MustCompile(`\bchange\(|\bstate(\.\w+)+(\[[^]]+\])? \??[-+]?= `),
			func(name string) bool {
				return path.Dir(name) == "actions" || name == "store.js"
			}},
		{"listens", regexp.MustCompile(`addEventListener|\.on[a-z]+ = |Observer\(`), func(name string) bool {
			return path.Dir(name) == "behave" || name == "stream.js" || name == "actions/frames.js"
		}},
		{"listens for clicks", regexp.MustCompile(`"click"|onclick`), func(name string) bool {
			// other pages have forms
			return name == "behave/act.js" || name == "behave/idle.js" || name == "behave/shell.js"
		}},
		{"remembers", regexp.MustCompile(`localStorage|sessionStorage`), only("memory.js")},
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		source := all[name]
		for i, line := range strings.Split(source, "\n") {
			code, _, _ := strings.Cut(line, "// ")
			for _, rule := range rules {
				if rule.pattern.MatchString(code) && !rule.allowed(name) {
					t.Errorf("%s:%d %s: %s", name, i+1, rule.what, strings.TrimSpace(line))
				}
			}
		}
		for _, other := range imports(name, source) {
			if _, ok := all[other]; !ok {
				t.Errorf("%s imports %s, which does not exist", name, other)
			}
			if entries[other] {
				t.Errorf("%s imports %s, which is an entry point", name, other)
			}
			if path.Dir(name) == "parts" && strings.HasPrefix(other, "actions") ||
				path.Dir(name) == "parts" && path.Dir(other) == "behave" {
				t.Errorf("%s imports %s, but parts may only draw", name, other)
			}
		}
	}
}

var (
	taken    = regexp.MustCompile(`(?:import|export) \{([^}]*)\}\s+from "([^"]+)"`)
	handed   = regexp.MustCompile(`export (\*|\{[^}]*\}) from "([^"]+)"`)
	exported = regexp.MustCompile(`(?m)^export (?:async )?(?:function|const) (\w+)`)
	word     = regexp.MustCompile(`\w+`)
)

// exports returns the names that a script exports.
func exports(all map[string]string, name string) []string {
	var names []string
	for _, m := range exported.FindAllStringSubmatch(all[name], -1) {
		names = append(names, m[1])
	}
	for _, m := range handed.FindAllStringSubmatch(all[name], -1) {
		if m[1] == "*" {
			names = append(names, exports(all, path.Join(path.Dir(name), m[2]))...)
		}
		names = append(names, word.FindAllString(m[1], -1)...)
	}
	return names
}

// TestImportsExist checks that each name that a script imports is exported there: a bundle
// would get nothing, and say nothing.
func TestImportsExist(t *testing.T) {
	all := scripts(t)
	for name, source := range all {
		for _, m := range taken.FindAllStringSubmatch(source, -1) {
			from := path.Join(path.Dir(name), m[2])
			known := exports(all, from)
			for _, what := range strings.Split(m[1], ",") {
				if what, _, _ = strings.Cut(strings.TrimSpace(what), " "); what != "" && !slices.Contains(known, what) {
					t.Errorf("%s imports %s of %s, which has no such export", name, what, from)
				}
			}
		}
	}
}

// TestScriptsCanBeBundled checks that no script has what core/bundle.go would change without a word:
// a template literal of several lines, whose lines could look like exports or comments, and what
// ends a script in a page.
func TestScriptsCanBeBundled(t *testing.T) {
	for name, source := range scripts(t) {
		for i, line := range strings.Split(source, "\n") {
			if strings.Count(line, "`")%2 != 0 || strings.Contains(line, "</script") || strings.Contains(line, "<!--") {
				t.Errorf("%s:%d cannot be bundled: %s", name, i+1, line)
			}
		}
	}
}

func TestLinesAreShort(t *testing.T) {
	for name, source := range sources(t, ".js", ".css", ".html") {
		for i, line := range strings.Split(source, "\n") {
			if n := len(line); n > 120 {
				t.Errorf("%s:%d has %d bytes, want at most 120", name, i+1, n)
			}
		}
	}
}

// TestAssetsAreServed checks that each embedded file and each document can be served, and
// that nothing else has a tag: folders, pages without their ending, files elsewhere.
func TestAssetsAreServed(t *testing.T) {
	a := core.NewAssets(assetFiles, assetFolders...)
	names := []string{"go-bold-latin.ttf"}
	for _, page := range core.Documents {
		names = append(names, page+".html")
	}
	for name := range sources(t, ".js", ".css", ".html", ".svg", ".png") {
		if name != "body.html" && name != "document.html" && name != "head.html" {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if file := a.Get(engine.English, name); file == nil || file.Tag == "" || file != a.Get(engine.English, name) {
			t.Errorf("%s is %v", name, file)
		}
	}
	for _, name := range []string{"", "parts", "evenings", "../pages.go", "parts/../app.js", "none.js"} {
		if file := a.Get(engine.English, name); file != nil {
			t.Errorf("%q has the tag %s", name, file.Tag)
		}
	}
}

func only(names ...string) func(string) bool {
	return func(other string) bool { return slices.Contains(names, other) }
}

func TestScriptsImportNoCycle(t *testing.T) {
	all := scripts(t)
	done := map[string]bool{}
	var visit func(name string, way []string)
	visit = func(name string, way []string) {
		if i := slices.Index(way, name); i >= 0 {
			t.Errorf("import cycle: %s", strings.Join(append(way[i:], name), " -> "))
			return
		}
		if done[name] {
			return
		}
		for _, other := range imports(name, all[name]) {
			visit(other, append(slices.Clone(way), name))
		}
		done[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		visit(name, nil)
	}
	// Every script belongs to a page.
	used := maps.Clone(entries)
	for name, source := range all {
		for _, other := range imports(name, source) {
			used[other] = true
		}
	}
	for name := range all {
		if !used[name] {
			t.Errorf("no script imports %s", name)
		}
	}
}

var (
	lightTheme = regexp.MustCompile(`@media \(prefers-color-scheme: light\) \{((?:[^{}]*\{[^{}]*\})*)\s*\}`)
	colourOnly = regexp.MustCompile(`^(color-scheme: light|--[a-z-]+: (#[0-9a-f]{3,6}|\d+%)|-webkit-text-stroke: 2px var\(--ink\))$`)
)

// TestThemesDifferInColours checks that the light theme changes colours and their parts alone:
// what is checked of the layout, the names and the order in one theme holds in the other.
func TestThemesDifferInColours(t *testing.T) {
	themes := 0
	for name, source := range sources(t, ".css") {
		blocks := lightTheme.FindAllStringSubmatch(source, -1)
		if got := strings.Count(source, "prefers-color-scheme"); got != len(blocks) {
			t.Errorf("%s: %d of %d media queries about the colour scheme were understood", name, len(blocks), got)
		}
		for _, block := range blocks {
			themes++
			for _, rule := range strings.Split(block[1], "}") {
				_, declarations, _ := strings.Cut(rule, "{")
				for _, d := range strings.Split(declarations, ";") {
					if d = strings.TrimSpace(d); d != "" && !colourOnly.MatchString(d) {
						t.Errorf("%s: the light theme has %q, which is no colour", name, d)
					}
				}
			}
		}
	}
	if themes == 0 {
		t.Error("no style sheet has a light theme")
	}
	for name, source := range scripts(t) {
		if strings.Contains(source, "prefers-color-scheme") {
			t.Errorf("%s draws by the colour scheme", name)
		}
	}
}
