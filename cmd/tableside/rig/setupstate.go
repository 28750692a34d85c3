package rig

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/web/setup"
	"tableside/drivers/epaper"
	"tableside/engine"
)

// state returns what the page /setup shows.
func (s *Setup) state(ctx context.Context) setup.State {
	s.mu.Lock()
	w, own, table := s.config.Wiring, s.config.Setup, s.table
	state := setup.State{Found: []setup.Found{}, Seats: config.Players(s.config.Table.Seats), Troubles: []string{},
		Open: s.config.NothingSetUp(), Last: s.lastAnswer, Panels: epaper.Panels(), Strips: config.WiredStrips}
	if s.question != nil {
		state.Asked = &setup.Question{Seat: s.question.seat, Message: s.question.unreadable}
	}
	state.Parts = listParts(&w)
	mine := listParts(&own)
	for i := range state.Parts {
		p := &state.Parts[i]
		p.Written = !slices.ContainsFunc(mine, func(m setup.Part) bool { return m.Name == p.Name })
	}
	read := maps.Clone(s.inputs)
	if err := s.config.SetupError; err != nil {
		state.Troubles = append(state.Troubles, err.Error())
	}
	for _, err := range s.config.LeftOut {
		state.Troubles = append(state.Troubles, err.Error())
	}
	s.mu.Unlock()
	if len(state.Seats) == 0 {
		for _, seat := range engine.UsualSeats {
			state.Seats = append(state.Seats, engine.Player{Seat: seat})
		}
	}
	if table != nil {
		for i := range state.Parts {
			p := &state.Parts[i]
			if last := read[p.Name]; last.n > 0 {
				p.Reads, p.Key, p.Ago = last.n, last.key, int(time.Since(last.at).Seconds())
				p.Card = s.cardName(table.Games(), last.tag)
			}
		}
		for _, h := range table.Frame().Status.Health {
			if i := slices.IndexFunc(state.Parts, func(p setup.Part) bool { return p.Name == h.Name }); i >= 0 {
				state.Parts[i].Part = h
			}
		}
	}
	found, err := s.unused(ctx)
	if err != nil {
		state.Troubles = append(state.Troubles, err.Error())
	}
	for _, f := range found {
		state.Found = append(state.Found, setup.Found{ID: f.ID, Kind: f.Kind, Name: f.Name})
	}
	return state
}

// cardName returns the name of the card that a tag stands for. It may wait for the disk, on which the
// catalogue is.
func (s *Setup) cardName(games []engine.Info, tag device.TagOn) (name engine.Wording) {
	m, _ := s.rig.tags.Meaning(tag.Tag, tag.Text)
	for _, info := range games {
		if m.Kind == device.CardTag && engine.Title(info.Name) == m.Box {
			kind, _ := engine.SplitCopy(m.Name)
			name = info.Words["card."+kind]
		}
	}
	return name
}

// listParts returns the parts of a wiring. The parts have the same names as in the table's
// health.
func listParts(w *config.Wiring) []setup.Part {
	all := []setup.Part{}
	for _, p := range w.Parts() {
		part := setup.Part{Part: engine.Part{Name: config.NameOf(p)}, Kind: "other", Device: p.What(),
			Seat: engine.Seat(cmp.Or(p.Whose(), string(engine.Table)))}
		switch p := p.(type) {
		case *config.Reader:
			part.Kind = "reader"
		case *config.Keyboard:
			part.Kind = "keyboard"
			if p.Reads == config.ReadsTags {
				part.Kind = "typist"
			}
		case *config.Panel, *config.Lights:
			part.Kind = p.Who()
		case *config.Key, *config.Encoder: // all of them are one part
			if part.Seat = engine.Table; slices.ContainsFunc(all, func(a setup.Part) bool { return a.Name == part.Name }) {
				continue
			}
		}
		all = append(all, part)
	}
	return all
}

// plugsEvery is the time after which a running table checks again which devices are plugged
// in.
const plugsEvery = 10 * time.Second

// watchPlugs gives the table a notice while a new device is plugged in. A device is new if it
// was not there when its kind was first listed and the table does not use it. If a kind cannot be
// listed, the last answer stays, and the page shows the error.
func (s *Setup) watchPlugs() {
	ports := s.rig.Ports
	kinds := []func(*config.Wiring) ([]FoundDevice, error){
		func(w *config.Wiring) ([]FoundDevice, error) { return unusedReaders(s.ctx, ports, w) },
		func(w *config.Wiring) ([]FoundDevice, error) { return unusedAdapters(ports, w), nil },
		func(w *config.Wiring) ([]FoundDevice, error) { return unusedKeyboards(ports, w) },
	}
	first, fresh := make([]map[string]bool, len(kinds)), make([]bool, len(kinds))
	ticker := time.NewTicker(plugsEvery)
	defer ticker.Stop()
	for {
		w := s.wiring()
		for i, list := range kinds {
			found, err := list(w)
			if err != nil {
				continue
			}
			if first[i] == nil {
				first[i] = map[string]bool{}
				for _, f := range found {
					first[i][f.ID] = true
				}
			}
			fresh[i] = slices.ContainsFunc(found, func(f FoundDevice) bool { return !first[i][f.ID] })
		}
		s.table.Notice(noticeFound, slices.Contains(fresh, true))
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
