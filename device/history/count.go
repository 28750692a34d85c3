package history

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tableside/engine"
)

func groupBy(matches []Entry, keys func(Entry) []string) map[string][]Entry {
	groups := map[string][]Entry{}
	for _, e := range matches {
		for _, key := range keys(e) {
			groups[key] = append(groups[key], e)
		}
	}
	return groups
}

// title returns the game that was played, in all its editions.
func (e Entry) title() []string { return []string{cmp.Or(e.Preset, engine.Title(e.Game))} }

// isTimed reports whether it is known how long a match took.
func (e Entry) isTimed() bool { return e.Reason == "" && (e.Imported == "" || e.Seconds > 0) }

func (e Entry) playerNames() []string {
	var names []string
	for _, p := range e.players() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func gameStats(title string, matches []Entry, rated map[string]glicko, spellings map[string]string) GameStats {
	s, turned := GameStats{Game: title, Played: len(matches), Shortest: math.MaxInt,
		Pairs: pairStats(matches, spellings), Records: recordsIn(matches, spellings)}, 0.0
	for _, e := range matches {
		if e.isTimed() {
			s.Timed++
			s.Seconds += e.Seconds
			s.Shortest, s.Longest = min(s.Shortest, e.Seconds), max(s.Longest, e.Seconds)
		}
		for _, p := range e.Seats {
			s.Turns += p.Turns
			turned += p.Turned
		}
		if e.First == "" || len(e.Seats) < 2 {
			continue
		}
		s.Begun++
		if slices.Contains(e.Winners(), e.First) {
			s.BegunWon++
		}
	}
	s.Shortest = min(s.Shortest, s.Longest) // if nobody knows any
	s.TurnLength = ratio(turned, s.Turns)
	s.Players = slices.AppendSeq([]string{}, maps.Keys(rated))
	slices.SortStableFunc(s.Players, func(a, b string) int {
		return cmp.Or(cmp.Compare(rated[b].lowerBound(), rated[a].lowerBound()), cmp.Compare(a, b))
	})
	for i, name := range s.Players {
		s.Players[i] = spellings[name]
	}
	return s
}

// recordsIn returns the matches of a game that stand out. Of equal ones the first counts.
func recordsIn(matches []Entry, spellings map[string]string) []Best {
	records, lengths, leads := []Best{}, []Best{}, []Best{}
	for _, e := range matches {
		i := slices.IndexFunc(e.Seats, func(p Player) bool { return p.Won })
		if i < 0 {
			continue
		}
		b := Best{Value: e.Seconds, Names: []string{}, Match: e.ID, Imported: e.Imported != "", Begin: e.Begin}
		for _, p := range e.Seats[i:] {
			if p.Won && named(p.Name) {
				b.Names = append(b.Names, spellings[p.Name])
			}
		}
		if e.isTimed() {
			lengths = append(lengths, b)
		}
		if by, known := e.margin(e.Seats[i]); known && by >= 0 {
			b.Value = by
			leads = append(leads, b)
		}
	}
	put := func(kind string, of []Best, best func([]Best, func(a, b Best) int) Best) {
		if len(of) > 0 {
			b := best(of, func(a, b Best) int { return cmp.Compare(a.Value, b.Value) })
			b.Kind = kind
			records = append(records, b)
		}
	}
	put("closest", leads, slices.MinFunc)
	put("lead", leads, slices.MaxFunc)
	put("longest", lengths, slices.MaxFunc)
	put("shortest", lengths, slices.MinFunc)
	return records
}

// recordOf returns how a player did in matches that the player has played.
func recordOf(name string, matches []Entry, rated map[string]glicko) Record {
	r, ahead, turned := Record{Played: len(matches), Last: []int{}}, 0, 0.0
	for _, e := range matches {
		p := e.playerNamed(name)
		r.Seconds += e.Seconds
		r.Turns += p.Turns
		turned += p.Turned
		r.Last = append(r.Last, p.place())
		if p.Won {
			r.Won++
			r.Streak = max(r.Streak, 0) + 1
			r.Longest = max(r.Longest, r.Streak)
		} else {
			r.Streak = min(r.Streak, 0) - 1
		}
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
			ahead += by
			r.Margins++
		}
	}
	r.Last = r.Last[max(0, len(r.Last)-lastRanks):]
	r.Rate, r.Margin = ratio(float64(r.Won), r.Played), ratio(float64(ahead), r.Margins)
	r.TurnLength = ratio(turned, r.Turns)
	if g, known := rated[name]; known {
		r.Rating, r.Deviation = g.rating(), g.deviation()
	}
	return r
}

const lastRanks = 10

// place returns the rank, which a winner has also if the match cannot be replayed.
func (p Player) place() int {
	if p.Won {
		return 1
	}
	return p.Rank
}

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

func daysOf(name string, matches []Entry) (days []Day) {
	for _, e := range matches {
		day := e.Begin.Local().Format("2006-01-02")
		if len(days) == 0 || days[len(days)-1].Day != day {
			days = append(days, Day{Day: day})
		}
		d := &days[len(days)-1]
		d.Played++
		if e.playerNamed(name).Won {
			d.Won++
		}
	}
	return days
}

// figureStats returns the sums of what a game counts for a player besides the result. If the
// edition that was played last is unknown, the list is empty.
func figureStats(games []engine.Game, name string, matches []Entry, lang engine.Lang) []FigureStats {
	all := []FigureStats{}
	game := engine.Find(games, matches[len(matches)-1].Game)
	if game == nil {
		return all
	}
	info := game.Info()
	for _, kind := range info.Figures.Kinds {
		label := info.Words.Say(lang, engine.T("figure."+kind.Name), nil)
		f, counted := FigureStats{Name: kind.Name, Label: label, Unit: kind.Unit, Best: kind.Best}, false
		for _, e := range matches {
			if n, has := e.playerNamed(name).Figures[kind.Name]; has {
				if !counted || n > f.Most {
					f.Most = n
				}
				f.Value += n
				counted = true
			}
		}
		if kind.Best {
			f.Value = max(0, f.Most)
		}
		all = append(all, f)
	}
	return all
}

// playerNamed returns the seat of the player with this name. There must be such a player. If
// the player sat at two seats, the result is the better seat.
func (e Entry) playerNamed(name string) Player {
	i := slices.IndexFunc(e.Seats, func(p Player) bool { return p.Name == name })
	return e.Seats[i]
}

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

// pairStats compares every two players who played against each other, where the result is known.
func pairStats(matches []Entry, spellings map[string]string) []PairStats {
	found := map[[2]string]*PairStats{}
	for _, e := range matches {
		e.duels(func(a, b Player, score float64) {
			if b.Name < a.Name {
				a, b, score = b, a, 1-score
			}
			key := [2]string{a.Name, b.Name}
			if found[key] == nil {
				found[key] = &PairStats{A: spellings[a.Name], B: spellings[b.Name]}
			}
			p := found[key]
			p.Played++
			switch score {
			case 1:
				p.AWon++
			case 0:
				p.BWon++
			}
			if e.Counter != "" {
				p.Margins++
				p.Margin += float64(e.lead(a, b)) // their sum so far
			}
		})
	}
	pairs := []PairStats{}
	for _, p := range found {
		p.Margin = ratio(p.Margin, p.Margins)
		pairs = append(pairs, *p)
	}
	slices.SortFunc(pairs, func(a, b PairStats) int {
		return cmp.Or(cmp.Compare(b.Played, a.Played), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return pairs
}
