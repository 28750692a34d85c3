package history

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// otherGame is the Game of an imported match of a game that this program does not have. Its title
// is the Preset.
const otherGame = "other"

// What an imported file may hold. Statistics compare every player of a match with every other.
const (
	maxResults = 100_000 // of players
	maxPlayers = 100     // of a match
	maxText    = 100     // letters of a name or a title; the rest is left out
	maxNumber  = 1_000_000_000
)

// readPlays reads the matches of a file: of Board Game Stats, whether this program or the app wrote
// it, or a spreadsheet. The errors say what to do.
func (h *History) readPlays(data string) ([]Entry, error) {
	read := h.readTable
	if strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(data, "\ufeff")), "{") {
		read = h.readBGStats
	}
	plays, err := read(data)
	for i := range plays {
		plays[i].complete()
	}
	return plays, err
}

func tooLarge() error {
	return engine.Faultf(0, "the file has more than %d results, or a match with more than %d players; divide it",
		maxResults, maxPlayers)
}

// A cell is a value of a file. A number of JSON is as good as a text.
type cell string

func (c *cell) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*c = cell(text)
	return nil
}

func (c cell) isYes() bool {
	return !slices.Contains([]string{"", "0", "no", "false", "non"}, strings.ToLower(string(c)))
}

func (c cell) text() string {
	letters := []rune(engine.MarkUnseen(strings.Join(strings.Fields(string(c)), " ")))
	return string(letters[:min(len(letters), maxText)])
}

// A reader takes the values out of cells, and remembers whether it could not read one, and which.
type reader struct {
	failed bool
	wrong  cell
}

// number reads a number of units, or a sum such as "12+8-3", as the app keeps points.
func (r *reader) number(c cell, unit float64) int {
	sum := 0.0
	for term := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(string(c), ",", "."), "-", "+-"), "+") {
		n, err := strconv.ParseFloat(cmp.Or(strings.TrimSpace(term), "0"), 64)
		if sum += n; err != nil || !(math.Abs(sum) <= maxNumber) { // nor is it NaN
			r.failed, r.wrong = true, c
			return 0
		}
	}
	return int(math.Round(sum * unit))
}

func (r *reader) time(c cell) time.Time {
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04", time.DateOnly, time.RFC3339} {
		at, err := time.ParseInLocation(layout, string(c), time.Local)
		if err == nil && at.Year() >= 1900 && at.Year() < 9999 {
			return at.UTC()
		}
	}
	r.failed, r.wrong = true, c
	return time.Time{}
}

// A bgsFile has the fields that are read of those that the files mentioned at WriteBGStats have. An
// app from which a match comes back names it in importPlayId, as the link gave it.
type bgsFile struct {
	Players []struct{ ID, Name cell }
	Games   []struct{ ID, UUID, Name, BGGID, HighestWins, NoPoints, Cooperative cell }
	Plays   []struct {
		PlayerScores []struct{ PlayerRefID, Rank, Score, Team, Winner, StartPlayer cell }

		UUID, PlayDate, Comments, ImportPlayID, DurationMin, Rounds, GameRefID, Ignored cell
	}
}

