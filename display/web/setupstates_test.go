package web

import (
	"context"
	"testing"

	"tableside/display/web/core"
	"tableside/display/web/setup"
	"tableside/engine"
)

// settingUp returns a table without a match, whose owner looks at /setup in a state.
func settingUp(change func(*setup.State)) func(*testing.T) shown {
	return func(*testing.T) shown {
		state := setup.State{Parts: []setup.Part{}, Found: []setup.Found{}, Troubles: []string{}, Open: true,
			Panels: []string{"waveshare-2in13-v4", "inky-phat"}, Strips: []string{"ws2812", "apa102"}}
		for _, seat := range engine.UsualSeats {
			state.Seats = append(state.Seats, engine.Player{Seat: seat})
		}
		change(&state)
		s := exampleServer(empty())
		s.config.Setup = &setup.Setup{
			State: func(context.Context) setup.State { return state },
			Do:    func(context.Context, setup.Order) error { return nil },
		}
		return shown{Server: s}
	}
}

// States of /setup.

func nothingPluggedIn(*setup.State) {}

func oneReaderFound(s *setup.State) {
	s.Parts = []setup.Part{setupPart("reader-table", "reader", "ACS ACR122U PICC Interface 00 00", engine.Table)}
	s.Found = []setup.Found{{ID: "input:1", Kind: "keyboard", Name: "SIGMACHIP USB Keyboard"},
		{ID: "serial:1", Kind: "adapter", Name: "usb-1a86_USB_Serial-if00-port0"}}
}

func askingWhose(s *setup.State) {
	oneReaderFound(s)
	s.Asked = &setup.Question{Seat: "red", Message: engine.T("setup.said-unread", "name", "Pad", "reason", "another program has it")}
}

func partWithFault(s *setup.State) {
	done(s)
	s.Parts[0].Card, s.Parts[0].Ago = engine.Worded(func(engine.Lang) string { return "Croque-mort" }), 70
	s.Parts[1].Health, s.Parts[1].Reason = engine.Broken, "evdev: 1c4f:0002: not plugged in"
	s.Parts[2].Health, s.Parts[2].Reason = engine.Degraded, "WLED 0.14.4 with 30 LEDs, but [lights] count is 60"
	s.Troubles = []string{"reader red: seat: red has reader mine already"}
	s.Last = &setup.Answer{N: 3, Message: engine.T("setup.said-two", "seat", core.SeatWord("red"))}
}

func done(s *setup.State) {
	s.Open = false
	s.Parts = []setup.Part{
		setupPart("reader-red", "reader", "ACS ACR122U PICC Interface 00 00", "red"),
		setupPart("keyboard-blue", "keyboard", "1c4f:0002", "blue"),
		setupPart("lights", "lights", "wled-table.local", engine.Table),
		setupPart("panel", "panel", "waveshare-2in13-v4", engine.Table),
	}
	s.Parts[0].Written, s.Parts[0].Reads = true, 12
	s.Last = &setup.Answer{N: 2, OK: true, Message: engine.T("setup.said-picture")}
}

func setupPart(name, kind, device string, seat engine.Seat) setup.Part {
	return setup.Part{Part: engine.Part{Name: name, Health: engine.OK}, Kind: kind, Device: device, Seat: seat}
}

func unsetTable() engine.Frame {
	f := empty()
	f.View.Notices = append(f.View.Notices, "not-set-up")
	return f
}
