package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// TestBill checks that the bill of the real program is an SPDX 2.3 document,
// lists exactly the modules of "go version -m", and is the same each time.
func TestBill(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "tableside")
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "tableside/cmd/tableside")
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
	var d object
	if err := json.Unmarshal(bills[0], &d); err != nil {
		t.Fatal(err)
	}
	checkDocument(t, d)
	if created := d.at("creationInfo", "created"); created != "2026-09-21T14:13:20Z" {
		t.Errorf("created %s", created)
	}
	sum := sha256.Sum256(read(t, program))
	packages := d.list("packages")
	if p := packages[0]; p.at("name") != "tableside" || p.at("versionInfo") != "0.1.0~dev" || len(p.list("checksums")) != 1 ||
		p.list("checksums")[0].at("algorithm") != "SHA256" ||
		p.list("checksums")[0].at("checksumValue") != hex.EncodeToString(sum[:]) {
		t.Errorf("the program itself: %+v", p)
	}

	told, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"tableside", "stdlib"}
	for _, dep := range regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)\t(\S+)$`).FindAllStringSubmatch(string(told), -1) {
		want = append(want, dep[1])
		i := slices.IndexFunc(packages, func(p object) bool { return p.at("name") == dep[1] })
		if i < 0 || packages[i].at("versionInfo") != dep[2] || !strings.HasSuffix(packages[i].at("sourceInfo"), dep[3]) {
			t.Errorf("%v is not in the bill", dep[1:])
		}
	}
	var got []string
	for _, p := range packages {
		got = append(got, p.at("name"))
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

// at returns a text in an object, or in one inside; "" if there is none.
func (o object) at(keys ...string) string {
	for _, key := range keys[:len(keys)-1] {
		inner, _ := o[key].(map[string]any)
		o = inner
	}
	text, _ := o[keys[len(keys)-1]].(string)
	return text
}

func (o object) list(key string) (all []object) {
	items, _ := o[key].([]any)
	for _, item := range items {
		one, _ := item.(map[string]any)
		all = append(all, one)
	}
	return all
}

// checkDocument checks what the specification requires (SPDX 2.3, annex C and
// sections 6, 7 and 11).
func checkDocument(t *testing.T, d object) {
	t.Helper()
	match := func(what, value, pattern string) {
		t.Helper()
		if !regexp.MustCompile("^(?:" + pattern + ")$").MatchString(value) {
			t.Errorf("%s is %q, want %s", what, value, pattern)
		}
	}
	const id = `SPDXRef-[A-Za-z0-9.\-]+`
	match("spdxVersion", d.at("spdxVersion"), `SPDX-2\.3`)
	match("dataLicense", d.at("dataLicense"), `CC0-1\.0`)
	match("SPDXID", d.at("SPDXID"), "SPDXRef-DOCUMENT")
	match("name", d.at("name"), `\S+`)
	match("documentNamespace", d.at("documentNamespace"), `https://[^#\s]+`)
	match("created", d.at("creationInfo", "created"), `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	creation, _ := d["creationInfo"].(map[string]any)
	creators, _ := creation["creators"].([]any)
	if len(creators) == 0 {
		t.Error("the document has no creator")
	}
	for _, creator := range creators {
		match("creator", fmt.Sprint(creator), `(Person|Organization|Tool): .+`)
	}
	ids := []string{d.at("SPDXID")}
	packages := d.list("packages")
	for _, p := range packages {
		name := p.at("name")
		match("SPDXID of "+name, p.at("SPDXID"), id)
		if slices.Contains(ids, p.at("SPDXID")) {
			t.Errorf("duplicate %s", p.at("SPDXID"))
		}
		ids = append(ids, p.at("SPDXID"))
		match("version of "+name, p.at("versionInfo"), `\S+`)
		match("downloadLocation of "+name, p.at("downloadLocation"), "NOASSERTION")
		if p["filesAnalyzed"] != false {
			t.Errorf("files of %s are said to be analysed", name)
		}
		for _, r := range p.list("externalRefs") {
			match("category of "+name, r.at("referenceCategory"), "PACKAGE-MANAGER")
			match("purl of "+name, r.at("referenceLocator"), `pkg:golang/[a-z0-9./\-]+@\S+`)
		}
	}
	described, relationships := 0, d.list("relationships")
	for _, r := range relationships {
		match("relationship", r.at("relationshipType"), "DESCRIBES|STATIC_LINK")
		if !slices.Contains(ids, r.at("spdxElementId")) || !slices.Contains(ids, r.at("relatedSpdxElement")) {
			t.Errorf("%+v names an unknown element", r)
		}
		if r.at("relationshipType") == "DESCRIBES" {
			described++
		}
	}
	if described != 1 || len(relationships) != len(packages) {
		t.Errorf("%d relationships for %d packages, %d of them DESCRIBES", len(relationships), len(packages), described)
	}
}

// TestNoLicence checks that a module without a licence is an error.
func TestNoLicence(t *testing.T) {
	if texts, err := readLicences(&debug.Module{Path: "tableside/nowhere", Sum: "h1:"}); err == nil {
		t.Errorf("the licences are %q", texts)
	}
}
