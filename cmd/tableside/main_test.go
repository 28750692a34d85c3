package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"tableside/cmd/tableside/config"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/mqtt/porttest"
)

// TestMain lets scripts and the tests that kill run this test binary as
// tableside itself.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tableside": main,
		"fetch":     fetch,
		"await":     await,
	})
}

// beside finds what a script runs beside its other commands.
var beside = regexp.MustCompile(`(?m) &(\w+&)?$`)

// TestScripts runs the scripts in testdata/script; with the race detector those in which
// programs run side by side, which take longest, and in make check the others.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no scripts: %v", err)
	}
	if enginetest.Raced || !enginetest.Nightly() {
		files = slices.DeleteFunc(files, func(file string) bool {
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			return beside.Match(script) != enginetest.Raced
		})
	}
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(env *testscript.Env) error {
			// A raced program would sleep for a second before it ends, and these start hundreds.
			env.Setenv("GORACE", "atexit_sleep_ms=10")
			return nil
		},
		UpdateScripts: os.Getenv("TABLESIDE_UPDATE") != "", // rewrites what cmp compares
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"tear":     tear,
			"size":     size,
			"occupy":   occupy,
			"envsubst": envsubst,
			"freeport": freeport,
		},
	})
}

// exits runs a command and wants its exit code: "exits 2 tableside games x".
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code is %d", code)
	}
}

// tear cuts the last bytes off a file, as a power failure does: "tear FILE N".
func tear(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	info, err := os.Stat(file)
	ts.Check(err)
	ts.Check(os.Truncate(file, info.Size()-int64(n)))
}

// size checks the size of a PNG in pixels: "size FILE WxH".
func size(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	c, err := png.DecodeConfig(f)
	ts.Check(err)
	if got := fmt.Sprintf("%dx%d", c.Width, c.Height); got != args[1] {
		ts.Fatalf("%s has %s pixels", args[0], got)
	}
}

// occupy listens on a free port, mute, until the script ends: "occupy VAR".
func occupy(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	ts.Defer(func() { l.Close(); <-done })
	ts.Setenv(args[0], l.Addr().String())
}

func freeport(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		ts.Setenv(name, strconv.Itoa(porttest.Pick()))
	}
}

func envsubst(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(file, []byte(os.Expand(ts.ReadFile(args[0]), ts.Getenv)), 0o666))
}

func speak(t *testing.T, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(in), &o, &e, func(string) string { return "" })
	return code, o.String(), e.String()
}

// TestHelp tests that the help of every command fits a terminal, and that every text
// exists in every language.
func TestHelp(t *testing.T) {
	for _, c := range commands() {
		code, out, errs := speak(t, "", "help", c.name)
		if code != exitDone || errs != "" {
			t.Errorf("help %s: exit %d, %q", c.name, code, errs)
		}
		for line := range strings.Lines(out) {
			if len([]rune(line)) > 101 {
				t.Errorf("help %s: line is too wide: %s", c.name, line)
			}
		}
	}
	for key, texts := range cliWords() {
		if texts.In(engine.English) == "" || texts.In(engine.French) == "" {
			t.Errorf("%s lacks a language", key)
		}
	}
}

func TestNearest(t *testing.T) {
	among := []string{"demo", "run", "replay", "render", "games", "cards", "doctor", "version"}
	for word, want := range map[string]string{
		"dmeo": "demo", "rpelay": "replay", "game": "games", "vers": "version", "docktor": "doctor", "rn": "run",
		"blue": "", "x": "", "": "",
	} {
		if got := config.Nearest(word, among); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
