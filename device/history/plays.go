package history

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
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

// maxPlays is how many matches an imported file may hold.
const maxPlays = 20_000

// readPlays reads the matches of a file: of Board Game Stats, whether this program or the app wrote
// it, or a spreadsheet. The errors say what to do.
func (h *History) readPlays(data string) (plays []Entry, err error) {
	if strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(data, "\ufeff")), "{") {
		plays, err = h.readBGStats(data)
	} else {
		plays, err = h.readTable(data)
	}
	switch {
	case err != nil:
		return nil, err
	case len(plays) > maxPlays:
		return nil, engine.Faultf(0, "the file has more than %d matches; divide it", maxPlays)
	}
	for i := range plays {
		plays[i].complete()
	}
	return plays, nil
}

// A flag is a boolean of Board Game Stats, which is sometimes 0 or 1.
type flag bool

func (f *flag) UnmarshalJSON(data []byte) error {
	text := string(data)
	*f = flag(text != "false" && text != "0" && text != "null" && text != `""`)
	return nil
}

// A bgsFile has the fields that are read of those that the files mentioned at WriteBGStats have. An
// app from which a match comes back names it in importPlayId, as the link gave it.
type bgsFile struct {
	Players []struct {
		ID   int
		Name string
	}
	Games []bgsGame
	Plays []struct {
		UUID, PlayDate, Comments, ImportPlayID string
		DurationMin                            float64
		Rounds, GameRefID                      int
		Ignored                                flag
		PlayerScores                           []struct {
			PlayerRefID, Rank   int
			Score               any
			Team                string
			Winner, StartPlayer flag
		}
	}
}

type bgsGame struct {
	ID                                 int
	UUID, Name                         string
	BGGID                              int `json:"bggId"`
	HighestWins, NoPoints, Cooperative flag
}

func (h *History) readBGStats(data string) (plays []Entry, err error) {
	var file bgsFile
	if json.Unmarshal([]byte(strings.TrimPrefix(data, "\ufeff")), &file) != nil || file.Plays == nil {
		return nil, engine.Faultf(0, "this is no file of Board Game Stats: it has no plays that can be read")
	}
	names, find := map[int]string{}, h.gameFinder()
	for _, p := range file.Players {
		names[p.ID] = p.Name
	}
	for i, play := range file.Plays {
		g := slices.IndexFunc(file.Games, func(g bgsGame) bool { return g.ID == play.GameRefID })
		begin, err := time.ParseInLocation(time.DateTime, play.PlayDate, time.Local)
		if play.Ignored || len(play.PlayerScores) == 0 {
			continue
		}
		if g < 0 || err != nil {
			return nil, engine.Faultf(0, "play %d of the file has no game, or no date that can be read: %q", i+1, play.PlayDate)
		}
		game := file.Games[g]
		e := find(game.UUID, "bgg "+strconv.Itoa(game.BGGID), game.Name)
		e.Source, e.Also = play.UUID, play.ImportPlayID
		e.Begin, e.Seconds, e.Round, e.Note = begin.UTC(), int(60*play.DurationMin), play.Rounds, play.Comments
		e.Low = !bool(game.HighestWins)
		if !game.NoPoints {
			e.Counter = "score"
		}
		var teams []string
		for j, s := range play.PlayerScores {
			p := Player{Name: names[s.PlayerRefID], Rank: s.Rank, Won: bool(s.Winner), Seat: seatOf(j)}
			switch score := s.Score.(type) {
			case string:
				p.Value = round(score)
			case float64:
				p.Value = int(math.Round(score))
			}
			if s.Team != "" {
				if !slices.Contains(teams, s.Team) {
					teams = append(teams, s.Team)
				}
				p.Team = 1 + slices.Index(teams, s.Team)
			}
			if s.StartPlayer {
				e.First = p.Seat
			}
			e.Seats = append(e.Seats, p)
		}
		if game.Cooperative {
			won := len(e.Winners()) > 0
			e.Seats = append(e.Seats, Player{Seat: engine.Table, Won: !won})
		}
		plays = append(plays, e)
	}
	return plays, nil
}

// columns are the words by which the first row of a spreadsheet names what is read, those of WriteTable first.
var columns = map[string][]string{
	"match": {"match", "id"}, "begin": {"begin", "date"}, "game": {"game", "jeu"}, "preset": {"preset"}, "state": {"state"},
	"minutes": {"minutes", "duration", "durée"}, "rounds": {"rounds"}, "player": {"player", "name", "joueur"},
	"rank": {"rank", "place", "rang"}, "won": {"won", "winner", "gagnant"}, "value": {"value", "score", "points"},
	"counter": {"counter"}, "seat": {"seat"},
}

