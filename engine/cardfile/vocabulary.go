package cardfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tableside/engine"
)

// A French holds French phrases for the English phrases of a card language. It lets errors in
// French list the expected words in French.
type French struct {
	english    map[string]string   // by the French phrases
	shortest   map[string]string   // the shortest French phrase for each English one
	firstWords map[string][]string // the first words of French phrases, from z to a, by the first English word
}

// NewFrench returns the vocabulary of a map from French phrases to English ones.
func NewFrench(english map[string]string) *French {
	f := &French{english: english, shortest: map[string]string{}, firstWords: map[string][]string{}}
	phrases := slices.Sorted(maps.Keys(english))
	slices.Reverse(phrases) // an imperative (-z) comes before an infinitive (-r)
	for _, phrase := range phrases {
		means := english[phrase]
		if known, has := f.shortest[means]; !has || len(phrase) < len(known) {
			f.shortest[means] = phrase
		}
		first, _, _ := strings.Cut(means, " ")
		begin, _, _ := strings.Cut(phrase, " ")
		if means != "" && !slices.Contains(f.firstWords[first], begin) {
			f.firstWords[first] = append(f.firstWords[first], begin)
		}
	}
	return f
}

// translatePhrase returns the French for an allowed word or phrase. If no French phrase has
// this meaning, the result is the French phrases for its parts, one after the other. If the
// word only begins English phrases, the result is the first word of a French phrase and "…".
// If there is no French at all, the result is the English.
func (f *French) translatePhrase(english string) string {
	if whole := f.compose(strings.Fields(english)); whole != nil {
		return strings.Join(whole, " ")
	}
	if begins := f.firstWords[english]; len(begins) > 0 {
		return begins[0] + " …"
	}
	return english
}

// compose translates words into French phrases, one after the other. Each phrase translates as
// many words as possible. A comma stays as it is. If some words have no French, compose
// returns nil.
func (f *French) compose(words []string) []string {
	if len(words) == 0 {
		return []string{}
	}
	for n := len(words); n > 0; n-- {
		phrase, has := f.shortest[strings.Join(words[:n], " ")]
		if words[0] == "," && n == 1 {
			phrase, has = ",", true
		}
		if !has {
			continue
		}
		if rest := f.compose(words[n:]); rest != nil {
			return append([]string{phrase}, rest...)
		}
	}
	return nil
}

// nearestWord returns the word that the author most likely meant in place of the next word.
// The result is one of the candidates, or the first word of the French for a candidate. If no
// word is similar, the result is "". If the next word is already such a French word, the
// result is also "", because the mistake comes later in the phrase.
func (w *words) nearestWord(candidates []string) string {
	english := engine.Nearest(w.Peek(), candidates)
	if !w.mayBeFrench() {
		return english
	}
	var begins []string
	for _, word := range candidates {
		first, _, _ := strings.Cut(word, " ")
		begins = append(begins, w.french.firstWords[first]...)
	}
	switch {
	case slices.Contains(begins, w.Peek()):
		return "" // a phrase that begins so has broken off
	case english != "" && !w.foundFrench:
		return english
	}
	return engine.Nearest(w.Peek(), append(begins, candidates...))
}

// mayBeFrench reports whether the next word can be French. If a sentence began in English, its
// later words cannot be French.
func (w *words) mayBeFrench() bool { return w.foundFrench || w.french != nil && w.pos == 0 }

func (w *words) oneOf(known ...string) fmt.Stringer {
	if w.mayBeFrench() {
		return allowedWords{known, w.french}
	}
	return engine.OneOf(known)
}

// allowedWords lists allowed words, and says them in French where it can.
type allowedWords struct {
	words  engine.OneOf
	french *French
}

func (w allowedWords) String() string { return w.words.String() }

// Join is like engine.OneOf.Join, but lists the words in French. It can do so because only
// errors in French call it.
func (w allowedWords) Join(lastSep string) string {
	var list engine.OneOf
	for _, word := range w.words {
		if french := w.french.translatePhrase(word); !slices.Contains(list, french) {
			list = append(list, french)
		}
	}
	return list.Join(lastSep)
}
