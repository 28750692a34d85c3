package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is how long a line of Go may be; a tab is one column. What raw
// strings hold does not count: pictures, JSON and the scripts of pages are data,
// and breaking them would change them.
const maxColumns = 120

// TestGoLines finds lines of Go that are too long to read beside others.
func TestGoLines(t *testing.T) {
	files := 0
	eachFile(t, ".go", func(file string, data []byte) {
		files++
		for i, line := range bytes.Split(withoutRaw(data), []byte("\n")) {
			if n := utf8.RuneCount(line); n > maxColumns {
				t.Errorf("%s:%d has %d columns, want at most %d", file, i+1, n, maxColumns)
			}
		}
	})
	if files < 100 {
		t.Errorf("only %d files are found", files)
	}
}

// helperWords are words that a sentence about a name needs. A function or field with such a name
// is heard wrong in its own comment: "with returns a copy".
var helperWords = strings.Fields(`about above across after again against ahead all almost alone along already also
	although always among and another any anybody anyone anything apart around as aside at away because before behind
	below beneath beside besides best between beyond both but by down during each either else elsewhere enough even ever
	every everybody everything except far few for former forth forward from further hence here how however if in inside
	instead into it its just later least less like many maybe mine more most much near neither never next no nobody none
	nor nothing now nowhere of off often on once one only onto or other others otherwise our out outside over own past per
	perhaps plus quite rather same several since so some somebody someone something somewhere soon still such than that
	the theirs them then there these they this those though through thus to together too toward twice under underneath
	unless until up upon upside very via what whatever when where whether which while who whole whom whose why with within
	without yet`)

// idioms are such words that Go programs use for fields: times, ends of a range, readers and
// writers, and states.
var idioms = strings.Fields("at down enough even from in next now off on once out over since to under until")

// TestNames checks that no unexported function, type or field outside tests is named by such a
// word. Functions are named by a verb or a noun, types and fields by a noun.
func TestNames(t *testing.T) {
	names := 0
	eachFile(t, ".go", func(file string, data []byte) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, allowed []string) {
			names++
			if slices.Contains(helperWords, name) && !slices.Contains(allowed, name) {
				t.Errorf("%s: %q needs a verb or a noun in its name", file, name)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				check(n.Name.Name, nil)
			case *ast.TypeSpec:
				check(n.Name.Name, nil)
			case *ast.StructType:
				for _, field := range n.Fields.List {
					for _, name := range field.Names {
						check(name.Name, idioms)
					}
				}
			}
			return true
		})
	})
	if names < 5000 {
		t.Errorf("only %d names are found", names)
	}
}

// eachFile reads all files of the repository whose names end so.
func eachFile(t *testing.T, ending string, read func(file string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || file == filepath.Join(root, "bin")):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, ending):
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		read(name, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutRaw empties the raw strings of a Go file, and keeps their lines.
func withoutRaw(source []byte) []byte {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	var kept []byte
	from := 0
	for {
		pos, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return append(kept, source[from:]...)
		case kind == token.STRING && strings.HasPrefix(text, "`"):
			at := file.Offset(pos)
			kept = append(kept, source[from:at+1]...)
			kept = append(kept, strings.Repeat("\n", strings.Count(text, "\n"))...)
			from = at + len(text) - 1
		}
	}
}

func TestWithoutRaw(t *testing.T) {
	for source, want := range map[string]string{
		"a := `b` + `c`\nd":    "a := `` + ``\nd",
		"a := `b\nc\n`\nd":     "a := `\n\n`\nd",
		"a := \"`\" // `b`":    "a := \"`\" // `b`",
		"a := '`'\nb := `\"c`": "a := '`'\nb := ``",
	} {
		if got := withoutRaw([]byte(source)); string(got) != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

// mostWide is how long a line of Markdown may be. Tables, code, headings and
// the targets of links cannot be broken.
const mostWide = 100

// TestMarkdownLines finds lines of text that are too long to read and compare.
func TestMarkdownLines(t *testing.T) {
	eachFile(t, ".md", func(file string, data []byte) {
		for _, i := range wideLines(string(data)) {
			t.Errorf("%s:%d is longer than %d letters", file, i, mostWide)
		}
	})
}

// ruleOfTable is the line below the heading of a table.
var ruleOfTable = regexp.MustCompile(`^\s*\|([ :-]+\|)+\s*$`)

// TestMarkdownTables checks that each table has a heading, and as many cells in
// every row: rows after an empty line are shown as text with bars in it.
func TestMarkdownTables(t *testing.T) {
	rows := 0
	eachFile(t, ".md", func(file string, data []byte) {
		code, cells := false, 0
		lines := strings.Split(string(data), "\n")
		for i, line := range lines {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			}
			if code || !strings.HasPrefix(strings.TrimSpace(line), "|") {
				cells = 0
				continue
			}
			rows++
			n := strings.Count(line, "|") - strings.Count(line, `\|`)
			if cells == 0 {
				if i+1 == len(lines) || !ruleOfTable.MatchString(lines[i+1]) {
					t.Errorf("%s:%d: a table without a heading", file, i+1)
				}
				cells = n
			}
			if n != cells {
				t.Errorf("%s:%d: got %d cells, want %d as above", file, i+1, n-1, cells-1)
			}
		}
	})
	if rows < 500 {
		t.Errorf("only %d rows of tables are found", rows)
	}
}

var linkTarget = regexp.MustCompile(`\]\([^)]*\)|^ {0,3}\[[^\]]+\]: .*`)

// wideLines returns the numbers of the lines that should have been broken.
func wideLines(text string) []int {
	var wide []int
	fence, code, blank := "", false, true
	for i, line := range strings.Split(text, "\n") {
		bare := strings.TrimLeft(line, " >")
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fence = bare[:3]
			continue
		}
		code = (code || blank) && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"))
		blank = bare == ""
		if code || strings.HasPrefix(bare, "|") || strings.HasPrefix(bare, "#") || strings.HasPrefix(bare, "<") {
			continue
		}
		if utf8.RuneCountInString(linkTarget.ReplaceAllString(line, "]")) > mostWide {
			wide = append(wide, i+1)
		}
	}
	return wide
}

func TestWideLines(t *testing.T) {
	long := strings.Repeat("word ", 21)
	for text, want := range map[string]int{
		long:                                        1,
		"> " + long + "\n- " + long:                 2,
		"text\n    " + long:                         1,
		"text\n\n    " + long + "\n    " + long:     0,
		"```\n" + long + "\n```\n" + long:           1,
		"# " + long + "\n| " + long + " |":          0,
		"[a link](" + strings.Repeat("x", 99) + ")": 0,
		"[name]: " + strings.Repeat("x", 99):        0,
	} {
		if got := wideLines(text); len(got) != want {
			t.Errorf("%q: lines %v, want %d of them", text, got, want)
		}
	}
}
