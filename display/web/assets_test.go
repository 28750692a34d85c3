package web

import (
	"io/fs"
	"path"
	"strings"
	"testing"
)

// scripts returns the scripts of the pages by their path below assets.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(assetFiles, "assets", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		data, err := assetFiles.ReadFile(name)
		all[strings.TrimPrefix(name, "assets/")] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
