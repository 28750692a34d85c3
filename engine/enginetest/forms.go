package enginetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// Prompts lets random players play a match to its end, and counts the prompts. For the key of
// each prompt, the result holds the number of inputs made while this prompt was the first one.
//
// If forms is true, the players fill in a form where a prompt has a form. They do not answer
// such a prompt with taps and words. An input that fills in a form counts under "form". An
// error means that the match does not begin or end, or that a prompt cannot be answered.
func Prompts(game engine.Game, setup engine.Setup, chance *rand.Rand, forms bool) (map[string]int, error) {
	t, err := sit(game, setup, chance)
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	for !t.isOver() {
		if t.match.Seq() >= maxInputs {
			return count, fmt.Errorf("the match is not over after %d inputs", maxInputs)
		}
		i := slices.IndexFunc(t.view().Prompts, func(p engine.Prompt) bool { return p.Form != nil })
		if forms && i >= 0 {
			form, before := t.view().Prompts[i].Form, len(t.view().Prompts[i].Form.Fields)
			in, err := engine.ParseInput(FillForm(form, t.chance))
			if err == nil {
				err = t.send(in)
			}
			if err != nil {
				return count, fmt.Errorf("%s: %w", mustJSON(form), err)
			}
			count["form"]++
			if again := t.view().Prompts; i < len(again) && again[i].Form != nil && again[i].Form.Card == form.Card &&
				len(again[i].Form.Fields) >= before {
				return count, fmt.Errorf("the form for %s is asked again after all of it was entered", form.Card)
			}
			continue
		}
		if len(t.view().Prompts) > 0 {
			count[t.view().Prompts[0].Key]++
		}
		if err := t.play(); err != nil {
			return count, err
		}
	}
	return count, nil
}

// FillForm returns an input line that fills a form with random values. The field "text" is
// left out. Fields that cards of the chosen kind do not have are left out, too.
func FillForm(f *engine.CardForm, chance *rand.Rand) string {
	kind := ""
	var values []string
	for _, field := range f.Fields {
		if field.Only != nil && !slices.Contains(field.Only, kind) || field.Field == "text" {
			continue
		}
		value := "none"
		switch {
		case field.Quote:
			value = strconv.Quote("The " + f.Card)
		case len(field.Words) > 0:
			words := []string{field.Words[chance.IntN(len(field.Words))].Word}
			for range field.Most - 1 {
				word := field.Words[chance.IntN(len(field.Words))].Word
				if words[0] != "none" && word != "none" && (field.Again || !slices.Contains(words, word)) {
					words = append(words, word)
				}
			}
			value = strings.Join(words, " ")
		}
		if field.Field == "kind" {
			if value == "dna" {
				value = "event" // the box has all its DNA strands already
			}
			kind = value
		}
		values = append(values, field.Field+" "+value)
	}
	return f.Input + " " + strconv.Quote(strings.Join(values, " | "))
}
