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
	"strings"
	"sync"
	"syscall"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/shelf"
	"tableside/engine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
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
	games    func() shelf.List // reading every card takes most of a start
}

func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer, env func(string) string) int {
	p := &program{in: in, out: out, err: errs, env: env, lang: langOf(env), games: sync.OnceValue(allGames)}
	return p.report(p.dispatch(ctx, args))
}

func (p *program) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		p.overview(p.err)
		return exitCode(exitWrong)
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

func langOf(env func(string) string) engine.Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := env(name); value != "" {
			return engine.ParseLang(value)
		}
	}
	return engine.English
}
