package main

import (
	"fmt"
	"strings"

	"tableside/engine"
	"tableside/engine/mutants"
)

// cardBoxes lists the games with card data, the newest edition of each last.
func cardBoxes() []cardBox {
	return append(mindbugBoxes(), mutantBox{"first-edition"}, mutantBox{"second-edition"})
}

// A mutantBox is an edition of Mutants.
type mutantBox struct{ edition string }

func (b mutantBox) Game() string { return "mutants/" + b.edition }

func (b mutantBox) Define(file, source string) ([]string, error) {
	return mutants.Definitions(file, source)
}

func (b mutantBox) Cards(lang engine.Lang, standIn bool, own []string) ([]cardSheet, []string, error) {
	sources := [][]mutants.Statement{mutants.Printed()}
	if standIn {
		sources = append(sources, mutants.StandIns())
	}
	statements, err := mutants.ParseData("owner", strings.Join(own, "\n"))
	if err != nil {
		return nil, nil, err
	}
	data, err := mutants.Build(b.edition, append(sources, statements)...)
	if err != nil {
		return nil, nil, err
	}
	words := engine.Merge(engine.CoreWords(), data.Words())
	say := func(t engine.Text) string { return words.Say(lang, t, nil) }
	var sheets []cardSheet
	for i := range data.Kinds {
		k := &data.Kinds[i]
		sheets = append(sheets, cardSheet{
			ID: k.ID, Name: say(engine.T("card." + k.ID)), Lines: b.lines(k, say), StandIn: k.StandIn, Copies: k.Copies(),
		})
	}
	var gaps []string
	for _, gap := range data.Missing() {
		gaps = append(gaps, say(gap.Text()))
	}
	return sheets, gaps, nil
}

// lines tell what a card is and does; a field that it does not have has none.
func (b mutantBox) lines(k *mutants.Kind, say func(engine.Text) string) []string {
	var genes []string
	for _, g := range k.Genes {
		genes = append(genes, say(engine.T(string(g.Word()))))
	}
	first := strings.Join(genes, ", ")
	if k.Inferred {
		first += " (?)"
	}
	field := func(name, value string) string {
		return fmt.Sprintf("%s: %s", say(engine.T("field."+name)), value)
	}
	lines := []string{first, field("freeze", say(k.Freeze.Text()))}
	for _, a := range []struct {
		field   string
		ability mutants.Ability
	}{{"deploy", k.Deploy}, {"leave", k.Leave}, {"block", k.Block}} {
		if a.ability.Unknown || len(a.ability.Steps) > 0 {
			lines = append(lines, field(a.field, say(a.ability.Text())))
		}
	}
	if k.Ongoing.Unknown || len(k.Ongoing.Steps) > 0 {
		lines = append(lines, field("ongoing", say(k.OngoingText())))
	}
	return lines
}
