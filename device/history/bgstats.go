package history

import (
	"cmp"
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

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

// Describe returns the title of the game of a match, with the edition if the game has several, and the
// number that the game has at boardgamegeek.com, or 0. A score sheet has both of its preset.
func (h *History) Describe(e Entry, lang engine.Lang) (title string, bgg int) {
	title = cmp.Or(e.Preset, engine.Title(e.Game))
	if game := engine.Find(h.games, e.Game); game != nil {
		info := game.Info()
		if i := slices.IndexFunc(info.Presets, func(o engine.Preset) bool { return o.Name == e.Preset }); i >= 0 {
			return info.Presets[i].Title(lang), info.Presets[i].BGG
		}
		if e.Preset == "" {
			title = engine.Merge(engine.CoreWords(), info.Words).TitleOf(lang, e.Game, "")
		}
	}
	if edition := engine.Edition(e.Game); edition != "" && e.Preset == "" {
		title += " (" + strings.ReplaceAll(edition, "-", " ") + ")"
	}
	return title, 0
}

// inBGStats returns what a file and a link for Board Game Stats both say of the game.
func (h *History) inBGStats(e Entry, lang engine.Lang) object {
	title, bgg := h.Describe(e, lang)
	game := object{"name": title, "highestWins": !e.Low, "noPoints": e.Counter == ""}
	if bgg > 0 {
		game["bggId"] = bgg
	}
	return game
}

func (e Entry) hasTeams() bool {
	return slices.ContainsFunc(e.Seats, func(p Player) bool { return p.Team > 0 })
}

// scores returns what a file and a link both say of the players, each with what a function adds.
func (e Entry) scores(add func(score object, p Player, name string)) []object {
	scores := []object{}
	for _, p := range e.Seats {
		if p.Seat == engine.Table {
			continue
		}
		score := object{"rank": p.Rank, "winner": p.Won, "startPlayer": e.First == p.Seat}
		if p.Team > 0 {
			score["team"] = fmt.Sprint(p.Team)
		}
		add(score, p, cmp.Or(p.Name, string(p.Seat)))
		scores = append(scores, score)
	}
	return scores
}

func (e Entry) minutes() int { return int(math.Round(float64(e.Seconds) / 60)) }

// LinkToBGStats returns an address that hands a match over to the app Board Game Stats on the phone
// that opens it. The app shows the play before it keeps it, and knows a match, a game and a player
// again by our ids. See bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites.
// Some releases of the app want every boolean, which the page calls optional.
func (h *History) LinkToBGStats(e Entry, lang engine.Lang) string {
	game := h.inBGStats(e, lang)
	game["sourceGameId"] = identity("game", cmp.Or(e.Preset, e.Game))
	players := e.scores(func(score object, p Player, name string) {
		score["name"], score["sourcePlayerId"] = name, identity("player", NameKey(name))
		if e.Counter != "" {
			score["score"] = p.Value
		}
	})
	play, _ := json.Marshal(object{"sourceName": "Tableside", "sourcePlayId": e.identity(),
		"playDate": e.Begin.UTC().Format(time.DateTime), "durationMin": e.minutes(), "comments": e.Note,
		"game": game, "players": players})
	return "https://app.bgstatsapp.com/createPlay.html?data=" + strings.ReplaceAll(url.QueryEscape(string(play)), "+", "%20")
}

// A list has an object for each name of a kind. The first has the id 1.
type list struct {
	kind    string
	ids     map[string]int
	objects []object
}

func (l *list) idOf(name string, describe func() object) int {
	if l.ids[name] == 0 {
		o := describe()
		o["uuid"], o["id"] = identity(l.kind, name), len(l.ids)+1
		l.ids[name], l.objects = len(l.ids)+1, append(l.objects, o)
	}
	return l.ids[name]
}

// WriteBGStats writes the finished matches for the app Board Game Stats, the oldest first. The
// given matches must be in the opposite order, the newest first. If a match is exported again, it has
// the same identity, so that the app recognises it.
//
// The makers of the app only document how other apps hand over a single play, which has about the
// same fields. See bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites. The
// fields come from two sources, both read in November 2026: a file that the app itself has
// written, pastebin.com/iDbHyBui, and a program that writes such files for the app,
// github.com/ctuncan/bga_bgstats. No file of ours has been opened in the app yet.
func (h *History) WriteBGStats(out io.Writer, matches []Entry, lang engine.Lang) error {
	players, games := list{"player", map[string]int{}, []object{}}, list{"game", map[string]int{}, []object{}}
	plays := []object{}
	for _, e := range slices.Backward(matches) {
		if e.State != "finished" {
			continue
		}
		game := games.idOf(cmp.Or(e.Preset, e.Game), func() object {
			one := h.inBGStats(e, lang)
			one["cooperative"], one["usesTeams"] = e.cooperative(), e.hasTeams()
			return one
		})
		scores := e.scores(func(score object, p Player, name string) {
			score["playerRefId"] = players.idOf(NameKey(name), func() object {
				return object{"name": name, "isAnonymous": p.Name == ""}
			})
			score["score"], score["newPlayer"], score["seatOrder"] = "", false, 0
			if e.Counter != "" {
				score["score"] = fmt.Sprint(p.Value)
			}
		})
		plays = append(plays, object{"uuid": e.identity(), "rounds": e.Round, "comments": e.Note,
			"playDate":    e.Begin.Local().Format(time.DateTime),
			"durationMin": e.minutes(), "ignored": false, "usesTeams": e.hasTeams(),
			"manualWinner": true, // the winner is not found by the score
			"gameRefId":    game, "locationRefId": 1, "playerScores": scores})
	}
	return json.NewEncoder(out).Encode(object{"about": "Tableside", "players": players.objects,
		"locations": []object{{"uuid": identity("place", "tableside"), "id": 1, "name": "Tableside"}},
		"games":     games.objects, "plays": plays, "userInfo": object{"meRefId": 0}})
}
