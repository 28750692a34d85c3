package mqtt

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"tableside/engine"
	"tableside/mqtt/homeassistant"
)

// A choice holds the game that begins if a "begin" order names no game. Home Assistant needs
// such a choice, because a button in Home Assistant always sends the same text.
type choice struct {
	games     []homeassistant.Game
	lastMatch func() (engine.MatchInfo, bool) // nil once it was asked

	mu    sync.Mutex
	model engine.MatchInfo // the match that was played last, with the game that was selected since
}

// recordMatch makes the match on the table the model. Without a match it does nothing. It records
// the players at each call, because their names may change during the match.
func (c *choice) recordMatch(v engine.View) {
	if v.Match == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	match := engine.MatchInfo{ID: string(v.Match), Game: cmp.Or(v.Preset, string(v.Game))}
	if match.ID == c.model.ID || c.find(match.Game) == nil {
		match.Game = c.model.Game
	}
	for _, s := range v.Seats {
		match.Seats = append(match.Seats, engine.Player{Seat: s.ID, Name: s.Name})
	}
	c.model = match
}

// load takes the last match before the program started as the first model.
func (c *choice) load() {
	if c.lastMatch != nil {
		c.model, _ = c.lastMatch()
		c.model.Game = cmp.Or(c.model.Preset, c.model.Game)
		c.model.ID, c.lastMatch = "", nil
	}
}

// next returns the game that would begin, with the seats of the last match: the game that was
// selected or played last, else the first in the list, or nil if the list is empty.
func (c *choice) next() (*homeassistant.Game, []engine.Player) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	g := c.find(c.model.Game)
	if g == nil && len(c.games) > 0 {
		g = &c.games[0]
	}
	return g, c.model.Seats
}

// find also accepts a title, which is what Home Assistant shows.
func (c *choice) find(name string) *homeassistant.Game {
	for i, g := range c.games {
		if g.Name == name || strings.EqualFold(g.Title, name) {
			return &c.games[i]
		}
	}
	return nil
}

func (c *choice) sel(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	g := c.find(name)
	if g != nil {
		c.model.Game = g.Name
	}
	return g != nil
}

// complete adds what an order to begin a match leaves out: the game, and then the seats of the last
// match if their number suits the game.
func (c *choice) complete(o engine.Order) engine.Order {
	if g, seats := c.next(); o.Do == "begin" && o.Setup.Game == "" && o.Setup.Preset == "" && g != nil {
		o.Setup.Game = g.Name
		if len(o.Setup.Seats) == 0 && g.MinSeats <= len(seats) && len(seats) <= g.MaxSeats {
			o.Setup.Seats = seats
		}
	}
	return o
}

// order executes a match command. One that selects a game goes no further.
func (c *Client) order(ctx context.Context, o engine.Order) engine.Receipt {
	switch {
	case o.Do != "select":
		return c.cfg.Order(ctx, c.choice.complete(o))
	case !c.choice.sel(o.Setup.Game):
		return c.problem(engine.Refused, "mqtt.no-such-game", "name", o.Setup.Game)
	}
	c.box.put(func(*mail) {})
	return engine.Receipt{Outcome: engine.Accepted, Seq: int(c.seq.Load())}
}
