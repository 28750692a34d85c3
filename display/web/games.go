package web

import (
	"net/http"
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
	Pools    []value  `json:"pools"` // ready-made, to declare for a seat
	Lifts    bool     `json:"lifts"` // a card stays on its reader until it is taken off
}

type option struct {
	Name     string  `json:"name"`
	Title    string  `json:"title"`
	Help     string  `json:"help,omitempty"`
	Default  string  `json:"default"`
	Values   []value `json:"values"` // empty where anything may be typed
	Advanced bool    `json:"advanced"`
}

type value struct {
	Value string `json:"value"`
	Title string `json:"title"`
}

func (s *Server) games(w http.ResponseWriter, r *http.Request) {
	lang := langOf(r)
	if lang == "" {
		f, _ := s.current("")
		lang = f.Lang
	}
	games := []game{}
	for _, info := range s.config.Games() {
		games = append(games, describe(info, lang))
	}
	reply(w, http.StatusOK, games)
}

func describe(info engine.Info, lang engine.Lang) game {
	// A word that the game lacks is said as it is written.
	say := func(key, otherwise string) string {
		if !info.Words.Has(key) {
			return otherwise
		}
		return info.Words.Say(lang, engine.Text{Key: key}, nil)
	}
	title, edition, _ := strings.Cut(info.Name, "/")
	g := game{
		Name: info.Name, Title: say("game."+title, title), Edition: say("edition."+edition, edition),
		MinSeats: info.MinSeats, MaxSeats: info.MaxSeats,
		Options: []option{}, Cards: append([]string{}, info.Cards...), Pools: []value{}, Lifts: info.Lifts,
	}
	for _, id := range info.Pools {
		g.Pools = append(g.Pools, value{id, say("precon."+id, id)})
	}
	for _, o := range info.Options {
		key := "option." + o.Name
		one := option{
			Name: o.Name, Title: say(key, o.Name), Help: say(key+".help", ""),
			Default: o.Default, Values: []value{}, Advanced: o.Advanced,
		}
		for _, v := range o.Values {
			one.Values = append(one.Values, value{v, say(key+"."+v, v)})
		}
		g.Options = append(g.Options, one)
	}
	return g
}
