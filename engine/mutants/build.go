package mutants

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"tableside/engine"
)

//go:embed cards.txt
var printedFile string

//go:embed standin.txt
var standInFile string

// Printed is what is known of the real box. It is parsed once and not to be
// changed.
func Printed() []Statement { return printed() }

// StandIns is what this project made up for everything that is not known of
// the real box. It is parsed once and not to be changed.
func StandIns() []Statement { return standIns() }

var printed = sync.OnceValue(func() []Statement { return mustParse("mutants/cards.txt", printedFile) })

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
// edition, and returns its statements as lines for engine.Definer.
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
			if s.edition == "" || s.edition == edition {
				b.add(s)
			} else {
				b.mention(s)
			}
		}
	}
	return b.data()
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
}

// A cardEntry is a card being gathered.
type cardEntry struct {
	kind  Kind
	first *Statement
	set   map[string]*Statement // by field
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
	if s.subject == aCard {
		b.card(s)
	}
}

func (b *builder) card(s *Statement) *cardEntry {
	d := b.cards[s.id]
	if d == nil {
		d = &cardEntry{kind: Kind{ID: s.id, Names: map[string]string{}, Freeze: Value{Unknown: true}}, first: s, set: map[string]*Statement{}}
		b.cards[s.id] = d
		b.order = append(b.order, s.id)
	}
	return d
}

func (b *builder) add(s *Statement) {
	switch s.subject {
	case aCard:
		b.card(s).add(s)
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
}

func (d *cardEntry) add(s *Statement) {
	k := &d.kind
	if before := d.set[s.field]; before != nil && s.unknown() {
		return
	}
	d.set[s.field] = s
	switch s.field {
	case "kind":
		k.Basic = s.basic
	case "en", "fr":
		k.Names[s.field] = s.names
	case "genes":
		k.Genes, k.Inferred = s.genes, s.flag
	case "freeze":
		k.Freeze = s.value
	case "draft":
		k.Draft = true
	case "deploy":
		k.Deploy = s.ability
	case "leave":
		k.Leave = s.ability
	case "block":
		k.Block = s.ability
	case "ongoing":
		k.Ongoing, k.Trigger = s.ability, s.trigger
	}
}

// unknown reports whether the statement only says that something was not
// found.
func (s *Statement) unknown() bool {
	switch s.field {
	case "freeze":
		return s.value.Unknown
	case "deploy", "leave", "block", "ongoing":
		return s.ability.Unknown
	}
	return false
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
func (b *builder) data() (Data, error) {
	var data Data
	real := b.realPairs()
	for _, id := range b.order {
		d := b.cards[id]
		if err := d.check(); err != nil {
			return Data{}, err
		}
		if d.standsFor(real) {
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

func (d *cardEntry) check() error {
	s := d.first
	missing := func(what, as string) error {
		return s.fail(s.columns.id, "card %q has no %s: %q is missing", d.kind.ID, what, fmt.Sprintf("card %s %s", d.kind.ID, as))
	}
	genes := d.set["genes"]
	switch {
	case d.set["kind"] == nil:
		return missing("kind", "kind advanced")
	case genes == nil:
		return missing("genes", "genes necro saber")
	case len(d.kind.Names) == 0:
		return missing("name", "en \"…\"")
	case d.kind.Basic && len(d.kind.Genes) != 1:
		return genes.fail(genes.columns.value, "a basic card has one gene, not %d", len(d.kind.Genes))
	case !d.kind.Basic && len(d.kind.Genes) != 2:
		return genes.fail(genes.columns.value, "an advanced card has two genes, not %d", len(d.kind.Genes))
	case d.kind.Basic && d.kind.Draft:
		return d.set["draft"].fail(d.set["draft"].columns.field, "a basic card is not drafted")
	}
	return nil
}

// standIns lists the fields that were made up, of a card that was made up as
// a whole only its kind.
func (d *cardEntry) standIns() []Gap {
	var gaps []Gap
	for _, field := range cardFields {
		if s := d.set[field]; s != nil && s.StandIn {
			gaps = append(gaps, Gap{Card: d.kind.ID, Field: field, StandIn: true})
			if field == "kind" {
				break
			}
		}
	}
	return gaps
}

func (b *builder) checkPool(p *poolEntry) error {
	if p.cards == nil {
		return p.first.fail(p.first.columns.id, "gene pool %q has no cards", p.precon.ID)
	}
	for i, id := range p.precon.Cards {
		d := b.cards[id]
		column := p.cards.columns.cards[i]
		switch near := nearest(id, b.order); {
		case d == nil && near != "":
			return p.cards.fail(column, "there is no card %q; did you mean %q?", id, near)
		case d == nil:
			return p.cards.fail(column, "there is no card %q", id)
		case d.kind.Basic:
			return p.cards.fail(column, "card %q is basic; a gene pool has advanced cards", id)
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
		if k := d.set["kind"]; k != nil && !k.StandIn && d.kind.Draft && len(d.kind.Genes) == 2 {
			pairs[[2]Gene(d.kind.Genes)] = true
		}
	}
	return pairs
}

// standsFor reports whether the whole card was made up for one that the owner
// has entered: the box has one drafted card for each ordered pair of genes.
func (d *cardEntry) standsFor(real map[[2]Gene]bool) bool {
	return d.set["kind"].StandIn && len(d.kind.Genes) == 2 && real[[2]Gene(d.kind.Genes)]
}

// A Gap is something that the data lacks, or that a stand-in fills.
type Gap struct {
	Card    string // "" for the board
	Field   string // of the card file
	StandIn bool   // it is filled with what was made up
}

// Text says the gap to people.
func (g Gap) Text() engine.Text {
	key := "gap.unknown"
	switch {
	case g.StandIn:
		key = "gap.stand-in"
	case g.Field == string(engine.French) || g.Field == string(engine.English):
		key = "gap.no-name"
	}
	what := engine.Word("field.board")
	if g.Card != "" {
		what = engine.CardWord(g.Card)
	}
	return engine.T(key, "what", what, "field", engine.Word("field."+g.Field))
}

// Missing lists what is unknown, then what stand-ins fill, each in printed
// order with the board last.
func (d Data) Missing() []Gap {
	var gaps []Gap
	for _, k := range d.Kinds {
		for _, lang := range languageNames {
			if k.Names[lang] == "" {
				gaps = append(gaps, Gap{Card: k.ID, Field: lang})
			}
		}
		for _, f := range k.unknownFields() {
			gaps = append(gaps, Gap{Card: k.ID, Field: f})
		}
	}
	if d.Board.Spaces == 0 {
		gaps = append(gaps, Gap{Field: "spaces"})
	}
	if d.Board.RedZone == 0 {
		gaps = append(gaps, Gap{Field: "red-zone"})
	}
	if slices.ContainsFunc(d.Board.Rounds, func(p Points) bool { return p.Red < 0 || p.Black < 0 }) {
		gaps = append(gaps, Gap{Field: "rounds"})
	}
	return append(gaps, d.made...)
}

func (k *Kind) unknownFields() []string {
	var fields []string
	for _, f := range []struct {
		name    string
		unknown bool
	}{
		{"freeze", k.Freeze.Unknown}, {"deploy", k.Deploy.Unknown}, {"leave", k.Leave.Unknown},
		{"block", k.Block.Unknown}, {"ongoing", k.Ongoing.Unknown},
	} {
		if f.unknown {
			fields = append(fields, f.name)
		}
	}
	return fields
}
