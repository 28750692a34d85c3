package mutants

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// endOfRound ends a round (EN "End of Round", FR "Fin de la manche"). Scoring comes first,
// then incubation, drawing and resetting the markers. Then the next round begins.
func (s *state) endOfRound() {
	if s.boss != nil {
		s.endOfUprising()
		return
	}
	s.phase = "end-of-round"
	s.ongoing = !s.rules.restsAtRoundEnd
	s.Do(
		func() { s.needPoints(true, len(s.players) > 2 || s.crusher >= 0) },
		s.scorePowerTrack,
		func() { s.advanceRound(s.endOfGame) },
		s.incubation,
		s.draw,
		s.resetMarkers,
		s.beginRound,
	)
}

func (s *state) points() *Points { return &s.rules.board.Rounds[s.round-1] }

// needPoints asks for the points in the boxes of this round, if nobody has entered them. The
// arguments say whether the red box and the black box are needed.
func (s *state) needPoints(red, black bool) {
	box := func(name string, value *int) {
		s.askNumber("board-"+name, nil, 0, 20, func(n int) {
			*value = n
			s.learn("board rounds " + formatRounds(s.rules.board.Rounds))
			s.Do(func() { s.needPoints(red, black) })
		})
	}
	pts := s.points()
	if red && pts.Red < 0 {
		box("red", &pts.Red)
	} else if black && pts.Black < 0 {
		box("black", &pts.Black)
	}
}

// formatRounds writes the points of the rounds as a card file writes them: "3/1,?/?".
func formatRounds(rounds []Points) string {
	number := func(n int) string {
		if n < 0 {
			return "?"
		}
		return strconv.Itoa(n)
	}
	boxes := make([]string, len(rounds))
	for i, pts := range rounds {
		boxes[i] = number(pts.Red) + "/" + number(pts.Black)
	}
	return strings.Join(boxes, ",")
}

// scorePowerTrack gives the players their points for the round ("1 Score Power Track"). The
// foremost player gains the red number, the last player nothing, and the others gain the black
// number. In a stack the upper marker ranks first. After a Crush (EN) only the player who
// crushed gains points, and gains both numbers.
//
// The score markers move in turn. The winner of the round comes first, then the others
// clockwise.
func (s *state) scorePowerTrack() {
	ranking := s.power.ranking()
	pts := make([]int, len(s.players))
	winner := ranking[0]
	if s.crusher >= 0 {
		winner = s.crusher
		pts[winner] = s.points().Red + s.points().Black
	} else {
		pts[winner] = s.points().Red
		for _, seat := range ranking[1 : len(ranking)-1] {
			pts[seat] = s.points().Black
		}
	}
	s.crusher = -1
	for i := range s.players {
		p := s.clockwise(winner, i)
		s.tell("round-score", p, pts[p.index])
		s.scores(p, pts[p.index])
	}
}

// scores adds points to a player's score. In the Uprising it applies the points to the boss's
// health instead. A score marker that does not move keeps its place in its stack.
func (s *state) scores(p *player, points int) {
	if s.boss != nil {
		s.applyPoints(p, points)
	} else if points > 0 {
		s.score.land(p.index, s.score.space(p.index)+points)
	}
}

// advanceRound moves the round marker ("2 Advance the Round Marker"). After the last round,
// everything in progress is dropped instead, and the given step is put on the agenda.
func (s *state) advanceRound(end func()) {
	if s.round < len(s.rules.board.Rounds) {
		s.round++
		return
	}
	s.dropAll()
	s.Do(end)
}

func (s *state) incubation() {
	for i := range s.players {
		if p := s.clockwise(s.first, i); p.incubator != nil {
			s.move("incubated", p.incubator, InIncubator, InDeck)
		}
	}
}

func (s *state) draw() {
	if s.rules.cards {
		s.inTurn(func(p *player) { s.drawCards(p, handSize, nil) })
	}
}

