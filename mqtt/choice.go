package mqtt

import (
	"slices"
	"strings"
	"sync"

	"tableside/engine"
)

// A choice holds the game that begins if a "begin" order names no game. Home Assistant needs
// such a choice, because a button in Home Assistant always sends the same text.
type choice struct {
	games     []Game
	lastMatch func() (engine.MatchInfo, bool)

	mu    sync.Mutex
	match engine.Null // the match that the game was last taken from
	game  string      // "" until one is chosen
	seats []engine.Player
}

// recordMatch records the game and the players of the match on the table. Without a match it
// does nothing. It records the players at each call, because their names may change during the
// match.
func (c *choice) recordMatch(v engine.View) {
	if v.Match == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	same := func(p engine.Player, s engine.SeatView) bool { return p.Seat == s.ID && p.Name == s.Name }
	if !slices.EqualFunc(c.seats, v.Seats, same) {
		c.seats = nil // other goroutines may still read the old list
		for _, s := range v.Seats {
			c.seats = append(c.seats, engine.Player{Seat: s.ID, Name: s.Name})
		}
	}
	if v.Match != c.match {
		c.match = v.Match
		if c.find(string(v.Game)) != nil {
			c.game = string(v.Game)
		}
	}
}

// nextGame returns the game that would begin. This is the game that was selected or played
// last since the program started. If there is none, it is the game of the last match before
// the start. Otherwise it is the first game in the list. If the list is empty, nextGame
// returns nil.
func (c *choice) nextGame() *Game {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.games) == 0 {
		return nil
	}
	if c.game == "" {
		c.game = c.games[0].Name
		if c.lastMatch != nil {
			if match, ok := c.lastMatch(); ok && c.find(match.Game) != nil {
				c.game = match.Game
			}
		}
	}
	return c.find(c.game)
}

// find returns the game with the given name. Home Assistant shows the titles of games, so find
// also accepts a title. If there is no such game, find returns nil.
func (c *choice) find(name string) *Game {
	for i, g := range c.games {
		if g.Name == name || strings.EqualFold(g.Title, name) {
			return &c.games[i]
		}
	}
	return nil
}

// sel selects a game, and reports whether it exists.
func (c *choice) sel(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.find(name)
	if g != nil {
		c.game = g.Name
	}
	return g != nil
}

// complete returns the order o with the missing parts added. If o begins a match but names no
// game, complete adds the game that nextGame returns. If o has no seats either, complete also
// adds the seats of the last match, provided that their number suits the game.
func (c *choice) complete(o engine.Order) engine.Order {
	g := c.nextGame()
	if o.Do != "begin" || o.Setup.Game != "" || g == nil {
		return o
	}
	o.Setup.Game = g.Name
	if seats := c.lastSeats(); len(o.Setup.Seats) == 0 && g.MinSeats <= len(seats) && len(seats) <= g.MaxSeats {
		o.Setup.Seats = seats
	}
	return o
}

// lastSeats returns the players of the last match; nil if none is known.
func (c *choice) lastSeats() []engine.Player {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seats == nil && c.lastMatch != nil {
		if match, ok := c.lastMatch(); ok {
			return match.Seats
		}
	}
	return c.seats
}

// message returns the message about the game that the command "begin" would begin. If there is
// no such game, it returns false.
func (c *choice) message(prefix string) (Message, bool) {
	g := c.nextGame()
	if g == nil {
		return Message{}, false
	}
	payload := encode(map[string]string{"game": g.Name, "title": g.Title})
	return Message{Topic: prefix + "/begin", Payload: payload, Retain: true}, true
}

// choose executes an order that selects a game, and returns the receipt and true. For any
// other order, choose returns false: it only adds what is missing, and the caller must execute
// the order.
func (c *Client) choose(o *engine.Order) (engine.Receipt, bool) {
	if o.Do != "select" {
		*o = c.choice.complete(*o)
		return engine.Receipt{}, false
	}
	if !c.choice.sel(o.Setup.Game) {
		return c.problem(engine.Refused, "mqtt.no-such-game", "name", o.Setup.Game), true
	}
	c.box.put(func(m *mail) { m.gameChosen = true })
	return engine.Receipt{Outcome: engine.Accepted, Seq: int(c.seq.Load())}, true
}
