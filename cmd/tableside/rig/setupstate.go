package rig

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/display/web"
	"tableside/drivers/epaper"
	"tableside/engine"
)

// state returns what the page /setup shows.
func (s *Setup) state(ctx context.Context) web.SetupState {
	s.mu.Lock()
	w, own, table, reads := s.config.Wiring, s.setupWiring, s.table, s.inputCounts
	state := web.SetupState{Found: []web.SetupFound{}, Seats: config.Players(s.config.Table.Seats), Troubles: []string{},
		Open: s.config.NothingSetUp(), Last: s.lastAnswer, Panels: epaper.Panels(), Strips: config.WiredStrips}
	if s.question != nil {
		state.Asked = &web.SetupQuestion{Seat: s.question.seat, Message: s.question.unreadable}
	}
	state.Parts = listParts(&w)
	mine, kept := listParts(&own), s.config.HasSetup
	for i := range state.Parts {
		p := &state.Parts[i]
		p.Written = !slices.ContainsFunc(mine, func(m web.SetupPart) bool { return m.Name == p.Name })
		p.Kept, p.Reads = kept && !p.Written, reads[p.Name]
	}
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
		for _, h := range table.Frame().Status.Health {
			if i := slices.IndexFunc(state.Parts, func(p web.SetupPart) bool { return p.Name == h.Name }); i >= 0 {
				state.Parts[i].Part = h
			}
		}
	}
	found, err := unusedOnUSB(ctx, s.rig.Ports, &w)
	if err != nil {
		state.Troubles = append(state.Troubles, err.Error())
	}
	if w.Panel == nil {
		found = append(found, s.inky...)
	}
	for _, f := range found {
		state.Found = append(state.Found, web.SetupFound{ID: f.ID, Kind: f.Kind, Name: f.Name})
	}
	return state
}

// listParts returns the parts of a wiring. The parts have the same names as in the table's
// health.
func listParts(w *config.Wiring) []web.SetupPart {
	all := []web.SetupPart{}
	add := func(name, kind, device, seat string) {
		all = append(all, web.SetupPart{Part: engine.Part{Name: name}, Kind: kind, Device: device,
			Seat: engine.Seat(cmp.Or(seat, string(engine.Table)))})
	}
	for _, r := range w.Readers {
		add(readerPart(r.Name), "reader", cmp.Or(r.Model, r.Port(), r.Chip), r.Seat)
	}
	for _, k := range w.Keyboards {
		kind := "keyboard"
		if k.Reads == config.ReadsTags {
			kind = "typist"
		}
		add(keyboardPart(&k), kind, k.Device, k.Seat)
	}
	if len(w.Keys)+len(w.Encoders) > 0 {
		add(keysPart, "other", "", "")
	}
	for _, c := range w.Screens {
		add(screenPart(c.Seat), "other", c.Chip, c.Seat)
	}
	if w.Panel != nil {
		add(panelPart, "panel", w.Panel.Model, "")
	}
	if w.Lights != nil {
		add(lightsPart, "lights", cmp.Or(w.Lights.Host, w.Lights.Chip), "")
	}
	if w.Buzzer != nil {
		add("buzzer", "other", w.Buzzer.Pin, "")
	}
	return all
}

// nameOf returns the name that a part has on the page.
func nameOf(p web.SetupPart) string { return cmp.Or(p.Device, p.Name) }

// plugsEvery is the time after which a running table checks again which devices are plugged
// in.
const plugsEvery = 10 * time.Second

// A plugWatch finds out whether devices of one kind were plugged in after the start.
type plugWatch struct {
	list       func(*config.Wiring) ([]FoundDevice, error) // those that are not used
	initialIDs map[string]bool                             // from the first look without an error; nil before
	foundNew   bool                                        // the result of the last look without an error
}

// look reports whether an unused device is plugged in that was not there at the first look. If
// look cannot list the devices, it returns the same result as the last time. It need not
// return the error, because the page shows the error.
func (p *plugWatch) look(w *config.Wiring) bool {
	found, err := p.list(w)
	if err != nil {
		return p.foundNew
	}
	if p.initialIDs == nil {
		p.initialIDs = map[string]bool{}
		for _, f := range found {
			p.initialIDs[f.ID] = true
		}
	}
	p.foundNew = slices.ContainsFunc(found, func(f FoundDevice) bool { return !p.initialIDs[f.ID] })
	return p.foundNew
}

// watchPlugs gives the table a notice while a new device is plugged in. A device is new if it
// was not there at the start and the table does not use it.
func (s *Setup) watchPlugs() {
	ports := s.rig.Ports
	kinds := []plugWatch{
		{list: func(w *config.Wiring) ([]FoundDevice, error) { return unusedReaders(s.ctx, ports, w) }},
		{list: func(w *config.Wiring) ([]FoundDevice, error) { return unusedAdapters(ports, w), nil }},
		{list: func(w *config.Wiring) ([]FoundDevice, error) { return unusedKeyboards(ports, w) }},
	}
	ticker := time.NewTicker(plugsEvery)
	defer ticker.Stop()
	for {
		fresh, w := false, s.wiring()
		for i := range kinds {
			fresh = kinds[i].look(w) || fresh
		}
		s.table.Notice(noticeFound, fresh)
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
