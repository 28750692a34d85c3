package mutants

import (
	_ "embed"
	"slices"
	"sync"

	"tableside/engine"
)

//go:embed cards.txt
var printedFile string

//go:embed bosses.txt
var bossesFile string

//go:embed standin.txt
var standInFile string

// Printed is what is known of the real box. It is parsed once and not to be
// changed.
func Printed() []Statement { return printed() }

// StandIns is what this project made up for everything that is not known of
// the real box. It is parsed once and not to be changed.
func StandIns() []Statement { return standIns() }

var printed = sync.OnceValue(func() []Statement {
	return append(mustParse("mutants/cards.txt", printedFile), mustParse("mutants/bosses.txt", bossesFile)...)
})

var standIns = sync.OnceValue(func() []Statement {
	statements := mustParse("mutants/standin.txt", standInFile)
	for i := range statements {
		statements[i].StandIn = true
	}
	return statements
})

// mustParse is ParseData for a file inside the program.
func mustParse(file, source string) []Statement {
	statements, err := ParseData(file, source)
	if err != nil {
		panic(err)
	}
	return statements
}

// build puts together what is printed, with or without stand-ins for what is
// unknown, and the definitions of a match.
func build(edition string, standIn bool, definitions []string) (Data, error) {
	sources := [][]Statement{Printed()}
	if standIn {
		sources = append(sources, StandIns())
	}
	var own []Statement
	for i, line := range definitions {
		s, err := ParseStatement("definition", i+1, line)
		if err != nil {
			return Data{}, err
		}
		own = append(own, s)
	}
	return Build(edition, append(sources, own)...)
}

// mustBuild is build for what is inside the program.
func mustBuild(edition string, standIn bool) Data {
	d, err := build(edition, standIn, nil)
	if err != nil {
		panic(err)
	}
	return d
}

// Definitions checks an owner's file against what is printed, in every
// edition, and returns its statements as lines for engine.Setup.Definitions.
func Definitions(file, source string) ([]string, error) {
	own, err := ParseData(file, source)
	if err != nil {
		return nil, err
	}
	for _, edition := range editionNames {
		if _, err := Build(edition, Printed(), own); err != nil {
			return nil, err
		}
		if _, err := Build(edition, Printed(), StandIns(), own); err != nil {
			return nil, err
		}
	}
	lines := make([]string, len(own))
	for i, s := range own {
		lines[i] = s.Text
	}
	return lines, nil
}

// Build puts statements together to the data of an edition. Later statements
// win, but a "?" takes nothing away. What it returns is not to be changed: it
// may be shared by any number of matches.
func Build(edition string, sources ...[]Statement) (Data, error) {
	uprising := edition == uprisingEdition
	if uprising {
		edition = "second-edition" // in whose box the bosses are
	}
	if err := checkEdition(edition, 0); err != nil {
		return Data{}, err
	}
	b := builder{cards: map[string]*cardEntry{}, precons: map[string]*poolEntry{}}
	for range roundCount {
		b.board.Rounds = append(b.board.Rounds, Points{-1, -1})
	}
	for _, source := range sources {
		for i := range source {
			s := &source[i]
			if s.edition != "" && s.edition != edition {
				b.mention(s)
			} else if err := b.add(s); err != nil {
				return Data{}, err
			}
		}
	}
	return b.data(uprising)
}

// A builder gathers statements.
type builder struct {
	order   []string
	cards   map[string]*cardEntry
	pools   []string
	precons map[string]*poolEntry
	board   Board
	spaces  *Statement // what set the board's spaces and Red Zone
	redZone *Statement
	points  [roundCount][2]*Statement
	bosses  []*bossEntry
}

// A poolEntry is a precon being gathered.
type poolEntry struct {
	precon Precon
	first  *Statement
	cards  *Statement
}

// mention keeps the printed order of cards that have a statement for another
// edition first.
func (b *builder) mention(s *Statement) {
	if s.subject == aCard || s.subject == aAction {
		b.card(s)
	}
}

func (b *builder) card(s *Statement) *cardEntry {
	d := b.cards[s.id]
	if d == nil {
		d = &cardEntry{kind: Kind{ID: s.id, Names: map[string]string{}}, first: s, set: make([]*Statement, 0, len(cardFields))}
		if s.subject == aAction {
			d.kind.Action = &Action{}
		} else {
			d.kind.Freeze.Unknown = true
		}
		b.cards[s.id] = d
		b.order = append(b.order, s.id)
	}
	return d
}

