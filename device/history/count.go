package history

import (
	"slices"

	"tableside/engine"
)

// A count makes statistics of matches. It gets the matches one by one, the oldest first, and
// does not keep them.
type count struct {
	total   gameCount
	titles  map[string]*gameCount
	players map[string]*playerCount
	pairs   map[[2]string]*PairStats // their Margin is still a sum
}

// A gameCount counts the matches of a game, in all its editions.
type gameCount struct {
	GameStats
	turnTime float64 // seconds of all turns
	ratings  *ratings
}

// A playerCount counts the matches of a player.
type playerCount struct {
	recordCount
	days  []Day
	games map[string]*playedCount // by title
}

// A playedCount counts what a player did in a game.
type playedCount struct {
	recordCount
	edition string // the last one
	figures map[string]*figureCount
}

type recordCount struct {
	Record
	margins  int
	turnTime float64 // seconds of all turns
}

type figureCount struct{ sum, max float64 }

func newCount() *count {
	return &count{gameCount{ratings: newRatings()}, map[string]*gameCount{}, map[string]*playerCount{},
		map[[2]string]*PairStats{}}
}

// add counts a match.
func (c *count) add(e *Entry) {
	title := engine.Title(e.Game)
	g := c.titles[title]
	if g == nil {
		g = &gameCount{GameStats: GameStats{Game: title}, ratings: newRatings()}
		c.titles[title] = g
	}
	c.total.add(e)
	g.add(e)
	counted := map[string]bool{}
	for _, p := range e.players() {
		if counted[p.Name] {
			continue
		}
		counted[p.Name] = true
		who := c.players[p.Name]
		if who == nil {
			who = &playerCount{games: map[string]*playedCount{}}
			c.players[p.Name] = who
		}
		who.add(e, e.playerNamed(p.Name), title)
	}
	c.addPairs(e)
}

// add counts a match.
func (g *gameCount) add(e *Entry) {
	g.ratings.add(e)
	if g.Played++; g.Played == 1 || e.Seconds < g.Shortest {
		g.Shortest = e.Seconds
	}
	g.Seconds += e.Seconds
	g.Longest = max(g.Longest, e.Seconds)
	for _, p := range e.Seats {
		g.Turns += p.Turns
		g.turnTime += p.Turned
	}
	if e.First == "" || len(e.Seats) < 2 {
		return
	}
	g.Begun++
	if slices.Contains(e.Winners(), e.First) {
		g.BegunWon++
	}
}

// add counts a match in which the player had the seat p. The title names the game, and is the
// same for all its editions.
func (c *playerCount) add(e *Entry, p Player, title string) {
	c.recordCount.add(e, p)
	day := e.Begin.Local().Format("2006-01-02")
	if len(c.days) == 0 || c.days[len(c.days)-1].Day != day {
		c.days = append(c.days, Day{Day: day})
	}
	d := &c.days[len(c.days)-1]
	d.Played++
	if p.Won {
		d.Won++
	}
	g := c.games[title]
	if g == nil {
		g = &playedCount{figures: map[string]*figureCount{}}
		c.games[title] = g
	}
	g.edition = e.Game
	g.recordCount.add(e, p)
	for _, f := range p.Figures {
		sums := g.figures[f.Name]
		if sums == nil {
			sums = &figureCount{max: f.N}
			g.figures[f.Name] = sums
		}
		sums.sum += f.N
		sums.max = max(sums.max, f.N)
	}
}

// add counts a match in which the player had a seat.
func (r *recordCount) add(e *Entry, p Player) {
	r.Played++
	r.Seconds += e.Seconds
	r.Turns += p.Turns
	r.turnTime += p.Turned
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
		r.margins += by
		r.Margins++
	}
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

// playerNamed returns the seat of the player with this name. There must be such a player. If
// the player sat at two seats, the result is the better seat.
func (e Entry) playerNamed(name string) Player {
	i := slices.IndexFunc(e.Seats, func(p Player) bool { return p.Name == name })
	return e.Seats[i]
}

// cooperative reports whether the players played against the table.
func (e Entry) cooperative() bool {
	return slices.ContainsFunc(e.Seats, func(p Player) bool { return p.Seat == engine.Table })
}

// margin compares a player with the best seat outside the player's team. It returns by how
// much the player's counter was better. If the counter was worse, this number is negative. If
// there is no counter or no such seat, known is false. In a match against the table, known is
// false, too.
func (e Entry) margin(p Player) (by int, known bool) {
	if e.Counter == "" || e.cooperative() {
		return 0, false
	}
	for _, o := range e.Seats {
		if o.Seat == p.Seat || areTeammates(o, p) {
			continue
		}
		if ahead := e.lead(p, o); !known || ahead < by {
			by, known = ahead, true
		}
	}
	return by, known
}

// addPairs counts a match for every pair of its players who played against each other and
// whose result against each other is known.
func (c *count) addPairs(e *Entry) {
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
			p := c.pairs[key]
			if p == nil {
				p = &PairStats{A: a.Name, B: b.Name}
				c.pairs[key] = p
			}
			p.add(e, a, b, score)
		}
	}
}

// add counts a match between the players a and b. score is the result that duel returns for
// them. The field Margin is a sum here. The method count.stats later turns it into an average.
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
		s.Margin += float64(e.lead(a, b))
	}
}
