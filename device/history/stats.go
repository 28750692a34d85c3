package history

import (
	"cmp"
	"maps"
	"slices"

	"tableside/engine"
)

// Stats are statistics of the finished matches. Deleted ones do not count.
type Stats struct {
	Matches int           `json:"matches"`
	Seconds int           `json:"seconds"` // of play
	Players []PlayerStats `json:"players"` // by rating minus twice its deviation, the highest first
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
	Began    int     `json:"began"`     // matches that the player began
	BegunWon int     `json:"begun_won"` // matches that the player began and won

	Margins    int     `json:"margins"`     // matches in which a counter compares the player with others
	Margin     float64 `json:"margin"`      // by how much ahead of the best other player, on average
	BestMargin int     `json:"best_margin"` // by how much in the best match

	Turns      int     `json:"turns"`
	TurnLength float64 `json:"turn_length"` // seconds of a turn, on average
	Seconds    int     `json:"seconds"`     // of the matches

	Rating float64 `json:"rating"` // 0 before the first match against somebody
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
	Shortest   int      `json:"shortest"` // match, in seconds
	Longest    int      `json:"longest"`
	Turns      int      `json:"turns"`
	TurnLength float64  `json:"turn_length"`
	Begun      int      `json:"begun"`     // matches of which it is known who began
	BegunWon   int      `json:"begun_won"` // of these, won by the player who began
	Players    []string `json:"players"`   // by rating minus twice its deviation, the highest first
}

// Stats returns the statistics of the finished matches for which filter returns true. If
// filter is nil, all finished matches count. Labels are in the language lang.
func (h *History) Stats(lang engine.Lang, filter func(Entry) bool) (Stats, error) {
	r, err := h.Open()
	if err != nil {
		return Stats{}, err
	}
	defer r.Close()
	c := newCount()
	_ = r.visitFolder(kept, true, func(e Entry) error {
		if e = r.tell(kept, e); e.State == "finished" && (filter == nil || filter(e)) {
			c.add(&e)
		}
		return nil
	})
	return c.stats(h.games, lang), nil
}

// stats returns the statistics of all matches that c has counted.
func (c *count) stats(games []engine.Game, lang engine.Lang) Stats {
	s := Stats{Matches: c.total.Played, Seconds: c.total.Seconds, Players: []PlayerStats{}, Pairs: []PairStats{},
		Games: []GameStats{}}
	rated := map[string]map[string]glicko{} // by title, then by name
	for _, title := range slices.Sorted(maps.Keys(c.titles)) {
		g := c.titles[title]
		rated[title] = g.ratings.ratingsAfter()
		s.Games = append(s.Games, g.stats(rated[title]))
	}
	all := c.total.ratings.ratingsAfter()
	for _, name := range slices.Sorted(maps.Keys(c.players)) {
		p := c.players[name]
		one := PlayerStats{Name: name, Record: p.record(name, all), Days: p.days, Games: []GameRecord{}}
		for _, title := range slices.Sorted(maps.Keys(p.games)) {
			played := p.games[title]
			one.Games = append(one.Games, GameRecord{title, played.record(name, rated[title]),
				played.figureStats(engine.Find(games, played.edition), lang)})
		}
		slices.SortStableFunc(one.Games, func(a, b GameRecord) int { return cmp.Compare(b.Played, a.Played) })
		s.Players = append(s.Players, one)
	}
	for _, p := range c.pairs {
		one := *p
		one.Margin = ratio(p.Margin, p.Margins)
		s.Pairs = append(s.Pairs, one)
	}
	slices.SortStableFunc(s.Pairs, func(a, b PairStats) int {
		return cmp.Or(cmp.Compare(b.Played, a.Played), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	slices.SortStableFunc(s.Players, func(a, b PlayerStats) int {
		return cmp.Compare(b.Rating-2*b.Deviation, a.Rating-2*a.Deviation)
	})
	slices.SortStableFunc(s.Games, func(a, b GameStats) int { return cmp.Compare(b.Played, a.Played) })
	return s
}

// stats returns the statistics of a game. rated holds the ratings of the players in this game,
// by name. The ratings decide the order of the field Players.
func (g *gameCount) stats(rated map[string]glicko) GameStats {
	s := g.GameStats
	s.TurnLength = ratio(g.turnTime, s.Turns)
	s.Players = slices.AppendSeq([]string{}, maps.Keys(rated))
	slices.SortStableFunc(s.Players, func(a, b string) int {
		return cmp.Or(cmp.Compare(rated[b].lowerBound(), rated[a].lowerBound()), cmp.Compare(a, b))
	})
	return s
}

// figureStats returns the sums of the figures of a game. Figures are what a game counts
// besides the result. Labels are in the language lang. If game is nil, because the game is
// unknown, the list is empty.
func (c *playedCount) figureStats(game engine.Game, lang engine.Lang) []FigureStats {
	all := []FigureStats{}
	if game == nil {
		return all
	}
	info := game.Info()
	for _, kind := range info.Figures.Kinds {
		label := info.Words.Say(lang, engine.T("figure."+kind.Name), nil)
		f := FigureStats{Name: kind.Name, Label: label, Unit: kind.Unit, Best: kind.Best}
		if sums := c.figures[kind.Name]; sums != nil {
			if f.Value, f.Most = sums.sum, sums.max; kind.Best {
				f.Value = max(0, sums.max)
			}
		}
		all = append(all, f)
	}
	return all
}

// record returns the player's record, with the averages filled in. If rated holds a rating of
// the player, record fills in the rating, too.
func (r recordCount) record(name string, rated map[string]glicko) Record {
	r.Rate = ratio(float64(r.Won), r.Played)
	r.Margin = ratio(float64(r.margins), r.Margins)
	r.TurnLength = ratio(r.turnTime, r.Turns)
	if g, known := rated[name]; known {
		r.Rating, r.Deviation = g.rating(), g.deviation()
	}
	return r.Record
}

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
