package device

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tableside/engine"
)

// publicReason returns why a file cannot be used. The text has the name of the file but not
// its folder. People without the token read what the table shows, and must not learn where the
// table keeps its files. The log has the whole error.
func publicReason(err error, lang engine.Lang) string {
	var path *fs.PathError
	var link *os.LinkError
	var line *engine.SyntaxError
	switch {
	case errors.As(err, &path):
		return filepath.Base(path.Path) + ": " + engine.ErrorIn(path.Err, lang)
	case errors.As(err, &link):
		return filepath.Base(link.New) + ": " + engine.ErrorIn(link.Err, lang)
	case errors.As(err, &line) && line.File != "":
		here := *line
		here.File = filepath.Base(line.File)
		return here.Told(lang)
	}
	return engine.ErrorIn(err, lang)
}

// wordingOf returns the public reason for an error in each language. The texts are those that
// publicReason returns. An engine.Text can have the result among its arguments.
func wordingOf(err error) engine.Wording {
	return engine.Worded(func(lang engine.Lang) string { return publicReason(err, lang) })
}
