package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device/history"
	"tableside/engine"
)

func historyCommand() command {
	return command{
		name: "history", usage: "[import FILE] [--json|--csv|--bgstats] [FLAGS]",
		short: "the matches that were played, with scores and winners",
		help: `Lists the matches of a table, the newest first: when, which game, who with which
score, and how long. A star marks the winners. A damaged match is in the list with
the reason, and hides no other.

--game shows one game, all editions of a title or one game of a score sheet, such
as hearts; --player those in which
somebody of this name sat. --json prints everything that is known, as GET
/api/history does; --csv a table with a row for each player of each match, for a
spreadsheet; --bgstats the finished matches for the app Board Game Stats, as a
file that ends in .bgsplay. The page /players lists who played, with wins and
ratings.

"history import FILE" adds the plays of a file of Board Game Stats, or of a
spreadsheet with the columns date, game and player, and perhaps match, score,
won, rank and minutes, with a row for each player. What the history has already
is left out. --try only tells what the file holds; --forget ID takes an import
out again as a whole.

The file matches.index in the data folder spares reading all journals again. It is
made again if it is missing or wrong. Notes, other names of players and deletions
are in history.log there; the page /history and /players change them.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print JSON")
			asCSV := flags.Bool("csv", false, "print a table for spreadsheets, with a row for each player of a match")
			bgStats := flags.Bool("bgstats", false, "print a file for Board Game Stats")
			game := flags.String("game", "", "only matches of the game `NAME`")
			player := flags.String("player", "", "only matches with the player `NAME`")
			file := flags.String("config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			try := flags.Bool("try", false, "with import: only tell what the file holds")
			forget := flags.String("forget", "", "take the import `ID` out again")
			data := flags.String("data", "", "the matches of this data `DIR` instead of the configured one")
			return func(_ context.Context, args []string) error {
				count := 0
				if len(args) > 0 && args[0] == "import" {
					count = 2
				}
				if err := checkArgCount("history", args, count, count, "FILE"); err != nil {
					return err
				}
				if *asJSON && (*asCSV || *bgStats) || *asCSV && *bgStats {
					return usageFailure("history", "--json, --csv and --bgstats exclude each other", "")
				}
				dir, err := p.dataFolder(*data, *file)
				if err != nil {
					return err
				}
				names := []string{engine.Setup{Game: *game}.FromPreset(p.games().Infos()).Preset}
				if *game != "" && names[0] == "" {
					of, err := p.games().FindAll(*game)
					if err != nil {
						return err
					}
					names = of.Names()
				}
				sat := func(s history.Player) bool { return history.SameName(s.Name, *player) }
				matches := history.New(dir, p.games())
				switch {
				case *forget != "":
					err := matches.ForgetImport(*forget)
					if _, unknown := engine.AsRefusal(err); unknown {
						return negativeFailure(*forget, p.say("cli.history-no-import"), "")
					}
					return err
				case count > 0:
					return p.importPlays(matches, args[1], !*try)
				}
				book, err := matches.Read()
				if err != nil {
					return usageFailure(dir, p.reason(err), "")
				}
				book.Matches = slices.DeleteFunc(book.Matches, func(e history.Entry) bool {
					return *game != "" && !slices.Contains(names, e.Game) && !slices.Contains(names, e.Preset) ||
						*player != "" && !slices.ContainsFunc(e.Seats, sat)
				})
				book.Matches = history.In(book.Matches, p.lang)
				switch {
				case *asJSON:
					return p.printJSON(book.Matches)
				case *asCSV:
					return history.WriteTable(p.out, book.Matches)
				case *bgStats:
					return matches.WriteBGStats(p.out, book.Matches, p.lang)
				}
				if book.Damage != nil {
					fmt.Fprintf(p.err, "tableside: %s\n", engine.ErrorIn(book.Damage, p.lang))
				}
				return p.printHistory(book.Matches)
			}
		},
	}
}

// importPlays adds the plays of a file to the history, or with keep unset only prints what it would add.
func (p *program) importPlays(matches *history.History, file string, keep bool) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return usageFailure(file, p.reason(err), "")
	}
	found, err := matches.Import(string(data), keep, p.lang, time.Now())
	if err != nil {
		return negativeFailure(file, p.reason(err), "")
	}
	fmt.Fprintln(p.out, p.say("cli.history-import", "n", found.Plays, "again", found.Again))
	for _, list := range [][]history.ImportName{found.Games, found.Players} {
		for _, one := range list {
			name := one.Name
			if !one.Known {
				name = p.say("cli.history-import-new", "name", engine.Literal(name))
			}
			fmt.Fprintf(p.out, "%5d  %s\n", one.Plays, name)
		}
	}
	if found.ID != "" {
		fmt.Fprintln(p.out, p.say("cli.history-imported", "id", engine.Literal(found.ID)))
	}
	return nil
}

// printHistory prints the matches for people.
func (p *program) printHistory(matches []history.Entry) error {
	if len(matches) == 0 {
		_, err := fmt.Fprintln(p.out, p.say("cli.history-none"))
		return err
	}
	words := cliWords()
	say := func(key string, pairs ...any) string { return words.Say(p.lang, engine.T(key, pairs...), nil) }
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, e := range matches {
		state := say("cli.history-" + e.State)
		if minutes := (e.Seconds + 30) / 60; e.State == "finished" && (e.Imported == "" || minutes > 0) {
			state = say("cli.history-minutes", "n", minutes)
		}
		if e.Imported != "" {
			state += ", " + say("cli.history-is-import")
		}
		if e.Reason != "" {
			state = say("cli.history-reason", "state", state, "reason", e.Reason)
		}
		if e.Note != "" {
			state += " (" + e.Note + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Begin.Local().Format("2006-01-02 15:04"), cmp.Or(e.Preset, e.Game),
			whoPlayed(e), state)
	}
	return w.Flush()
}

// whoPlayed returns the players of a match with their scores, the best player first. A star
// marks each winner. For example, whoPlayed returns "★ Alice 12, Max 9".
func whoPlayed(e history.Entry) string {
	var list []string
	for _, s := range e.Seats {
		one := cmp.Or(s.Name, string(s.Seat))
		if e.Counter != "" {
			one += " " + strconv.Itoa(s.Value)
		}
		if s.Won {
			one = "★ " + one
		}
		list = append(list, one)
	}
	return strings.Join(list, ", ")
}
