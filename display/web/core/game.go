package core

import (
	"regexp"
	"strings"

	"tableside/engine"
)

// A Game describes one game and its options to the page's setup form.
type Game struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Edition  string   `json:"edition,omitempty"`
	About    string   `json:"about,omitempty"` // the game in a sentence
	Show     bool     `json:"show,omitempty"`  // the table can show a match of it
	MinSeats int      `json:"min"`
	MaxSeats int      `json:"max"`
	Options  []option `json:"options"`
	Cards    []string `json:"cards"`
	Presets  []Preset `json:"presets"`     // options with a name: the owner's, then the game's
	Pools    []Value  `json:"pools"`       // ready-made card lists that a seat can bring
	Finds    bool     `json:"finds_first"` // its rules decide who begins; otherwise the table draws lots
	Lifts    bool     `json:"lifts"`       // a card stays on its reader until a player removes it
}

type option struct {
	Name     string  `json:"name"`
	Title    string  `json:"title"`
	Help     string  `json:"help,omitempty"`
	Default  string  `json:"default"`
	Values   []Value `json:"values"` // empty if any text is allowed
	List     bool    `json:"list"`   // takes several of the values, separated by commas
	Advanced bool    `json:"advanced"`
}

type Value struct {
	Value string `json:"value"`
	Title string `json:"title"`
}

func WithTitles(help string, values []Value) string {
	for _, v := range values {
		explained := regexp.MustCompile(`(^|; |\. )` + regexp.QuoteMeta(v.Value) + "([ \u00a0\u202f]?:)")
		help = explained.ReplaceAllString(help, "${1}"+strings.ReplaceAll(v.Title, "$", "$$")+"${2}")
	}
	return help
}

func Describe(info engine.Info, lang engine.Lang) Game {
	// A key without a word in the game's catalogue falls back to its name.
	words := engine.Merge(engine.CoreWords(), info.Words)
	say := func(key, otherwise string) string {
		if !words.Has(key) {
			return otherwise
		}
		return words.Say(lang, engine.Text{Key: key}, nil)
	}
	title, edition := engine.Title(info.Name), engine.Edition(info.Name)
	g := Game{
		Name: info.Name, Title: say("game."+title, title), Edition: say("edition."+edition, edition),
		About: say("about."+title, ""), MinSeats: info.MinSeats, MaxSeats: info.MaxSeats,
		Options: []option{}, Cards: append([]string{}, info.Cards...), Pools: []Value{}, Finds: info.FindsFirst,
		Lifts: info.Lifts,
	}
	for _, id := range info.Pools {
		g.Pools = append(g.Pools, Value{id, say("precon."+id, id)})
	}
	for _, o := range info.AllOptions() {
		key := "option." + o.Name
		one := option{
			Name: o.Name, Title: say(key, o.Name), Help: say(key+".help", ""),
			Default: o.Default, Values: []Value{}, List: o.List, Advanced: o.Advanced,
		}
		for _, v := range o.Values {
			one.Values = append(one.Values, Value{v, say(key+"."+v, v)})
		}
		one.Help = WithTitles(one.Help, one.Values)
		g.Options = append(g.Options, one)
	}
	return g
}

func (g *Game) TitleOf(value string) string {
	for _, o := range g.Options {
		for _, v := range o.Values {
			if v.Value == value {
				return v.Title
			}
		}
	}
	return value
}

// A Preset describes a preset to the page's setup form.
type Preset struct {
	Name    string            `json:"name"`
	Title   string            `json:"title"`
	Min     int               `json:"min"` // seats
	Max     int               `json:"max"`
	Options map[string]string `json:"options"`
	Own     bool              `json:"own,omitempty"` // the page may remove it
}
