package mutants

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cards.txt
var printedFile string

//go:embed bosses.txt
var bossesFile string

//go:embed standin.txt
var standInFile string

// printed and standIns return the statements of the embedded files, which are read only once.
// Callers must not change the results.
var (
	printed = sync.OnceValue(func() []Statement {
		return slices.Concat(
			cardfile.MustParse("mutants/cards.txt", printedFile, fileReader()),
			cardfile.MustParse("mutants/bosses.txt", bossesFile, fileReader()))
	})
	standIns = sync.OnceValue(func() []Statement {
		statements := cardfile.MustParse("mutants/standin.txt", standInFile, fileReader())
		for i := range statements {
			statements[i].StandIn = true
		}
		return statements
	})
)

// build builds the data of an edition from the printed statements and the definitions of a
// match. If standIn is true, build adds made-up statements (stand-ins) for what is unknown.
func build(edition string, standIn bool, definitions []string) (Data, error) {
	sources := [][]Statement{printed()}
	if standIn {
		sources = append(sources, standIns())
	}
	own, err := cardfile.Parse("definition", strings.Join(definitions, "\n"), readStatement)
	if err != nil {
		return Data{}, err
	}
	return Build(edition, append(sources, own)...)
}

// Owners returns the cardfile.Owners that reads the owner's files of this game.
func (g *game) Owners() *cardfile.Owners { return owners }

//go:embed faults.txt
var faultsFile string

var owners = &cardfile.Owners{
	Reader: fileReader,
	Build:  checkOwn,
	French: faultsFile,
	Known:  printed,
	MadeUp: standIns,
	Forms: []cardfile.Form{cardFields.Form(aCard), boardFields.Form(aBoard), bossFields.Form(aBoss),
		actionFields.Form(aAction)},
}

// checkOwn checks an owner's statements by building every edition with them. Each edition is
// built with made-up values (stand-ins) and without them. The first error is returned.
func checkOwn(own []Statement) error {
	for _, edition := range editionNames {
		if _, err := Build(edition, printed(), own); err != nil {
			return err
		}
		if _, err := Build(edition, printed(), standIns(), own); err != nil {
			return err
		}
	}
	return nil
}

// uprisingEdition is the name of the edition that adds bosses to the cards of the newer
// edition.
const uprisingEdition = "uprising"

// Build combines statements into the data of an edition. A later statement replaces an earlier
// one, but a "?" removes nothing. Callers must not change the result, because any number of
// matches may share it.
func Build(edition string, sources ...[]Statement) (Data, error) {
	uprising := edition == uprisingEdition
	if uprising {
		edition = "second-edition" // the edition whose box has the bosses
	}
	if err := checkEdition(edition, 0); err != nil {
		return Data{}, err
	}
	b := builder{board: newBoard(), real: newBoard()}
	for _, source := range sources {
		for i := range source {
			if err := b.add(&source[i], edition); err != nil {
				return Data{}, err
			}
		}
	}
	return b.checkedData(uprising)
}

// A builder gathers statements.
type builder struct {
	cards   cardfile.Book[Kind]
	precons cardfile.Book[Precon]
	bosses  cardfile.Book[Boss]
	board   *cardfile.Entry[Board]
	real    *cardfile.Entry[Board] // without made-up values
}

func newBoard() *cardfile.Entry[Board] {
	return cardfile.NewEntry(boardFields, "board", Board{Rounds: slices.Repeat([]Points{{-1, -1}}, roundCount)})
}

// add adds a statement. A statement for another edition only gives its card a place in the
// printed order.
func (b *builder) add(s *Statement, edition string) error {
	switch here := s.Edition == "" || s.Edition == edition; {
	case s.Subject == aCard || s.Subject == aAction:
		e := b.card(s)
		if here {
			return takeCard(e, s)
		}
	case !here:
	case s.Subject == aBoss:
		e := b.bosses.Find(s.ID)
		if e == nil {
			boss := Boss{ID: s.ID, StandIn: s.StandIn}
			e = b.bosses.Begin(s, cardfile.NewEntry(bossFields, "boss", boss))
		}
		e.Add(s)
	case s.Subject == aPrecon:
		e := b.precons.Find(s.ID)
		if e == nil {
			precon := Precon{ID: s.ID}
			e = b.precons.Begin(s, cardfile.NewEntry(preconFields, "gene pool", precon))
		}
		e.Add(s)
	default:
		b.board.Add(s)
		if !s.StandIn {
			b.real.Add(s)
		}
	}
	return nil
}

