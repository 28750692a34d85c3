package web

import (
	"net/http"
	"regexp"
	"strings"

	"tableside/engine"
)

// A game as pages choose it.
type game struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Edition  string   `json:"edition,omitempty"`
	MinSeats int      `json:"min"`
	MaxSeats int      `json:"max"`
	Options  []option `json:"options"`
	Cards    []string `json:"cards"`
	Pools    []value  `json:"pools"`       // ready-made, to declare for a seat
	Finds    bool     `json:"finds_first"` // it finds who begins by its rules; else the table draws
	Lifts    bool     `json:"lifts"`       // a card stays on its reader until it is taken off
}

type option struct {
	Name     string  `json:"name"`
	Title    string  `json:"title"`
	Help     string  `json:"help,omitempty"`
	Default  string  `json:"default"`
	Values   []value `json:"values"` // empty where anything may be typed
	List     bool    `json:"list"`   // several of the values, with commas between
	Advanced bool    `json:"advanced"`
}

type value struct {
	Value string `json:"value"`
	Title string `json:"title"`
}

// A Card is a kind of card in the box of a game.
type Card struct {
	Kind   string `json:"card"`
	Name   string `json:"name"`   // its title
	Copies int    `json:"copies"` // in the box, numbered from 1
}

// cards serves the cards of the game that is asked for, to those who may write:
// putting them together takes the owner's file.
func (s *Server) cards(w http.ResponseWriter, r *http.Request) {
	cards := []Card{}
	if s.config.Cards != nil {
		list, err := s.config.Cards(r.URL.Query().Get("game"), s.langFor(r))
		if err != nil {
			fail(w, http.StatusInternalServerError, "the cards cannot be listed: "+reason(err))
			return
		}
		cards = append(cards, list...)
	}
	reply(w, http.StatusOK, cards)
}

// langFor returns the language that is asked for, else the table's.
func (s *Server) langFor(r *http.Request) engine.Lang {
	if lang := langOf(r); lang != "" {
		return lang
	}
	f, _ := s.current("")
	return f.Lang
}

func (s *Server) games(w http.ResponseWriter, r *http.Request) {
	lang := s.langFor(r)
	games := []game{}
	for _, info := range s.config.Games() {
		games = append(games, describe(info, lang))
	}
	reply(w, http.StatusOK, games)
}

// titled returns a help that explains values, "on: …; off: …", with the titles that
// the form has for them.
func titled(help string, values []value) string {
	for _, v := range values {
		explained := regexp.MustCompile(`(^|; |\. )` + regexp.QuoteMeta(v.Value) + "([ \u00a0\u202f]?:)")
		help = explained.ReplaceAllString(help, "${1}"+strings.ReplaceAll(v.Title, "$", "$$")+"${2}")
	}
	return help
}

func describe(info engine.Info, lang engine.Lang) game {
	// A word that the game lacks is said as it is written.
	say := func(key, otherwise string) string {
		if !info.Words.Has(key) {
			return otherwise
		}
		return info.Words.Say(lang, engine.Text{Key: key}, nil)
	}
	title, edition := engine.Title(info.Name), engine.Edition(info.Name)
	g := game{
		Name: info.Name, Title: say("game."+title, title), Edition: say("edition."+edition, edition),
		MinSeats: info.MinSeats, MaxSeats: info.MaxSeats,
		Options: []option{}, Cards: append([]string{}, info.Cards...), Pools: []value{}, Finds: info.FindsFirst, Lifts: info.Lifts,
	}
	for _, id := range info.Pools {
		g.Pools = append(g.Pools, value{id, say("precon."+id, id)})
	}
	for _, o := range info.Options {
		key := "option." + o.Name
		one := option{
			Name: o.Name, Title: say(key, o.Name), Help: say(key+".help", ""),
			Default: o.Default, Values: []value{}, List: o.List, Advanced: o.Advanced,
		}
		for _, v := range o.Values {
			one.Values = append(one.Values, value{v, say(key+"."+v, v)})
		}
		one.Help = titled(one.Help, one.Values)
		g.Options = append(g.Options, one)
	}
	return g
}
