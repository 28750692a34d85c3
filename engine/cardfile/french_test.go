package cardfile_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tableside/engine/cardfile"
)

// said holds the functions that say what is wrong with a file, with the numbers
// of the arguments that are a format or a noun.
var said = map[string]int{
	"Fail": 0, "FailAt": 1, "malformed": 1, "Expected": 0, "Among": 0, "Read": 1,
	"Number": 0, "NumberOr": 1, "Identifier": 0, "word": 0, "words": 0, "oneWord": 1, "readNumber": 0, "Need": 1,
	"damaged": 1, "wrong": 1,
}

// TestFrench checks that all that is said about card files, journals and presets is
// said in French too, by every game that reads them.
func TestFrench(t *testing.T) {
	folders, err := filepath.Glob("../*/faults.txt")
	if err != nil || len(folders) == 0 {
		t.Fatal(folders, err)
	}
	for _, file := range append(folders, "french.txt", "../french.txt") {
		own, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		french := cardfile.Translations(string(own))
		for english, words := range french {
			if strings.Count(english, "%") != strings.Count(words, "%") {
				t.Errorf("%s: %q has other holes than %q", file, words, english)
			}
		}
		sources, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			if strings.HasSuffix(source, "_test.go") {
				continue
			}
			for _, words := range spoken(t, source) {
				if _, found := french[words]; !found {
					t.Errorf("%s: there is no French for %s", source, words)
				}
			}
		}
	}
}

// spoken returns the formats and nouns in a source file.
func spoken(t *testing.T, source string) (all []string) {
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
		at, ok := said[name]
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

// literal returns the value of a string literal, or of several that are joined.
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
