package host

import (
	"strings"

	"tableside/cmd/tableside/shelf"
	"tableside/device"
	"tableside/display/web/cards"
	"tableside/engine"
)

// definitions returns a function that reads the owner's card data for a match that begins. The
// owner may have corrected the files since they were last read, so the function also updates
// the table's health.
func (h *Host) definitions(owner device.Owner) func(game string) ([]string, error) {
	return func(game string) ([]string, error) {
		h.reportCards()
		lines, _, err := owner.Read(game)
		return lines, err
	}
}

// reportCards returns what is wrong with the owner's card data. If there are faults, or if
// there were faults at the last call, it also updates the table's health. It is first called
// before the table runs. Afterwards only the table calls it, one call at a time.
func (h *Host) reportCards() []shelf.Fault {
	_, faults := h.Games.Files(h.Config.Table.Data, h.lang)
	if len(faults) == 0 && !h.cardsFaulty {
		return nil
	}
	h.cardsFaulty = len(faults) > 0
	part := engine.Part{Name: "definitions", Health: engine.OK}
	var why []string
	for _, f := range faults {
		if part.Health != engine.Broken {
			part.Health = engine.Degraded
		}
		if !f.Playable {
			part.Health = engine.Broken
		}
		// Everybody may read this, and nobody needs to know where the folder is.
		why = append(why, strings.ReplaceAll(f.Text, h.Config.Table.Data+"/", ""))
	}
	part.Reason = strings.Join(why, "; ")
	h.table.Report(part)
	return faults
}

func (h *Host) warnOfCards() {
	for _, f := range h.reportCards() {
		text := f.Text
		if !f.Playable {
			text += "; no match that needs it begins until it is mended"
		}
		h.tell("cards", text+": "+f.Fix)
	}
}

// cardFiles returns the functions that the page needs to show and change the owner's card
// files.
func (h *Host) cardFiles() *cards.Files {
	owner := h.Games.Owner(h.Config.Table.Data)
	return &cards.Files{Owners: h.Games.Owners, Text: owner.Text, Change: owner.Change, FromMatch: h.journalDefinitions,
		Say: h.Games.SayCard, Editions: h.editions, Versions: owner.Versions,
		Workshop: func(game, text string, lang engine.Lang) (cards.Workshop, error) {
			return h.Games.Workshop(h.Config.Table.Data, game, text, lang)
		},
	}
}

func (h *Host) editions(title string) (games []engine.Game) {
	for _, g := range h.Games {
		if info := g.Info(); engine.Title(info.Name) == title && len(info.Cards) > 0 {
			games = append(games, g)
		}
	}
	return games
}

// journalDefinitions parses the text of a journal. It returns the name of the journal's game,
// and the owner's card data in the journal. If the journal is damaged, journalDefinitions uses
// the part before the damage. If this program does not have the game, the error is
// web.ErrNoGame.
func (h *Host) journalDefinitions(data []byte) (of string, lines []string, err error) {
	journal, err := engine.ParseJournal("", data)
	if journal == nil {
		return "", nil, err
	}
	game := engine.Find(h.Games, journal.Setup.Game)
	if game == nil {
		return journal.Setup.Game, nil, cards.ErrNoGame
	}
	lines, err = journal.Definitions(game)
	return journal.Setup.Game, lines, err
}