func (h *History) readBGStats(data string) (plays []Entry, err error) {
	var file bgsFile
	if json.Unmarshal([]byte(strings.TrimPrefix(data, "\ufeff")), &file) != nil || file.Plays == nil {
		return nil, engine.Faultf(0, "this is no file of Board Game Stats: it has no plays that can be read")
	}
	names, games, together, find := map[cell]string{}, map[cell]Entry{}, map[cell]bool{}, h.gameFinder()
	for _, p := range file.Players {
		names[p.ID] = p.Name.text()
	}
	for _, g := range file.Games {
		e := find(g.UUID.text(), "bgg "+g.BGGID.text(), g.Name.text())
		e.Low = !g.HighestWins.isYes()
		if !g.NoPoints.isYes() {
			e.Counter = "score"
		}
		games[g.ID], together[g.ID] = e, g.Cooperative.isYes()
	}
	results := 0
	for i, play := range file.Plays {
		if play.Ignored.isYes() || len(play.PlayerScores) == 0 {
			continue
		}
		if results += len(play.PlayerScores); results > maxResults || len(play.PlayerScores) > maxPlayers {
			return nil, tooLarge()
		}
		e, known := games[play.GameRefID]
		r, teams := reader{failed: !known, wrong: play.GameRefID}, map[cell]int{"": 0}
		e.Source, e.Note = string(cmp.Or(play.ImportPlayID, play.UUID)), string(play.Comments)
		e.Begin, e.Seconds, e.Round = r.time(play.PlayDate), r.number(play.DurationMin, 60), r.number(play.Rounds, 1)
		for j, s := range play.PlayerScores {
			if _, known := teams[s.Team]; !known {
				teams[s.Team] = len(teams)
			}
			p := Player{Seat: seatOf(j), Name: names[s.PlayerRefID], Rank: r.number(s.Rank, 1), Won: s.Winner.isYes(),
				Team: teams[s.Team]}
			if e.Counter != "" {
				p.Value = r.number(s.Score, 1)
			}
			if s.StartPlayer.isYes() {
				e.First = p.Seat
			}
			e.Seats = append(e.Seats, p)
		}
		if together[play.GameRefID] {
			e.Seats = append(e.Seats, Player{Seat: engine.Table, Won: len(e.Winners()) == 0})
		}
		if r.failed {
			return nil, engine.Faultf(0, "play %d of the file has no game, or a date or number that cannot be read: %q",
				i+1, r.wrong)
		}
		plays = append(plays, e)
	}
	return plays, nil
}

// columns are other words by which the first row of a spreadsheet names the columns of WriteTable.
var columns = map[string]string{
	"id": "match", "date": "begin", "jeu": "game", "duration": "minutes", "durée": "minutes", "name": "player",
	"joueur": "player", "place": "rank", "rang": "rank", "winner": "won", "gagnant": "won", "score": "value",
	"points": "value",
}

// readTable reads a spreadsheet with a row for each player of each match. Rows with the same match,
// or without such a column with the same begin and game, are one match, until a player comes again.
func (h *History) readTable(data string) (plays []Entry, err error) {
	sheet, skipped := cardfile.OpenSheet(data)
	rows, err := sheet.ReadAll()
	if bad, ok := errors.AsType[*csv.ParseError](err); ok {
		return nil, engine.Faultf(skipped+bad.Line, "a quote is out of place in this row")
	}
	head := append(rows, nil)[0]
	for i, text := range head {
		word := strings.ToLower(strings.TrimSpace(text))
		head[i] = cmp.Or(columns[word], word)
	}
	for _, need := range []string{"begin", "game", "player"} {
		if !slices.Contains(head, need) {
			return nil, engine.Faultf(skipped+1, "the first row must name the columns date, game and player; "+
				"match, score, won, rank and minutes may follow")
		}
	}
	find, at := h.gameFinder(), map[cell]int{}
	for n, row := range rows[1:] {
		told := map[string]cell{}
		for i, text := range row[:min(len(row), len(head))] {
			told[head[i]] = cell(cardfile.FromCell(strings.Join(strings.Fields(text), " ")))
		}
		if state := told["state"]; state != "" && state != "finished" {
			continue
		}
		var r reader
		key := cmp.Or(told["match"], told["begin"]+" "+told["game"]+" "+told["preset"])
		name, source := cmp.Or(told["player"], told["seat"]).text(), string(key)
		i, known := at[key]
		isThey := func(p Player) bool { return p.Name == name }
		if known && told["match"] == "" && slices.ContainsFunc(plays[i].Seats, isThey) {
			known, source = false, plays[i].Source
		}
		if !known {
			e := find(cmp.Or(told["preset"], told["game"]).text())
			e.Source, e.Begin = identity("play", source), r.time(told["begin"])
			e.Seconds, e.Round = r.number(told["minutes"], 60), r.number(told["rounds"], 1)
			i, at[key] = len(plays), len(plays)
			plays = append(plays, e)
		}
		e := &plays[i]
		p := Player{Seat: seatOf(len(e.Seats)), Name: name, Won: told["won"].isYes(), Rank: r.number(told["rank"], 1),
			Value: r.number(told["value"], 1)}
		switch {
		case len(e.Seats) == maxPlayers || n == maxResults:
			return nil, tooLarge()
		case r.failed:
			return nil, engine.Faultf(skipped+n+2, "%q is not a date such as 2026-11-20 20:15, nor a number", r.wrong)
		}
		if told["value"] != "" && (told["counter"] != "" || !slices.Contains(head, "counter")) {
			e.Counter = cmp.Or(told["counter"].text(), "score")
		}
		if told["player"] == "" && told["seat"] == cell(engine.Table) {
			p.Seat, p.Name = engine.Table, ""
		}
		e.Seats = append(e.Seats, p)
	}
	for i := range plays {
		e := &plays[i]
		if !slices.Contains(head, "won") { // who is first, else who has most
			e.complete()
			for j := range e.Seats {
				e.Seats[j].Won = e.Seats[j].Rank == 1
			}
		}
		e.Low = e.lowestWon()
	}
	return plays, nil
}

