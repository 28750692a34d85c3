package core

import (
	"bytes"
	"encoding/base64"
	"path"
	"regexp"
	"slices"
)

var (
	styleLink   = regexp.MustCompile(`<link rel="stylesheet" href="/assets/([^"]+)">`)
	otherLink   = regexp.MustCompile(`<link [^>]*>\n`)
	entryScript = regexp.MustCompile(`<script type="module" src="/assets/([^"]+)"></script>`)
	specifier   = regexp.MustCompile(`((?:from|import) ")(\.[^"]+)(")`)
	fontFile    = regexp.MustCompile(`url\((go-[^)]+\.ttf)\)`)
)

// SinglePage returns a page that needs no server. The page contains its style sheets, typeface
// and scripts, and a recording in JSON from Recording.json. This JSON contains no "<". Thus no
// name in the recording can end the recording's element.
func (a *Assets) SinglePage(page string, recording []byte) []byte {
	html := styleLink.ReplaceAllFunc(a.Read(page), func(link []byte) []byte {
		style := a.Read(string(styleLink.FindSubmatch(link)[1]))
		style = fontFile.ReplaceAllFunc(style, func(url []byte) []byte {
			return []byte("url(" + DataURL("font/ttf", a.Read(string(fontFile.FindSubmatch(url)[1]))) + ")")
		})
		return slices.Concat([]byte("<style>\n"), style, []byte("</style>"))
	})
	html = otherLink.ReplaceAll(html, nil)
	return entryScript.ReplaceAllFunc(html, func(script []byte) []byte {
		entry := string(entryScript.FindSubmatch(script)[1])
		var b bytes.Buffer
		b.WriteString(`<script type="importmap">{"imports":{`)
		for i, name := range a.scriptsOf(entry, nil) {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n" + `"tableside/` + name + `":"` + DataURL("text/javascript", a.portable(name)) + `"`)
		}
		b.WriteString("}}</script>\n" + `<script type="application/json" id="recording">`)
		b.Write(recording)
		b.WriteString("</script>\n" + `<script type="module">import "tableside/` + entry + `";</script>`)
		return b.Bytes()
	})
}

func DataURL(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// scriptsOf appends to list a script and all scripts that it imports, and returns the list.
// The list holds each script only once.
func (a *Assets) scriptsOf(name string, list []string) []string {
	if slices.Contains(list, name) {
		return list
	}
	list = append(list, name)
	for _, m := range specifier.FindAllSubmatch(a.Read(name), -1) {
		list = a.scriptsOf(path.Join(path.Dir(name), string(m[2])), list)
	}
	return list
}

// portable returns a script in which each import uses a name from the page's import map.
// Relative names would not work, because a script within a data URL has no folder.
func (a *Assets) portable(name string) []byte {
	return specifier.ReplaceAllFunc(a.Read(name), func(from []byte) []byte {
		m := specifier.FindSubmatch(from)
		return []byte(string(m[1]) + "tableside/" + path.Join(path.Dir(name), string(m[2])) + string(m[3]))
	})
}