func (b *builder) card(s *Statement) *cardfile.Entry[Kind] {
	if e := b.cards.Find(s.ID); e != nil {
		return e
	}
	k := Kind{ID: s.ID, Freeze: Value{Unknown: true}}
	noun := "card"
	if s.Subject == aAction {
		k.Action, k.Freeze, noun = &Action{}, Value{}, "action card"
	}
	return b.cards.Begin(s, cardfile.NewEntry(k.fields(), noun, k))
}

// takeCard adds a statement to a card. If the id of the card belongs to another subject,
// takeCard returns an error. It also returns an error if the statement changes the kind or the
// boss that the card has already.
func takeCard(e *cardfile.Entry[Kind], s *Statement) error {
	if e.First.Subject != s.Subject {
		return s.FailAt(s.IDAt, "%q is the id of %s already; %s needs another one",
			s.ID, idSubjects[e.First.Subject].noun, idSubjects[s.Subject].noun)
	}
	again, basic, boss := e.Last(s.Field) != nil, e.Value.Basic, ""
	if e.Value.Action != nil {
		boss = e.Value.Action.Boss
	}
	e.Add(s)
	switch {
	case s.Field == "kind" && again && e.Value.Basic != basic:
		return s.FailAt(s.ValueAt, "card %q is of the other kind already; another card needs another id", s.ID)
	case s.Field == "boss" && again && e.Value.Action.Boss != boss:
		return s.FailAt(s.ValueAt, "action card %q is one of %s already; another card needs another id", s.ID, boss)
	}
	return nil
}

// checkedData returns the gathered data after checking them. If uprising is false, the result
// contains neither bosses nor their action cards.
func (b *builder) checkedData(uprising bool) (Data, error) {
	var data Data
	for _, e := range b.cards.All() {
		if err := b.checkCard(e); err != nil {
			return Data{}, err
		}
	}
	real := b.realPairs()
	b.cards.Drop(func(e *cardfile.Entry[Kind]) bool { return e.Value.isUnnamed() && real[[2]Gene(e.Value.Genes)] })
	for _, e := range b.cards.All() {
		if e.Value.Action != nil && !uprising {
			continue
		}
		fields := e.StandIns()
		if slices.Contains(fields, "kind") || slices.Contains(fields, "boss") {
			fields = []string{"kind"} // the whole card is made up
		}
		for _, field := range fields {
			e.Value.StandIn = true
			data.filledGaps = append(data.filledGaps, Gap{Card: e.Value.ID, Field: field, StandIn: true})
		}
		data.Kinds = append(data.Kinds, e.Value)
	}
	for _, e := range b.precons.All() {
		if err := b.checkPool(e); err != nil {
			return Data{}, err
		}
		data.Precons = append(data.Precons, e.Value)
	}
	for _, e := range b.bosses.All() {
		if err := b.checkBoss(e); err != nil {
			return Data{}, err
		}
		if !uprising {
			continue
		}
		data.Bosses = append(data.Bosses, e.Value)
		if e.Value.StandIn {
			data.filledGaps = append(data.filledGaps, Gap{Card: e.Value.ID, Field: "kind", StandIn: true})
		}
	}
	data.Board = b.board.Value
	if err := b.checkBoard(); err != nil {
		return Data{}, err
	}
	known := boardFields.Gaps(&data.Board)
	for _, field := range boardFields.Gaps(&b.real.Value) {
		if !slices.Contains(known, field) {
			data.Board.StandIn = true
			data.filledGaps = append(data.filledGaps, Gap{Field: field, StandIn: true})
		}
	}
	return data, nil
}

