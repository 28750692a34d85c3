package main

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"tableside/device"
	"tableside/device/history"
	"tableside/display/chart"
	"tableside/engine"
)

// printPlayers prints who sat here, the surest good rating first.
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

// chartSize is that of the picture of wins.
var chartSize = image.Pt(1200, 630)

// writeChart draws the wins of those who played most into a file, or for "-" to standard
// output.
func (p *program) writeChart(players []history.PlayerStats, out string) error {
	slices.SortStableFunc(players, func(a, b history.PlayerStats) int { return cmp.Compare(b.Played, a.Played) })
	players = players[:min(len(players), chart.Most)]
	var days []string
	for _, s := range players {
		for _, d := range s.Days {
			days = append(days, d.Day)
		}
	}
	if len(days) == 0 {
		return no("history", p.say("cli.history-nobody"), "a chart needs a match that was played to its end")
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
	if out == "-" {
		_, err := b.WriteTo(p.out)
		return err
	}
	if err := device.Replace(out, b.String()); err != nil {
		return wrong(out, p.reason(err), "")
	}
	return nil
}

// A bgsplay is the content of a .bgsplay file for the app Board Game Stats. Its makers
// document only how other apps hand over a single play, with about the same fields
// (bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites). The fields are
// those of a file that the app has written itself, pastebin.com/iDbHyBui, and of a program
// that writes such files for the app, github.com/ctuncan/bga_bgstats; both were read in
// November 2026. No file of ours has been opened in the app yet.
type bgsplay struct {
	About     string       `json:"about"`
	Players   []bgsPlayer  `json:"players"`
	Locations []bgsPlace   `json:"locations"`
	Games     []bgsGame    `json:"games"`
	Plays     []bgsPlay    `json:"plays"`
	UserInfo  bgsReference `json:"userInfo"`
}

type bgsReference struct {
	Me int `json:"meRefId"`
}

type bgsPlayer struct {
	UUID        string `json:"uuid"`
	ID          int    `json:"id"`
	Name        string `json:"name"`
	IsAnonymous bool   `json:"isAnonymous"`
}

type bgsPlace struct {
	UUID string `json:"uuid"`
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type bgsGame struct {
	UUID        string `json:"uuid"`
	ID          int    `json:"id"`
	Name        string `json:"name"`
	HighestWins bool   `json:"highestWins"`
	Cooperative bool   `json:"cooperative"`
	NoPoints    bool   `json:"noPoints"`
	UsesTeams   bool   `json:"usesTeams"`
}

type bgsPlay struct {
	UUID        string     `json:"uuid"`
	PlayDate    string     `json:"playDate"`
	DurationMin int        `json:"durationMin"`
	Rounds      int        `json:"rounds"`
	Comments    string     `json:"comments"`
	Ignored     bool       `json:"ignored"`
	UsesTeams   bool       `json:"usesTeams"`
	Manual      bool       `json:"manualWinner"` // the winner is not found by the score
	GameRef     int        `json:"gameRefId"`
	PlaceRef    int        `json:"locationRefId"`
	Scores      []bgsScore `json:"playerScores"`
}

type bgsScore struct {
	PlayerRef   int    `json:"playerRefId"`
	Score       string `json:"score"`
	Winner      bool   `json:"winner"`
	StartPlayer bool   `json:"startPlayer"`
	NewPlayer   bool   `json:"newPlayer"`
	Rank        int    `json:"rank"`
	SeatOrder   int    `json:"seatOrder"`
}

// identity returns a UUID that is always the same for the same thing: version 5 of RFC
// 9562, section 5.5, in a name space of this program.
func identity(kind, name string) string {
	sum := sha1.Sum([]byte("tableside " + kind + " " + name))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// A numbering gives out numbers from 1.
type numbering map[string]int

func (n numbering) of(key string) (number int, first bool) {
	if number, known := n[key]; known {
		return number, false
	}
	n[key] = len(n) + 1
	return n[key], true
}

// writeBGStats writes the finished matches for Board Game Stats. What is exported again
// has the same identities, so that the app finds it.
func (p *program) writeBGStats(out io.Writer, matches []history.Entry) error {
	all := bgsplay{About: "Tableside", Players: []bgsPlayer{}, Games: []bgsGame{}, Plays: []bgsPlay{},
		Locations: []bgsPlace{{UUID: identity("place", "tableside"), ID: 1, Name: "Tableside"}}}
	players, games := numbering{}, numbering{}
	for _, e := range slices.Backward(matches) {
		if e.State != "finished" {
			continue
		}
		boss := slices.ContainsFunc(e.Seats, func(s history.Player) bool { return s.Seat == engine.Table })
		game, first := games.of(e.Game)
		if first {
			all.Games = append(all.Games, bgsGame{UUID: identity("game", e.Game), ID: game, Name: p.titleOf(e.Game),
				HighestWins: !e.Low, Cooperative: boss, NoPoints: e.Counter == ""})
		}
		play := bgsPlay{UUID: identity("play", e.ID), PlayDate: e.Begin.Local().Format("2006-01-02 15:04:05"),
			DurationMin: int(math.Round(float64(e.Seconds) / 60)), Rounds: e.Round, Comments: e.Note, Manual: true,
			GameRef: game, PlaceRef: 1}
		for _, s := range e.Seats {
			if s.Seat == engine.Table {
				continue
			}
			name := cmp.Or(s.Name, string(s.Seat))
			n, first := players.of(name)
			if first {
				all.Players = append(all.Players, bgsPlayer{UUID: identity("player", name), ID: n, Name: name,
					IsAnonymous: s.Name == ""})
			}
			score := bgsScore{PlayerRef: n, Winner: s.Won, StartPlayer: e.First == s.Seat, Rank: s.Rank}
			if e.Counter != "" {
				score.Score = fmt.Sprint(s.Value)
			}
			play.Scores = append(play.Scores, score)
		}
		all.Plays = append(all.Plays, play)
	}
	return json.NewEncoder(out).Encode(all)
}

// titleOf returns what a game is called, with its edition.
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
