package mutants

// The statements of a boss and of its action cards:
//
//	boss vat-mother health 30
//	action acid-bath boss vat-mother 2
//	action acid-bath weakness 3 when knocked down

const exampleBoss = "jack-ice"

func (r *reader) boss() (err error) {
	s := r.s
	s.columns.id = r.Column()
	if s.id, err = r.Identifier("a boss", exampleBoss); err != nil {
		return err
	}
	if err := r.bossField("a field of a boss", bossFields); err != nil {
		return err
	}
	switch s.field {
	case "en", "fr":
		s.names, err = r.Title("Jack Ice")
	case "health":
		s.n, err = r.NumberOr(0, "a health", 1, mostHealth)
	default:
		err = r.bossAbility()
	}
	return err
}

// bossField takes a field without an edition: bosses are in one box only.
func (r *reader) bossField(what string, fields []string) error {
	if err := r.fieldName(what, fields); err != nil {
		return err
	}
	if r.s.edition != "" {
		return r.FailAt(r.s.columns.field+len(r.s.field), "bosses are in one edition only; write %q without \"@%s\"", r.s.field, r.s.edition)
	}
	return nil
}

func (r *reader) action() (err error) {
	s := r.s
	s.columns.id = r.Column()
	if s.id, err = r.Identifier("an action card", "heat-death"); err != nil {
		return err
	}
	if err := r.bossField("a field of an action card", actionFields); err != nil {
		return err
	}
	a := &s.action
	switch s.field {
	case "boss":
		if a.Boss, err = r.Identifier("a boss", exampleBoss); err != nil {
			return err
		}
		a.Copies = 1
		if !r.Done() {
			a.Copies, err = r.Number("a number of copies", 0, maxCopies)
		}
	case "en", "fr":
		s.names, err = r.Title("Heat Death")
	case "arrow":
		var arrow string
		arrow, err = r.Among("where the arrow points", []string{"left", "right", "?"})
		a.Arrow = arrows[arrow]
	case "weakness":
		a.Weakness, err = r.weakness()
	default:
		err = r.bossAbility()
	}
	return err
}

// maxCopies of one card in the deck of a boss: the box numbers them.
const maxCopies = 9

var arrows = map[string]Zone{"left": InLeft, "right": InRight}

func (r *reader) bossAbility() error {
	words, err := r.Rest()
	if err != nil {
		return err
	}
	p := &parser{Parser: words, boss: true}
	if r.s.field == "power" {
		r.s.trigger, r.s.ability, err = p.ongoing()
	} else {
		r.s.ability, err = p.ability()
	}
	return err
}

// weakness reads "3 when knocked down". The number and what exploits it may be
// unknown, together or each.
func (r *reader) weakness() (Weakness, error) {
	words, err := r.Rest()
	if err != nil {
		return Weakness{}, err
	}
	if left := words.Left(); left == "none" {
		return Weakness{}, nil
	} else if left == "?" {
		return unknownWeakness, nil
	}
	w := Weakness{N: -1}
	switch {
	case words.Take("?"):
	case !startsNumber(words.Peek()) && !words.Done():
		return Weakness{}, words.Fail("%q is not the health that the boss loses: a number from 1 to %d, or ?", words.Peek(), mostWeakness)
	default:
		if w.N, err = words.Number(mostWeakness); err != nil {
			return Weakness{}, err
		}
	}
	if err := words.Need("when", "after the health that the boss loses"); err != nil {
		return Weakness{}, err
	}
	if w.When, err = whenPhrases.Read(words, "what exploits a weakness"); err == nil && !words.Done() {
		err = words.Fail("%q is one word too many", words.Peek())
	}
	return w, err
}

var unknownWeakness = Weakness{N: -1, When: When{Unknown: true}}
