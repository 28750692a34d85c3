package main

import (
	"bytes"
	"image"
	"net"

	"tableside/device"
	"tableside/display/panel"
	"tableside/engine"
	"tableside/mqtt"
)

// A copying painter hands on the pictures that it draws for a panel, each that
// differs from the one before. An idle panel shows phones the token as a code:
// the copy is without it, because more people read a broker than may play.
type copying struct {
	panel.Drawer
	to   *func(image.Image) // nil in it: nobody wants them
	last *image.Paletted
}

func (c *copying) Draw(f engine.Frame, size image.Point) *image.Paletted {
	picture := c.Drawer.Draw(f, size)
	if *c.to == nil {
		return picture
	}
	open := picture
	if f.View.Match == "" && f.Status.Address != "" {
		f.Status.Address = ""
		open = c.Drawer.Draw(f, size)
	}
	if c.last == nil || !bytes.Equal(open.Pix, c.last.Pix) {
		c.last = open
		(*c.to)(open)
	}
	return picture
}

// pageFor returns the address of the page for other machines, without the
// token, or "" where it answers only this one: a link to 127.0.0.1 would lead
// everybody to a machine of their own.
func pageFor(addr net.Addr) string {
	host := reachable(addr)
	if to, err := net.ResolveTCPAddr("tcp", host); err != nil || isLoopback(to) {
		return ""
	}
	return "http://" + host + "/"
}

// homeAssistant completes what a client tells Home Assistant.
func (s *sitting) homeAssistant(c *mqtt.Config) {
	c.Page, c.Games = s.pageURL, s.mqttGames()
	c.Panel = s.parts.copyPanel(func(picture image.Image) { s.client.ShowPanel(picture) })
	c.Last = func() (engine.MatchInfo, bool) {
		matches := s.table.Matches()
		if len(matches) == 0 {
			return engine.MatchInfo{}, false
		}
		return matches[0], true
	}
}

// mqttGames names the games as the empty table does: those of one title also
// by their edition.
func (s *sitting) mqttGames() []mqtt.Game {
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
			Name: info.Name, Title: words.Say(s.lang, engine.Text{Key: key, Args: args}, nil), MinSeats: info.MinSeats, MaxSeats: info.MaxSeats,
		})
	}
	return games
}
