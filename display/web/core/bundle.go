package core

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	importLine = regexp.MustCompile(`(?ms)^import (?:(\* as \w+|\{[^}]*\}) from )?"(\.[^"]+)";$`)
	passedOn   = regexp.MustCompile(`(?ms)^export (\*|\{[^}]*\}) from "(\.[^"]+)";$`)
	comment    = regexp.MustCompile("(?m)^ *//.*\n| +// [^\"'`\n]*$")
	exported   = regexp.MustCompile(`(?m)^export ((?:async )?function|const) (\w+)`)
)

// bundle returns a script with all scripts that it imports, as one script: a browser needs one
// round trip for it instead of one for every six of them. Each script becomes a function that
// returns what it exports, so that none sees the names of another. No cycles, no other forms.
func (a *Assets) bundle(entry string) []byte {
	var b bytes.Buffer
	for _, name := range a.scriptsOf(entry, nil) {
		fmt.Fprintf(&b, "const %s = (() => {\n%s})();\n", variable(name), a.wrapped(name))
	}
	return b.Bytes()
}

// scriptsOf appends to list all scripts that a script imports, and then itself. The list holds
// each script only once.
func (a *Assets) scriptsOf(name string, list []string) []string {
	if slices.Contains(list, name) {
		return list
	}
	data := a.embedded(name)
	for _, statement := range []*regexp.Regexp{importLine, passedOn} {
		for _, m := range statement.FindAllSubmatch(data, -1) {
			list = a.scriptsOf(path.Join(path.Dir(name), string(m[2])), list)
		}
	}
	return append(list, name)
}

// wrapped returns a script that takes its imports from variables, and returns its exports.
func (a *Assets) wrapped(name string) []byte {
	from := func(to []byte) string { return variable(path.Join(path.Dir(name), string(to))) }
	data, exports := a.embedded(name), []string{}
	data = importLine.ReplaceAllFunc(data, func(line []byte) []byte {
		m := importLine.FindSubmatch(line)
		what, _ := strings.CutPrefix(string(m[1]), "* as ")
		if what == "" {
			return nil
		}
		return []byte("const " + strings.ReplaceAll(what, " as ", ": ") + " = " + from(m[2]) + ";")
	})
	data = passedOn.ReplaceAllFunc(data, func(line []byte) []byte {
		m := passedOn.FindSubmatch(line)
		if string(m[1]) == "*" {
			exports = append(exports, "..."+from(m[2]))
			return nil
		}
		exports = append(exports, strings.FieldsFunc(string(m[1]), func(r rune) bool { return strings.ContainsRune("{}, \n", r) })...)
		return []byte("const " + string(m[1]) + " = " + from(m[2]) + ";")
	})
	for _, m := range exported.FindAllSubmatch(data, -1) {
		exports = append(exports, string(m[2]))
	}
	data = comment.ReplaceAll(exported.ReplaceAll(data, []byte("$1 $2")), nil)
	return fmt.Appendf(data, "return { %s };\n", strings.Join(exports, ", "))
}

// variable returns the name of the variable that holds what a script exports.
func variable(name string) string {
	return "m_" + strings.NewReplacer("/", "_", "-", "_", ".js", "").Replace(name)
}
