package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"tableside/cmd/tableside/config"
	"tableside/device/history"
	"tableside/display/web"
	"tableside/engine"
)

func historyCommand() command {
	return command{
		name: "history", usage: "[--json|--csv|--bgstats|--players|--chart OUT] [FLAGS]",
		short: "the matches that were played, with scores and winners",
		help: `Lists the matches of a table, the newest first: when, which game, who with which
score, and how long. A star marks the winners. A damaged match is in the list with
the reason, and hides no other.

--game shows one game, or all editions of a title; --player those in which
somebody of this name sat. --json prints everything that is known, as GET
/api/history does; --csv a table with a row for each player of each match, for a
spreadsheet; --bgstats the finished matches for the app Board Game Stats, as a
file that ends in .bgsplay. --players lists who played, with their wins and a
rating: it is within ± 19 times of 20. --chart OUT draws the wins over time as a
PNG; OUT - is standard output.

The file history.json in the data folder spares reading all journals again. It is
made again if it is missing or wrong. Notes, other names of players and deletions
are in history.log there; the page /history and /players change them.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print JSON")
			asCSV := flags.Bool("csv", false, "print a table for spreadsheets, with a row for each player of a match")
			bgStats := flags.Bool("bgstats", false, "print a file for Board Game Stats")
			players := flags.Bool("players", false, "list the players instead, with their wins and ratings")
			chart := flags.String("chart", "", "draw the wins over time into the PNG `OUT`")
			game := flags.String("game", "", "only matches of the game `NAME`")
			player := flags.String("player", "", "only matches with the player `NAME`")
			file := flags.String("config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			data := flags.String("data", "", "the matches of this data `DIR` instead of the configured one")
			return func(_ context.Context, args []string) error {
				if err := takes("history", args, 0, 0, ""); err != nil {
					return err
				}
				if count(*asJSON, *asCSV, *bgStats, *players, *chart != "") > 1 {
					return wrong("history", "--json, --csv, --bgstats, --players and --chart exclude each other", "")
				}
				dir := *data
				if dir == "" {
					c, err := p.loadConfig(*file)
					if err != nil {
						return err
					}
					dir = c.Table.Data
				}
				of := p.games
				if *game != "" {
					var err error
					if of, err = p.games.FindAll(*game); err != nil {
						return err
					}
				}
				matches := history.New(dir, p.games)
				asked := func(e history.Entry) bool {
					sat := func(s history.Player) bool { return strings.EqualFold(s.Name, *player) }
					return (*game == "" || slices.Contains(of.Names(), e.Game)) &&
						(*player == "" || slices.ContainsFunc(e.Seats, sat))
				}
				if *asJSON || *asCSV {
					return p.streamHistory(dir, matches, asked, *asCSV)
				}
				if *players || *chart != "" {
					stats, err := matches.Stats(p.lang, asked)
					switch {
					case err != nil:
						return wrong(dir, p.reason(err), "")
					case *players:
						return p.printPlayers(stats.Players)
					}
					return p.writeChart(stats.Players, *chart)
				}
				book, err := matches.Read()
				if err != nil {
					return wrong(dir, p.reason(err), "")
				}
				book.Matches = slices.DeleteFunc(book.Matches, func(e history.Entry) bool { return !asked(e) })
				for i, e := range book.Matches {
					book.Matches[i] = e.In(p.lang)
				}
				if *bgStats {
					return p.writeBGStats(p.out, book.Matches)
				}
				if book.Damage != nil {
					fmt.Fprintf(p.err, "tableside: %s\n", engine.ErrorIn(book.Damage, p.lang))
				}
				return p.printHistory(book.Matches)
			}
		},
	}
}

// count returns how many flags are set.
func count(set ...bool) (n int) {
	for _, is := range set {
		if is {
			n++
		}
	}
	return n
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
		if minutes := (e.Seconds + 30) / 60; e.State == "finished" {
			state = say("cli.history-minutes", "n", minutes)
		}
		if e.Reason != "" {
			state = say("cli.history-reason", "state", state, "reason", e.Reason)
		}
		if e.Note != "" {
			state += " (" + e.Note + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Begin.Local().Format("2006-01-02 15:04"), e.Game, whoPlayed(e), state)
	}
	return w.Flush()
}

// whoPlayed returns the players with their scores, the best first: "★ Alice 12, Max 9".
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

// streamHistory writes those matches that are asked for as JSON or as a table, one after
// another: thousands need not be in memory.
func (p *program) streamHistory(dir string, matches *history.History, asked func(history.Entry) bool,
	table bool) error {
	r, err := matches.Open()
	if err != nil {
		return wrong(dir, p.reason(err), "")
	}
	defer r.Close()
	each := func(do func(history.Entry) error) error {
		return r.Each(false, func(e history.Entry) error {
			if !asked(e) {
				return nil
			}
			return do(e.In(p.lang))
		})
	}
	out := bufio.NewWriter(p.out)
	if table {
		err = writeTable(out, each)
	} else {
		err = web.WriteList(out, func(row func(any) error) error {
			return each(func(e history.Entry) error { return row(e) })
		})
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// writeTable writes a table with a row for each player of each match.
func writeTable(out io.Writer, each func(func(history.Entry) error) error) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"match", "begin", "game", "state", "minutes", "inputs", "rounds", "seat", "player", "rank", "won",
		"value", "counter"})
	err := each(func(e history.Entry) error {
		for _, s := range e.Seats {
			won := "0"
			if s.Won {
				won = "1"
			}
			_ = w.Write([]string{e.ID, e.Begin.Local().Format("2006-01-02 15:04:05"), e.Game, e.State,
				strconv.FormatFloat(float64(e.Seconds)/60, 'f', 1, 64), strconv.Itoa(e.Inputs), strconv.Itoa(e.Round),
				string(s.Seat), noFormula(s.Name), strconv.Itoa(s.Rank), won, strconv.Itoa(s.Value), e.Counter})
		}
		return w.Error()
	})
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// noFormula returns a name that no spreadsheet calculates.
func noFormula(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "'" + name
	}
	return name
}
