package history

import "math"

// The constants of Glicko-2, which rates players. Each rating has an uncertainty, which
// shrinks while the player plays and grows while the player does not. See Mark E. Glickman,
// "Dynamic paired comparison models with stochastic variances", Journal of Applied Statistics
// 28 (2001), 673–689. The steps are those of his "Example of the Glicko-2 system" (2013,
// glicko.net/glicko/glicko2.pdf).
//
// A rating period is a calendar month, because the paper wants 10 to 15 games in a period. The
// paper rates games of two players. A match of more players counts as one game between each
// two of them. The player with the better rank wins this game.
const (
	firstRating     = 1500
	firstDeviation  = 350
	firstVolatility = 0.06
	systemConstant  = 0.5      // τ: how much the volatility may change, 0.3 to 1.2
	scale           = 173.7178 // points of a rating for 1 on the paper's own scale
	converged       = 1e-10    // ε; the paper suggests 1e-6
)

// A glicko is a rating on the scale that the Glicko-2 paper uses for its computations.
type glicko struct{ mu, phi, sigma float64 }

var unrated = glicko{0, firstDeviation / scale, firstVolatility}

func (g glicko) rating() float64    { return firstRating + scale*g.mu }
func (g glicko) deviation() float64 { return scale * g.phi }

func (g glicko) lowerBound() float64 { return g.mu - 2*g.phi }

// A pairing is a game against another player. Its score is 1 for a win against this player, ½
// for a draw, and 0 for a loss.
type pairing struct {
	opponent glicko
	score    float64
}

// update returns the rating after a period with these games.
func (g glicko) update(games []pairing) glicko {
	if len(games) == 0 { // step 6 of Glicko-2, for a player who did not compete
		return glicko{g.mu, min(math.Hypot(g.phi, g.sigma), unrated.phi), g.sigma}
	}
	var information, surprise float64
	for _, p := range games { // steps 3 and 4 of Glicko-2
		weight := 1 / math.Sqrt(1+3*p.opponent.phi*p.opponent.phi/(math.Pi*math.Pi))
		expected := 1 / (1 + math.Exp(-weight*(g.mu-p.opponent.mu)))
		information += weight * weight * expected * (1 - expected)
		surprise += weight * (p.score - expected)
	}
	v := 1 / information
	sigma := g.volatility(v*surprise, v)
	phi := 1 / math.Sqrt(1/(g.phi*g.phi+sigma*sigma)+information) // steps 6 and 7 of Glicko-2
	return glicko{g.mu + phi*phi*surprise, phi, sigma}
}

// volatility returns the new volatility, which is step 5 of Glicko-2. delta and v are the Δ
// and v of steps 3 and 4. volatility finds the root of the paper's function f by the Illinois
// algorithm.
func (g glicko) volatility(delta, v float64) float64 {
	start, phi2 := math.Log(g.sigma*g.sigma), g.phi*g.phi
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi2 + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-start)/(systemConstant*systemConstant)
	}
	a, b := start, math.Log(delta*delta-phi2-v)
	if delta*delta <= phi2+v {
		k := 1.0
		for f(start-k*systemConstant) < 0 {
			k++
		}
		b = start - k*systemConstant
	}
	fa, fb := f(a), f(b)
	for math.Abs(b-a) > converged {
		c := a + (a-b)*fa/(fb-fa)
		fc := f(c)
		if fc*fb <= 0 {
			a, fa = b, fb
		} else {
			fa /= 2
		}
		b, fb = c, fc
	}
	return math.Exp(a / 2)
}

// ratingsAfter returns the ratings of players after some matches, the oldest first.
func ratingsAfter(matches []Entry) map[string]glicko {
	before, month := map[string]glicko{}, 0 // of the present month, which is counted from the year 0
	games := map[string][]pairing{}         // of that month: all count at once, against the ratings before it
	ratingOf := func(name string) glicko {
		if g, known := before[name]; known {
			return g
		}
		return unrated
	}
	endMonth := func() {
		after := make(map[string]glicko, len(before))
		for name, g := range before {
			after[name] = g.update(games[name])
		}
		for name, list := range games {
			after[name] = ratingOf(name).update(list)
		}
		before, games = after, map[string][]pairing{}
	}
	for _, e := range matches {
		at := e.Begin.UTC()
		this := at.Year()*12 + int(at.Month())
		for ; month > 0 && month < this; month++ { // also months in which nobody played
			endMonth()
		}
		month = max(month, this)
		e.duels(func(a, b Player, score float64) {
			games[a.Name] = append(games[a.Name], pairing{ratingOf(b.Name), score})
			games[b.Name] = append(games[b.Name], pairing{ratingOf(a.Name), 1 - score})
		})
	}
	endMonth()
	return before
}

// duels calls a function for every two players who played against each other and whose result
// against each other is known. The score is that of duel.
func (e Entry) duels(do func(a, b Player, score float64)) {
	if e.cooperative() {
		return
	}
	players := e.players()
	for i, a := range players {
		for _, b := range players[i+1:] {
			if score, known := duel(a, b); known {
				do(a, b, score)
			}
		}
	}
}

// duel returns the result of one player against another. The score is 1 if the first player
// did better, ½ if both did equally well, and 0 if the second player did better. In three
// cases the result is not known, and known is false: the two are in one team, they are one
// player at two seats, or neither of them won and the ranks are unknown.
func duel(a, b Player) (score float64, known bool) {
	switch {
	case a.Name == b.Name || areTeammates(a, b):
		return 0, false
	case a.Won == b.Won && a.Rank == b.Rank:
		return 0.5, a.Rank > 0 || a.Won
	case a.Won && !b.Won, a.Won == b.Won && a.Rank < b.Rank:
		return 1, true
	}
	return 0, true
}
