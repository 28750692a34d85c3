// Package past serves what was played: history, players, results, replays and journals.
package past

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
)

// A History provides the matches that were played. What it returns is sent as JSON.
type History struct {
	// Matches returns the list of all matches that are not deleted, or of all deleted
	// matches, the newest match first.
	Matches func(deleted bool, lang engine.Lang) (any, error)
	Players func() (any, error)
	// Table writes the matches that are not deleted as CSV.
	Table func(io.Writer) error
	// BGStats writes the finished matches for the app Board Game Stats, and Post returns a link that
	// hands one over to it, or "" if there is no such match.
	BGStats func(io.Writer, engine.Lang) error
	Post    func(match string, lang engine.Lang) string
	Stats   func(engine.Lang) (any, error)
	// Import reads a file of plays, and with keep adds those that are new. What it returns says which.
	Import func(file string, keep bool, lang engine.Lang) (any, error)
	// Change makes a change. If the change is refused, the error is an *engine.Refusal
	// with a text of the page's catalogue. Any other error says what is wrong with the
	// disk.
	Change func(Change) error
	// Removal returns how far the removal of a name is, or nil if there is none under way.
	Removal func() any
}

// A Room holds the pages and the interface for what was played: history, players, results,
// replays and journals.
type Room struct {
	*core.Site
	Games     func() []engine.Info
	Matches   func() ([]engine.MatchInfo, error)
	Journal   func(match string) ([]byte, error)
	ReadMatch func(match string) (engine.Game, *engine.Journal, error)
	History   *History
	Chances   Chances

	imagining core.Places
}

func (s *Room) Routes() []core.Route {
	s.imagining = core.Places{Each: 2, Most: 8}
	return []core.Route{
		core.Get("/api/result", core.ToRead, s.Do(s.result)),
		core.Get("/result.png", core.ToRead, s.Do(s.resultPicture)),
		core.Get("/matches/{file}", core.ToRead, s.match),
		core.Get("/history", core.ToRead, s.Page("history.html", s.Framed())),
		core.Get("/api/history", core.ToRead, s.servePast),
		core.Get("/api/history.csv", core.ToRead, s.Do(s.table)),
		core.Get("/api/history.bgsplay", core.ToRead, s.Do(s.bgStats)),
		core.Get("/api/removal", core.ToKeep, s.Do(s.removal)),
		core.Get("/players", core.ToRead, s.Page("players.html", s.Framed())),
		core.Get("/api/players", core.ToRead, s.Do(s.players)),
		core.Get("/api/chances", core.ToRead, s.Do(s.chances)),
		core.Get("/api/replay", core.ToRead, s.Do(s.replay)),
		core.Get("/api/journal", core.ToRead, s.Do(s.journal)),
		core.Get("/api/stats", core.ToRead, s.Do(s.stats)),
		core.Post("/api/history", core.ToKeep, s.Do(s.changePast)),
		core.Post("/api/history/import", core.ToKeep, s.Do(s.importPlays)),
	}
}

// MatchRoutes returns the routes for the matches of a table, which may also be unfinished.
func (s *Room) MatchRoutes() []core.Route {
	return []core.Route{core.Get("/api/matches", core.ToRead, s.Do(s.matches))}
}

var errNoMatch = core.Missing("there is no such match")

// A Change is a request to change something about a match or a player. No journal records the
// change itself. The field Do is the kind of change: "note", "delete" or "restore" for a
// match, "forget" for an import, and "rename", "separate" or "remove" for a player. The field Match
// or Name says which match, import or player it is. "stop" ends the removal of a player that is under way.
type Change struct {
	Do    string `json:"do"`
	Match string `json:"match"`
	Text  string `json:"text"` // of a note
	Name  string `json:"name"`
	To    string `json:"to"` // the new name
}

// servePast serves the matches with their results. With ?deleted, it serves only the deleted
// matches. A request with ?deleted needs Rights.Keep.
func (s *Room) servePast(w http.ResponseWriter, r *http.Request) {
	deleted, need := r.URL.Query().Has("deleted"), core.ToRead
	if deleted {
		need = core.ToKeep
	}
	s.Require(need, s.Do(func(w http.ResponseWriter, r *http.Request) (any, error) {
		return s.tell(w, r, func() (any, error) { return s.History.Matches(deleted, s.LangFor(r)) })
	}))(w, r)
}

