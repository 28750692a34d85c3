package history

import (
	"cmp"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"tableside/engine"
)

// A bgsFile is the content of a .bgsplay file for the app Board Game Stats. The makers of the
// app only document how other apps hand over a single play, which has about the same fields.
// See bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites.
//
// The fields come from two sources, both read in November 2026: a file that the app itself has
// written, pastebin.com/iDbHyBui, and a program that writes such files for the app,
// github.com/ctuncan/bga_bgstats. No file of ours has been opened in the app yet.
type bgsFile struct {
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

// identity returns a UUID that is always the same for the same thing. The UUID has version 5
// of RFC 9562, section 5.5, and a name space of this program.
func identity(kind, name string) string {
	sum := sha1.Sum([]byte("tableside " + kind + " " + name))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// A numbering gives each key a number: 1 to the first key, 2 to the next one, and so on.
type numbering map[string]int

func (n numbering) numberOf(key string) (number int, first bool) {
	if number, known := n[key]; known {
		return number, false
	}
	n[key] = len(n) + 1
	return n[key], true
}

// WriteBGStats writes the finished matches for the app Board Game Stats, the oldest first. The
// given matches must be in the opposite order, the newest first. title returns the title of a
// game. If a match is exported again, it has the same identity, so that the app recognises it.
func WriteBGStats(out io.Writer, matches []Entry, title func(game string) string) error {
	all := bgsFile{About: "Tableside", Players: []bgsPlayer{}, Games: []bgsGame{}, Plays: []bgsPlay{},
		Locations: []bgsPlace{{UUID: identity("place", "tableside"), ID: 1, Name: "Tableside"}}}
	players, games := numbering{}, numbering{}
	for _, e := range slices.Backward(matches) {
		if e.State != "finished" {
			continue
		}
		boss := slices.ContainsFunc(e.Seats, func(s Player) bool { return s.Seat == engine.Table })
		game, first := games.numberOf(e.Game)
		if first {
			all.Games = append(all.Games, bgsGame{UUID: identity("game", e.Game), ID: game, Name: title(e.Game),
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
			n, first := players.numberOf(name)
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
