package cardfile

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tableside/engine"
)

// A Control says how a form asks for the value of a field. The zero Control accepts any words.
type Control struct {
	Kind ControlKind `json:"kind,omitempty"`

	Low  int `json:"low,omitempty"`  // of a number
	High int `json:"high,omitempty"` // of a number; for Quoted and Prose, the most letters
	// Per holds the words that may follow a number and "per", as in "1 per necro".
	Per []string `json:"-"`

	Words    []string `json:"-"` // to choose from
	Others   []string `json:"-"` // more words that a file may have
	Examples Examples `json:"-"`
	Most     int      `json:"most,omitempty"` // of Several: how many at most
	Again    bool     `json:"again,omitempty"`
	None     bool     `json:"none,omitempty"`  // of Several: "none" is a value
	Count    int      `json:"count,omitempty"` // of OneWord: a number up to this one follows
	Keeps    bool     `json:"keeps,omitempty"` // of Sentence: text "…" is a value too

	// A Sentence that is picked is what a slot of a table may hold. Others have examples.
	Table *Table `json:"-"`
	Slot  string `json:"slot,omitempty"`

	// Aside marks a field that few cards need.
	Aside bool `json:"aside,omitempty"`
	// Only lists the kinds of card that have the field. If it is empty, all kinds have it.
	Only []string `json:"only,omitempty"`
}

// Examples holds examples for each language. Each example is a whole sentence.
type Examples map[engine.Lang][]string

// In returns all sentences, those in the given language first.
func (e Examples) In(lang engine.Lang) []string {
	all := slices.Clone(e[lang])
	for _, other := range engine.Languages {
		for _, sentence := range e[other] {
			if !slices.Contains(all, sentence) {
				all = append(all, sentence)
			}
		}
	}
	return all
}

// minShare is the share of common words above which two sentences are similar. It is a share
// of all words of the two sentences.
const minShare = 0.2

// mostSimilar returns the sentence that has the greatest share of words in common with a text.
// It searches the sentences of every language, because a similar sentence shows in which
// language the text is. If no sentence is similar (see minShare), the result is "".
func (e Examples) mostSimilar(text string) (best string) {
	written, most := longWords(text), minShare
	for _, lang := range engine.Languages {
		for _, sentence := range e[lang] {
			its, both := longWords(sentence), 0
			for word := range its {
				if written[word] {
					both++
				}
			}
			if share := float64(both) / float64(len(its)+len(written)-both); share > most {
				best, most = sentence, share
			}
		}
	}
	return best
}

func longWords(text string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(word) >= 3 {
			all[word] = true
		}
	}
	return all
}

// A ControlKind is a kind of value.
type ControlKind string

// The kinds of values. A Quoted value is written in quotes in the file.
const (
	Quoted   ControlKind = "quoted" // a title
	Prose    ControlKind = "prose"  // quoted, of several lines
	Number   ControlKind = "number"
	OneWord  ControlKind = "word"
	Several  ControlKind = "words" // some of Words, each once unless Again
	Sentence ControlKind = "sentence"
	Flag     ControlKind = "flag" // the field has no value
)

// A Row is a field of a form.
type Row struct {
	Field    string `json:"field"`
	Example  string `json:"example,omitempty"`
	Required bool   `json:"required,omitempty"`
	Gap      bool   `json:"gap,omitempty"` // a thing without it is not complete
	Control
}

// A Form holds the fields for lines that all begin with the same word, such as "card".
type Form struct {
	Line string
	Rows []Row
}

// Form returns the form of a schema. The lines of the schema begin with the given word, such
// as "card". Fields without a name are left out.
func (schema Schema[T]) Form(line string) Form {
	form := Form{Line: line}
	for _, f := range schema {
		if f.Name != "" {
			form.Rows = append(form.Rows, Row{f.Name, f.Example, f.Required, f.Gap != nil, f.Control})
		}
	}
	return form
}

// Under returns a copy of the form with a word before the name of each field. For example, the
// word "mental" turns the field "colour" into "mental colour".
func (f Form) Under(word string) Form {
	under := Form{Line: f.Line}
	for _, row := range f.Rows {
		row.Field = word + " " + row.Field
		under.Rows = append(under.Rows, row)
	}
	return under
}
