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
	Players []PlayerStats `json:"players"` // the surest good rating first
	Pairs   []PairStats   `json:"pairs"`   // by how often they met
	Games   []GameStats   `json:"games"`   // by how often they were played
}

// A Record says how a player did.
type Record struct {
	Played   int     `json:"played"`
	Won      int     `json:"won"`
	Rate     float64 `json:"rate"`    // won of played, 0 to 1
	Streak   int     `json:"streak"`  // wins in a row up to now; losses if negative
	Longest  int     `json:"longest"` // most wins in a row
	Began    int     `json:"began"`
	BegunWon int     `json:"begun_won"` // of those that the player began

	Margins    int     `json:"margins"`     // matches with a counter and others to compare with
	Margin     float64 `json:"margin"`      // by how much ahead of the best other, on average
	BestMargin int     `json:"best_margin"` // the greatest

	Turns      int     `json:"turns"`
	TurnLength float64 `json:"turn_length"` // seconds of a turn, on average
	Seconds    int     `json:"seconds"`     // of the matches

	Rating    float64 `json:"rating"`    // 0 where nobody was played against
	Deviation float64 `json:"deviation"` // its uncertainty: 19 times of 20 it is within twice this
}

// PlayerStats are those of a player.
type PlayerStats struct {
	Name string `json:"name"`
	Record
	Days  []Day        `json:"days"`  // oldest first
	Games []GameRecord `json:"games"` // most played first
}

// A Day counts the matches that began on it.
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
	Most  float64           `json:"most"`  // of one
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

// GameStats are those of a game, in all its editions.
type GameStats struct {
	Game       string   `json:"game"`
	Played     int      `json:"played"`
	Seconds    int      `json:"seconds"`
	Shortest   int      `json:"shortest"` // match, in seconds
	Longest    int      `json:"longest"`
	Turns      int      `json:"turns"`
	TurnLength float64  `json:"turn_length"`
	Begun      int      `json:"begun"`     // matches of which it is known who began
	BegunWon   int      `json:"begun_won"` // and whose beginner won
	Players    []string `json:"players"`   // the surest good rating first
}

// Stats returns the statistics, with labels in a language.
func (b Book) Stats(lang engine.Lang) Stats {
	var done []*Entry
	for i := range slices.Backward(b.Matches) {
		if e := &b.Matches[i]; e.State == "finished" {
			done = append(done, e)
		}
	}
	c := count{book: b, lang: lang, byTitle: map[string][]*Entry{}, byName: map[string][]*Entry{}}
	s := Stats{Matches: len(done), Players: []PlayerStats{}, Games: []GameStats{}}
	for _, e := range done {
		s.Seconds += e.Seconds
		title := engine.Title(e.Game)
		c.byTitle[title] = append(c.byTitle[title], e)
		for _, p := range e.players() {
			if list := c.byName[p.Name]; len(list) == 0 || list[len(list)-1].ID != e.ID {
				c.byName[p.Name] = append(list, e)
			}
		}
	}
	c.rated = map[string]map[string]glicko{"": ratings(done)}
	for _, title := range slices.Sorted(maps.Keys(c.byTitle)) {
		c.rated[title] = ratings(c.byTitle[title])
		s.Games = append(s.Games, c.game(title))
	}
	for _, name := range slices.Sorted(maps.Keys(c.byName)) {
		s.Players = append(s.Players, c.player(name))
	}
	s.Pairs = pairs(done)
	slices.SortStableFunc(s.Players, func(a, b PlayerStats) int {
		return cmp.Compare(b.Rating-2*b.Deviation, a.Rating-2*a.Deviation)
	})
	slices.SortStableFunc(s.Games, func(a, b GameStats) int { return cmp.Compare(b.Played, a.Played) })
	return s
}

// A count makes statistics of matches, which are sorted with the oldest first.
type count struct {
	book    Book
	lang    engine.Lang
	byTitle map[string][]*Entry
	byName  map[string][]*Entry
	rated   map[string]map[string]glicko // by title, then by name; "" is all games
}

// record returns how a player did in matches.
func record(name string, matches []*Entry, rated map[string]glicko) Record {
	var r Record
	margins, turned := 0, 0.0
	for _, e := range matches {
		p := e.as(name)
		r.Played++
		r.Seconds += e.Seconds
		r.Turns += p.Turns
		turned += p.Turned
		r.follow(p.Won)
		if e.First == p.Seat {
			r.Began++
			if p.Won {
				r.BegunWon++
			}
		}
		if by, known := e.margin(p); known {
			if r.Margins == 0 || by > r.BestMargin {
				r.BestMargin = by
			}
			margins += by
			r.Margins++
		}
	}
	r.Rate = ratio(float64(r.Won), r.Played)
	r.Margin = ratio(float64(margins), r.Margins)
	r.TurnLength = ratio(turned, r.Turns)
	if g, known := rated[name]; known {
		r.Rating, r.Deviation = g.rating(), g.deviation()
	}
	return r
}

