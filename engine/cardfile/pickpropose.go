package cardfile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A Clause is a part of what is printed on a card, with the sentences of a table that may mean it,
// the nearest first. A form adds one with Order.Words, and nothing by itself.
//
// Each sentence has every number, verb, condition and person of the clause, and no other. What else
// the first sentence does not say is marked as unread.
type Clause struct {
	Words []ClauseWord `json:"words"`
	Says  []string     `json:"says"`
}

// A ClauseWord is a printed word.
type ClauseWord struct {
	Text   string `json:"text"`
	Unread bool   `json:"unread,omitempty"`
}

const (
	maxProposals = 3   // for a clause
	maxPasted    = 120 // words
)

var unquote = strings.NewReplacer("’", "'", "“", "", "”", "", "«", "", "»", "", `"`, "")

// Propose reads words that are printed on a card, in any language, as what a slot of the table
// may hold.
func (t *Table) Propose(slot string, lang engine.Lang, printed string) (all []Clause) {
	fields := strings.Fields(unquote.Replace(printed))
	for len(fields) > 0 && len(fields) <= maxPasted {
		n := 1 + slices.IndexFunc(fields, func(word string) bool { return strings.ContainsAny(word[len(word)-1:], ".;!?") })
		if n == 0 {
			n = len(fields)
		}
		all = append(all, t.proposeFor(slot, lang, fields[:n])...)
		fields = fields[n:]
	}
	return all
}

// proposeFor proposes sentences for a printed one, or for each of its parts.
func (t *Table) proposeFor(slot string, lang engine.Lang, words []string) (all []Clause) {
	whole := t.clause(slot, lang, words)
	isRead := func(c Clause) bool { return len(c.Says) > 0 }
	unread := slices.ContainsFunc(whole.Words, func(w ClauseWord) bool { return w.Unread })
	if isRead(whole) && !unread {
		return []Clause{whole}
	}
	joints := []string{"then", "puis"}
	if !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(binding, plainWord(word)) }) {
		joints = append(joints, "and", "et")
	}
	from := 0
	for i, word := range append(slices.Clip(words), joints[0]) {
		if i == from || !slices.Contains(joints, plainWord(word)) {
			continue
		}
		part := t.clause(slot, lang, words[from:i])
		if from > 0 { // with the word that joins it
			part.Words = append([]ClauseWord{{Text: words[from-1]}}, part.Words...)
		}
		all, from = append(all, part), i+1
	}
	if len(all) > 1 && slices.ContainsFunc(all, isRead) {
		return all
	}
	return []Clause{whole}
}

// binding holds words that bind all that follows in a sentence, so that it is not divided.
var binding = strings.Fields("if when whenever each every may unless while si quand lorsque chaque pouvez sauf tant")

// strict holds further words that a sentence must have in common with a clause: they change whom
// it is about, or when it happens.
var strict = strings.Fields(`if when whenever each every all any may can cannot can't not no never unless until while
	instead choose or other another opponent player they their them everybody nobody both either neither than only but except
	enemy allied ally random more fewer
	les choisissez choix si quand lorsque chaque tou toute tout pouvez peut peuvent ne pa jamai aucun aucune sauf tant adversaire joueur leur
	se son sa autre ou que seulement ennemie alliée hasard plu moin`)

// soft holds words that a sentence may have in addition.
var soft = strings.Fields(`the a an of to from your you in with that this card
	it le la l' de des du d' d'une à un une votre vo dan en ce cette qui carte`)

func plainWord(word string) string { return strings.Trim(strings.ToLower(word), ",.:;!?()") }

// meaning returns the same for all forms of a verb, for a word and its plural, and for a number.
func (t *Table) meaning(word string) string {
	word = plainWord(word)
	if verb := t.verbOf[word]; verb != "" {
		return "verb " + verb
	}
	return cmp.Or(strings.TrimSuffix(word, "s"), word)
}

func isVerb(meaning string) bool { return strings.HasPrefix(meaning, "verb ") }

var numerals = []string{"one two three four five six seven eight nine", "un deux trois quatre cinq six sept huit neuf"}