func (s *Room) players(w http.ResponseWriter, r *http.Request) (any, error) {
	return s.tell(w, r, s.History.Players)
}

func (s *Room) stats(w http.ResponseWriter, r *http.Request) (any, error) {
	return s.tell(w, r, func() (any, error) { return s.History.Stats(s.LangFor(r)) })
}

func (s *Room) table(w http.ResponseWriter, r *http.Request) (any, error) {
	data, err := s.list(w, r, s.History.Table)
	const utf8 = "\ufeff" // Excel takes a table without this mark for one in an old code page
	return core.Document{Kind: core.Spreadsheet, Name: "matches.csv", Data: append([]byte(utf8), data...)}, err
}

func (s *Room) bgStats(w http.ResponseWriter, r *http.Request) (any, error) {
	data, err := s.list(w, r, func(out io.Writer) error { return s.History.BGStats(out, s.LangFor(r)) })
	return core.Document{Kind: "application/json", Name: "tableside.bgsplay", Data: data}, err
}

func (s *Room) tell(w http.ResponseWriter, r *http.Request, find func() (any, error)) (any, error) {
	data, err := s.list(w, r, func(out io.Writer) error {
		found, err := find()
		if err != nil {
			return err
		}
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false) // people read it, too
		return encoder.Encode(found)
	})
	return core.Long(data), err
}

// list returns what the given function writes, in its turn among the folds.
func (s *Room) list(w http.ResponseWriter, r *http.Request, write func(io.Writer) error) ([]byte, error) {
	var out bytes.Buffer
	err := s.Fold(w, r, func() error {
		if err := write(&out); err != nil {
			return core.Failf(http.StatusInternalServerError, "the matches cannot be listed: %s", err)
		}
		return nil
	})
	return out.Bytes(), err
}

// changePast carries out the Change in the request.
func (s *Room) changePast(w http.ResponseWriter, r *http.Request) (any, error) {
	var c Change
	if err := core.Decode(w, r, &c); err != nil {
		return nil, err
	}
	const known = "note, delete, restore, forget, rename, separate, remove, stop"
	if !slices.Contains(strings.Split(known, ", "), c.Do) {
		return nil, core.Failf(http.StatusBadRequest, `"do" is one of %s`, known)
	}
	change := func() error {
		err := s.History.Change(c)
		if refusal, refused := engine.AsRefusal(err); refused {
			return core.FailWith(http.StatusConflict, refusal.Text)
		}
		if err != nil {
			return core.Failf(http.StatusInternalServerError, "this cannot be kept: %s", err)
		}
		return nil
	}
	switch c.Do {
	case "stop": // it waits for nobody
		return struct{}{}, change()
	case "remove": // which takes minutes for thousands of matches, and goes on without the visitor
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
		return struct{}{}, change()
	}
	return struct{}{}, s.Fold(w, r, change)
}

// maxImport is the greatest length of a file of plays, in bytes.
const maxImport = 16 << 20

// importPlays tells what a file of plays, the body, would bring, and with ?keep adds it.
func (s *Room) importPlays(w http.ResponseWriter, r *http.Request) (any, error) {
	file, err := core.Read(w, r, maxImport, core.TooLong(maxImport))
	if err != nil {
		return nil, err
	}
	var found any
	err = s.Fold(w, r, func() (err error) {
		found, err = s.History.Import(string(file), r.URL.Query().Has("keep"), s.LangFor(r))
		if fault, wrong := errors.AsType[*engine.SyntaxError](err); wrong {
			return core.FailWith(http.StatusConflict, fault)
		}
		if err != nil {
			return core.Failf(http.StatusInternalServerError, "this cannot be kept: %s", err)
		}
		return nil
	})
	return found, err
}

func (s *Room) removal(http.ResponseWriter, *http.Request) (any, error) {
	return s.History.Removal(), nil
}
