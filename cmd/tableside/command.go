package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
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

// commands returns every command, in the order of the overview.
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
	flags.SetOutput(io.Discard)
	flags.Func("lang", "the language of what players read: `en|fr`", func(s string) error {
		if !slices.Contains(engine.Languages, engine.Lang(s)) {
			return errors.New("want en or fr")
		}
		p.lang = engine.Lang(s)
		return nil
	})
	return flags
}

// parse parses the flags and returns the arguments. Flags may be before, between and after the
// arguments. Everything after "--" is an argument.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, flagFailure(flags, err)
		}
		read := len(args) - flags.NArg()
		if flags.NArg() == 0 || read > 0 && args[read-1] == "--" {
			return append(rest, flags.Args()...), nil
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
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

// flagFailure turns an error of the flag package into a failure that is one line long. The
// text of the error shows flags with only one hyphen, and does not say what value a flag
// needs. Therefore the failure has a text of its own.
func flagFailure(flags *flag.FlagSet, err error) error {
	command, more := flags.Name(), "tableside help "+flags.Name()+" lists the flags"
	find := func(pattern string) []string {
		return regexp.MustCompile("(?s)" + pattern).FindStringSubmatch(err.Error())
	}
	if m := find(`^flag provided but not defined: -(.*)$`); m != nil {
		var names []string
		flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		if near := config.Nearest(m[1], names); near != "" {
			more = "did you mean --" + near + "?"
		}
		return usageFailure(command, "there is no flag --"+m[1], more)
	}
	if m := find(`^flag needs an argument: -(.*)$`); m != nil {
		wanted, _ := flag.UnquoteUsage(flags.Lookup(m[1]))
		return usageFailure(command, fmt.Sprintf("--%s needs a value: --%[1]s %s", m[1], wanted), more)
	}
	if m := find(`^invalid (?:boolean )?value (".*") for (?:flag )?-([^:]*): (.*)$`); m != nil {
		why := m[3]
		if isBool(flags.Lookup(m[2])) {
			why = "a switch takes no value, or true or false"
		}
		return usageFailure(command, fmt.Sprintf("--%s: got %s: %s", m[2], m[1], why), more)
	}
	if m := find(`^bad flag syntax: (.*)$`); m != nil {
		return usageFailure(command, fmt.Sprintf("%q is no flag: want --name or --name=value", m[1]), more)
	}
	return usageFailure(command, err.Error(), more)
}

// checkArgCount returns a failure if a command has fewer arguments than minArgs or more than
// maxArgs. If an argument is missing, the failure calls this argument by the given label.
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

// cliWords returns the texts of the commands that players read.
func cliWords() engine.Words {
	return engine.Merge(engine.MustWords("cmd/tableside/words.txt", wordsFile), catalogue.Words(), shelf.Words())
}

// say returns a text of cliWords in the program's language.
func (p *program) say(key string, pairs ...any) string {
	return cliWords().Say(p.lang, engine.T(key, pairs...), nil)
}
