// Command modules lists the third-party code in a program. It writes two files.
// third-party.txt holds the licences that must be passed on. tableside.spdx.json is a bill of
// materials in SPDX 2.3.
//
//	go run ./systemd/deb/modules PROGRAM VERSION ARCHITECTURE FOLDER
//
// The command reads the program itself, so the bill always matches the program. The same
// program gives the same bytes. The time in the bill is SOURCE_DATE_EPOCH.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: modules PROGRAM VERSION ARCHITECTURE FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

func run(program, version, architecture, folder string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return errors.New("SOURCE_DATE_EPOCH: want a time in seconds since 1970")
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	var modules []*debug.Module
	licences := []byte("The program holds code of others, under the licences that follow.\n")
	for _, m := range append([]*debug.Module{{Path: "stdlib", Version: info.GoVersion}}, info.Deps...) {
		if m.Replace != nil {
			m = m.Replace
		}
		texts, err := readLicences(m)
		if err != nil {
			return fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
		}
		licences = fmt.Appendf(licences, "\n\n===== %s %s\n%s", m.Path, m.Version, texts)
		modules = append(modules, m)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	text, err := json.MarshalIndent(spdx(version, architecture, sum, time.Unix(seconds, 0), modules), "", " ")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "third-party.txt"), licences, 0o644),
		os.WriteFile(filepath.Join(folder, "tableside.spdx.json"), append(text, '\n'), 0o644),
	)
}

// licenceFile matches the files in a module's root that must be passed on.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|edl|epl)`)

// readLicences reads the licence files of a module from Go's module cache; the standard library is
// a module without a sum. A module without such a file is an error, because somebody has to look.
func readLicences(m *debug.Module) (texts []byte, err error) {
	where := []string{"list", "-m", "-f", "{{.Dir}}", m.Path}
	if m.Sum == "" {
		where = []string{"env", "GOROOT"}
	}
	folder, err := exec.Command("go", where...).Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(where, " "), err)
	}
	root := os.DirFS(strings.TrimSpace(string(folder)))
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		text, err := fs.ReadFile(root, entry.Name())
		if err != nil {
			return nil, err
		}
		texts = append(append(texts, '\n'), text...)
	}
	if texts == nil {
		return nil, errors.New("no licence")
	}
	return texts, nil
}