// checkCard returns an error if a card lacks a field, or if its fields contradict each other.
func (b *builder) checkCard(e *cardfile.Entry[Kind]) error {
	k := &e.Value
	if k.Action != nil {
		if of := e.Last("boss"); of != nil && b.bosses.Find(k.Action.Boss) == nil {
			return b.noBoss(of, of.ValueAt, k.Action.Boss)
		}
	}
	if err := b.cards.Check(e); err != nil || k.Action != nil {
		return err
	}
	genes := e.Last("genes")
	switch {
	case k.Basic && len(k.Genes) != 1:
		return genes.FailAt(genes.ValueAt, "a basic card has one gene, not %d", len(k.Genes))
	case !k.Basic && len(k.Genes) != 2:
		return genes.FailAt(genes.ValueAt, "an advanced card has two genes, not %d", len(k.Genes))
	case k.Basic && k.Draft:
		draft := e.Last("draft")
		return draft.FailAt(draft.FieldAt, "a basic card is not drafted")
	}
	return nil
}

func (b *builder) checkPool(e *cardfile.Entry[Precon]) error {
	cards := e.Last("")
	if cards == nil {
		return e.First.FailAt(e.First.IDAt, "gene pool %q has no cards", e.Value.ID)
	}
	for i, id := range e.Value.Cards {
		column := e.Value.columns[i]
		card := b.cards.Find(id)
		if card != nil && card.Value.advanced() {
			continue
		}
		if card != nil {
			return cards.FailAt(column, "%q is no advanced card; a gene pool has only those", id)
		}
		if near := b.cards.Near(id); near != "" {
			return cards.FailAt(column, "there is no card %q; did you mean %q?", id, near)
		}
		return cards.FailAt(column, "there is no card %q", id)
	}
	return nil
}

// checkBoss returns an error if a boss has no cards or lacks a field, or if a card has the
// boss's id.
func (b *builder) checkBoss(e *cardfile.Entry[Boss]) error {
	s, id := e.First, e.Value.ID
	cards := slices.ContainsFunc(b.cards.All(), func(card *cardfile.Entry[Kind]) bool {
		return card.Value.Action != nil && card.Value.Action.Boss == id
	})
	switch other := b.cards.Find(id); {
	case other != nil:
		return s.FailAt(s.IDAt, "%q is the id of %s already; a boss needs another one", id,
			idSubjects[other.First.Subject].noun)
	case !cards && (e.Value.Names == (engine.Wording{}) || b.bosses.Near(id) != ""):
		return b.noBoss(s, s.IDAt, id)
	case !cards:
		return s.FailAt(s.IDAt, "boss %q has no cards; a line is missing: action my-card boss %s", id, id)
	}
	return b.bosses.Check(e)
}

func (b *builder) noBoss(s *cardfile.Statement, column int, id string) error {
	if near := b.bosses.Near(id); near != "" {
		return s.FailAt(column, "there is no boss %q; did you mean %q?", id, near)
	}
	return s.FailAt(column, "there is no boss %q; a line is missing: boss %s en \"…\"", id, id)
}

func (b *builder) checkBoard() error {
	board, s := b.board.Value, b.board.Last("spaces")
	if red := b.board.Last("red-zone"); red != nil && board.RedZone > 0 {
		s = red
	}
	if board.Spaces > 0 && board.RedZone+2 > board.Spaces {
		return s.FailAt(s.ValueAt, "a Red Zone of %d does not fit on a track of %d spaces", board.RedZone, board.Spaces)
	}
	return nil
}

func (b *builder) realPairs() map[[2]Gene]bool {
	pairs := map[[2]Gene]bool{}
	for _, e := range b.cards.All() {
		if e.Value.Draft && len(e.Value.Genes) == 2 && !e.Value.isUnnamed() {
			pairs[[2]Gene(e.Value.Genes)] = true
		}
	}
	return pairs
}

func (k *Kind) isUnnamed() bool {
	return len(k.Genes) == 2 && k.ID == k.Genes[0].String()+"-"+k.Genes[1].String()
}
