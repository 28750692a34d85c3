package host

import (
	"image"
	"slices"
	"strings"

	"tableside/device"
	"tableside/engine"
	"tableside/mqtt"
	"tableside/mqtt/homeassistant"
)

// homeAssistant adds the settings and functions for Home Assistant to the client's
// configuration.
func (h *Host) homeAssistant(c *mqtt.Config) {
	c.Home.Page, c.Home.Games = h.pageURL, HomeAssistantGames(h.table.Games(), h.lang)
	c.Home.Panel = h.Parts.CopyPanel(func(picture image.Image) { h.client.ShowPanel(picture) })
	c.LastMatch = func() (engine.MatchInfo, bool) {
		matches := h.table.Matches()
		if len(matches) == 0 {
			return engine.MatchInfo{}, false
		}
		return matches[0], true
	}
}

// HomeAssistantGames returns the games with the names that the empty table shows for them. If
// a title has several editions, the name contains the edition. The games of score sheets follow, by title.
func HomeAssistantGames(all []engine.Info, lang engine.Lang) []homeassistant.Game {
	editions := map[string]int{}
	for _, info := range all {
		editions[engine.Title(info.Name)]++
	}
	var games []homeassistant.Game
	for _, info := range all {
		words := engine.Merge(engine.CoreWords(), device.Words(), info.Words)
		title, edition := engine.Title(info.Name), engine.Edition(info.Name)
		args := engine.Args{"game": engine.Word("game." + title)}
		key := "answer.lobby-game"
		if editions[title] > 1 {
			key, args["edition"] = "answer.lobby-edition", engine.Word("edition."+edition)
		}
		games = append(games, homeassistant.Game{
			Name: info.Name, Title: words.Say(lang, engine.Text{Key: key, Args: args}, nil), MinSeats: info.MinSeats,
			MaxSeats: info.MaxSeats,
		})
	}
	sheets := len(games)
	for _, info := range all {
		for _, p := range info.Presets {
			games = append(games, homeassistant.Game{
				Name: p.Name, Title: p.Title(lang), MinSeats: p.MinSeats, MaxSeats: p.MaxSeats})
		}
	}
	slices.SortFunc(games[sheets:], func(a, b homeassistant.Game) int { return strings.Compare(a.Title, b.Title) })
	return games
}
