package core

import (
	"encoding/base64"
	"regexp"
	"slices"
)

var (
	styleLink   = regexp.MustCompile(`<link rel="stylesheet" href="/assets/([^"]+)">`)
	otherLink   = regexp.MustCompile(`<link [^>]*>\n`)
	entryScript = regexp.MustCompile(`<script type="module" src="/assets/([^"]+)"></script>`)
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
		return slices.Concat([]byte(`<script type="application/json" id="recording">`), recording,
			[]byte("</script>\n<script type=\"module\">\n"), a.bundle(string(entryScript.FindSubmatch(script)[1])), []byte("</script>"))
	})
}

func DataURL(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}