// follow counts a match that was won or lost.
func (r *Record) follow(won bool) {
	if !won {
		r.Streak = min(r.Streak, 0) - 1
		return
	}
	r.Won++
	r.Streak = max(r.Streak, 0) + 1
	r.Longest = max(r.Longest, r.Streak)
}

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// as returns the seat of a player; the best one of a player who sat at two.
func (e Entry) as(name string) Player {
	i := slices.IndexFunc(e.Seats, func(p Player) bool { return p.Name == name })
	return e.Seats[i]
}

// cooperative reports whether the players played against the table.
func (e Entry) cooperative() bool {
	return slices.ContainsFunc(e.Seats, func(p Player) bool { return p.Seat == engine.Table })
}

// margin returns by how much of the counter a player was ahead of the best other seat,
// its own team left out.
func (e Entry) margin(p Player) (by int, known bool) {
	if e.Counter == "" || e.cooperative() {
		return 0, false
	}
	for _, o := range e.Seats {
		if o.Seat == p.Seat || together(o, p) {
			continue
		}
		if ahead := e.ahead(p, o); !known || ahead < by {
			by, known = ahead, true
		}
	}
	return by, known
}

func (c *count) player(name string) PlayerStats {
	matches := c.byName[name]
	s := PlayerStats{Name: name, Record: record(name, matches, c.rated[""]), Games: []GameRecord{}}
	byTitle := map[string][]*Entry{}
	for _, e := range matches {
		day := e.Begin.Local().Format("2006-01-02")
		if len(s.Days) == 0 || s.Days[len(s.Days)-1].Day != day {
			s.Days = append(s.Days, Day{Day: day})
		}
		d := &s.Days[len(s.Days)-1]
		d.Played++
		if e.as(name).Won {
			d.Won++
		}
		title := engine.Title(e.Game)
		byTitle[title] = append(byTitle[title], e)
	}
	for _, title := range slices.Sorted(maps.Keys(byTitle)) {
		s.Games = append(s.Games, GameRecord{title, record(name, byTitle[title], c.rated[title]),
			c.figures(name, byTitle[title])})
	}
	slices.SortStableFunc(s.Games, func(a, b GameRecord) int { return cmp.Compare(b.Played, a.Played) })
	return s
}

// figures sums up what a game counts besides the result.
func (c *count) figures(name string, matches []*Entry) []FigureStats {
	all := []FigureStats{}
	game := engine.Find(c.book.games, matches[len(matches)-1].Game)
	if game == nil {
		return all
	}
	info := game.Info()
	for _, kind := range info.Figures.Kinds {
		label := info.Words.Say(c.lang, engine.T("figure."+kind.Name), nil)
		f := FigureStats{Name: kind.Name, Label: label, Unit: kind.Unit, Best: kind.Best}
		known := false
		for _, e := range matches {
			n, has := e.as(name).Figures.Get(kind.Name)
			if !has {
				continue
			}
			if f.Value = kind.Join(f.Value, n); !known || n > f.Most {
				f.Most = n
			}
			known = true
		}
		all = append(all, f)
	}
	return all
}

func (c *count) game(title string) GameStats {
	g := GameStats{Game: title, Players: []string{}}
	turned := 0.0
	for i, e := range c.byTitle[title] {
		g.Played++
		g.Seconds += e.Seconds
		g.Longest = max(g.Longest, e.Seconds)
		if g.Shortest = min(g.Shortest, e.Seconds); i == 0 {
			g.Shortest = e.Seconds
		}
		for _, p := range e.Seats {
			g.Turns += p.Turns
			turned += p.Turned
		}
		if e.First == "" || len(e.Seats) < 2 {
			continue
		}
		g.Begun++
		if slices.Contains(e.Winners(), e.First) {
			g.BegunWon++
		}
	}
	g.TurnLength = ratio(turned, g.Turns)
	rated := c.rated[title]
	g.Players = slices.SortedFunc(maps.Keys(rated), func(a, b string) int {
		return cmp.Or(cmp.Compare(rated[b].sure(), rated[a].sure()), cmp.Compare(a, b))
	})
	return g
}

// pairs compares each two who played against each other.
func pairs(matches []*Entry) []PairStats {
	found := map[[2]string]*PairStats{}
	for _, e := range matches {
		players := e.rivals()
		for i, a := range players {
			for _, b := range players[i+1:] {
				a, b := a, b
				if b.Name < a.Name {
					a, b = b, a
				}
				score, known := duel(a, b)
				if !known {
					continue
				}
				key := [2]string{a.Name, b.Name}
				p := found[key]
				if p == nil {
					p = &PairStats{A: a.Name, B: b.Name}
					found[key] = p
				}
				p.add(e, a, b, score)
			}
		}
	}
	all := []PairStats{}
	for _, p := range found {
		p.Margin = ratio(p.Margin, p.Margins)
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b PairStats) int {
		return cmp.Or(cmp.Compare(b.Played, a.Played), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return all
}

// add counts a match; the margins add up.
func (s *PairStats) add(e *Entry, a, b Player, score float64) {
	s.Played++
	switch score {
	case 1:
		s.AWon++
	case 0:
		s.BWon++
	}
	if e.Counter != "" {
		s.Margins++
		s.Margin += float64(e.ahead(a, b))
	}
}
