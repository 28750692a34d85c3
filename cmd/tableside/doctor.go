package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/doctor"
	"tableside/cmd/tableside/host"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/tape"
)

func doctorCommand() command {
	return command{
		name: "doctor", usage: "[--config FILE] [--data DIR] [--try] [--json] [--record|--replay FILE]",
		short: "checks everything an installation needs",
		help: `Checks everything that run needs, one line each: "ok" with how it was tested in
parentheses, or "FAIL" with the fix. It checks the configuration, the data folder
(writable, not in use, not lost at the next boot, space on the disk), the address
of the page, the broker with its credentials and access list, the clock, the
supply voltage, the card data, and tags, presets, the history's log and tokens;
then the wiring: buses and pins, who may use them and who holds them, overlays,
the buffer and the clock of SPI, and every reader, which has to report its
firmware. With --try, panel and screens show a test picture, a rainbow runs over
the lights, and every key has to be pressed. It lists keyboards that are plugged
in but not used, with the section to add.

A running table is no failure, but its parts are left alone: stop it to have them
tested, and for --try and --record. Nothing is changed. Exits with 1 if something
fails.

--record writes the traffic on the buses to a tape: send it with a report of what
does not work. The numbers of tags and the texts on them are in it; --hide-tags
leaves them out, and then it cannot be replayed.

--replay plays a tape to the drivers of this version, without any chip, and checks
nothing else: it counts what agrees for each part, or prints the first difference.
docs/hardware.md describes what a tape holds.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			file := flags.String("config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			data := flags.String("data", "", "look at this data `DIR` instead of the configured one")
			try := flags.Bool("try", false, "show a test picture and a rainbow, and wait for every key to be pressed")
			asJSON := flags.Bool("json", false, "print one JSON array")
			record := recordFlags(flags)
			replay := flags.String("replay", "", "play the tape in this `FILE` to the drivers instead")
			return func(ctx context.Context, args []string) error {
				if err := checkArgCount("doctor", args, 0, 0, ""); err != nil {
					return err
				}
				if *replay != "" {
					if err := checkAlone(flags, "replay", "json", "lang"); err != nil {
						return err
					}
					return p.replayTape(ctx, *replay, *asJSON)
				}
				if err := checkFlags(flags, "hide-tags needs record"); err != nil {
					return err
				}
				c, err := p.loadConfig(*file)
				if *data != "" {
					c.Table.Data = *data
				}
				findings := doctor.Examine(ctx, doctor.Config{
					Settings: c, File: *file, LoadError: err, Try: *try, Out: p.err, Tape: *record,
					CheckCards: p.examineCards,
				}, &rig.Raspberry{})
				return p.printFindings(findings, *asJSON)
			}
		},
	}
}

func checkAlone(flags *flag.FlagSet, name string, allowed ...string) (err error) {
	flags.Visit(func(f *flag.Flag) {
		if err == nil && f.Name != name && !slices.Contains(allowed, f.Name) {
			err = checkFlags(flags, f.Name+" excludes "+name)
		}
	})
	return err
}

// checkFlags returns a failure if the flags break a rule, such as "fast needs script" or "resume
// excludes new". A flag with an empty value counts as missing; one of flags.Func has none to ask for.
func checkFlags(flags *flag.FlagSet, rules ...string) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) {
		_, hasValue := f.Value.(flag.Getter)
		given[f.Name] = !hasValue || f.Value.String() != "" && f.Value.String() != "false"
	})
	for _, rule := range rules {
		words := strings.Fields(rule)
		one, other := words[0], words[2]
		switch {
		case !given[one]:
		case words[1] == "needs" && !given[other]:
			return usageFailure(flags.Name(), fmt.Sprintf("--%s needs --%s", one, other), "")
		case words[1] == "excludes" && given[other]:
			return usageFailure(flags.Name(), fmt.Sprintf("--%s and --%s exclude each other", one, other), "")
		}
	}
	return nil
}

// printFindings prints each finding as text, or all findings as JSON. If a check has failed,
// printFindings returns a failure that prints nothing and only sets the exit code.
func (p *program) printFindings(findings []doctor.Finding, asJSON bool) error {
	failed := 0
	for _, f := range findings {
		if !f.OK {
			failed++
		}
		if asJSON {
			continue
		}
		line := fmt.Sprintf("ok    %-14s %s (%s)", f.Check, f.Text, f.How)
		if !f.OK {
			line = fmt.Sprintf("FAIL  %-14s %s", f.Check, f.Text)
			if f.Fix != "" {
				line += "; " + f.Fix
			}
		}
		fmt.Fprintln(p.out, oneLine(line))
		for line := range strings.Lines(f.Paste) {
			fmt.Fprint(p.out, "      "+line)
		}
	}
	if asJSON {
		if err := p.printJSON(findings); err != nil {
			return err
		}
	}
	if failed > 0 {
		return exitCode(exitNo)
	}
	return nil
}

// examineCards checks the owner's card data and the other files in a data folder.
func (p *program) examineCards(dir string) []doctor.Finding {
	var found []doctor.Finding
	files, faults := p.games().Files(dir, p.lang)
	for _, f := range files {
		found = append(found, doctor.Finding{Check: "cards", OK: true,
			Text: fmt.Sprintf("%s holds %d definitions", f.Name, f.Definitions), How: "read and checked"})
	}
	for _, f := range faults {
		found = append(found, doctor.Finding{Check: "cards", Text: f.Text, Fix: f.Fix})
	}
	if len(found) == 0 {
		found = append(found, doctor.Finding{Check: "cards", OK: true,
			Text: "no owner's file: what the box says is asked for at the table", How: "looked in " + dir})
	}
	var whole []string
	for _, f := range host.CheckFiles(dir, p.games(), p.lang) {
		for _, fault := range f.Faults {
			found = append(found, doctor.Finding{Check: f.Name, Text: fault, Fix: f.Fix})
		}
		if len(f.Faults) == 0 {
			whole = append(whole, f.Name)
		}
	}
	if len(whole) > 0 {
		found = append(found, doctor.Finding{Check: "files", OK: true,
			Text: "no fault in " + strings.Join(whole, ", "), How: "read what is there of them"})
	}
	return found
}

// replayTape runs "doctor --replay" with the tape in a file. It feeds the recorded bus traffic
// to the drivers, and prints whether each part behaves as on the tape.
func (p *program) replayTape(ctx context.Context, file string, asJSON bool) error {
	f, err := os.Open(file)
	if err != nil {
		return negativeFailure("--replay "+file, config.Reason(err), "")
	}
	defer f.Close()
	t, err := tape.Read(f)
	if err != nil {
		return negativeFailure("--replay "+file, config.Reason(err), "")
	}
	if len(t.Parts) == 0 {
		return negativeFailure("--replay "+file, "nothing passed over a bus while it was recorded",
			"a tape needs parts that are wired, and no table that has them already")
	}
	parts, err := rig.Replay(ctx, t)
	if err != nil {
		return negativeFailure("--replay "+file, err.Error(), "")
	}
	if asJSON {
		if err := p.printJSON(parts); err != nil {
			return err
		}
	}
	faults := rig.Faults(t, parts)
	for _, part := range parts {
		if asJSON {
			break
		}
		verdict, left := "ok", ""
		if part.Fault != "" {
			verdict = "FAIL"
		}
		if part.Left > 0 {
			left = fmt.Sprintf(", %d calls not compared: they were cut short, follow one that was, "+
				"or repeat one more than %d times", part.Left, rig.MaxRepeats)
		}
		fmt.Fprintf(p.out, "%-5s %-14s %d calls, %d transfers%s\n", verdict, oneLine(part.Part), part.Calls, part.Transfers, left)
	}
	if len(faults) > 0 {
		return negativeFailure(file, faults[0], "")
	}
	return nil
}

// recordFlags adds the flags of the commands that record a tape.
func recordFlags(flags *flag.FlagSet) *rig.TapeFile {
	f := &rig.TapeFile{Version: thisBuild().line()}
	flags.StringVar(&f.Name, "record", "", "write what passes over the buses on a tape: a new `FILE`")
	flags.BoolVar(&f.HideTags, "hide-tags", false, "with --record, leave out the numbers of tags and the texts on them")
	return f
}
