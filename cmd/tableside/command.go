package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/shelf"
	"tableside/device/catalogue"
	"tableside/engine"
)

// A command is a subcommand, the first word after "tableside".
type command struct {
	name  string
	usage string // arguments and flags
	short string // one line for the overview
	help  string // the full description

	// prepare declares the flags and returns the action to run after they are parsed.
	prepare func(*program, *flag.FlagSet) action
}

type action func(ctx context.Context, args []string) error

func commands() []command {
	return []command{
		demoCommand(), runCommand(), replayCommand(), historyCommand(), renderCommand(), gamesCommand(), cardsCommand(),
		joinCommand(), hallCommand(), doctorCommand(), versionCommand(),
	}
}

const overviewHead = `Tableside keeps score, rules and memory for games with real cards.

Usage: tableside COMMAND [ARGUMENTS] [FLAGS]

Commands:
`

const overviewTail = `
"tableside help COMMAND" tells everything about one. Every command takes
--lang en|fr, the language of what players read; it comes from LC_ALL,
LC_MESSAGES or LANG otherwise.

Exit codes: 0 done, 1 the answer is no, 2 wrong usage or configuration.
`

func (p *program) overview(w io.Writer) {
	fmt.Fprint(w, overviewHead)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, overviewTail)
}

// command parses the flags and runs the command, or prints its help.
func (p *program) command(ctx context.Context, c command, args []string) error {
	flags := p.flags(c.name)
	do := c.prepare(p, flags)
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		p.explain(c, flags)
		return nil
	}
	if err != nil {
		return err
	}
	return do(ctx, rest)
}

// flags returns a flag set with the flags that every command takes.
func (p *program) flags(command string) *flag.FlagSet {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.Func("lang", "the language of what players read: `en|fr`", func(s string) error {
		if !slices.Contains(engine.Languages, engine.Lang(s)) {
			return errors.New("want en or fr")
		}
		p.lang = engine.Lang(s)
		return nil
	})
	return flags
}

// parse sets the flags and returns the arguments. Flags may be before, between and after the
// arguments. Everything after "--" is an argument.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	more := "tableside help " + flags.Name() + " lists the flags"
	fail := func(reason string) error { return usageFailure(flags.Name(), reason, more) }
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return append(rest, args...), nil
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			rest = append(rest, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		f := flags.Lookup(name)
		switch {
		case name == "" || name[0] == '-':
			return nil, fail(fmt.Sprintf("%q is no flag: want --name or --name=value", arg))
		case name == "h" || name == "help":
			return nil, flag.ErrHelp
		case f == nil:
			var names []string
			flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
			if near := config.Nearest(name, names); near != "" {
				more = "did you mean --" + near + "?"
			}
			return nil, fail("there is no flag --" + name)
		case !hasValue && isBool(f):
			value = "true"
		case !hasValue && len(args) == 0:
			wanted, _ := flag.UnquoteUsage(f)
			return nil, fail(fmt.Sprintf("--%s needs a value: --%[1]s %s", name, wanted))
		case !hasValue:
			value, args = args[0], args[1:]
		}
		if err := flags.Set(name, value); err != nil && isBool(f) {
			return nil, fail(fmt.Sprintf("--%s: got %q: a switch takes no value, or true or false", name, value))
		} else if err != nil {
			return nil, fail(fmt.Sprintf("--%s: got %q: %v", name, value, err))
		}
	}
	return rest, nil
}

// explain prints the help of one command.
func (p *program) explain(c command, flags *flag.FlagSet) {
	fmt.Fprintf(p.out, "Usage: %s\n\n%s\n\nFlags:\n", strings.TrimSpace("tableside "+c.name+" "+c.usage),
		strings.TrimSpace(c.help))
	flags.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		usage = strings.TrimSuffix(usage, ": "+value) // it is shown beside the flag's name, too
		name := "--" + f.Name
		if len(f.Name) == 1 {
			name = "-" + f.Name
		}
		if !isBool(f) {
			name += " " + value
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "-1" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(p.out, "  %-22s %s\n", name, usage)
	})
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func checkArgCount(c string, args []string, minArgs, maxArgs int, label string) error {
	switch {
	case len(args) < minArgs:
		return usageFailure(c, label+" is missing", "tableside help "+c+" tells more")
	case len(args) > maxArgs:
		return usageFailure(c, fmt.Sprintf("unexpected argument %q", args[maxArgs]), "tableside help "+c+" tells more")
	}
	return nil
}

//go:embed words.txt
var wordsFile string

func cliWords() engine.Words {
	return engine.Merge(engine.MustWords("cmd/tableside/words.txt", wordsFile), catalogue.Words(), shelf.Words())
}

func (p *program) say(key string, pairs ...any) string {
	return cliWords().Say(p.lang, engine.T(key, pairs...), nil)
}
