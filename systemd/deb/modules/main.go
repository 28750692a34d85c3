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
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
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

// A module is third-party code in the program. The standard library counts as a module, too.
type module struct {
	path, version string
	sum           string    // as in go.sum; "" for the standard library
	licence       string    // SPDX expression
	files         []licence // the files that hold the licence
}

type licence struct {
	name string
	text []byte
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
	modules, err := modulesOf(info)
	if err != nil {
		return err
	}
	bill, err := spdx(product{"tableside", version, architecture, sha256.Sum256(data), time.Unix(seconds, 0)}, modules)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "third-party.txt"), thirdParty(modules), 0o644),
		os.WriteFile(filepath.Join(folder, "tableside.spdx.json"), bill, 0o644),
	)
}

// modulesOf returns the linked modules, with the licences from Go's module
// cache.
func modulesOf(info *debug.BuildInfo) ([]module, error) {
	root, err := goSays("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	standard := module{path: "stdlib", version: info.GoVersion}
	if err := standard.findLicence(root); err != nil {
		return nil, err
	}
	modules := []module{standard}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		folder, err := goSays("list", "-m", "-f", "{{.Dir}}", dep.Path)
		if err != nil {
			return nil, err
		}
		m := module{path: dep.Path, version: dep.Version, sum: dep.Sum}
		if err := m.findLicence(folder); err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

func goSays(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// licenceFile matches the files in a module's root that must be passed on.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|edl|epl)`)

// findLicence reads the licence files of a folder. A missing or unknown licence
// is an error, because somebody has to look at it.
func (m *module) findLicence(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	var known []string
	for _, entry := range entries {
		if entry.Type()&fs.ModeType != 0 || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		m.files = append(m.files, licence{entry.Name(), text})
		if id := identify(text); id != "" && !slices.Contains(known, id) {
			known = append(known, id)
		}
	}
	m.licence, err = expression(known, m.files)
	if err != nil {
		return fmt.Errorf("%s %s, %s: %w", m.path, m.version, folder, err)
	}
	return nil
}

// expression returns the SPDX expression for a module with the given licences. If no licence
// is known, expression fails. If there are several licences, a file must say whether they are
// alternatives or all apply, because only the authors can know this. Otherwise expression
// fails.
func expression(known []string, files []licence) (string, error) {
	switch len(known) {
	case 0:
		return "", errors.New("no known licence")
	case 1:
		return known[0], nil
	}
	for _, file := range files {
		if said := regexp.MustCompile(`SPDX-License-Identifier: (.+)`).FindSubmatch(file.text); said != nil {
			return regexp.MustCompile(` (or|and|with) `).ReplaceAllStringFunc(strings.TrimSpace(string(said[1])),
				strings.ToUpper), nil
		}
	}
	return "", fmt.Errorf("several licences, %s, but not whether they are alternatives", strings.Join(known, ", "))
}

// identify returns the SPDX identifier of a licence, or "" for an unknown licence. To find out
// which licence it is, identify looks in the text for phrases of the known licences.
func identify(text []byte) string {
	words := strings.Join(strings.Fields(string(text)), " ")
	for _, known := range []struct {
		id   string
		says []string
	}{
		{"Apache-2.0", []string{"Apache License Version 2.0, January 2004"}},
		{"EPL-2.0", []string{"THE ACCOMPANYING PROGRAM IS PROVIDED UNDER THE TERMS OF THIS ECLIPSE PUBLIC LICENSE"}},
		{"MIT", []string{"Permission is hereby granted, free of charge, to any person obtaining a copy",
			"WITHOUT WARRANTY OF ANY KIND"}},
		{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms",
			"endorse or promote products derived"}},
		{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	} {
		if !slices.ContainsFunc(known.says, func(phrase string) bool { return !strings.Contains(words, phrase) }) {
			return known.id
		}
	}
	return ""
}

// thirdParty returns the text of all licences.
func thirdParty(modules []module) []byte {
	var b bytes.Buffer
	b.WriteString("The program holds code of others, under the licences that follow.\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "\n\n===== %s %s\n", m.path, m.version)
		for _, file := range m.files {
			b.WriteByte('\n')
			b.Write(file.text)
		}
	}
	return b.Bytes()
}
