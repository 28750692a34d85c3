// Command tableside is the program of Tableside, which combines the engine with
// devices, displays and MQTT.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/shelf"
	"tableside/display/qr"
	"tableside/engine"
	"tableside/mqtt"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth(os.Args[1:]))
	}
	mqtt.DropTestData()
	qr.DropTables()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

// growth returns the percentage by which the heap of a command may grow before garbage is
// collected. The heap is the memory that Go manages. For most commands the percentage is low,
// because a Raspberry Pi Zero has little memory. Collecting the 2 MB that a table uses is
// quick, and folds keep their speed. See docs/performance.md.
//
// For a hall, the percentage is higher. A hall with a thousand tables uses ten times as much
// memory as a table. With a low percentage, such a hall would spend a third of its time on
// collecting garbage. See docs/hall.md.
func growth(args []string) int {
	if len(args) > 0 && args[0] == "hall" {
		return 100
	}
	return 30
}

// These are the exit codes, on which docs and scripts rely.
const (
	exitDone  = 0
	exitNo    = 1 // the answer is no
	exitWrong = 2 // wrong usage or configuration
)

// A program holds the environment of a command: its streams, language and games.
type program struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	lang     engine.Lang
	games    shelf.List
}

// run runs the program and returns its exit code. It gets the arguments, streams and
// environment from main. Only main touches the process itself.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer, env func(string) string) int {
	p := &program{in: in, out: out, err: errs, env: env, lang: langOf(env), games: allGames()}
	return p.report(p.dispatch(ctx, args))
}

func (p *program) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		p.overview(p.err)
		return &failure{code: exitWrong}
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		about, err := parse(p.flags("help"), rest)
		switch {
		case err != nil && !errors.Is(err, flag.ErrHelp):
			return err
		case len(about) == 0:
			p.overview(p.out)
			return nil
		case len(about) > 1:
			return usageFailure("help", fmt.Sprintf("unexpected argument %q", about[1]),
				"tableside help "+about[0]+" tells all about "+about[0])
		}
		name, rest = about[0], []string{"--help"}
	case "-version", "--version":
		name = "version"
	}
	for _, c := range commands() {
		if c.name == name {
			return p.command(ctx, c, rest)
		}
	}
	if name == "" {
		return usageFailure("command", "the first argument is empty", "tableside help lists the commands")
	}
	if strings.HasPrefix(name, "-") {
		return usageFailure(name, "a command comes first, then its flags", "tableside help lists the commands")
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return usageFailure(name, "there is no such command", config.Suggest(name, names, "tableside help lists the commands"))
}

// langOf returns the language of the environment, with the precedence that POSIX gives
// its variables.
func langOf(env func(string) string) engine.Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := env(name); value != "" {
			return engine.ParseLang(value)
		}
	}
	return engine.English
}
