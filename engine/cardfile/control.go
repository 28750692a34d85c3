package cardfile

// A Control says how a form asks for the value of a field. The zero Control accepts any words.
type Control struct {
	Kind ControlKind `json:"kind,omitempty"`

	Low  int `json:"low,omitempty"`  // of a number
	High int `json:"high,omitempty"` // of a number; for Quoted and Prose, the most letters
	// Per holds the words that may follow a number and "per", as in "1 per necro".
	Per []string `json:"-"`

	Words  []string `json:"-"`              // to choose from
	Others []string `json:"-"`              // more words that a file may have
	Most   int      `json:"most,omitempty"` // of Several: how many at most
	Again  bool     `json:"again,omitempty"`
	None   bool     `json:"none,omitempty"`  // of Several: "none" is a value
	Count  int      `json:"count,omitempty"` // of OneWord: a number up to this one follows
	Keeps  bool     `json:"keeps,omitempty"` // of Sentence: text "…" is a value too

	// A Sentence that is picked is what a slot of a table may hold, unless it does not fit the field.
	Table *Table          `json:"-"`
	Slot  string          `json:"slot,omitempty"`
	Fits  func(Slot) bool `json:"-"` // nil if all do

	// Aside marks a field that few cards need.
	Aside bool `json:"aside,omitempty"`
	// Only lists the kinds of card that have the field. If it is empty, all kinds have it.
	Only []string `json:"only,omitempty"`
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
