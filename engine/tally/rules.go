package tally

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// rules holds the options of a match. They are read once, when the match begins.
type rules struct {
	version      int      // of the rules: see restVersion and winnerVersion
	counters     []string // as views and corrections name them
	titles       []string // as they were typed
	counterWords []string // as events and texts name them: keys of the catalogue, or titles
	start        []int    // the value at which each counter begins
	step         int
	target       *int // nil for none
	goalLow      bool
	rounds       int // how many end the match; 0 if they are only counted
	turns        bool
	elimination  bool // a seat that falls to the target is out, and the last one left wins
	floor        bool // the first counter does not fall below the target
	low          int  // -maxNumber for none
	limit        int  // maxNumber for none

	result      string  // see byPoints
	out, finish []*item // who is out, and who ends the match
	ties        []*item // the first that makes a difference decides
	misses      int     // the counter of turns in a row without points; 0 for none
	dealt       int     // the first of the counters that say what each seat has dealt; 0 for none

	sheet   bool  // the view has the score sheet
	columns int   // of the sheet: one for each seat or team
	bids    *bids // nil for none
	rows    []row // the named rows of the sheet; nil if its rows are rounds
	bonus   bonus
	sum     *int   // what the points of a round add up to; nil for none
	over    string // see counts
	deal    bool   // the seats deal in turn
	dice    dice
	deals   *calculator // nil for none
	minutes int         // a round that ends after this time is the last; 0 for no limit
}

// New implements engine.Game. Each option has passed its own check. If two options contradict
// each other, New returns an error.
func (g game) New(setup engine.Setup) (func() (engine.State, error), error) {
	r := rules{
		version: setup.Rules,
		step:    parseNumber(setup.Option("step"), 1),
		goalLow: setup.Option("goal") == "low",
		rounds:  rounds(setup),
		turns:   setup.Option("turns") == "on",
		low:     parseNumber(setup.Option("low"), -maxNumber),
		limit:   parseNumber(setup.Option("limit"), maxNumber),
		deal:    setup.Option("deal") == "on",
		minutes: parseNumber(setup.Option("minutes"), 0),
		columns: len(setup.Seats),
	}
	r.dice, _ = readDice(setup.Option("dice"))
	r.counters, r.titles = counterNames(setup.Option("counters"))
	for i, name := range r.counters {
		r.counterWords = append(r.counterWords, wordFor(g.words, "counter."+name, r.titles[i]))
	}
	for _, read := range []func(*rules, engine.Setup) error{
		(*rules).readStart, (*rules).readTarget, (*rules).readSheet, (*rules).readDeals, (*rules).readEnds,
		(*rules).checkClock,
	} {
		if err := read(&r, setup); err != nil {
			return nil, err
		}
	}
	return func() (engine.State, error) { return newState(r, g.words, setup), nil }, nil
}

func (r *rules) readStart(setup engine.Setup) error {
	starts := strings.Split(setup.Option("start"), ",")
	for i := range r.counters {
		if len(starts) > 1 && len(starts) != len(r.counters) {
			return engine.NewSetupError("setup.starts", "n", len(r.counters))
		}
		start := parseNumber(starts[i%len(starts)], 0)
		if start < r.low || start > r.limit {
			return engine.NewSetupError("setup.start", "n", start)
		}
		r.start = append(r.start, start)
	}
	if r.low >= r.limit {
		return engine.NewSetupError("setup.bounds", "low", r.low, "limit", r.limit)
	}
	return nil
}

func (r *rules) readTarget(setup engine.Setup) error {
	// A list begins with the target for two seats, and its last one holds for more: "7,5,4".
	all := engine.SplitList(setup.Option("target"))
	value := all[min(max(len(setup.Seats)-2, 0), len(all)-1)]
	r.over = setup.Option("over")
	if value == none {
		if r.over != counts {
			return engine.NewSetupError("setup.over-target")
		}
		return nil
	}
	target := parseNumber(value, 0)
	// A match that is won before it begins, or never, is a typing mistake.
	if target == r.start[0] || target < r.low || target > r.limit {
		return engine.NewSetupError("setup.target", "n", target)
	}
	r.target = &target
	falls := target < r.start[0]
	// By the rules before lastStandingVersion, the target is no floor if the option low is set.
	r.floor = falls && (r.version >= lastStandingVersion || setup.Option("low") == none)
	r.elimination = falls && !r.goalLow && r.version >= lastStandingVersion
	if back, err := strconv.Atoi(r.over); err == nil && r.reaches(back) {
		return engine.NewSetupError("setup.over-back", "n", back)
	}
	return nil
}

