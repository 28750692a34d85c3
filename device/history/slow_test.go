package history

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// A told match is what the second count knows of a finished match.
type told struct {
	title   string
	begin   time.Time
	seconds int
	first   engine.Seat
	boss    bool
	counter string
	sheet   *engine.Sheet
	seats   []engine.Standing
	steps   []step // in force
	spent   map[engine.Seat]float64
}

// A step is an input in force.
type step struct {
	elapsed       float64
	before, after engine.View
	events        []engine.Event
}

func (m told) seat(name string) (engine.Standing, bool) {
	for _, s := range m.seats {
		if s.Name == name {
			return s, true
		}
	}
	return engine.Standing{}, false
}

// retell folds a journal by hand. ok is false for a match that is not finished.
func retell(t *testing.T, text string) (m told, ok bool) {
	j, err := engine.ParseJournal("", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	game := engine.Find(everyGame, j.Setup.Game)
	match, err := engine.NewMatch(game, j.Setup)
	if err != nil {
		t.Fatal(err)
	}
	m = told{title: engine.Title(j.Setup.Game), begin: j.Setup.Begin, first: j.Setup.First,
		spent: map[engine.Seat]float64{}}
	before, at := match.View(), time.Duration(0)
	start := before
	for _, line := range j.Lines {
		s, err := match.Apply(line.Input)
		if err != nil {
			t.Fatal(err)
		}
		elapsed := (s.Input.At - at).Seconds()
		if len(before.Winners) == 0 {
			m.spent[engine.Seat(before.Turn)] += elapsed
		}
		after := match.View()
		if s.Input.Verb == engine.Undo {
			m.steps = m.steps[:len(m.steps)-1]
		} else {
			m.steps = append(m.steps, step{elapsed, before, after, append([]engine.Event(nil), s.Events...)})
		}
		before, at = after, s.Input.At
	}
	m.seconds = int(at.Seconds())
	end := match.View()
	m.counter, m.seats = end.Standings()
	m.sheet = match.View().Sheet
	for _, s := range m.seats {
		m.boss = m.boss || s.Seat == engine.Table
	}
	for _, v := range m.views(start) {
		if m.first == "" && v.Turn != "" && v.Turn != "table" {
			m.first = engine.Seat(v.Turn)
		}
	}
	m.steps = append([]step{{after: start}}, m.steps...)
	return m, match.Over() && !strings.Contains(text, "\nend abandoned\n")
}

func (m told) views(start engine.View) []engine.View {
	all := []engine.View{start}
	for _, s := range m.steps {
		all = append(all, s.after)
	}
	return all
}

func (m told) turns(seat engine.Seat) (n int) {
	for i := range m.steps {
		mine := engine.Seat(m.steps[i].after.Turn) == seat
		if mine && (i == 0 || engine.Seat(m.steps[i-1].after.Turn) != seat) {
			n++
		}
	}
	return n
}

func (m told) worth(s engine.Standing) int {
	if m.sheet != nil && m.sheet.Low {
		return -s.Value
	}
	return s.Value
}

func (m told) mates(a, b engine.Seat) bool {
	if m.sheet != nil {
		for _, column := range m.sheet.Columns {
			if slices.Contains(column, a) && slices.Contains(column, b) {
				return true
			}
		}
	}
	return false
}

// lead is by how much a seat is ahead of the best other.
func (m told) lead(seat engine.Seat) (by int, known bool) {
	mine, best := 0, math.MinInt
	for _, s := range m.seats {
		if s.Seat == seat {
			mine = m.worth(s)
		} else if !m.mates(seat, s.Seat) {
			best = max(best, m.worth(s))
		}
	}
	return mine - best, best > math.MinInt && m.counter != "" && !m.boss
}

// figures counts what a game counts besides, for one seat.
func (m told) figures(seat engine.Seat) map[string]float64 {
	all := map[string]float64{}
	power := map[string]int{}
	for _, s := range m.steps[1:] {
		for _, track := range s.before.Tracks {
			if track.ID != "power" || len(s.before.Winners) > 0 {
				continue
			}
			for _, on := range track.Stacks[track.Last] {
				if on == seat {
					all["top-space"] += s.elapsed
				}
			}
		}
		clear(power)
		var last []string
		for _, e := range s.events {
			mine := e.Seat == seat
			switch {
			case m.title == "mutants" && mine && strings.HasPrefix(e.Name, "crushes"):
				all["crushes"]++
			case m.title == "mutants" && mine && e.Name == "freezes":
				all["freezes"]++
			case m.title == "mindbug" && mine && strings.HasPrefix(e.Name, "mindbug"):
				all["mindbugs"]++
			case m.title == "mindbug" && e.Name == "fights":
				power[e.Card] = e.N
				if last = append(last, e.Card); len(last) > 2 {
					last = last[len(last)-2:]
				}
			case m.title == "mindbug" && e.Name == "triggers":
				last = nil // what an effect defeats has not been defeated in the fight
			case m.title == "mindbug" && e.Name == "defeated" && !mine && len(last) == 2:
				other := ""
				if e.Card == last[0] {
					other = last[1]
				} else if e.Card == last[1] {
					other = last[0]
				}
				if other != "" {
					all["trade"] = max(all["trade"], float64(power[e.Card]-power[other]))
				}
			case m.title == "genegrafter" && mine && e.Name == "captured":
				all["captures"]++
			case m.title == "genegrafter" && mine && e.Name == "rolls":
				for _, face := range strings.TrimPrefix(e.Word, "=") {
					if face >= '1' && face <= '6' {
						all["dice-luck"] += float64(face-'0') - 3.5
					}
				}
			}
		}
	}
	return all
}

// slowly counts every statistic again, each in a loop of its own.
func slowly(t *testing.T, texts []string) map[string]float64 {
	var matches []told
	for _, text := range texts {
		if m, ok := retell(t, text); ok {
			matches = append(matches, m)
		}
	}
	all := map[string]float64{"matches": float64(len(matches))}
	names, titles := map[string]bool{}, map[string]bool{}
	for _, m := range matches {
		all["seconds"] += float64(m.seconds)
		titles[m.title] = true
		for _, s := range m.seats {
			if s.Name != "" {
				names[s.Name] = true
			}
		}
	}
	for name := range names {
		slowRecord(all, name, name, matches)
		if len(titles) > 1 { // ratings never mix games
			all[name+" rating"], all[name+" deviation"] = 0, 0
		}
		slowDays(all, name, matches)
		for title := range titles {
			if mine := with(name, of(title, matches)); len(mine) > 0 {
				slowRecord(all, name+" "+title, name, of(title, matches))
				slowFigures(all, name, title, mine)
			}
		}
		for other := range names {
			if name < other {
				slowPair(all, name, other, matches)
			}
		}
	}
	for title := range titles {
		slowGame(all, title, of(title, matches))
	}
	return all
}

func of(title string, matches []told) (list []told) {
	for _, m := range matches {
		if m.title == title {
			list = append(list, m)
		}
	}
	return list
}

func with(name string, matches []told) (list []told) {
	for _, m := range matches {
		if _, sat := m.seat(name); sat {
			list = append(list, m)
		}
	}
	return list
}

func slowRecord(all map[string]float64, key, name string, matches []told) {
	mine := with(name, matches)
	sum := func(what string, add func(told, engine.Standing) float64) float64 {
		total := 0.0
		for _, m := range mine {
			s, _ := m.seat(name)
			total += add(m, s)
		}
		all[key+" "+what] = total
		return total
	}
	is := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	played := sum("played", func(told, engine.Standing) float64 { return 1 })
	all[key+" rate"] = sum("won", func(_ told, s engine.Standing) float64 { return is(s.Won) }) / played
	sum("began", func(m told, s engine.Standing) float64 { return is(m.first == s.Seat) })
	sum("begun_won", func(m told, s engine.Standing) float64 { return is(m.first == s.Seat && s.Won) })
	sum("seconds", func(m told, _ engine.Standing) float64 { return float64(m.seconds) })
	turns := sum("turns", func(m told, s engine.Standing) float64 { return float64(m.turns(s.Seat)) })
	spent := sum("turn_length", func(m told, s engine.Standing) float64 { return m.spent[s.Seat] })
	all[key+" turn_length"] = safe(spent, turns)
	margins := sum("margins", func(m told, s engine.Standing) float64 { _, known := m.lead(s.Seat); return is(known) })
	total, best := 0.0, math.Inf(-1)
	for _, m := range mine {
		s, _ := m.seat(name)
		if by, known := m.lead(s.Seat); known {
			total, best = total+float64(by), max(best, float64(by))
		}
	}
	all[key+" margin"], all[key+" best_margin"] = safe(total, margins), 0
	if margins > 0 {
		all[key+" best_margin"] = best
	}
	results := ""
	for _, m := range mine {
		s, _ := m.seat(name)
		results += map[bool]string{true: "W", false: "L"}[s.Won]
	}
	last := results[len(results)-1:]
	streak := float64(len(results) - len(strings.TrimRight(results, last)))
	all[key+" streak"] = map[string]float64{"W": streak, "L": -streak}[last]
	for n := 0; strings.Contains(results, strings.Repeat("W", n)); n++ {
		all[key+" longest"] = float64(n)
	}
	all[key+" rating"], all[key+" deviation"] = slowRating(name, matches)
}

func safe(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func slowDays(all map[string]float64, name string, matches []told) {
	for _, m := range with(name, matches) {
		day := name + " " + m.begin.Local().Format("2006-01-02")
		all[day+" played"]++
		all[day+" won"] += 0
		if s, _ := m.seat(name); s.Won {
			all[day+" won"]++
		}
	}
}

func slowFigures(all map[string]float64, name, title string, mine []told) {
	kinds := map[string][]string{"mutants": {"top-space", "crushes", "freezes"}, "mindbug": {"mindbugs", "trade"},
		"genegrafter": {"dice-luck", "captures"}}[title]
	for _, kind := range kinds {
		total, most, known := 0.0, 0.0, false
		for _, m := range mine {
			s, _ := m.seat(name)
			n, has := m.figures(s.Seat)[kind]
			if !has {
				continue
			}
			if !known || n > most {
				most = n
			}
			known = true
			if total += n; kind == "trade" {
				total = most
			}
		}
		all[name+" "+title+" "+kind], all[name+" "+title+" most "+kind] = total, most
	}
}

func slowPair(all map[string]float64, a, b string, matches []told) {
	key := a + "/" + b
	played, won, lost, margin, margins := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, m := range with(a, with(b, matches)) {
		if m.boss {
			continue
		}
		x, _ := m.seat(a)
		y, _ := m.seat(b)
		if m.mates(x.Seat, y.Seat) {
			continue
		}
		played++
		if x.Rank < y.Rank {
			won++
		}
		if x.Rank > y.Rank {
			lost++
		}
		if m.counter != "" {
			margins++
			margin += float64(m.worth(x) - m.worth(y))
		}
	}
	if played > 0 {
		all[key+" played"], all[key+" a"], all[key+" b"] = played, won, lost
		all[key+" margins"], all[key+" margin"] = margins, safe(margin, margins)
	}
}

func slowGame(all map[string]float64, title string, matches []told) {
	key := "game " + title + " "
	all[key+"played"], all[key+"shortest"] = float64(len(matches)), math.Inf(1)
	all[key+"begun"], all[key+"begun_won"], all[key+"longest"] = 0, 0, 0
	spent := 0.0
	for _, m := range matches {
		all[key+"seconds"] += float64(m.seconds)
		all[key+"shortest"] = min(all[key+"shortest"], float64(m.seconds))
		all[key+"longest"] = max(all[key+"longest"], float64(m.seconds))
		for _, s := range m.seats {
			all[key+"turns"] += float64(m.turns(s.Seat))
			spent += m.spent[s.Seat]
			if len(m.seats) > 1 && m.first == s.Seat {
				all[key+"begun"]++
				if s.Won {
					all[key+"begun_won"]++
				}
			}
		}
	}
	all[key+"turn_length"] = safe(spent, all[key+"turns"])
}

// slowRating follows the steps of the paper on its own scale, month by month, and finds
// the volatility by halving an interval.
func slowRating(name string, matches []told) (rating, deviation float64) {
	type rated struct{ mu, phi, sigma float64 }
	fresh := rated{0, 350 / 173.7178, 0.06}
	now := map[string]rated{}
	look := func(name string) rated {
		if r, known := now[name]; known {
			return r
		}
		return fresh
	}
	if len(matches) == 0 {
		return 0, 0
	}
	first, last := matches[0].begin, matches[len(matches)-1].begin
	month := func(t time.Time) int { return t.Year()*12 + int(t.Month()) }
	for at := month(first); at <= month(last); at++ {
		type game struct {
			other rated
			score float64
		}
		games := map[string][]game{}
		for _, m := range matches {
			if month(m.begin) != at || m.boss {
				continue
			}
			for _, x := range m.seats {
				for _, y := range m.seats {
					if x.Name == "" || y.Name == "" || x.Name == y.Name ||
						m.mates(x.Seat, y.Seat) {
						continue
					}
					score := 0.5
					if x.Rank < y.Rank {
						score = 1
					}
					if x.Rank > y.Rank {
						score = 0
					}
					games[x.Name] = append(games[x.Name], game{look(y.Name), score})
				}
			}
		}
		next := map[string]rated{}
		for who, r := range now {
			next[who] = rated{r.mu, min(math.Sqrt(r.phi*r.phi+r.sigma*r.sigma), fresh.phi), r.sigma}
		}
		for who, list := range games {
			r, v, sum := look(who), 0.0, 0.0
			for _, g := range list {
				w := 1 / math.Sqrt(1+3*g.other.phi*g.other.phi/math.Pi/math.Pi)
				e := 1 / (1 + math.Exp(-w*(r.mu-g.other.mu)))
				v += w * w * e * (1 - e)
				sum += w * (g.score - e)
			}
			v = 1 / v
			delta := v * sum
			f := func(x float64) float64 {
				a := r.phi*r.phi + v + math.Exp(x)
				return math.Exp(x)*(delta*delta-a)/(2*a*a) - (x-math.Log(r.sigma*r.sigma))/0.25
			}
			low, high := -30.0, 10.0
			for range 200 {
				if middle := (low + high) / 2; f(middle) > 0 {
					low = middle
				} else {
					high = middle
				}
			}
			sigma := math.Exp(low / 2)
			star := math.Sqrt(r.phi*r.phi + sigma*sigma)
			phi := 1 / math.Sqrt(1/star/star+1/v)
			next[who] = rated{r.mu + phi*phi*sum, phi, sigma}
		}
		now = next
	}
	if r, known := now[name]; known {
		return 1500 + 173.7178*r.mu, 173.7178 * r.phi
	}
	return 0, 0
}
