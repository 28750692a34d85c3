package main

import (
	"strings"

	"tableside/engine"
	"tableside/engine/mindbug"
)

// A mindbugBox is an edition of Mindbug.
type mindbugBox struct{ edition string }

func mindbugBoxes() []cardBox {
	var boxes []cardBox
	for _, edition := range mindbug.Editions() {
		boxes = append(boxes, mindbugBox{edition})
	}
	return boxes
}

func (b mindbugBox) Game() string { return "mindbug/" + b.edition }

func (b mindbugBox) Define(file, source string) ([]string, error) {
	return mindbug.Definitions(file, source)
}

func (b mindbugBox) Cards(lang engine.Lang, _ bool, own []string) ([]cardSheet, []string, error) {
	statements, err := mindbug.ParseData("owner", strings.Join(own, "\n"))
	if err != nil {
		return nil, nil, err
	}
	all, err := mindbug.Build(mindbug.Printed(), statements)
	if err != nil {
		return nil, nil, err
	}
	data := mindbug.CardsOf(b.edition, all)
	words := engine.Merge(engine.CoreWords(), data.Words())
	say := func(t engine.Text) string { return words.Say(lang, t, nil) }
	var sheets []cardSheet
	for i := range data.Kinds {
		k := &data.Kinds[i]
		sheet := cardSheet{ID: k.ID, Name: say(engine.T("card." + k.ID)), Copies: k.Copies}
		for _, line := range k.Lines() {
			sheet.Lines = append(sheet.Lines, say(line))
		}
		sheets = append(sheets, sheet)
	}
	var gaps []string
	for _, gap := range data.Missing() {
		gaps = append(gaps, say(gap.Text()))
	}
	return sheets, gaps, nil
}
