package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version of this source. Builds of the same version are told apart by their
// commits.
const release = "0.3.0-dev"

// A build tells which build of the program runs: from which version and commit, and for which
// platform.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"` // "" when it was built outside a repository
	Changed  bool   `json:"changed"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	b := build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		case "GOARM":
			b.Platform += " v" + s.Value
		}
	}
	return b
}

func (b build) String() string {
	return fmt.Sprintf("tableside %s\ncommit    %s\ngo        %s\nplatform  %s\n", b.Version,
		cmp.Or(b.revision(), "unknown"), b.Go, b.Platform)
}

func versionCommand() command {
	return command{
		name: "version", usage: "[--json]", short: "version, commit, Go version, platform",
		help: "Prints which program this is: include it in every bug report.",
		prepare: func(p *program, flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print one JSON object")
			return func(_ context.Context, args []string) error {
				if err := checkArgCount("version", args, 0, 0, ""); err != nil {
					return err
				}
				if *asJSON {
					return p.printJSON(thisBuild())
				}
				_, err := fmt.Fprint(p.out, thisBuild())
				return err
			}
		},
	}
}

func (p *program) printJSON(value any) error {
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

func (b build) line() string { return strings.TrimSpace(b.Version + " " + b.revision()) }

func (b build) revision() string {
	revision := b.Commit[:min(12, len(b.Commit))]
	if b.Changed {
		revision += " with changes"
	}
	return revision
}
