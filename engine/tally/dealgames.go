package tally

import (
	"slices"

	"tableside/engine"
)

// calculators has what the option "deals" can name. Each cites where its rules were published.
var calculators = map[string]calculator{
	"tarot":   {tarotFields, func(r *rules, n int) bool { return n >= 3 && n <= 5 && r.columns == n }, scoreTarot},
	"belote":  {beloteFields, areTwoTeams, scoreBelote},
	"coinche": {coincheFields, areTwoTeams, scoreCoinche},
	"spades": {spadesFields, func(r *rules, n int) bool {
		return n == 4 && r.columns == 2 && len(r.counters) == 2
	}, scoreSpades},
	"hearts": {heartsFields, func(r *rules, n int) bool { return n >= 2 && r.columns == n }, scoreHearts},
}

func areTwoTeams(r *rules, seats int) bool { return r.columns == 2 && seats == 4 }

// readDeals reads the option "deals". In such a match everybody's points are entered at once.
func (r *rules) readDeals(setup engine.Setup) error {
	name := setup.Option("deals")
	if name == none {
		return nil
	}
	c := calculators[name]
	counts := !r.overshoot.bust && r.overshoot.resetTo == nil
	if !r.sheet || r.turns || r.bids != nil || r.rows != nil || !counts || !c.fits(r, len(setup.Seats)) {
		return engine.NewSetupError("setup.deals-" + name)
	}
	r.deals = &c
	return nil
}

func ids(seats []engine.Seat) []string {
	var all []string
	for _, seat := range seats {
		all = append(all, string(seat))
	}
	return all
}

// The sides of a deal, for what one of them has; and the partner of a taker who has none.
const taker, defence, aloneWord = "taker", "defence", "alone"

// rencontrestarot.org/marque_au_tarot.html: 25 and what is above or below the contract, with 10 for
// the small one in the last trick, times the contract; with five, the taker has twice what the
// partner has. blog.bfmania.com/post/Le-Tarot: a handful is 20, 30 or 40; it goes to those who win
// the deal. A slam is 200, 400 or -200, by the rules of the Fédération Française de Tarot.
func tarotFields(seats []engine.Seat) []field {
	fields := []field{{name: "taker", words: ids(seats)},
		{name: "contract", words: []string{"petite", "garde", "garde-sans", "garde-contre"}}}
	if len(seats) == 5 {
		fields = append(fields, field{name: "partner", words: append([]string{aloneWord}, ids(seats)...)})
	}
	return append(fields, field{name: "bouts", upto: 3}, field{name: "points", upto: 91},
		field{name: "petit", words: []string{none, taker, defence}, otherwise: none},
		field{name: "poignee", words: []string{none, "single", "double", "triple"}, otherwise: none},
		field{name: "chelem", words: []string{none, "made", "announced", "failed"}, otherwise: none})
}

func scoreTarot(d deal) (outcome, error) {
	needed := [...]int{56, 51, 41, 36}[d.n("bouts")]
	over, at, partner := d.n("points")-needed, d.seat("taker"), d.seat("partner")
	times := map[string]int{"petite": 1, "garde": 2, "garde-sans": 4, "garde-contre": 6}[d.get("contract")]
	handful := map[string]int{"single": 20, "double": 30, "triple": 40}[d.get("poignee")]
	small := map[string]int{taker: 10, defence: -10}[d.get("petit")]
	chelem := map[string]int{"made": 200, "announced": 400, "failed": -200}[d.get("chelem")]
	each, event := (25+over)*times+handful, "deal-made"
	if over < 0 {
		each, event = (-25+over)*times-handful, "deal-failed"
	}
	each += small*times + chelem
	o := outcome{points: slices.Repeat([]int{-each}, len(d.seats)),
		events: []engine.Event{{Name: event, Seat: d.seats[at], N: max(over, -over)}}}
	o.points[at] = each * (len(d.seats) - 1)
	if partner >= 0 && partner != at {
		o.points[at], o.points[partner] = 2*each, each
	}
	return o, nil
}

// What the cards of a deal and its last trick are worth; what all tricks are; and king and queen of
// trumps of one player.
const allPoints, capotPoints, belote = 162, 252, 20

func beloteFields(seats []engine.Seat) []field {
	return []field{{name: "taker", words: ids(seats)}, {name: "points", upto: allPoints},
		{name: "capot", words: []string{"no", "capot"}, of: "points", only: []string{"0", "162"}},
		{name: "belote", words: []string{none, taker, defence}, otherwise: none}}
}

// beloteOf returns the 20 points for king and queen of trumps of both sides: they are never lost.
func beloteOf(d deal) (own, other int) {
	switch d.get("belote") {
	case taker:
		own = belote
	case defence:
		other = belote
	}
	return own, other
}

// contree.org/marque: the taker's side needs more than the other, which has all if it fails. After a
// draw the defence has its points, and those of the taker go to who wins the next deal.
// belotejeu.fr/calcul-points: who fails keeps king and queen.
func scoreBelote(d deal) (outcome, error) {
	side := d.seat("taker") % d.columns
	ownBelote, otherBelote := beloteOf(d)
	own, all := d.n("points"), allPoints
	if d.get("capot") == "capot" {
		own, all = own/allPoints*capotPoints, capotPoints
	}
	mine, theirs := own+ownBelote, all-own+otherBelote
	o := outcome{points: make([]int, 2)}
	winner := side
	switch {
	case mine == theirs:
		o.pot = d.pot + mine
		o.points[1-side] = theirs
		o.events = []engine.Event{{Name: "deal-draw", N: o.pot}}
		return o, nil
	case mine > theirs:
		o.points[side], o.points[1-side] = mine, theirs
		o.events = []engine.Event{{Name: "deal-made", Seat: d.seats[d.seat("taker")], N: mine - theirs}}
	default:
		winner = 1 - side
		o.points[side], o.points[winner] = ownBelote, all+otherBelote
		o.events = []engine.Event{{Name: "deal-failed", Seat: d.seats[d.seat("taker")], N: theirs - mine}}
	}
	if o.points[winner] += d.pot; d.pot > 0 {
		o.events = append(o.events, engine.Event{Name: "deal-pot", Seat: d.seats[winner], N: d.pot})
	}
	return o, nil
}

