package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/display/terminal"
	"tableside/display/web"
	"tableside/engine"
)

func replayCommand() command {
	return command{
		name: "replay", usage: "FILE|- [--json] [--strict] [--until N] [--html OUT|--open]",
		short: "prints what happened in a journal",
		help: `Reads a journal (- is standard input) and prints the match as a transcript:
every input as the journal has it, followed by what it did, or why it was refused.
A refused input changes nothing, and the replay goes on. The state at the end
follows, with the open questions and the inputs that answer them: add one to the
journal and replay it again.

A journal that a table wrote has a checksum in every line, and now and then a
fingerprint of the view. If the file was damaged, or the rules have changed, the
replay stops: it shows the match up to there, reports the place on standard error
and exits with 1. With --strict it also stops at the first refusal, and shows no
final state after a fault. The file is never changed.

With --html OUT the match is written as one page that replays it in any browser,
up to the first refusal, without a table and without a network; OUT - is standard
output. --open opens that page.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print the final view as JSON instead, as GET /api/view does")
			strict := flags.Bool("strict", false, "stop at the first refusal, and exit with 1")
			until := -1
			flags.Func("until", "stop after `N` accepted inputs, undo and redo included", func(s string) (err error) {
				if until, err = strconv.Atoi(s); err != nil || until < 0 {
					return errors.New("want a number of inputs, 0 or more")
				}
				return nil
			})
			html := flags.String("html", "", "write the match to `OUT` as one page that replays it in any browser")
			open := flags.Bool("open", false, "replay the match in this machine's browser")
			return func(ctx context.Context, args []string) error {
				if err := checkArgCount("replay", args, 1, 1, "the journal's name"); err != nil {
					return err
				}
				file, err := p.readJournal(args[0])
				if err != nil {
					return err
				}
				if *html != "" || *open {
					if *asJSON || *strict || until >= 0 || *open && *html == "-" {
						return usageFailure("replay", "--html and --open exclude the other flags, and --open needs a file", "")
					}
					return p.film(ctx, args[0], file, *html, *open)
				}
				r := &replay{program: p, file: args[0], strict: *strict, until: until, out: p.out}
				if *asJSON {
					r.out = io.Discard
				}
				stop := r.play(file)
				if stop != nil && (*strict || r.match == nil) {
					return stop
				}
				if *asJSON {
					err = p.printJSON(r.frame().View)
				} else {
					_, err = fmt.Fprintf(p.out, "\n%s", terminal.Draw(r.frame()))
				}
				return errors.Join(stop, err)
			}
		},
	}
}

// A replay folds a journal and writes a transcript of it to out.
type replay struct {
	*program
	file         string
	strict       bool
	until        int // the number of accepted inputs to stop after; -1: none
	out          io.Writer
	match        *engine.Match // nil until begin has created it
	words        engine.Words
	lineCount    int          // lines of the journal before the stop
	refusedLines map[int]bool // by number
}

// play folds the journal up to its end or up to the limit r.until. If an error occurs before
// that, play stops and returns the error. A refusal is an error only if the replay is strict.
func (r *replay) play(file *journalFile) error {
	if err := r.begin(file.Journal); err != nil {
		return err
	}
	for i, line := range file.Lines {
		if r.isEnough() {
			return nil
		}
		if err := r.line(file, i, line); err != nil {
			return err
		}
		r.lineCount++
	}
	if file.damage == nil || r.isEnough() {
		return nil
	}
	return file.damageFailure(r.match.Seq(), r.lang)
}

func (r *replay) isEnough() bool { return r.until >= 0 && r.match.Seq() >= r.until }

// begin creates the match of a journal's head, and prints the game and its players.
func (r *replay) begin(j *engine.Journal) error {
	game, err := r.games().Find(j.Setup.Game)
	if err != nil {
		return err
	}
	if r.match, err = engine.NewMatch(game, j.Setup); err != nil {
		return r.setupFailure(r.file, game, j.Setup, err)
	}
	r.words, r.refusedLines = r.match.Words(), map[int]bool{}
	var seats []string
	for _, s := range r.match.View().Seats {
		seat := string(s.ID)
		if s.Name != "" {
			seat = s.Name + " (" + seat + ")"
		}
		seats = append(seats, seat)
	}
	fmt.Fprintf(r.out, "%s: %s\n", j.Setup.Game, strings.Join(seats, ", "))
	return nil
}

func (r *replay) line(file *journalFile, i int, line engine.Line) error {
	if line.Mark != nil {
		return r.checkMark(file, i, line)
	}
	fmt.Fprintln(r.out, line.Input)
	step, err := r.match.Apply(line.Input)
	if verb := line.Input.Verb; verb == engine.Set || verb == engine.Undo || verb == engine.Redo {
		r.words = r.match.Words() // a title may have been entered
	}
	refusal, refused := engine.AsRefusal(err)
	names := r.names()
	switch {
	case refused:
		r.refusedLines[line.Number] = true
		return r.refuse(line, refusal, names)
	case err != nil:
		return negativeFailure(fmt.Sprintf("%s:%d", r.file, line.Number), err.Error(),
			"this is a bug: please report it with the journal")
	}
	if taken := step.Input; taken.Command() != line.Input.Command() {
		fmt.Fprintf(r.out, "  %s\n", r.say("cli.confirmed", "input", taken.Command()))
	}
	for _, e := range r.words.SpeakEvents(r.lang, step.Events, names) {
		fmt.Fprintf(r.out, "  %s\n", e.Spoken)
	}
	return nil
}

func (r *replay) refuse(line engine.Line, refusal *engine.Refusal, names map[engine.Seat]string) error {
	reason := r.words.Say(r.lang, refusal.Text, names)
	if near := r.nearestName(refusal); near != "" {
		reason += "; " + r.say("shelf.meant", "name", near)
	}
	if r.strict {
		why := r.say("cli.was-refused", "input", line.Input.Command(), "reason", reason)
		return negativeFailure(fmt.Sprintf("%s:%d", r.file, line.Number), why, "")
	}
	_, err := fmt.Fprintf(r.out, "  %s\n", r.say("cli.refused", "reason", reason))
	return err
}

// nearestName returns the seat or key that the player probably meant. It returns "" if the
// refusal is not about an unknown seat or key, or if no name is close.
func (r *replay) nearestName(refusal *engine.Refusal) string {
	switch refusal.Text.Key {
	case "refusal.no-such-seat":
		var seats []string
		for _, p := range r.match.Setup().Seats {
			seats = append(seats, string(p.Seat))
		}
		seat, _ := refusal.Text.Args["name"].(engine.Seat)
		return config.Nearest(string(seat), append(seats, string(engine.Table)))
	case "refusal.no-such-key":
		name, _ := refusal.Text.Args["name"].(string)
		return config.Nearest(name, engine.Keys)
	}
	return ""
}

func (r *replay) checkMark(file *journalFile, i int, line engine.Line) error {
	fault, differs := errors.AsType[*engine.SyntaxError](file.CheckMark(i, r.match))
	if !differs {
		return nil
	}
	return negativeFailure(fmt.Sprintf("%s:%d", r.file, line.Number), fault.In(r.lang),
		r.say("cli.damage-until", "n", r.match.Seq()))
}

// frame returns the frame that a table would show at this point of the journal.
func (r *replay) frame() engine.Frame {
	return engine.Frame{
		View: r.words.SpeakView(r.lang, r.match.View()), Words: r.words, Lang: r.lang,
		Status: engine.Status{Keeping: true, Cursor: -1}, Course: r.match.FinalCourse(),
	}
}

func (r *replay) names() map[engine.Seat]string {
	view := r.match.View()
	return view.Names()
}

// film writes a page that replays a match. It writes the page to the file that target names.
// If target is "", it writes the page to a file in a folder for temporary files. If open is
// set, film opens the page in a browser. If the journal is damaged, the page replays the
// intact beginning and says so.
func (p *program) film(ctx context.Context, name string, file *journalFile, target string, open bool) error {
	game, err := p.games().Find(file.Setup.Game)
	if err != nil {
		return err
	}
	page, err := web.ReplayPage(game, file.Journal, file.damage != nil, p.lang)
	if err != nil {
		return negativeFailure(name, engine.SayFault(err, game, p.lang), "")
	}
	if target == "" {
		folder, err := os.MkdirTemp("", "tableside-")
		if err != nil {
			return negativeFailure("the folder for temporary files", config.Reason(err), "name a file with --html")
		}
		target = filepath.Join(folder, strings.TrimSuffix(filepath.Base(name), ".journal")+".html")
	}
	err = p.writeFile(target, func(w io.Writer) error {
		_, err := w.Write(page)
		return err
	})
	if err != nil || !open || target == "-" {
		return err
	}
	fmt.Fprintln(p.out, target)
	if err := exec.CommandContext(ctx, "xdg-open", target).Run(); err != nil {
		return negativeFailure("xdg-open", err.Error(), "open "+target+" in a browser")
	}
	return nil
}