func seatOf(i int) engine.Seat {
	if i < len(engine.UsualSeats) {
		return engine.UsualSeats[i]
	}
	return engine.Seat("player-" + strconv.Itoa(i+1))
}

// lowestWon reports whether the winners have less than the others, on average.
func (e Entry) lowestWon() bool {
	sum, n := map[bool]int{}, map[bool]int{}
	for _, p := range e.Seats {
		sum[p.Won] += p.Value
		n[p.Won]++
	}
	return sum[true]*n[false] < sum[false]*n[true]
}

// complete adds what follows from the rest: places, colours and the name of the match.
func (e *Entry) complete() {
	e.State, e.Note = "finished", engine.MarkUnseen(e.Note)
	e.Seconds, e.Round = max(e.Seconds, 0), max(e.Round, 0)
	e.Source = cmp.Or(e.Source, identity("play", fmt.Sprint(e.Begin, e.title(), e.Seats)))
	e.ID = engine.Setup{Begin: e.Begin}.MatchID() + "~" + identity("play", e.Source)[:8]
	order := func(a, b Player) int {
		won := map[bool]int{true: -1}
		return cmp.Or(a.Rank-b.Rank, won[a.Won]-won[b.Won], e.lead(b, a)) // without points, all have 0
	}
	slices.SortStableFunc(e.Seats, order)
	unranked := e.Seats[len(e.Seats)-1].Rank <= 0 && (e.Counter != "" || len(e.Winners()) > 0)
	for i := len(e.Seats) - 1; i >= 0; i-- {
		p := &e.Seats[i]
		p.Colour = engine.Colour(p.Seat, i)
		if unranked {
			p.Rank = 1 + slices.IndexFunc(e.Seats, func(o Player) bool { return order(o, *p) == 0 })
		}
	}
}

// gameFinder returns a function that finds a game by any of its names, of which the last is its title:
// one of this program, or another.
func (h *History) gameFinder() func(names ...string) Entry {
	known := map[string]Entry{}
	put := func(e Entry) {
		name := cmp.Or(e.Preset, e.Game)
		names := []string{name, identity("game", name)}
		for _, lang := range engine.Languages {
			title, bgg := h.Describe(e, lang)
			names = append(names, title, fmt.Sprint("bgg ", bgg))
		}
		for _, name := range names {
			if _, taken := known[NameKey(name)]; !taken {
				known[NameKey(name)] = e
			}
		}
	}
	for _, g := range h.games {
		info := g.Info()
		put(Entry{Game: info.Name})
		put(Entry{Game: engine.Title(info.Name)})
		for _, p := range info.Presets {
			put(Entry{Game: info.Name, Preset: p.Name})
		}
	}
	delete(known, "bgg 0") // which is none
	return func(names ...string) Entry {
		for _, name := range names {
			if e, is := known[NameKey(name)]; is {
				return e
			}
		}
		return Entry{Game: otherGame, Preset: cmp.Or(names[len(names)-1], "?")}
	}
}