// readTable reads a spreadsheet with a row for each player of each match. Rows with the same match,
// or without such a column with the same begin and game, are one match.
func (h *History) readTable(data string) (plays []Entry, err error) {
	sheet, skipped := cardfile.OpenSheet(data)
	head, find, at := map[string]int{}, h.gameFinder(), map[string]int{}
	for {
		row, err := sheet.Read()
		line := skipped + 1
		if len(row) > 0 {
			line, _ = sheet.FieldPos(0)
			line += skipped
		}
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			return nil, engine.Faultf(skipped+bad.Line, "a quote is out of place in this row")
		}
		if err == io.EOF && len(head) > 0 {
			break
		}
		if len(head) == 0 {
			for name, words := range columns {
				if i := slices.IndexFunc(row, func(cell string) bool {
					return slices.Contains(words, strings.ToLower(strings.TrimSpace(cell)))
				}); i >= 0 {
					head[name] = i
				}
			}
			for _, need := range []string{"begin", "game", "player"} {
				if _, has := head[need]; !has {
					return nil, engine.Faultf(line, "the first row must name the columns date, game and player; "+
						"match, score, won, rank and minutes may follow")
				}
			}
			continue
		}
		cell := func(name string) string {
			i, has := head[name]
			if !has || i >= len(row) {
				return ""
			}
			text := strings.Join(strings.Fields(row[i]), " ")
			if plain, quoted := strings.CutPrefix(text, "'"); quoted && Cell(plain) == text {
				return plain
			}
			return text
		}
		if state := cell("state"); state != "" && state != "finished" {
			continue
		}
		begin, ok := parseDay(cell("begin"))
		if !ok {
			return nil, engine.Faultf(line, "%q is not a date such as 2026-11-20 20:15", cell("begin"))
		}
		key := cmp.Or(cell("match"), cell("begin")+" "+cell("game")+" "+cell("preset"))
		i, known := at[key]
		if !known {
			e := find(identity("game", cmp.Or(cell("preset"), cell("game"))), cell("preset"), cell("game"))
			e.Begin, e.Source, e.Round = begin.UTC(), identity("play", key), round(cell("rounds"))
			if minutes, err := strconv.ParseFloat(cell("minutes"), 64); err == nil {
				e.Seconds = int(60 * minutes)
			}
			i, at[key] = len(plays), len(plays)
			plays = append(plays, e)
		}
		e := &plays[i]
		if value := cell("value"); value != "" && (cell("counter") != "" || !hasKey(head, "counter")) {
			e.Counter = cmp.Or(cell("counter"), "score")
		}
		won := strings.ToLower(cell("won"))
		p := Player{Seat: seatOf(len(e.Seats)), Name: cmp.Or(cell("player"), cell("seat")), Rank: round(cell("rank")),
			Value: round(cell("value")), Won: !slices.Contains([]string{"", "0", "no", "false", "non"}, won)}
		if cell("player") == "" && engine.Seat(cell("seat")) == engine.Table {
			p.Seat, p.Name = engine.Table, ""
		}
		e.Seats = append(e.Seats, p)
	}
	for i := range plays {
		plays[i].Low = plays[i].lowestWon()
	}
	return plays, nil
}

func hasKey(head map[string]int, name string) bool { _, has := head[name]; return has }

func parseDay(text string) (time.Time, bool) {
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04", time.DateOnly, time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

func round(number string) int {
	n, _ := strconv.ParseFloat(strings.ReplaceAll(number, ",", "."), 64)
	return int(math.Round(min(max(n, -1e9), 1e9)))
}

func seatOf(i int) engine.Seat {
	if i < len(engine.UsualSeats) {
		return engine.UsualSeats[i]
	}
	return engine.Seat("player-" + strconv.Itoa(i+1))
}

// lowestWon reports whether the winners have less than others, and nobody has less than they.
func (e Entry) lowestWon() bool {
	low := false
	for _, p := range e.Seats {
		for _, o := range e.Seats {
			if p.Won && !o.Won {
				if o.Value < p.Value {
					return false
				}
				low = low || o.Value > p.Value
			}
		}
	}
	return low
}

// complete adds what follows from the rest: places, colours and the name of the match.
func (e *Entry) complete() {
	e.State = "finished"
	e.ID = engine.Setup{Begin: e.Begin}.MatchID() + "~" + identity("play", e.Source)[:8]
	ranked := slices.ContainsFunc(e.Seats, func(p Player) bool { return p.Rank > 0 })
	before := func(a, b Player) int {
		if a.Won != b.Won {
			return map[bool]int{true: -1, false: 1}[a.Won]
		}
		if e.Counter == "" {
			return 0
		}
		return -e.lead(a, b)
	}
	for i := range e.Seats {
		p := &e.Seats[i]
		p.Name, p.Colour = engine.MarkUnseen(p.Name), engine.Colour(p.Seat, i)
		if ranked || e.Counter == "" && len(e.Winners()) == 0 {
			continue
		}
		p.Rank = 1
		for _, o := range e.Seats {
			if before(o, *p) < 0 {
				p.Rank++
			}
		}
	}
	slices.SortStableFunc(e.Seats, func(a, b Player) int { return cmp.Or(a.Rank-b.Rank, before(a, b)) })
}

// gameFinder returns a function that finds a game by any of its names, of which the last is its title:
// one of this program, or another.
func (h *History) gameFinder() func(names ...string) Entry {
	known := map[string]Entry{}
	put := func(e Entry, names ...string) {
		for _, name := range names {
			if _, taken := known[NameKey(name)]; !taken {
				known[NameKey(name)] = e
			}
		}
	}
	for _, g := range h.games {
		info := g.Info()
		words, family := engine.Merge(engine.CoreWords(), info.Words), engine.Title(info.Name)
		for _, lang := range engine.Languages {
			title, _ := h.Describe(Entry{Game: info.Name}, lang)
			put(Entry{Game: info.Name}, info.Name, identity("game", info.Name), title)
			put(Entry{Game: family}, family, words.TitleOf(lang, family, ""))
			for _, p := range info.Presets {
				e := Entry{Game: info.Name, Preset: p.Name}
				put(e, p.Name, identity("game", p.Name), p.Title(lang))
				if p.BGG > 0 {
					put(e, "bgg "+strconv.Itoa(p.BGG))
				}
			}
		}
	}
	return func(names ...string) Entry {
		for _, name := range names {
			if e, is := known[NameKey(name)]; is {
				return e
			}
		}
		title := engine.MarkUnseen(strings.TrimSpace(names[len(names)-1]))
		return Entry{Game: otherGame, Preset: cmp.Or(title, "?")}
	}
}
