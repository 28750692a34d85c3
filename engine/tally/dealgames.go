package tally

import (
	"cmp"
	"slices"

	"tableside/engine"
)

// calculators has what the option "deals" can name. Each cites where its rules were published.
var calculators = map[string]calculator{
	"tarot":   {least: 3, most: 5, fields: tarotFields, check: checkTarot, score: scoreTarot},
	"belote":  {least: 4, most: 4, teams: 2, fields: beloteFields, score: scoreBelote},
	"coinche": {least: 4, most: 4, teams: 2, fields: coincheFields, score: scoreCoinche},
	"spades":  {least: 4, most: 4, teams: 2, bags: true, fields: spadesFields, score: scoreSpades},
	"hearts":  {least: 2, most: 8, fields: heartsFields, score: scoreHearts},
}

// readDeals reads the option "deals". In such a match everybody's points are entered at once.
func (r *rules) readDeals(setup engine.Setup) error {
	name := setup.Option("deals")
	if name == none {
		return nil
	}
	c, n := calculators[name], len(setup.Seats)
	fits := n >= c.least && n <= c.most && r.columns == cmp.Or(c.teams, n) && (!c.bags || len(r.counters) == 2)
	if !r.sheet || r.turns || r.bids != nil || r.rows != nil || r.over != counts || !fits {
		return engine.NewSetupError("setup.deals-" + name)
	}
	r.deals = &c
	return nil
}

func ofEach(seats []string, f field) (all []field) {
	for _, one := range seats {
		f.seat = engine.Seat(one)
		all = append(all, f)
	}
	return all
}

// tell says whether the taker has made it, and by how much.
func (d *deal) tell(made bool, by int) {
	e := engine.Event{Name: "deal-failed", Seat: engine.Seat(d.get("taker")), N: max(by, -by)}
	if made {
		e.Name = "deal-made"
	}
	d.events = append(d.events, e)
}

// The sides of a deal, for what one of them has; and the partner of a taker who has none.
const taker, defence, aloneWord = "taker", "defence", "alone"

// rencontrestarot.org/marque_au_tarot.html: 25 and what is above or below the contract, with 10 for
// the small one in the last trick, times the contract; with five, the taker has twice what the
// partner has. blog.bfmania.com/post/Le-Tarot: a handful is 20, 30 or 40; it goes to those who win
// the deal. A slam is 200, 400 or -200, by the rules of the Fédération Française de Tarot.
func tarotFields(seats []string) []field {
	fields := []field{{name: "taker", words: seats},
		{name: "contract", words: []string{"petite", "garde", "garde-sans", "garde-contre"}}}
	if len(seats) == 5 {
		fields = append(fields, field{name: "partner", words: append([]string{aloneWord}, seats...)})
	}
	return append(fields, field{name: "bouts", upto: 3}, field{name: "points", upto: 91},
		field{name: "petit", words: []string{none, taker, defence}, otherwise: none},
		field{name: "poignee", words: []string{none, "single", "double", "triple"}, otherwise: none},
		field{name: "chelem", words: []string{none, "made", "announced", "failed"}, otherwise: none})
}

func (d *deal) overTarot() int { return d.n("points") - [...]int{56, 51, 41, 36}[d.n("bouts")] }

// checkTarot refuses a slam that does not go with the points. All tricks have 91, without the excuse of the
// others 87; against the dog, which is then theirs, at least those of the contract.
func checkTarot(d *deal) error {
	slam, few := d.get("chelem"), d.n("points") < 87
	if !d.find("points").has() {
		return nil
	}
	if d.get("contract") == "garde-contre" {
		few = d.overTarot() < 0
	}
	if (slam == "made" || slam == "announced") && few || slam == "failed" && d.n("points") == 91 {
		return engine.Refuse("refusal.deal-slam", "slam", engine.Word("deal.chelem."+slam), "n", d.n("points"))
	}
	return nil
}

func scoreTarot(d *deal) {
	over := d.overTarot()
	times := map[string]int{"petite": 1, "garde": 2, "garde-sans": 4, "garde-contre": 6}[d.get("contract")]
	wins := 25*times + map[string]int{"single": 20, "double": 30, "triple": 40}[d.get("poignee")]
	if over < 0 {
		wins = -wins
	}
	small := map[string]int{taker: 10, defence: -10}[d.get("petit")]
	chelem := map[string]int{"made": 200, "announced": 400, "failed": -200}[d.get("chelem")]
	each := wins + (over+small)*times + chelem
	for _, seat := range d.in {
		d.points[slices.Index(d.seats, seat)] = -each
	}
	at, partner := d.seat("taker"), d.seat("partner")
	d.points[at] = each * (len(d.in) - 1)
	if partner >= 0 && partner != at {
		d.points[at], d.points[partner] = 2*each, each
	}
	d.tell(over >= 0, over)
}

// What the cards of a deal and its last trick are worth; what all tricks are; and king and queen of
// trumps of one player.
const allPoints, capotPoints, belote = 162, 252, 20

