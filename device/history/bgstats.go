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

// An object is one of JSON.
type object map[string]any

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
// given matches must be in the opposite order, the newest first. describe returns the title of a
// match's game, and its number at boardgamegeek.com or 0. If a match is exported again, it has the
// same identity, so that the app recognises it.
//
// The makers of the app only document how other apps hand over a single play, which has about the
// same fields. See bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites. The
// fields come from two sources, both read in November 2026: a file that the app itself has
// written, pastebin.com/iDbHyBui, and a program that writes such files for the app,
// github.com/ctuncan/bga_bgstats. No file of ours has been opened in the app yet.
func WriteBGStats(out io.Writer, matches []Entry, describe func(Entry) (string, int)) error {
	playerList, gameList, plays := []object{}, []object{}, []object{}
	players, games := numbering{}, numbering{}
	for _, e := range slices.Backward(matches) {
		if e.State != "finished" {
			continue
		}
		game, first := games.numberOf(cmp.Or(e.Preset, e.Game))
		if first {
			title, bgg := describe(e)
			one := object{"uuid": identity("game", cmp.Or(e.Preset, e.Game)), "id": game, "name": title,
				"highestWins": !e.Low, "cooperative": e.cooperative(), "noPoints": e.Counter == "", "usesTeams": false}
			if bgg > 0 {
				one["bggId"] = bgg
			}
			gameList = append(gameList, one)
		}
		scores := []object{}
		for _, s := range e.Seats {
			if s.Seat == engine.Table {
				continue
			}
			name := cmp.Or(s.Name, string(s.Seat))
			n, first := players.numberOf(NameKey(name))
			if first {
				playerList = append(playerList, object{"uuid": identity("player", name), "id": n, "name": name,
					"isAnonymous": s.Name == ""})
			}
			score := ""
			if e.Counter != "" {
				score = fmt.Sprint(s.Value)
			}
			scores = append(scores, object{"playerRefId": n, "score": score, "winner": s.Won,
				"startPlayer": e.First == s.Seat && e.Options["turns"] != "off", "newPlayer": false, "rank": s.Rank, "seatOrder": 0})
		}
		plays = append(plays, object{"uuid": identity("play", e.ID), "rounds": e.Round, "comments": e.Note,
			"playDate":    e.Begin.Local().Format("2006-01-02 15:04:05"),
			"durationMin": int(math.Round(float64(e.Seconds) / 60)), "ignored": false, "usesTeams": false,
			"manualWinner": true, // the winner is not found by the score
			"gameRefId":    game, "locationRefId": 1, "playerScores": scores})
	}
	return json.NewEncoder(out).Encode(object{"about": "Tableside", "players": playerList,
		"locations": []object{{"uuid": identity("place", "tableside"), "id": 1, "name": "Tableside"}},
		"games":     gameList, "plays": plays, "userInfo": object{"meRefId": 0}})
}