func (b *builder) add(s *Statement) error {
	switch s.subject {
	case aCard, aAction:
		return b.card(s).add(s)
	case aBoss:
		b.addBoss(s)
	case aBoard:
		b.addBoard(s)
	case aPrecon:
		p := b.precons[s.id]
		if p == nil {
			p = &poolEntry{precon: Precon{ID: s.id, Names: map[string]string{}}, first: s}
			b.precons[s.id] = p
			b.pools = append(b.pools, s.id)
		}
		if s.field == "" {
			p.precon.Cards, p.cards = s.cards, s
		} else {
			p.precon.Names[s.field] = s.names
		}
	}
	return nil
}

func (b *builder) addBoard(s *Statement) {
	switch s.field {
	case "spaces":
		if s.n > 0 {
			b.board.Spaces, b.spaces = s.n, s
		}
	case "red-zone":
		if s.n > 0 {
			b.board.RedZone, b.redZone = s.n, s
		}
	case "rounds":
		for i, p := range s.rounds {
			if p.Red >= 0 {
				b.board.Rounds[i].Red, b.points[i][0] = p.Red, s
			}
			if p.Black >= 0 {
				b.board.Rounds[i].Black, b.points[i][1] = p.Black, s
			}
		}
	}
}

// data checks what was gathered and hands it over.
func (b *builder) data(uprising bool) (Data, error) {
	var data Data
	real := b.realPairs()
	for _, id := range b.order {
		d := b.cards[id]
		if err := d.check(b); err != nil {
			return Data{}, err
		}
		if d.kind.Action != nil && !uprising {
			continue
		}
		if d.kind.Action == nil && d.standsFor(real) {
			delete(b.cards, id)
			continue
		}
		made := d.standIns()
		d.kind.StandIn = len(made) > 0
		data.made = append(data.made, made...)
		data.Kinds = append(data.Kinds, d.kind)
	}
	for _, id := range b.pools {
		if err := b.checkPool(b.precons[id]); err != nil {
			return Data{}, err
		}
		data.Precons = append(data.Precons, b.precons[id].precon)
	}
	for _, e := range b.bosses {
		if err := e.check(b); err != nil {
			return Data{}, err
		}
		if !uprising {
			continue
		}
		data.Bosses = append(data.Bosses, e.boss)
		if e.boss.StandIn {
			data.made = append(data.made, wholeCard(e.boss.ID))
		}
	}
	data.Board = b.board
	if b.spaces != nil && b.board.RedZone+2 > b.board.Spaces {
		s := b.spaces
		if b.redZone != nil {
			s = b.redZone
		}
		return Data{}, s.fail(s.columns.value, "a Red Zone of %d does not fit on a track of %d spaces", b.board.RedZone, b.board.Spaces)
	}
	for _, field := range boardFields {
		if b.boardStandsIn(field) {
			data.Board.StandIn = true
			data.made = append(data.made, Gap{Field: field, StandIn: true})
		}
	}
	return data, nil
}

func (b *builder) boardStandsIn(field string) bool {
	from := []*Statement{b.spaces}
	switch field {
	case "red-zone":
		from = []*Statement{b.redZone}
	case "rounds":
		from = nil
		for _, p := range b.points {
			from = append(from, p[0], p[1])
		}
	}
	return slices.ContainsFunc(from, func(s *Statement) bool { return s != nil && s.StandIn })
}

func (b *builder) checkPool(p *poolEntry) error {
	if p.cards == nil {
		return p.first.fail(p.first.columns.id, "gene pool %q has no cards", p.precon.ID)
	}
	for i, id := range p.precon.Cards {
		d := b.cards[id]
		column := p.cards.columns.cards[i]
		switch {
		case d == nil:
			if near := engine.Nearest(id, b.order); near != "" {
				return p.cards.fail(column, "there is no card %q; did you mean %q?", id, near)
			}
			return p.cards.fail(column, "there is no card %q", id)
		case !d.kind.advanced():
			return p.cards.fail(column, "%q is no advanced card; a gene pool has only those", id)
		}
	}
	return nil
}

// realPairs are the genes of all advanced cards that are drafted and not made
// up.
func (b *builder) realPairs() map[[2]Gene]bool {
	pairs := map[[2]Gene]bool{}
	for _, id := range b.order {
		d := b.cards[id]
		if k := d.last("kind"); k != nil && !k.StandIn && d.kind.Draft && len(d.kind.Genes) == 2 {
			pairs[[2]Gene(d.kind.Genes)] = true
		}
	}
	return pairs
}