// readSheet reads the options of the score sheet. If these options contradict each other, it
// returns an error. A match for lives has no sheet, because its rounds have no meaning.
func (r *rules) readSheet(setup engine.Setup) error {
	r.sheet = r.version >= sheetVersion && !r.elimination
	r.bids, _ = readBids(setup.Option("bids")) // checked before, as the other options
	r.rows, _ = readRows(setup.Option("rows"))
	r.bonus, _ = readBonus(setup.Option("bonus"))
	if value := setup.Option("sum"); value != none {
		sum := parseNumber(value, 0)
		r.sum = &sum
	}
	if teams := parseNumber(setup.Option("teams"), 0); teams > 0 {
		if teams < 2 || len(setup.Seats)%teams != 0 {
			return engine.NewSetupError("setup.teams", "n", teams, "seats", len(setup.Seats))
		}
		r.columns = teams
	}
	lists := r.bids != nil || r.rows != nil
	switch {
	case !r.sheet && (lists || r.sum != nil):
		return engine.NewSetupError("setup.sheet")
	case r.bids != nil && r.rows != nil, lists && (r.sum != nil || r.columns < len(setup.Seats)):
		return engine.NewSetupError("setup.forms")
	case r.bonus.rows > len(r.rows):
		return engine.NewSetupError("setup.bonus-rows", "n", len(r.rows))
	case r.rows != nil && r.rounds > 0:
		return engine.NewSetupError("setup.rows-rounds")
	case r.sum != nil && r.over != counts:
		return engine.NewSetupError("setup.sum-over") // after an entry that is lost, the rest would be too much
	}
	if r.bids != nil {
		r.turns = false // the players bid in any order
	}
	return nil
}

// checkClock returns an error if a match with a clock has a counter or row named "clock". A
// correction could not tell which of the two is meant.
func (r *rules) checkClock(setup engine.Setup) error {
	names, titles := slices.Clone(r.counters), slices.Clone(r.titles)
	for _, one := range r.rows {
		names, titles = append(names, one.name), append(titles, one.title)
	}
	if i := slices.Index(names, "clock"); i >= 0 && setup.Timed() {
		return engine.NewSetupError("setup.counter-clock", "name", titles[i])
	}
	return nil
}

// reaches reports whether a value of the first counter reaches the target. If the target is
// above the start, the value must be at least the target. Otherwise the value must be at most
// the target, as for lives that fall to 0. Without a target, reaches returns false.
func (r *rules) reaches(value int) bool {
	switch {
	case r.target == nil:
		return false
	case *r.target > r.start[0]:
		return value >= *r.target
	}
	return value <= *r.target
}

// perSeat is the suffix in a value such as "60/seats" of the option "rounds". The number
// before the suffix is divided by the number of seats.
const perSeat = "/seats"

func rounds(setup engine.Setup) int {
	value, shared := strings.CutSuffix(setup.Option("rounds"), perSeat)
	n := parseNumber(value, 0)
	if shared {
		n = max(1, n/len(setup.Seats))
	}
	return n
}

func checkRounds(s string) error {
	s, _ = strings.CutSuffix(s, perSeat)
	return engine.Between(0, 999)(s)
}

// The values of the option "over": an entry that goes past the target counts, or counts nothing; or it
// is the value to which the counter goes back.
const counts, bust = "count", "bust"

// parseNumbers reads numbers that are separated by spaces or commas. If any word is not a number from
// -most to most, parseNumbers returns nil.
func parseNumbers(s string, most int) []int {
	var all []int
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < -most || n > most {
			return nil
		}
		all = append(all, n)
	}
	return all
}

// A row is a named row of the sheet. For example, "Sixes*6" offers multiples of 6, up to those of five
// dice, "Full house=25" offers 25 or nothing, and "Chance" offers any number.
type row struct {
	name       string // as corrections name it
	title      string // as it was typed
	step, last int    // what the prompt offers
	times      int    // what a number without a sign counts, such as -2 for what is missing
}

// maxRows is the most named rows that a sheet may have.
const maxRows = 30

func readRows(s string) (rows []row, err error) {
	if s == none {
		return nil, nil
	}
	for title := range strings.SplitSeq(s, ",") {
		one, n, least, most, last := row{step: 1, last: maxOffered, times: 1}, 0, -99, 99, 5
		if at := strings.IndexAny(title, "*="); at >= 0 {
			if n = parseNumber(title[at+1:], maxNumber+1); title[at] == '=' {
				least, most, last = 0, maxNumber, 1
			}
			title = title[:at]
		}
		switch {
		case n > 0:
			one.step, one.last = n, n*last
		case n < 0:
			one.times = n
		}
		names, titles := counterNames(title)
		one.name, one.title = names[0], titles[0]
		if err := checkCounters(one.title); err != nil {
			return nil, err
		}
		if one.name == "counter-1" {
			one.name = "row-" + strconv.Itoa(len(rows)+1)
		}
		taken := one.name == "end" || one.name == bonusRow ||
			slices.ContainsFunc(rows, func(r row) bool { return r.name == one.name })
		if taken || n < least || n > most {
			return nil, engine.NewSetupError("setup.row", "name", one.title)
		}
		rows = append(rows, one)
	}
	if len(rows) > maxRows {
		return nil, engine.NewSetupError("setup.rows", "n", maxRows)
	}
	return rows, nil
}

// bonus holds the value of the option "bonus". A column with enough points in its first rows
// gets extra points. The fields hold the number of these rows, the least sum of their points
// that earns the bonus, and the extra points. The zero value gives no bonus.
type bonus struct{ rows, threshold, extra int }

func readBonus(s string) (b bonus, err error) {
	n := parseNumbers(s, maxNumber)
	switch {
	case s == none:
		return b, nil
	case len(n) != 3 || n[0] < 1:
		return b, engine.NewSetupError("setup.bonus")
	}
	return bonus{n[0], n[1], n[2]}, nil
}
