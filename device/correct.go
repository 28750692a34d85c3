package device

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// try returns a fingerprint of the present view, and for each input what it would do. Without a
// match all fingerprints are "".
func (g *game) try(inputs []engine.Input) (now string, results []engine.Trial) {
	results = make([]engine.Trial, len(inputs))
	if g.match == nil {
		return "", results
	}
	for i, in := range inputs {
		results[i] = g.match.Foresee(in)
	}
	return fingerprint(g.match.View()), results
}

// fingerprint returns a hash of a view. The hash does not depend on the number of inputs that
// led to the view.
func fingerprint(v engine.View) string {
	v.Seq = 0
	return v.Hash()
}

// explainSet improves the refusal of a correction: it adds the names that the match would
// accept. If the correction is about a copy of a card, explainSet adds the counters and zones
// that the input may name after the copy. Otherwise it adds the names of the seat's counters.
// A refusal of anything else is returned unchanged.
func (g *game) explainSet(in engine.Input, why engine.Text) engine.Text {
	if why.Key != "refusal.set" || why.Args["what"] == nil {
		return why
	}
	view, what := g.match.View(), in.Arg(0)
	counters, zones := view.Counters, view.Zones
	for _, s := range view.Seats {
		if s.ID == in.Seat {
			counters, zones = s.Counters, s.Zones
		}
	}
	_, copied := engine.SplitCopy(what)
	var names []string
	var inputs []engine.Input
	add := func(name string, args ...string) {
		names = append(names, name)
		inputs = append(inputs, engine.Input{Seat: in.Seat, Verb: engine.Set, Args: args})
	}
	for _, c := range counters {
		if copied > 0 {
			add(c.Name, what, c.Name)
		} else {
			add(c.Name, c.Name, strconv.Itoa(c.Value))
		}
	}
	for _, z := range zones {
		if copied > 0 {
			add(z.Name, what, z.Name)
		}
	}
	var known []string
	_, results := g.try(inputs)
	for i, result := range results {
		if result.Hash != "" {
			known = append(known, names[i])
		}
	}
	if len(known) == 0 || slices.Contains(known, what) {
		return why
	}
	return engine.T("refusal.set-known", "what", what, "value", why.Args["value"], "known", strings.Join(known, ", "))
}
