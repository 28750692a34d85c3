package web

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"

	"tableside/engine"
)

// A game describes one game and its options to the page's setup form.
type game struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Edition  string   `json:"edition,omitempty"`
	MinSeats int      `json:"min"`
	MaxSeats int      `json:"max"`
	Options  []option `json:"options"`
	Cards    []string `json:"cards"`
	Presets  []preset `json:"presets"`     // options with a name: the owner's, then the game's
	Pools    []value  `json:"pools"`       // ready-made card lists that a seat can bring
	Finds    bool     `json:"finds_first"` // its rules decide who begins; otherwise the table draws lots
	Lifts    bool     `json:"lifts"`       // a card stays on its reader until a player removes it
}

type option struct {
	Name     string  `json:"name"`
	Title    string  `json:"title"`
	Help     string  `json:"help,omitempty"`
	Default  string  `json:"default"`
	Values   []value `json:"values"` // empty if any text is allowed
	List     bool    `json:"list"`   // takes several of the values, separated by commas
	Advanced bool    `json:"advanced"`
}

type value struct {
	Value string `json:"value"`
	Title string `json:"title"`
}

// A Card describes one kind of card in a game's box.
type Card struct {
	Kind   string `json:"card"`
	Name   string `json:"name"`   // its title in the requested language
	Copies int    `json:"copies"` // in the box, numbered from 1
}

// cards serves the list of cards of the requested game. The request needs the right to play,
// because the list comes from the owner's file.
func (s *Server) cards(w http.ResponseWriter, r *http.Request) {
	cards := []Card{}
	if s.config.Cards != nil {
		list, err := s.config.Cards(r.URL.Query().Get("game"), s.langFor(r))
		if err != nil {
			s.failf(w, r, http.StatusInternalServerError, "the cards cannot be listed: %s", s.reason(r, err))
			return
		}
		cards = append(cards, list...)
	}
	reply(w, http.StatusOK, cards)
}

// langFor returns the requested language, or else the table's, or else the browser's.
func (s *Server) langFor(r *http.Request) engine.Lang {
	f, _ := s.currentFrame("")
	return cmp.Or(langOf(r), f.Lang, s.config.Lang, preferred(r.Header.Get("Accept-Language")))
}

// preferred returns the first language in an Accept-Language header that is also a language of
// the table. Browsers list the languages by preference. If the table speaks none of them,
// preferred returns English.
func preferred(accept string) engine.Lang {
	for tag := range strings.SplitSeq(accept, ",") {
		for _, lang := range engine.Languages {
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(tag)), string(lang)) {
				return lang
			}
		}
	}
	return engine.English
}

func (s *Server) games(w http.ResponseWriter, r *http.Request) {
	lang := s.langFor(r)
	games, kept := []game{}, s.keptPresets()
	for _, info := range s.config.Games() {
		g := describe(info, lang)
		g.Presets = presetsOf(info, kept, lang)
		games = append(games, g)
	}
	reply(w, http.StatusOK, games)
}

// withTitles returns the given help text, such as "on: …; off: …", with each value replaced by
// its title on the form.
func withTitles(help string, values []value) string {
	for _, v := range values {
		explained := regexp.MustCompile(`(^|; |\. )` + regexp.QuoteMeta(v.Value) + "([ \u00a0\u202f]?:)")
		help = explained.ReplaceAllString(help, "${1}"+strings.ReplaceAll(v.Title, "$", "$$")+"${2}")
	}
	return help
}

func describe(info engine.Info, lang engine.Lang) game {
	// A key without a word in the game's catalogue falls back to its name.
	words := engine.Merge(engine.CoreWords(), info.Words)
	say := func(key, otherwise string) string {
		if !words.Has(key) {
			return otherwise
		}
		return words.Say(lang, engine.Text{Key: key}, nil)
	}
	title, edition := engine.Title(info.Name), engine.Edition(info.Name)
	g := game{
		Name: info.Name, Title: say("game."+title, title), Edition: say("edition."+edition, edition),
		MinSeats: info.MinSeats, MaxSeats: info.MaxSeats,
		Options: []option{}, Cards: append([]string{}, info.Cards...), Pools: []value{}, Finds: info.FindsFirst,
		Lifts: info.Lifts,
	}
	for _, id := range info.Pools {
		g.Pools = append(g.Pools, value{id, say("precon."+id, id)})
	}
	for _, o := range info.AllOptions() {
		key := "option." + o.Name
		one := option{
			Name: o.Name, Title: say(key, o.Name), Help: say(key+".help", ""),
			Default: o.Default, Values: []value{}, List: o.List, Advanced: o.Advanced,
		}
		for _, v := range o.Values {
			one.Values = append(one.Values, value{v, say(key+"."+v, v)})
		}
		one.Help = withTitles(one.Help, one.Values)
		g.Options = append(g.Options, one)
	}
	return g
}
