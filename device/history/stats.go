package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tableside/engine"
)

// Stats are statistics of the finished matches among people. Deleted ones do not count.
type Stats struct {
	Matches int           `json:"matches"`
	Seconds int           `json:"seconds"` // of play
	Players []PlayerStats `json:"players"` // by rating minus twice its deviation, the highest first; of several games by wins
	Pairs   []PairStats   `json:"pairs"`   // by how often they met
	Games   []GameStats   `json:"games"`   // by how often they were played
}

// A Record says how a player did.
type Record struct {
	Played   int     `json:"played"`
	Won      int     `json:"won"`
	Rate     float64 `json:"rate"`      // won of played, 0 to 1
	Streak   int     `json:"streak"`    // wins in a row up to now; losses if negative
	Longest  int     `json:"longest"`   // most wins in a row
	Last     []int   `json:"last"`      // ranks in the last matches, at most 10, the newest last
	Began    int     `json:"began"`     // matches that the player began
	BegunWon int     `json:"begun_won"` // matches that the player began and won

	Margins    int     `json:"margins"`     // matches in which a counter compares the player with others
	Margin     float64 `json:"margin"`      // by how much ahead of the best other player, on average
	BestMargin int     `json:"best_margin"` // by how much in the best match

	Turns      int     `json:"turns"`
	TurnLength float64 `json:"turn_length"` // seconds of a turn, on average
	Seconds    int     `json:"seconds"`     // of the matches

	Rating float64 `json:"rating"` // in one game; 0 before the first match against somebody, and over several games
	// Deviation is the uncertainty of Rating: 19 times out of 20 the true rating differs from it
	// by at most twice the deviation.
	Deviation float64 `json:"deviation"`
}

// PlayerStats are the statistics of a player.
type PlayerStats struct {
	Name string `json:"name"`
	Record
	Days  []Day        `json:"days"`  // oldest first
	Games []GameRecord `json:"games"` // most played first
}

// A Day holds two numbers: how many matches of a player began on this day, and how many of
// these the player won.
type Day struct {
	Day    string `json:"day"` // 2026-11-20, where the table is
	Played int    `json:"played"`
	Won    int    `json:"won"`
}

// A GameRecord says how a player did in a game, in all its editions.
type GameRecord struct {
	Game string `json:"game"` // its title: mutants
	Record
	Figures []FigureStats `json:"figures"`
}

// FigureStats sum up a figure of a game.
type FigureStats struct {
	Name  string            `json:"name"`
	Label string            `json:"label"`
	Unit  engine.FigureUnit `json:"unit"`
	Best  bool              `json:"best"`  // value is the greatest; else the sum
	Value float64           `json:"value"` // of all matches
	Most  float64           `json:"most"`  // the greatest value in one match
}

// PairStats compare two players over the matches in which both played against each other.
type PairStats struct {
	A       string  `json:"a"`
	B       string  `json:"b"`
	Played  int     `json:"played"`
	AWon    int     `json:"a_won"` // a ranked before b
	BWon    int     `json:"b_won"`
	Margins int     `json:"margins"`
	Margin  float64 `json:"margin"` // by how much a was ahead of b, on average
}

// GameStats are the statistics of a game, in all its editions.
type GameStats struct {
	Game       string   `json:"game"`
	Played     int      `json:"played"`
	Seconds    int      `json:"seconds"`
	Timed      int      `json:"timed"`    // matches of which the length is known
	Shortest   int      `json:"shortest"` // match, in seconds
	Longest    int      `json:"longest"`
	Turns      int      `json:"turns"`
	TurnLength float64  `json:"turn_length"`
	Begun      int      `json:"begun"`     // matches of which it is known who began
	BegunWon   int      `json:"begun_won"` // of these, won by the player who began
	Players    []string `json:"players"`   // by rating minus twice its deviation, the highest first

	Pairs   []PairStats `json:"pairs"`   // as in Stats
	Records []Best      `json:"records"` // at most one of each kind
}

// A Best is the match of a game in which somebody did best: "lead" and "closest" by how much the
// winner was ahead of the next one, "shortest" and "longest" by the seconds of play.
type Best struct {
	Kind  string    `json:"kind"`
	Value int       `json:"value"`
	Names []string  `json:"names"` // of the winners; none if they are unknown or the table won
	Match string    `json:"match"`
	Begin time.Time `json:"begin"`

	Imported bool `json:"imported,omitempty"` // the match has no replay
}

// Stats returns the statistics of all finished matches. Labels are in the language lang.
func (h *History) Stats(lang engine.Lang) (Stats, error) {
	b, err := h.Read()
	if err != nil {
		return Stats{}, err
	}
	var matches []Entry              // the oldest first; players have their keys as names
	spellings := map[string]string{} // the newest, by key: a list of players has the same ones
	for _, e := range slices.Backward(b.Matches) {
		e.Seats = slices.Clone(e.Seats)
		for i := range e.Seats {
			name := e.Seats[i].Name
			e.Seats[i].Name = NameKey(name)
			spellings[e.Seats[i].Name] = name
		}
		if e.counts() {
			matches = append(matches, e)
		}
	}
	s := Stats{Matches: len(matches), Players: []PlayerStats{}, Pairs: pairStats(matches, spellings),
		Games: []GameStats{}}
	byTitle := groupBy(matches, Entry.title)
	var all map[string]glicko // of one game: who is good at another has shown nothing in this one
	if len(byTitle) == 1 {
		all = ratingsAfter(matches)
	}
	rated := map[string]map[string]glicko{} // by title, then by name
	for _, title := range slices.Sorted(maps.Keys(byTitle)) {
		rated[title] = ratingsAfter(byTitle[title])
		game := gameStats(title, byTitle[title], rated[title], spellings)
		s.Games = append(s.Games, game)
		s.Seconds += game.Seconds
	}
	byPlayer := groupBy(matches, Entry.playerNames)
	for _, name := range slices.Sorted(maps.Keys(byPlayer)) {
		played := byPlayer[name]
		one := PlayerStats{Name: spellings[name], Record: recordOf(name, played, all), Days: daysOf(name, played),
			Games: []GameRecord{}}
		byTitle := groupBy(played, Entry.title)
		for _, title := range slices.Sorted(maps.Keys(byTitle)) {
			one.Games = append(one.Games, GameRecord{title, recordOf(name, byTitle[title], rated[title]),
				figureStats(h.games, name, byTitle[title], lang)})
		}
		slices.SortStableFunc(one.Games, func(a, b GameRecord) int { return cmp.Compare(b.Played, a.Played) })
		s.Players = append(s.Players, one)
	}
	slices.SortStableFunc(s.Players, func(a, b PlayerStats) int {
		return cmp.Or(cmp.Compare(b.Rating-2*b.Deviation, a.Rating-2*a.Deviation), cmp.Compare(b.Won, a.Won))
	})
	slices.SortStableFunc(s.Games, func(a, b GameStats) int { return cmp.Compare(b.Played, a.Played) })
	return s, nil
}
