package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
	"tableside/engine"
)

func (p *program) loadConfig(file string) (config.Config, error) {
	c, err := config.Load(file, p.env)
	if err == nil && c.Game.Name != "" {
		_, err = p.setup(c.Game.Where, c.Game)
	}
	return c, err
}

// dataFolder returns the folder that --data names or, if that is "", the configuration.
func (p *program) dataFolder(data, file string) (string, error) {
	if data != "" {
		return data, nil
	}
	c, err := p.loadConfig(file)
	return c.Table.Data, err
}

// setup returns the setup of the match that a configuration describes. It also checks that the
// match can begin. Errors contain what where returns for the setting that is wrong.
func (p *program) setup(where func(key string) string, c config.Game) (engine.Setup, error) {
	s := engine.Setup{Game: c.Name, Options: c.Options, First: engine.Seat(c.First), Seats: config.Players(c.Seats)}
	s = s.FromPreset(p.games().Infos())
	game, err := p.games().Find(s.Game)
	var unknown *config.Error
	if errors.As(err, &unknown) && unknown.Where() != where("name") { // it names a line of the file
		return engine.Setup{}, usageFailure(where("name")+": name", fmt.Sprintf("%q: %s", c.Name, unknown.Reason), unknown.Hint)
	}
	if err != nil {
		return engine.Setup{}, err
	}
	info := game.Info()
	s.Game, s.Computer = info.Name, map[engine.Seat]string{}
	for _, p := range config.Players(c.Computer) {
		s.Computer[p.Seat] = cmp.Or(p.Name, "normal")
	}
	if len(s.Seats) == 0 {
		for _, id := range engine.UsualSeats[:min(max(2, info.MinSeats), info.MaxSeats)] {
			s.Seats = append(s.Seats, engine.Player{Seat: id})
		}
	}
	if _, err := engine.NewMatch(game, s); err != nil {
		return s, p.setupFailure(where(wrongSetting(err)), game, s, err)
	}
	return s, nil
}

// wrongSetting returns the key of [game] that keeps a match from beginning.
func wrongSetting(err error) string {
	if setup, ok := errors.AsType[*engine.SetupError](err); ok {
		switch word, _, _ := strings.Cut(strings.TrimPrefix(setup.Text.Key, "setup."), "-"); word {
		case "first", "computer":
			return word
		case "seat", "seats", "name":
			return "seats"
		}
		if option, ok := setup.Text.Args["name"].(string); ok {
			return "options." + option
		}
	}
	return "options"
}

func (p *program) host(c config.Config) *host.Host {
	return &host.Host{
		Config: c, Games: p.games(), Print: p.printLabels,
		Version: release, Commit: thisBuild().Commit, Out: p.out, Env: p.env,
	}
}