func beloteFields(seats []string) []field {
	return []field{{name: "taker", words: seats}, {name: "points", upto: allPoints},
		{name: "capot", words: []string{"no", "capot"}, of: "points", only: []string{"0", "162"}},
		{name: "belote", words: []string{none, taker, defence}, otherwise: none}}
}

// beloteOf returns the 20 points for king and queen of trumps of both sides: they are never lost.
func beloteOf(d *deal) (own, other int) {
	side := d.get("belote")
	return map[string]int{taker: belote}[side], map[string]int{defence: belote}[side]
}

// share gives the taker's team and the other one their points.
func (d *deal) share(own, other int) {
	side := d.seat("taker") % 2
	d.points[side], d.points[1-side] = own, other
}

// contree.org/marque: the taker's side needs more than the other, which has all if it fails. After a
// draw the defence has its points, and those of the taker go to who wins the next deal.
// belotejeu.fr/calcul-points: who fails keeps king and queen, which are never lost: nor by a draw.
func scoreBelote(d *deal) {
	ownBelote, otherBelote := beloteOf(d)
	own, all := d.n("points"), allPoints
	if d.get("capot") == "capot" {
		own, all = own/allPoints*capotPoints, capotPoints
	}
	mine, theirs := own+ownBelote, all-own+otherBelote
	if mine == theirs {
		d.pot += own
		d.share(ownBelote, theirs)
		d.events = []engine.Event{{Name: "deal-draw", N: d.pot}}
		return
	}
	d.tell(mine > theirs, mine-theirs)
	winner := d.seat("taker") % 2
	if mine < theirs {
		winner, mine, theirs = 1-winner, ownBelote, all+otherBelote
	}
	if d.share(mine, theirs); d.pot > 0 {
		d.points[winner] += d.pot
		d.events = append(d.events, engine.Event{Name: "deal-pot", Seat: engine.Seat(d.seats[winner]), N: d.pot})
		d.pot = 0
	}
}

func coincheFields(seats []string) []field {
	contracts := []string{"80", "90", "100", "110", "120", "130", "140", "150", "160"}
	return []field{{name: "taker", words: seats},
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
func scoreCoinche(d *deal) {
	ownBelote, otherBelote := beloteOf(d)
	contract, own, stake := d.n("contract"), d.n("points"), 160
	mine, theirs := own+ownBelote, allPoints-own+otherBelote
	made, over := mine >= contract && mine > theirs, mine-contract
	if d.get("contract") == "capot" {
		const slam = 250
		contract, stake, over, made = slam, slam, 0, d.get("capot") == "made"
		mine, theirs = slam+ownBelote, otherBelote
	}
	times := map[string]int{"no": 1, "coinche": 2, "surcoinche": 4}[d.get("coinche")]
	switch {
	case !made:
		mine, theirs = ownBelote, (stake+contract)*times+otherBelote
	case times > 1:
		mine, theirs = (stake+contract)*times+ownBelote, otherBelote
	default:
		mine += contract
	}
	d.share(mine, theirs)
	d.tell(made, over)
}

func spadesFields(seats []string) []field {
	bids := []string{"nil", "blind-nil", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"}
	tricks := ofEach(seats, field{name: "tricks", upto: 13, total: 13})
	return append(ofEach(seats, field{name: "bid", words: bids}), tricks...)
}

// zone.msn.com, "Learn to play Spades", scoring: 10 for each trick of a bid that was made and 1 for each
// beyond, which is a bag; 10 lost for each trick of one that was not. Nil is 100, blind 200, and its
// tricks are bags that help no bid. Ten bags cost 100; gaspmobilegames.com/Spades: the others stay.
func scoreSpades(d *deal) {
	for column := range d.points {
		bid, took, brings, bags := 0, 0, 0, d.bags[column]
		for at := column; at < len(d.seats); at += len(d.points) {
			word, tricks := d.get("bid-"+d.seats[at]), d.n("tricks-"+d.seats[at])
			worth := map[string]int{"nil": 100, "blind-nil": 200}[word]
			switch {
			case worth == 0:
				bid, took = bid+parseNumber(word, 0), took+tricks
			case tricks == 0:
				brings += worth
			default:
				brings -= worth
				bags += tricks
			}
		}
		if took < bid {
			brings -= 10 * bid
		} else {
			brings += 10*bid + took - bid
			bags += took - bid
		}
		for bags >= 10 {
			brings -= 100
			bags -= 10
			d.events = append(d.events, engine.Event{Name: "deal-bags", Seat: engine.Seat(d.seats[column])})
		}
		d.points[column], d.bags[column] = brings, bags
	}
}

func heartsFields(seats []string) []field {
	return append(ofEach(seats, field{name: "points", upto: 26, total: 26}),
		field{name: "moon", words: []string{"others", "shooter"}, of: "points", only: []string{"26"}})
}

// yourgametips.com/card-games/when-should-you-shoot-the-moon-in-hearts: who has all 26 gives them to
// all others, or loses 26.
func scoreHearts(d *deal) {
	for _, seat := range d.in {
		n := d.n("points-" + seat)
		switch d.get("moon") {
		case "others":
			n = 26 - n
		case "shooter":
			n = -n
		}
		d.points[slices.Index(d.seats, seat)] = n
	}
}
