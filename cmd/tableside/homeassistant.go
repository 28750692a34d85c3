package main

import (
	"image"
	"net"

	"tableside/device"
	"tableside/engine"
	"tableside/mqtt"
)

// pageFor returns the URL of the page for other machines, without the token, or ""
// where the page answers only this one: on other machines, a link to 127.0.0.1
// would lead to themselves.
func pageFor(addr net.Addr) string {
	host := reachable(addr)
	if to, err := net.ResolveTCPAddr("tcp", host); err != nil || isLoopback(to) {
		return ""
	}
	return "http://" + host + "/"
}

// homeAssistant adds to the client's configuration what Home Assistant needs.
func (s *host) homeAssistant(c *mqtt.Config) {
	c.Page, c.Games = s.pageURL, s.mqttGames()
	c.Panel = s.parts.CopyPanel(func(picture image.Image) { s.client.ShowPanel(picture) })
	c.Last = func() (engine.MatchInfo, bool) {
		matches := s.table.Matches()
		if len(matches) == 0 {
			return engine.MatchInfo{}, false
		}
		return matches[0], true
	}
}

// mqttGames returns the games with their names on the empty table, which have the
// edition where a title has several.
func (s *host) mqttGames() []mqtt.Game {
	editions := map[string]int{}
	for _, info := range s.table.Games() {
		editions[engine.Title(info.Name)]++
	}
	var games []mqtt.Game
	for _, info := range s.table.Games() {
		words := engine.Merge(engine.CoreWords(), device.Words(), info.Words)
		title, edition := engine.Title(info.Name), engine.Edition(info.Name)
		args := engine.Args{"game": engine.Word("game." + title)}
		key := "answer.lobby-game"
		if editions[title] > 1 {
			key, args["edition"] = "answer.lobby-edition", engine.Word("edition."+edition)
		}
		games = append(games, mqtt.Game{
			Name: info.Name, Title: words.Say(s.lang, engine.Text{Key: key, Args: args}, nil), MinSeats: info.MinSeats,
			MaxSeats: info.MaxSeats,
		})
	}
	return games
}
