package enginetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tableside/engine"
)

// CheckFrench checks that a translation is complete. The translation must have everything that
// the code in a folder says in English. The French must use the same arguments as the English.
// The keys of funcs are the names of the functions that say something. Each value of funcs is
// the index of the argument that is a format or a noun.
func CheckFrench(t *testing.T, folder string, french engine.Translation, funcs map[string]int) {
	t.Helper()
	for english, words := range french {
		if got, want := formatVerbs(words), formatVerbs(english); !maps.Equal(got, want) {
			t.Errorf("%s: %q has the holes %v, want %v as in %q", folder, words, got, want, english)
		}
	}
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatal(folder, err)
	}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		for _, words := range spoken(t, source, funcs) {
			if _, found := french[words]; !found {
				t.Errorf("%s: there is no French for %s", source, words)
			}
		}
	}
}

// formatVerb matches one verb of a format, such as "%d". The verb may name its argument by a
// number, such as "%[2]s".
var formatVerb = regexp.MustCompile(`%(?:\[(\d+)\])?([+#0-]*\d*(?:\.\d+)?)(?:\[(\d+)\])?([a-zA-Z%])`)

// formatVerbs returns the verbs of a format, each under the number of the argument that it formats.
func formatVerbs(format string) map[int]string {
	all, next := map[int]string{}, 1
	for _, h := range formatVerb.FindAllStringSubmatch(format, -1) {
		if h[4] == "%" {
			continue
		}
		if n, err := strconv.Atoi(h[1] + h[3]); err == nil {
			next = n
		}
		all[next] += h[2] + h[4]
		next++
	}
	return all
}

// spoken returns the formats and nouns that a source file passes to the given functions.
func spoken(t *testing.T, source string, funcs map[string]int) (all []string) {
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.Ident:
			name = f.Name
		}
		at, ok := funcs[name]
		if !ok || at >= len(call.Args) {
			return true
		}
		if words := literal(call.Args[at]); words != "" && words != "%s" {
			all = append(all, words)
		}
		return true
	})
	return all
}

func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		words, _ := strconv.Unquote(e.Value)
		return words
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	}
	return ""
}
