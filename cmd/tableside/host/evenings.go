package host

import (
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device/evening"
	"tableside/display/web"
	"tableside/engine"
)

// eveningFolder is the name of the folder that holds the evenings. It is in the hall's data
// folder.
const eveningFolder = "evenings"

// openEvenings opens the evenings in the hall's data folder. The hall must have a data folder.
func (h *Hall) openEvenings() (err error) {
	data := h.Config.Hall.Data
	h.book, err = evening.Open(evening.Config{
		Dir: filepath.Join(data, eveningFolder), Now: time.Now, Chance: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
		Changed: func(id string) { h.page.EveningChanged(id); h.seater.look() },
		Log:     h.Log,
	})
	if err != nil {
		return config.Failed("evenings in "+data, config.Reason(err), dataHint(err))
	}
	h.seater = &seater{wake: make(chan struct{}, 1), lastSent: map[string]*engine.Seating{}, seatings: h.book.Seatings,
		tell: func(table string, s *engine.Seating) error { return h.mqttWatcher.Seat(table, s) }}
	return nil
}

// showEvenings returns the functions with which the page shows and changes the evenings. If
// the hall keeps no evenings, it returns nil.
func (h *Hall) showEvenings() *web.Evenings {
	b := h.book
	if b == nil {
		return nil
	}
	return &web.Evenings{
		Unknown: evening.ErrNotFound,
		List:    func() any { return b.List() },
		View:    func(id string) (any, error) { return b.View(id) },
		Seating: func(id string, player int) (any, error) { return b.Seating(id, player) },
		Create: func(decode func(any) error) (id string, err error) {
			var p evening.Plan
			if err := decode(&p); err != nil {
				return "", err
			}
			if p.Game, err = h.findGame(p.Game); err != nil {
				return "", err
			}
			return b.Create(p)
		},
		Change: func(id string, decode func(any) error) error {
			var c evening.Change
			if err := decode(&c); err != nil {
				return err
			}
			return b.Change(id, c)
		},
		Write:     func(to io.Writer, id, what string) error { return writeEvening(b, to, id, what) },
		ErrorText: evening.Said,
	}
}

// findGame returns the name of a game without its edition, such as "mutants". The argument may
// also name an edition, or be the game's title in a language; a preset of a score sheet is a game, too.
// Besides the hall's games, findGame
// knows those on the tables, whose programs may be newer. It refuses any other game.
func (h *Hall) findGame(name string) (string, error) {
	var known []string
	fits := func(game string, titles ...string) bool {
		family := engine.Title(game)
		if !slices.Contains(known, family) {
			known = append(known, family)
		}
		same := func(other string) bool { return strings.EqualFold(other, name) }
		return slices.ContainsFunc(append(titles, family, game), same)
	}
	if name == "" {
		return "", nil
	}
	for _, g := range h.Games {
		info := g.Info()
		title := engine.T("game." + engine.Title(info.Name))
		if fits(info.Name, info.Words.Say(engine.English, title, nil), info.Words.Say(engine.French, title, nil)) {
			return engine.Title(info.Name), nil
		}
		for _, p := range info.Presets {
			if fits(info.Name, p.Name, p.Title(engine.English), p.Title(engine.French)) {
				return p.Name, nil
			}
		}
	}
	list, _ := h.tables.List(0)
	for _, t := range list.Tables {
		if t.Game != "" && fits(string(t.Game), t.Title) {
			return engine.Title(string(t.Game)), nil
		}
	}
	slices.Sort(known)
	return "", engine.Refuse("evening.no-game", "name", engine.Literal(name), "known", strings.Join(known, ", "))
}

// writeEvening writes one of the files about the evening with the given id. The file "journal"
// holds the evening's journal. The file "standings.csv" holds the standings as CSV. For any
// other name, writeEvening writes the pairings as CSV.
func writeEvening(b *evening.Book, to io.Writer, id, name string) error {
	if name == "journal" {
		data, err := b.Journal(id)
		if err == nil {
			_, err = to.Write(data)
		}
		return err
	}
	v, err := b.View(id)
	switch {
	case err != nil:
		return err
	case name == "standings.csv":
		return v.StandingsCSV(to)
	}
	return v.PairingsCSV(to)
}
