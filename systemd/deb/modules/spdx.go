package main

import (
	"regexp"
	"runtime/debug"
	"strings"
	"time"
)

// An object is one of the JSON objects of the SPDX specification 2.3: section 6 describes the
// document, section 7 packages and section 11 relationships.
type object map[string]any

const documentID, unknown = "SPDXRef-DOCUMENT", "NOASSERTION"

// spdx returns the bill of materials of a program, given its SHA-256, and its modules.
func spdx(version, architecture, sum string, built time.Time, modules []*debug.Module) object {
	name, mainID := "tableside-"+version+"-"+architecture, spdxID("tableside")
	packages := []object{{
		"SPDXID": mainID, "name": "tableside", "versionInfo": version, "packageFileName": "./usr/bin/tableside",
		"primaryPackagePurpose": "APPLICATION", "downloadLocation": unknown, "filesAnalyzed": false,
		"licenseDeclared": "Apache-2.0", "checksums": []object{{"algorithm": "SHA256", "checksumValue": sum}},
	}}
	relationships := []object{relate(documentID, "DESCRIBES", mainID)}
	for _, m := range modules {
		purl := "pkg:golang/" + strings.ToLower(m.Path) + "@" + strings.TrimPrefix(m.Version, "go")
		one := object{
			"SPDXID": spdxID(m.Path), "name": m.Path, "versionInfo": m.Version,
			"primaryPackagePurpose": "LIBRARY", "downloadLocation": unknown, "filesAnalyzed": false,
			"externalRefs": []object{{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}},
		}
		if m.Sum != "" { // a hash of a list of all its files, not a checksum in the sense of SPDX
			one["sourceInfo"] = "go.sum: " + m.Path + " " + m.Version + " " + m.Sum
		}
		packages = append(packages, one)
		relationships = append(relationships, relate(mainID, "STATIC_LINK", spdxID(m.Path)))
	}
	return object{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": documentID, "name": name,
		// It only has to be unique among all documents.
		"documentNamespace": "https://tableside.invalid/spdx/" + name + "-" + sum[:16],
		"creationInfo": object{"created": built.UTC().Format(time.RFC3339),
			"creators": []string{"Organization: The Tableside authors", "Tool: tableside/systemd/deb/modules"}},
		"packages": packages, "relationships": relationships,
	}
}

func relate(element, kind, related string) object {
	return object{"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}
}

func spdxID(name string) string {
	return "SPDXRef-Package-" + regexp.MustCompile(`[^A-Za-z0-9.]+`).ReplaceAllString(name, "-")
}