// numberIn returns the number that a word is, or 0. A word such as "a" is an optional 1.
func numberIn(word string) (n int, optional bool) {
	word = strings.TrimLeft(plainWord(word), "+-")
	if slices.Contains(oneWords[0], word) || slices.Contains(oneWords[1], word) || word == "d'une" || word == "d'un" {
		return 1, word != "one"
	}
	for _, list := range numerals {
		if i := slices.Index(strings.Fields(list), word); i >= 0 {
			return i + 1, false
		}
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 {
		return 0, false
	}
	return n, false
}

// A proposal is a tree that may mean a clause.
type proposal struct {
	tree  Slot
	score int
	fits  bool     // it has as many numbers as the clause
	mine  []string // what else it says, without what is soft
	other []int    // the words of the clause that it does not say
}

// clause proposes sentences for some words.
func (t *Table) clause(slot string, lang engine.Lang, words []string) Clause {
	c := Clause{Says: []string{}}
	for _, word := range words {
		c.Words = append(c.Words, ClauseWord{Text: word})
	}
	if tree, err := t.sentence(slot, strings.Join(words, " ")); err == nil {
		c.Says = append(c.Says, t.Write(lang, tree))
		return c
	}
	var list []proposal
	for of := range engine.Languages {
		for _, tile := range t.tiles {
			for _, id := range tile.rows {
				if p, ok := t.guess(slot, of, id, words); ok {
					list = append(list, p)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b proposal) int {
		return cmp.Or(len(a.other)-len(b.other), b.score-a.score)
	})
	for _, p := range list {
		says := t.Write(lang, p.tree)
		if !slices.Contains(c.Says, says) && len(c.Says) < maxProposals {
			c.Says = append(c.Says, says)
		}
	}
	for i, word := range words {
		read := len(list) > 0 && !slices.Contains(list[0].other, i)
		c.Words[i].Unread = !read && (len(list) == 0 || !slices.Contains(soft, t.meaning(word)))
	}
	return c
}

// guess returns the sentence with an effect that has most words in common with a clause, if nothing
// that matters is in only one of them.
func (t *Table) guess(slot string, of int, row string, words []string) (best proposal, ok bool) {
	search := t.search[row]
	named := slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(search, func(s string) bool { return t.meaning(s) == t.meaning(word) })
	})
	if !named {
		return best, false
	}
	best.score = -1 << 20
	for _, tree := range t.holding(rootOf(slot), grammar{lang: of}, row) {
		if p := t.rate(of, tree, row, words); p.score > best.score {
			best = p
		}
	}
	for better := true; better; {
		better = false
		now := best.tree.clone()
		s := top(rootOf(slot), &now, grammar{lang: of})
		t.each(s, func(in spot) {
			if in.p.kind != pieceNamed || t.bears(in.p) {
				return
			}
			for _, r := range t.rowsIn(in.p, in.g) {
				changed, done := t.change(s.p, &now, Order{Do: "set", At: in.at, Row: r.id})
				if !done || r.joins {
					continue
				}
				if p := t.rate(of, *changed, row, words); p.score > best.score {
					best, better = p, true
				}
			}
		})
	}
	matters := func(i int) bool {
		m := t.meaning(words[i])
		return isVerb(m) || slices.Contains(strict, m)
	}
	ok = best.score > 0 && best.fits && len(best.mine) == 0 && !slices.ContainsFunc(best.other, matters)
	return best, ok && t.sound(slot, best.tree)
}

// rate puts the numbers of a clause into a tree, and counts the words that both have.
func (t *Table) rate(of int, tree Slot, row string, words []string) proposal {
	p := proposal{tree: tree.clone()}
	p.fits = t.enumerate(&p.tree, words)
	p.score = 3 * t.compare(of, &p, row, words)
	p.score -= 2*len(p.mine) + len(p.other)
	if !p.fits {
		p.score -= 4
	}
	return p
}

// enumerate puts the numbers of a clause into a tree in their order. It fails unless the tree has
// as many.
func (t *Table) enumerate(tree *Slot, words []string) bool {
	var slots []*Slot
	t.each(top(rootOf(tree.Name), tree, grammar{}), func(in spot) {
		if in.v.N > 0 {
			slots = append(slots, in.v)
		}
	})
	var numbers []int
	explicit := 0
	for _, word := range words {
		if n, optional := numberIn(word); n > 0 {
			if !optional {
				explicit++
			}
			numbers = append(numbers, n)
		}
	}
	if len(numbers) > len(slots) {
		numbers = slices.DeleteFunc(numbers, func(n int) bool { return n == 1 })
	}
	if len(numbers) > len(slots) || len(numbers) < len(slots) && explicit > 0 {
		return false
	}
	for i, v := range slots {
		if v.N = 1; i < len(numbers) {
			v.N = numbers[i]
		}
	}
	return true
}

// compare counts the words that a sentence and a clause have in common, and notes the others of
// each. Words by which people look for an effect count as its own.
func (t *Table) compare(of int, p *proposal, row string, words []string) (both int) {
	for _, word := range strings.Fields(t.Write(engine.Languages[of], p.tree)) {
		if n, _ := numberIn(word); n == 0 && plainWord(word) != "" {
			p.mine = append(p.mine, t.meaning(word))
		}
	}
	search := map[string]bool{}
	for _, word := range t.search[row] {
		search[t.meaning(word)] = true
	}
	synonyms := 0
	for at, word := range words {
		if n, _ := numberIn(word); n > 0 || plainWord(word) == "" {
			continue
		}
		m := t.meaning(word)
		if i := slices.Index(p.mine, m); i >= 0 {
			p.mine = slices.Delete(p.mine, i, i+1)
			both++
		} else if search[m] {
			both++
			synonyms++
		} else {
			p.other = append(p.other, at)
		}
		delete(search, m) // a verb that comes twice is another effect
	}
	p.mine = slices.DeleteFunc(p.mine, func(m string) bool {
		switch {
		case slices.Contains(strict, m):
			return false
		case slices.Contains(soft, m):
			return true
		}
		synonyms-- // one word stands for another
		return synonyms >= 0
	})
	return both
}