func coincheFields(seats []engine.Seat) []field {
	contracts := []string{"80", "90", "100", "110", "120", "130", "140", "150", "160"}
	return []field{{name: "taker", words: ids(seats)},
		{name: "contract", words: append(slices.Clone(contracts), "capot")},
		{name: "coinche", words: []string{"no", "coinche", "surcoinche"}, otherwise: "no"},
		{name: "points", upto: allPoints, of: "contract", only: contracts},
		{name: "capot", words: []string{"made", "failed"}, of: "contract", only: []string{"capot"}},
		{name: "belote", words: []string{none, taker, defence}, otherwise: none}}
}

// coinchons.fr, "Comment compter les points": who makes the contract has its points and the contract,
// the other side its points; who fails leaves 160 and the contract. Doubled, the winner has 160 and
// the contract, two or four times. A slam that was bid is 500; none that was not has a bonus.
// exoty.com/compter-points-coinche: nothing is rounded, and king and queen count for the contract.
// tournoidebelote.com/regles-coinchee: also at 80, one needs more points than the other side.
func scoreCoinche(d deal) (outcome, error) {
	side := d.seat("taker") % d.columns
	ownBelote, otherBelote := beloteOf(d)
	contract, own, stake := d.n("contract"), d.n("points"), 160
	mine, theirs := own+ownBelote, allPoints-own+otherBelote
	made := mine >= contract && mine > theirs
	over := max(mine-contract, contract-mine)
	if d.get("contract") == "capot" {
		const slam = 250
		contract, stake, over, made = slam, slam, 0, d.get("capot") == "made"
		mine, theirs = slam+ownBelote, otherBelote
	}
	times := map[string]int{"no": 1, "coinche": 2, "surcoinche": 4}[d.get("coinche")]
	o := outcome{points: make([]int, 2)}
	event := "deal-made"
	switch {
	case made && times == 1:
		o.points[side], o.points[1-side] = contract+mine, theirs
	case made:
		o.points[side], o.points[1-side] = (stake+contract)*times+ownBelote, otherBelote
	default:
		event = "deal-failed"
		o.points[side], o.points[1-side] = ownBelote, (stake+contract)*times+otherBelote
	}
	o.events = []engine.Event{{Name: event, Seat: d.seats[d.seat("taker")], N: over}}
	return o, nil
}

func spadesFields(seats []engine.Seat) []field {
	var fields []field
	bids := []string{"nil", "blind-nil", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"}
	for _, seat := range seats {
		fields = append(fields, field{name: "bid", seat: seat, words: bids})
	}
	for _, seat := range seats {
		fields = append(fields, field{name: "tricks", seat: seat, upto: 13, total: 13})
	}
	return fields
}

// zone.msn.com, "Learn to play Spades", scoring: 10 for each trick of a bid that was made and 1 for each
// beyond, which is a bag; 10 lost for each trick of one that was not. Nil is 100, blind 200, and its
// tricks are bags that help no bid. Ten bags cost 100; gaspmobilegames.com/Spades: the others stay.
func scoreSpades(d deal) (outcome, error) {
	o := outcome{points: make([]int, d.columns), bags: slices.Clone(d.bags)}
	for column := range d.columns {
		bid, took := 0, 0
		for at := column; at < len(d.seats); at += d.columns {
			word, tricks := d.get("bid-"+string(d.seats[at])), d.n("tricks-"+string(d.seats[at]))
			worth := map[string]int{"nil": 100, "blind-nil": 200}[word]
			switch {
			case worth == 0:
				bid, took = bid+parseNumber(word, 0), took+tricks
			case tricks == 0:
				o.points[column] += worth
			default:
				o.points[column] -= worth
				o.bags[column] += tricks
			}
		}
		if took < bid {
			o.points[column] -= 10 * bid
		} else {
			o.points[column] += 10*bid + took - bid
			o.bags[column] += took - bid
		}
		if o.bags[column] >= 10 {
			o.points[column] -= 100
			o.bags[column] -= 10
			o.events = append(o.events, engine.Event{Name: "deal-bags", Seat: d.seats[column]})
		}
	}
	return o, nil
}

func heartsFields(seats []engine.Seat) []field {
	var fields []field
	for _, seat := range seats {
		fields = append(fields, field{name: "points", seat: seat, upto: 26, total: 26})
	}
	return append(fields, field{name: "moon", words: []string{"others", "shooter"}, of: "points", only: []string{"26"}})
}

// yourgametips.com/card-games/when-should-you-shoot-the-moon-in-hearts: who has all 26 gives them to
// all others, or loses 26.
func scoreHearts(d deal) (outcome, error) {
	var o outcome
	for _, seat := range d.seats {
		n := d.n("points-" + string(seat))
		switch d.get("moon") {
		case "others":
			n = 26 - n
		case "shooter":
			n = -n
		}
		o.points = append(o.points, n)
	}
	return o, nil
}
