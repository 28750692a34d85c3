package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file tests the architecture. It reads import lines itself: the test cache
// would hide a change from "go list".

// root is the path of the repository's root.
const root = "../.."

// layers holds the only top-level folders of code.
var layers = []string{"cmd", "drivers", "device", "display", "mqtt", "engine"}

// furniture holds what else may be at the top level.
var furniture = []string{"docs", "systemd"}

// pure holds the packages of the standard library without clock, goroutines, files or
// network.
var pure = []string{
	"bytes", "cmp", "embed", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "errors", "fmt",
	"hash", "hash/crc32", "iter", "maps", "math", "math/bits", "math/rand/v2", "regexp", "slices", "sort", "strconv",
	"strings", "sync", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// rooms holds the packages below the program, and the others that each may use. The
// commands use all of them.
var rooms = map[string][]string{
	"certs":  {"config"},
	"config": nil,
	"rig":    {"config"},
	"bench":  {"config", "rig"},
	"doctor": {"certs", "config", "rig"},
	"shelf":  {"config"},
	"host":   {"certs", "config", "rig", "shelf"},
	"invite": {"config"},
}

// forbidRoom returns why a room may not import a package, or "".
func forbidRoom(room, imported string, test, isGame bool) string {
	other, isRoom := strings.CutPrefix(imported, "tableside/cmd/tableside/")
	may, known := rooms[room]
	switch {
	case room == "": // the commands, where everything meets
		return ""
	case !known:
		return "this room of the program is not in the list of rooms"
	case test:
		return ""
	case isRoom && !slices.Contains(may, other):
		return "this room of the program may use only " + strings.Join(append([]string{"the layers"}, may...), ", ")
	case isGame:
		return "only the commands know which games there are"
	}
	return ""
}

// forbid returns why a file in folder may not import a package, or "".
// Folders and modules are relative to the repository: "engine/tally".
func forbid(folder, imported string, test bool) string {
	layer, _, _ := strings.Cut(folder, "/")
	ours, isOurs := strings.CutPrefix(imported, "tableside/")
	target, below, _ := strings.Cut(ours, "/")
	isKit := slices.Contains([]string{"advice", "enginetest", "cardfile", "cardgame"}, below)
	isGame := isOurs && target == "engine" && below != "" && !isKit
	switch {
	case strings.HasPrefix(imported, "periph.io/x/host/") && imported != "periph.io/x/host/v3/sysfs":
		return "periph's host drives pins by their registers where it may, and takes them from others: " +
			"drivers/gpiochip has pins"
	case layer == "cmd": // the only place where the layers meet
		room := strings.TrimPrefix(strings.TrimPrefix(folder, "cmd/tableside"), "/")
		return forbidRoom(room, imported, test, isGame)
	case isOurs && target == "cmd":
		return "nothing imports cmd: it ties the layers together"
	case layer == "engine" && !isOurs:
		if slices.Contains(pure, imported) || test || folder == "engine/enginetest" {
			return ""
		}
		return "engine is pure: no clock, goroutine, file, net or module, only the pure part of the standard library"
	case layer == "engine" && target != "engine":
		return "engine knows no device, picture or wire"
	case folder == "engine" && (ours == "engine" || below == "enginetest") && test:
		return ""
	case folder == "engine" && isOurs:
		return "engine knows no single game"
	case (folder == "engine/cardgame" || folder == "engine/advice") && isOurs && ours != "engine" && !test:
		return "the kit for card games, and advice about any game, know only the engine"
	case layer == "engine" && isGame && !strings.HasPrefix(ours+"/", folder+"/") &&
		!strings.HasPrefix(folder+"/", ours+"/"):
		if (folder == "engine/enginetest" || folder == "engine/advice") && test {
			return ""
		}
		return "games never import games"
	case layer == "drivers" && isOurs && target != "drivers":
		return "drivers know neither cards nor tables"
	case test:
		return "" // a test of device, display or mqtt may play a real game
	case layer == "mqtt" && folder != "mqtt" && isOurs && target == "mqtt":
		return "the rooms of mqtt know neither the session nor each other"
	case slices.Contains([]string{"device", "display", "mqtt"}, layer) && isGame:
		return layer + " draws or carries any game and imports none"
	case slices.Contains([]string{"device", "display", "mqtt"}, layer) && isOurs && target != "engine" && target != layer:
		return "device, display, mqtt and drivers meet only in cmd"
	}
	return ""
}

func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			name := entry.Name()
			_, err := os.Stat(filepath.Join(file, "go.mod")) // a module of its own, with strangers to test against
			if file != root && (strings.HasPrefix(name, ".") || name == "testdata" || err == nil) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		files++
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		for _, line := range syntax.Imports {
			imported, err := strconv.Unquote(line.Path.Value)
			if err != nil {
				return err
			}
			if why := forbid(filepath.ToSlash(folder), imported, strings.HasSuffix(file, "_test.go")); why != "" {
				t.Errorf("%s imports %q: %s (design: who may import whom)", path.Clean(strings.TrimPrefix(file, root+"/")),
					imported, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Errorf("only %d Go files were found below %s: this test looks at the wrong place", files, root)
	}
}

// TestPure tests that engine uses no clock, goroutine or global random source, which
// the packages that it may import still have.
func TestPure(t *testing.T) {
	outside := map[string][]string{
		// sync.OnceValue for a table that is parsed once is allowed.
		"sync": {"Mutex", "RWMutex", "WaitGroup", "Cond", "Map", "Pool"},
		"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
		"rand": {"Int", "IntN", "N", "Int64", "Uint32", "Uint64", "Float64", "Perm", "Shuffle"},
	}
	err := filepath.WalkDir(root+"/engine", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			strings.Contains(file, "enginetest") {
			return err
		}
		files := token.NewFileSet()
		syntax, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: engine starts no goroutine", files.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && slices.Contains(outside[x.Name], n.Sel.Name) {
					t.Errorf("%s: %s.%s: time and chance come to engine from outside", files.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestForbid tests forbid itself.
func TestForbid(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		test, allowed    bool
	}{
		{"cmd/tableside", "tableside/engine/tally", false, true},
		{"cmd/tableside", "tableside/cmd/tableside/config", false, true},
		{"cmd/tableside/config", "tableside/mqtt", false, true},
		{"cmd/tableside/config", "tableside/engine/tally", false, false},
		{"cmd/tableside/config", "tableside/engine/tally", true, true},
		{"cmd/tableside/config", "tableside/cmd/tableside/rig", false, false},
		{"cmd/tableside/rig", "tableside/cmd/tableside/config", false, true},
		{"cmd/tableside/rig", "tableside/cmd/tableside/bench", false, false},
		{"cmd/tableside/bench", "tableside/cmd/tableside/rig", false, true},
		{"cmd/tableside/rig", "periph.io/x/host/v3", false, false},
		{"cmd/tableside/doctor", "tableside/cmd/tableside/bench", false, false},
		{"cmd/tableside/doctor", "tableside/cmd/tableside/bench", true, true},
		{"cmd/tableside/host", "tableside/cmd/tableside/rig", false, true},
		{"cmd/tableside/host", "tableside/cmd/tableside/bench", false, false},
		{"cmd/tableside/host", "tableside/engine/tally", false, false},
		{"cmd/tableside/attic", "strings", false, false},
		{"cmd/tableside", "periph.io/x/host/v3/sysfs", false, true},
		{"cmd/tableside", "periph.io/x/host/v3", false, false},
		{"drivers/buzzer", "periph.io/x/host/v3/bcm283x", true, false},
		{"engine", "strings", false, true},
		{"engine", "time", false, true},
		{"engine", "os", false, false},
		{"engine", "math/rand", false, false},
		{"engine", "testing", true, true},
		{"engine", "tableside/engine", true, true},
		{"engine/tally", "tableside/engine", false, true},
		{"engine/tally", "tableside/engine/mutants", false, false},
		{"engine/tally", "tableside/engine/mutants", true, false},
		{"engine/tally", "tableside/engine/enginetest", true, true},
		{"engine/mutants/cards", "tableside/engine/mutants", false, true},
		{"engine/enginetest", "testing", false, true},
		{"engine/mutants", "tableside/engine/cardfile", false, true},
		{"engine/cardfile", "tableside/engine/mutants", false, false},
		{"engine/mindbug", "tableside/engine/cardgame", false, true},
		{"engine/cardgame", "tableside/engine", false, true},
		{"engine/cardgame", "tableside/engine/mindbug", false, false},
		{"engine/advice", "tableside/engine/mindbug", false, false},
		{"engine/advice", "tableside/engine/mindbug", true, true},
		{"device", "tableside/engine/advice", false, true},
		{"engine/cardgame", "tableside/engine/cardfile", false, false},
		{"engine/enginetest", "tableside/engine/tally", false, false},
		{"engine", "tableside/device", false, false},
		{"engine", "tableside/engine/tally", false, false},
		{"device", "tableside/engine", false, true},
		{"device", "tableside/engine/tally", false, false},
		{"device", "tableside/engine/tally", true, true},
		{"device", "tableside/mqtt", false, false},
		{"device/simulated", "tableside/device", false, true},
		{"display/web", "tableside/display", false, true},
		{"display/web", "tableside/device", false, false},
		{"mqtt", "tableside/cmd/tableside", false, false},
		{"mqtt", "tableside/mqtt/homeassistant", false, true},
		{"mqtt/homeassistant", "tableside/mqtt", false, false},
		{"mqtt/homeassistant", "tableside/engine", false, true},
		{"mqtt/broker", "tableside/mqtt", false, false},
		{"mqtt/broker", "tableside/mqtt", true, true},
		{"drivers/pn532", "periph.io/x/conn/v3", false, true},
		{"drivers/pn532", "tableside/drivers/pn532/pn532test", true, true},
		{"drivers/pn532", "tableside/engine", false, false},
	} {
		if why := forbid(c.folder, c.imported, c.test); (why == "") != c.allowed {
			t.Errorf("%s importing %s (test %t): %q", c.folder, c.imported, c.test, why)
		}
	}
}

// TestFolders tests that there are no other top-level folders, and none named util or
// the like.
func TestFolders(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() && !strings.HasPrefix(name, ".") && !slices.Contains(layers, name) &&
			!slices.Contains(furniture, name) && name != "bin" {
			t.Errorf("%s: no other top-level folder than %v for code and %v beside it", name, layers, furniture)
		}
	}
	cupboards := []string{"internal", "pkg", "util", "utils", "common", "helpers", "manager", "service"}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if slices.Contains(cupboards, entry.Name()) {
			t.Errorf("%s: a folder says what is in it, not that something is", strings.TrimPrefix(file, root+"/"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
