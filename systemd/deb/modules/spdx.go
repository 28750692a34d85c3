package main

import (
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// A product is the program that the bill of materials describes.
type product struct {
	name, version, architecture string
	sum                         [32]byte // SHA-256
	built                       time.Time
}

// A document and the types below follow the SPDX specification 2.3 in JSON. Section 6
// describes the document, section 7 packages and section 11 relationships.
type document struct {
	Version       string         `json:"spdxVersion"`
	Licence       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []pack         `json:"packages"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type pack struct {
	ID        string      `json:"SPDXID"`
	Name      string      `json:"name"`
	Version   string      `json:"versionInfo"`
	File      string      `json:"packageFileName,omitempty"`
	Purpose   string      `json:"primaryPackagePurpose"`
	Download  string      `json:"downloadLocation"`
	Analyzed  bool        `json:"filesAnalyzed"`
	Checksums []checksum  `json:"checksums,omitempty"`
	Source    string      `json:"sourceInfo,omitempty"`
	Declared  string      `json:"licenseDeclared"`
	Concluded string      `json:"licenseConcluded"`
	Copyright string      `json:"copyrightText"`
	Outside   []reference `json:"externalRefs,omitempty"`
}

type checksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type reference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	Element string `json:"spdxElementId"`
	Type    string `json:"relationshipType"`
	Related string `json:"relatedSpdxElement"`
}

const documentID, unknown = "SPDXRef-DOCUMENT", "NOASSERTION"

// spdx returns the bill of materials of a program and its modules, as JSON.
func spdx(p product, modules []module) ([]byte, error) {
	sum := hex.EncodeToString(p.sum[:])
	name := p.name + "-" + p.version + "-" + p.architecture
	main := pack{
		ID: spdxID(p.name), Name: p.name, Version: p.version, File: "./usr/bin/" + p.name, Purpose: "APPLICATION",
		Download: unknown, Checksums: []checksum{{"SHA256", sum}},
		Declared: "Apache-2.0", Concluded: "Apache-2.0", Copyright: "2026 The Tableside authors",
	}
	d := document{
		Version: "SPDX-2.3", Licence: "CC0-1.0", ID: documentID, Name: name,
		// It only has to be unique among all documents.
		Namespace: "https://tableside.invalid/spdx/" + name + "-" + sum[:16],
		Creation: creation{
			Created:  p.built.UTC().Format(time.RFC3339),
			Creators: []string{"Organization: The Tableside authors", "Tool: tableside/systemd/deb/modules"},
		},
		Packages:      []pack{main},
		Relationships: []relationship{{documentID, "DESCRIBES", main.ID}},
	}
	for _, m := range modules {
		one := pack{
			ID: spdxID(m.path), Name: m.path, Version: m.version, Purpose: "LIBRARY", Download: unknown,
			Declared: m.licence, Concluded: unknown, Copyright: m.copyright(),
			Outside: []reference{{"PACKAGE-MANAGER", "purl", m.purl()}},
		}
		if m.sum != "" { // a hash of a list of all its files, not a checksum in the sense of SPDX
			one.Source = "go.sum: " + m.path + " " + m.version + " " + m.sum
		}
		d.Packages = append(d.Packages, one)
		d.Relationships = append(d.Relationships, relationship{main.ID, "STATIC_LINK", one.ID})
	}
	data, err := json.MarshalIndent(d, "", " ")
	return append(data, '\n'), err
}

// spdxID makes an SPDX identifier from a name. Such an identifier holds only letters, digits,
// dots and hyphens.
func spdxID(name string) string {
	return "SPDXRef-Package-" + regexp.MustCompile(`[^A-Za-z0-9.]+`).ReplaceAllString(name, "-")
}

// purl returns the module's package URL in the form that vulnerability scanners use. If the
// module is the standard library, the version in this URL does not begin with "go".
func (m module) purl() string {
	if m.sum == "" {
		return "pkg:golang/" + m.path + "@" + strings.TrimPrefix(m.version, "go")
	}
	return "pkg:golang/" + strings.ToLower(m.path) + "@" + m.version
}

// copyright returns the copyright lines of the licence files, or "NOASSERTION" (unknown) if they
// have none.
func (m module) copyright() string {
	var lines []string
	for _, file := range m.files {
		for line := range strings.Lines(string(file.text)) {
			if line = strings.TrimSpace(line); regexp.MustCompile(`^(?i:copyright) .*\d{4}`).MatchString(line) {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		return unknown
	}
	return strings.Join(lines, "\n")
}
