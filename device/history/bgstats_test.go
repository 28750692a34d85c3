package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// bgsFields are the fields of a .bgsplay file that the app itself and the program
// github.com/ctuncan/bga_bgstats write for each kind of object, with an example of the type.
var bgsFields = map[string]map[string]any{
	"players":   {"uuid": "", "id": 0.0, "name": "", "isAnonymous": false},
	"locations": {"uuid": "", "id": 0.0, "name": ""},
	"games": {"uuid": "", "id": 0.0, "name": "", "cooperative": false, "highestWins": false, "noPoints": false,
		"usesTeams": false},
	"plays": {"uuid": "", "playDate": "", "durationMin": 0.0, "rounds": 0.0, "ignored": false, "usesTeams": false,
		"manualWinner": false, "gameRefId": 0.0, "locationRefId": 0.0, "playerScores": []any{}},
	"playerScores": {"playerRefId": 0.0, "score": "", "winner": false, "startPlayer": false, "newPlayer": false,
		"rank": 0.0, "seatOrder": 0.0},
}

// TestBGStatsFields checks that the file for Board Game Stats has those fields with those
// types, and that every number in it refers to something in it.
func TestBGStatsFields(t *testing.T) {
	at := time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC)
	matches := []Entry{
		{ID: "b", Game: "mutants/second-edition", Begin: at, Seconds: 1850, State: "finished", Counter: "score",
			Seats: []Player{{Seat: "red", Name: "Zoé", Rank: 1, Won: true, Value: 40},
				{Seat: "blue", Rank: 2, Value: -3}}},
		{ID: "a", Game: "tally/score", Preset: "hearts", Begin: at, State: "finished", Low: true, First: "red", Note: "rain",
			Seats: []Player{{Seat: "red", Name: "Max", Rank: 1, Won: true}, {Seat: "blue", Name: "Zoé", Rank: 2}}},
		{ID: "c", Game: "tally/score", Begin: at, State: "unfinished",
			Seats: []Player{{Seat: "red", Name: "Nobody"}}},
	}
	matches[0].Seats[0].Team, matches[0].Seats[1].Team = 1, 2
	var out bytes.Buffer
	h := New(t.TempDir(), everyGame)
	if err := h.WriteBGStats(&out, matches, engine.English); err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(out.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	list := func(of map[string]any, kind string) (all []map[string]any) {
		for _, item := range of[kind].([]any) {
			object := item.(map[string]any)
			for name, want := range bgsFields[kind] {
				if got, has := object[name]; !has || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) {
					t.Errorf("%s: %s is %v, want a %T", kind, name, got, want)
				}
			}
			if id, has := object["id"]; has {
				if name := fmt.Sprint(kind, " ", id); known[name] {
					t.Errorf("%s is there twice", name)
				} else {
					known[name] = true
				}
			}
			all = append(all, object)
		}
		return all
	}
	if n := len(list(file, "players")); n != 3 {
		t.Errorf("got %d players", n)
	}
	list(file, "locations")
	for _, game := range list(file, "games") {
		if want := map[any]any{"Hearts": 6887.0}[game["name"]]; game["bggId"] != want {
			t.Errorf("%v has the number %v, want %v", game["name"], game["bggId"], want)
		}
	}
	plays := list(file, "plays")
	if len(plays) != 2 || file["userInfo"].(map[string]any)["meRefId"] != 0.0 {
		t.Errorf("got %d plays, and the user %v", len(plays), file["userInfo"])
	}
	if plays[0]["usesTeams"] != false || plays[1]["usesTeams"] != true {
		t.Errorf("teams: %v, %v", plays[0]["usesTeams"], plays[1]["usesTeams"])
	}
	if teams := list(plays[1], "playerScores"); teams[0]["team"] != "1" || teams[1]["team"] != "2" {
		t.Errorf("got %v", teams)
	}
	for _, play := range plays {
		refers := []string{fmt.Sprint("games ", play["gameRefId"]), fmt.Sprint("locations ", play["locationRefId"])}
		for _, score := range list(play, "playerScores") {
			refers = append(refers, fmt.Sprint("players ", score["playerRefId"]))
		}
		for _, name := range refers {
			if !known[name] {
				t.Errorf("%s: there is no %s", play["playDate"], name)
			}
		}
	}
}

// The link has the fields of bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites,
// and the ids of the file, so that the app takes the same match, game and players for the same.
func TestLinkToBGStats(t *testing.T) {
	e := Entry{ID: "a", Game: "tally/score", Preset: "hearts", State: "finished", Low: true, Counter: "score", First: "blue",
		Begin: time.Date(2026, 11, 20, 20, 15, 0, 0, time.FixedZone("Paris", 3600)), Seconds: 1850, Note: "rain & tea + cake",
		Seats: []Player{{Seat: "red", Name: "Zoé", Rank: 1, Won: true, Value: -3}, {Seat: "blue", Rank: 2, Value: 40},
			{Seat: engine.Table, Rank: 3}}}
	address, data, _ := strings.Cut(New(t.TempDir(), everyGame).LinkToBGStats(e, engine.English), "?data=")
	text, err := url.PathUnescape(data) // a space is %20 there: "+" stays itself
	if err != nil || address != "https://app.bgstatsapp.com/createPlay.html" {
		t.Fatal(address, err)
	}
	var got any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"sourceName": "Tableside", "sourcePlayId": identity("play", "a"), "durationMin": 31.0,
		"playDate": "2026-11-20 19:15:00", "comments": "rain & tea + cake",
		"game": map[string]any{"name": "Hearts", "sourceGameId": identity("game", "hearts"), "highestWins": false, "noPoints": false,
			"bggId": 6887.0},
		"players": []any{
			map[string]any{"name": "Zoé", "sourcePlayerId": identity("player", "zoé"), "startPlayer": false, "rank": 1.0,
				"score": -3.0, "winner": true},
			map[string]any{"name": "blue", "sourcePlayerId": identity("player", "blue"), "startPlayer": true, "rank": 2.0,
				"score": 40.0, "winner": false}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
