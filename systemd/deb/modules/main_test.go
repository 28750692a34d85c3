package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestBill checks that the bill of the real program is an SPDX 2.3 document,
// lists exactly the modules of "go version -m", and is the same each time.
func TestBill(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "tableside")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "tableside/cmd/tableside")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the Makefile does
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1790000000")
	var bills [][]byte
	for _, folder := range []string{"one", "two"} {
		folder = filepath.Join(dir, folder)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := run(program, "0.1.0~dev", "arm64", folder); err != nil {
			t.Fatal(err)
		}
		bills = append(bills, read(t, filepath.Join(folder, "tableside.spdx.json")))
	}
	if !bytes.Equal(bills[0], bills[1]) {
		t.Error("the same program gives two different bills")
	}
	var d document
	if err := json.Unmarshal(bills[0], &d); err != nil {
		t.Fatal(err)
	}
	checkDocument(t, d)
	if d.Creation.Created != "2026-09-21T14:13:20Z" {
		t.Errorf("created %s", d.Creation.Created)
	}
	sum := sha256.Sum256(read(t, program))
	if p := d.Packages[0]; p.Name != "tableside" || p.Version != "0.1.0~dev" || len(p.Checksums) != 1 ||
		p.Checksums[0] != (checksum{"SHA256", hex.EncodeToString(sum[:])}) {
		t.Errorf("the program itself: %+v", p)
	}

	told, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"tableside", "stdlib"}
	for _, dep := range regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)\t(\S+)$`).FindAllStringSubmatch(string(told), -1) {
		want = append(want, dep[1])
		i := slices.IndexFunc(d.Packages, func(p pack) bool { return p.Name == dep[1] })
		if i < 0 || d.Packages[i].Version != dep[2] || !strings.HasSuffix(d.Packages[i].Source, dep[3]) {
			t.Errorf("%v is not in the bill", dep[1:])
		}
	}
	var got []string
	for _, p := range d.Packages {
		got = append(got, p.Name)
	}
	if len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("packages %v, want %v", got, want)
	}

	licences := string(read(t, filepath.Join(dir, "one", "third-party.txt")))
	for _, name := range want[1:] {
		if strings.Count(licences, "\n===== "+name+" ") != 1 {
			t.Errorf("the licence of %s is not passed on once", name)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checkDocument checks what the specification requires (SPDX 2.3, annex C and
// sections 6, 7 and 11).
func checkDocument(t *testing.T, d document) {
	t.Helper()
	match := func(what, value, pattern string) {
		t.Helper()
		if !regexp.MustCompile("^(?:" + pattern + ")$").MatchString(value) {
			t.Errorf("%s is %q, want %s", what, value, pattern)
		}
	}
	const id = `SPDXRef-[A-Za-z0-9.\-]+`
	const licence = `NOASSERTION|(Apache-2\.0|MIT|BSD-[23]-Clause|EPL-2\.0)( (OR|AND) (Apache-2\.0|MIT|BSD-[23]-Clause|EPL-2\.0))*`
	match("spdxVersion", d.Version, `SPDX-2\.3`)
	match("dataLicense", d.Licence, `CC0-1\.0`)
	match("SPDXID", d.ID, "SPDXRef-DOCUMENT")
	match("name", d.Name, `\S+`)
	match("documentNamespace", d.Namespace, `https://[^#\s]+`)
	match("created", d.Creation.Created, `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	if len(d.Creation.Creators) == 0 {
		t.Error("the document has no creator")
	}
	for _, creator := range d.Creation.Creators {
		match("creator", creator, `(Person|Organization|Tool): .+`)
	}
	ids := []string{d.ID}
	for _, p := range d.Packages {
		match("SPDXID of "+p.Name, p.ID, id)
		if slices.Contains(ids, p.ID) {
			t.Errorf("duplicate %s", p.ID)
		}
		ids = append(ids, p.ID)
		match("version of "+p.Name, p.Version, `\S+`)
		match("downloadLocation of "+p.Name, p.Download, "NOASSERTION")
		match("declared licence of "+p.Name, p.Declared, licence)
		match("concluded licence of "+p.Name, p.Concluded, licence)
		match("copyright of "+p.Name, p.Copyright, `(?s).+`)
		if p.Analyzed {
			t.Errorf("files of %s are said to be analysed", p.Name)
		}
		for _, r := range p.Outside {
			match("category of "+p.Name, r.Category, "PACKAGE-MANAGER")
			match("purl of "+p.Name, r.Locator, `pkg:golang/[a-z0-9./\-]+@\S+`)
		}
	}
	described := 0
	for _, r := range d.Relationships {
		match("relationship", r.Type, "DESCRIBES|STATIC_LINK")
		if !slices.Contains(ids, r.Element) || !slices.Contains(ids, r.Related) {
			t.Errorf("%+v names an unknown element", r)
		}
		if r.Type == "DESCRIBES" {
			described++
		}
	}
	if described != 1 || len(d.Relationships) != len(d.Packages) {
		t.Errorf("%d relationships for %d packages, %d of them DESCRIBES", len(d.Relationships), len(d.Packages), described)
	}
}

// TestLicences checks that unclear licences are errors, never guesses.
func TestLicences(t *testing.T) {
	for _, c := range []struct {
		known []string
		said  string
		want  string
	}{
		{nil, "", "no known licence"},
		{[]string{"MIT"}, "", "MIT"},
		{[]string{"MIT", "EPL-2.0"}, "", "several licences"},
		{[]string{"MIT", "EPL-2.0"}, "x\nSPDX-License-Identifier: EPL-2.0 or MIT\n", "EPL-2.0 OR MIT"},
	} {
		got, err := expression(c.known, []licence{{"LICENSE", []byte(c.said)}})
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%v with %q: %s", c.known, c.said, got)
		}
	}
	if id := identify([]byte("You may do whatever you like.")); id != "" {
		t.Errorf("an unknown text is identified as %s", id)
	}
}
