package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pureImports lists the packages of the standard library that engine and its
// games may import: none with a clock, goroutines, files or networks. Of some
// they may use only the names in pureNames.
var pureImports = []string{
	"bytes", "cmp", "embed", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "errors", "fmt",
	"hash", "hash/crc32", "iter", "maps", "math", "math/bits", "math/rand/v2", "regexp", "slices", "sort", "strconv",
	"strings", "sync", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// pureNames lists types, constants and functions that depend on their arguments
// alone.
var pureNames = map[string][]string{
	"time": {"Duration", "Time", "Parse", "ParseDuration", "Date", "UTC", "RFC3339", "RFC3339Nano", "Unix", "UnixMilli",
		"Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour"},
	// For tables that are built once.
	"sync":         {"OnceValue", "OnceValues"},
	"math/rand/v2": {"Rand", "Source", "New", "NewPCG", "PCG"},
}

// TestPurity checks that nothing but inputs can reach a game.
func TestPurity(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "enginetest" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		for _, fault := range impurities(file) {
			t.Errorf("%s: %s", set.Position(fault.at), fault.why)
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Errorf("%d files: %v", files, err)
	}
}

type impurity struct {
	at  token.Pos
	why string
}

func impurities(file *ast.File) []impurity {
	var found []impurity
	add := func(n ast.Node, why string) { found = append(found, impurity{n.Pos(), why}) }
	limited := map[string]string{} // name in this file → package that is only partly pure
	for _, line := range file.Imports {
		path, _ := strconv.Unquote(line.Path.Value)
		if path != "tableside/engine" && !strings.HasPrefix(path, "tableside/engine/") &&
			!slices.Contains(pureImports, path) {
			add(line, "imports "+path+", which is not pure")
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if path == "math/rand/v2" {
			name = "rand"
		}
		if line.Name != nil {
			name = line.Name.Name
		}
		if pureNames[path] != nil {
			limited[name] = path
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			add(n, "starts a goroutine")
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				add(n, "init does what nobody sees in cmd")
			}
		case *ast.SelectorExpr:
			// An identifier with an object is a variable of the file, not a package.
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil {
				if path, is := limited[x.Name]; is && !slices.Contains(pureNames[path], n.Sel.Name) {
					add(n, path+"."+n.Sel.Name+": time and chance come from outside")
				}
			}
		}
		return true
	})
	return found
}

// TestImpurities checks that TestPurity finds faults.
func TestImpurities(t *testing.T) {
	for source, want := range map[string]int{
		`import "strings"; var a = strings.ToUpper`: 0,
		`import "os"`:        1,
		`import "math/rand"`: 1,
		`import "time"; var a time.Duration; func b() { time.Now() }`: 1,
		`import t "time"; var a = t.Now`:                              1,
		`import "math/rand/v2"; func a(r *rand.Rand) { r.IntN(3) }`:   0,
		`import "math/rand/v2"; func a() { rand.IntN(3) }`:            1,
		`func init() {}`:      1,
		`func a() { go a() }`: 1,
		`import "tableside/engine"; import "tableside/engine/mutants"`:    0,
		`import "tableside/device"`:                                       1,
		`import "sync"; var a sync.Mutex`:                                 1,
		`type time struct{ Now int }; func a(time time) { _ = time.Now }`: 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := impurities(file); len(got) != want {
			t.Errorf("%s: %v, want %d", source, got, want)
		}
	}
}