// resetMarkers resets the power markers ("5 Reset Power Markers"). The player with the lowest
// score takes the Second Space. The player with the next higher score takes the space behind
// it, and so on. Of two players with equal scores, the one whose score marker is lower in the
// stack comes first. The player who is furthest back begins the next round.
func (s *state) resetMarkers() {
	order := s.score.ranking()
	slices.Reverse(order)
	for i, seat := range order {
		s.power.land(seat, max(1, s.rules.board.Spaces-1-i))
	}
	s.first = order[len(order)-1]
}

// endOfGame ends the game (EN "End of Game Scoring", FR "Décompte de fin de partie"). Each
// player scores the freeze zone, and then the winner is found.
func (s *state) endOfGame() {
	s.phase = "final-scoring"
	s.Do(s.declareWinner)
	s.inTurn(s.scoreFreezeZone)
}

// scoreFreezeZone adds the freeze values of a player's frozen cards to the score. Unknown
// values are asked for.
func (s *state) scoreFreezeZone(p *player) {
	if !s.rules.cards {
		s.countByHand(p)
		return
	}
	for _, c := range p.freeze {
		if c != nil && s.freezeValueOf(c.kind).Unknown {
			s.askFreezeValue(c, func() { s.scoreFreezeZone(p) })
			return
		}
	}
	total := 0
	for _, c := range p.freeze {
		total += s.freezeValue(p, c)
	}
	s.addFreeze(p, total)
}

// freezeValueOf returns the freeze value that is printed top right on cards of this kind. If a
// value was entered at the table, freezeValueOf returns that value instead.
func (s *state) freezeValueOf(k *Kind) Value {
	if v, learned := s.learned[k.ID]; learned {
		return v
	}
	return k.Freeze
}

func (s *state) addFreeze(p *player, total int) {
	p.freezePoints = total
	s.tell("freeze-score", p, total)
	s.scores(p, total)
}

// freezeValue returns how many points a card in the freeze zone is worth. A card with a
// variable value gets its points once for each gene of one type on all frozen cards of the
// player, including the card itself (EN "Variable Freeze Value", FR "Valeur de gel variable").
// An unnamed card (nil) is worth 0, and so is a card with an unknown value.
func (s *state) freezeValue(p *player, c *card) int {
	if c == nil {
		return 0
	}
	value := s.freezeValueOf(c.kind)
	if !value.Per {
		return value.N
	}
	return value.N * countCards(p.freeze, Count{Item: FrozenGenes, ByGene: true, Gene: value.Gene}, anyCard)
}

// countByHand asks for the points of a freeze zone without tagged cards.
func (s *state) countByHand(p *player) {
	s.Ask(question{Seat: p.seat, Key: "freeze-points", N: p.freezePoints, Fixed: countAnswers, Chosen: func(a answer) {
		switch a.Word {
		case "plus":
			p.freezePoints = min(p.freezePoints+1, 99)
			s.countByHand(p)
		case "minus":
			p.freezePoints = max(p.freezePoints-1, 0)
			s.countByHand(p)
		default:
			s.addFreeze(p, p.freezePoints)
		}
	}})
}

var countAnswers = []answer{cardgame.Key("plus", ""), cardgame.Key("minus", ""), cardgame.Key("yes", "done")}

// declareWinner ends the match. The player with the greatest total wins. If totals are equal,
// the player who earned less from the freeze zone wins. If these points are equal, too, the
// player who leads the Power Track wins. There is no tie on the Power Track.
func (s *state) declareWinner() {
	best := slices.MaxFunc(s.players, func(a, b *player) int {
		return cmp.Or(
			cmp.Compare(s.score.space(a.index), s.score.space(b.index)),
			cmp.Compare(b.freezePoints, a.freezePoints),
			s.power.compare(a.index, b.index),
		)
	})
	s.phase = "over"
	s.Winners = []engine.Seat{best.seat}
	s.tell("wins", best, s.score.space(best.index))
}
