package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/history"
	"tableside/display/chart"
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
				if err := checkArgCount("history", args, 0, 0, ""); err != nil {
					return err
				}
				if count(*asJSON, *asCSV, *bgStats, *players, *chart != "") > 1 {
					return usageFailure("history", "--json, --csv, --bgstats, --players and --chart exclude each other", "")
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
						return usageFailure(dir, p.reason(err), "")
					case *players:
						return p.printPlayers(stats.Players)
					}
					return p.writeChart(stats.Players, *chart)
				}
				book, err := matches.Read()
				if err != nil {
					return usageFailure(dir, p.reason(err), "")
				}
				book.Matches = slices.DeleteFunc(book.Matches, func(e history.Entry) bool { return !asked(e) })
				for i, e := range book.Matches {
					book.Matches[i] = e.In(p.lang)
				}
				if *bgStats {
					return history.WriteBGStats(p.out, book.Matches, p.titleOf)
				}
				if book.Damage != nil {
					fmt.Fprintf(p.err, "tableside: %s\n", engine.ErrorIn(book.Damage, p.lang))
				}
				return p.printHistory(book.Matches)
			}
		},
	}
}

// count returns how many of its arguments are true.
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

// streamHistory writes the matches that pass the given filter. If table is set, the output is
// a table for spreadsheets. Otherwise the output is JSON. The matches are written one after
// another, so that thousands of matches need not be in memory. Errors name the given folder.
func (p *program) streamHistory(dir string, matches *history.History, filter func(history.Entry) bool,
	table bool) error {
	r, err := matches.Open()
	if err != nil {
		return usageFailure(dir, p.reason(err), "")
	}
	defer r.Close()
	each := func(do func(history.Entry) error) error {
		return r.Each(false, func(e history.Entry) error {
			if !filter(e) {
				return nil
			}
			return do(e.In(p.lang))
		})
	}
	out := bufio.NewWriter(p.out)
	if table {
		err = history.WriteTable(out, each)
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

// printPlayers prints the players in the given order. The order comes from history.Stats,
// which puts players with a good and certain rating first.
func (p *program) printPlayers(players []history.PlayerStats) error {
	if len(players) == 0 {
		_, err := fmt.Fprintln(p.out, p.say("cli.history-nobody"))
		return err
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, s := range players {
		rating := ""
		if s.Rating > 0 {
			rating = fmt.Sprintf("%.0f ± %.0f", s.Rating, 2*s.Deviation)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, p.say("cli.history-won", "n", s.Won, "of", s.Played), rating)
	}
	return w.Flush()
}

// chartSize is the size of the picture of wins, in pixels.
var chartSize = image.Pt(1200, 630)

// writeChart draws the wins of the players who played most. The chart is a PNG and goes to the
// given file. If the name of the file is "-", the chart goes to standard output. If no match
// was played to its end, writeChart fails.
func (p *program) writeChart(players []history.PlayerStats, file string) error {
	slices.SortStableFunc(players, func(a, b history.PlayerStats) int { return cmp.Compare(b.Played, a.Played) })
	players = players[:min(len(players), chart.MaxLines)]
	var days []string
	for _, s := range players {
		for _, d := range s.Days {
			days = append(days, d.Day)
		}
	}
	if len(days) == 0 {
		return negativeFailure("history", p.say("cli.history-nobody"), "a chart needs a match that was played to its end")
	}
	slices.Sort(days)
	days = slices.Compact(days)
	c := chart.Chart{Title: p.say("cli.history-wins"), From: days[0], To: days[len(days)-1]}
	for _, s := range players {
		l := chart.Line{Name: s.Name + " " + p.say("cli.history-won", "n", s.Won, "of", s.Played)}
		won := 0
		for _, d := range s.Days {
			won += d.Won
			i, _ := slices.BinarySearch(days, d.Day)
			l.Steps = append(l.Steps, chart.Step{At: float64(i+1) / float64(len(days)), Value: won})
		}
		c.Lines = append(c.Lines, l)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, chart.Draw(c, chartSize)); err != nil {
		return err
	}
	if file == "-" {
		_, err := b.WriteTo(p.out)
		return err
	}
	if err := device.Replace(file, b.String()); err != nil {
		return usageFailure(file, p.reason(err), "")
	}
	return nil
}

// titleOf returns the title of a game. If the game has an edition, the title includes it.
func (p *program) titleOf(name string) string {
	title := engine.Title(name)
	if game := engine.Find(p.games, name); game != nil {
		words := engine.Merge(engine.CoreWords(), game.Info().Words)
		title = words.Say(p.lang, engine.T("game."+title), nil)
	}
	if edition := engine.Edition(name); edition != "" {
		title += " (" + strings.ReplaceAll(edition, "-", " ") + ")"
	}
	return title
}
