package web

import (
	"context"
	"testing"

	"tableside/engine"
)

// settingUp returns a table without a match, whose owner looks at /setup in a state.
func settingUp(change func(*SetupState)) func(*testing.T) shown {
	return func(*testing.T) shown {
		state := SetupState{Parts: []SetupPart{}, Found: []SetupFound{}, Troubles: []string{}, Open: true,
			Panels: []string{"waveshare-2in13-v4", "inky-phat"}, Strips: []string{"ws2812", "apa102"}}
		for _, seat := range engine.UsualSeats {
			state.Seats = append(state.Seats, engine.Player{Seat: seat})
		}
		change(&state)
		s := exampleServer(empty())
		s.config.Setup = &Setup{
			State: func(context.Context) SetupState { return state },
			Do:    func(context.Context, SetupOrder) error { return nil },
		}
		return shown{Server: s}
	}
}

// States of /setup.

func nothingPluggedIn(*SetupState) {}

func oneReaderFound(s *SetupState) {
	s.Parts = []SetupPart{setupPart("reader-table", "reader", "ACS ACR122U PICC Interface 00 00", engine.Table)}
	s.Found = []SetupFound{{ID: "input:1", Kind: "keyboard", Name: "SIGMACHIP USB Keyboard"},
		{ID: "serial:1", Kind: "adapter", Name: "usb-1a86_USB_Serial-if00-port0"}}
}

func askingWhose(s *SetupState) {
	oneReaderFound(s)
	s.Asked = &SetupQuestion{Seat: "red", Message: engine.T(SaidUnread, "name", "Pad", "reason", "another program has it")}
}

func partWithFault(s *SetupState) {
	done(s)
	s.Parts[1].Health, s.Parts[1].Reason = engine.Broken, "evdev: 1c4f:0002: not plugged in"
	s.Parts[2].Health, s.Parts[2].Reason = engine.Degraded, "WLED 0.14.4 with 30 LEDs, but [lights] count is 60"
	s.Troubles = []string{"reader red: seat: red has reader mine already"}
	s.Last = &SetupAnswer{N: 3, Message: engine.T(SaidTwo, "seat", SeatWord("red"))}
}

func done(s *SetupState) {
	s.Open = false
	s.Parts = []SetupPart{
		setupPart("reader-red", "reader", "ACS ACR122U PICC Interface 00 00", "red"),
		setupPart("keyboard-blue", "keyboard", "1c4f:0002", "blue"),
		setupPart("lights", "lights", "wled-table.local", engine.Table),
		setupPart("panel", "panel", "waveshare-2in13-v4", engine.Table),
	}
	s.Parts[0].Written, s.Parts[0].Reads = true, 12
	s.Last = &SetupAnswer{N: 2, OK: true, Message: engine.T(SaidPicture)}
}

func setupPart(name, kind, device string, seat engine.Seat) SetupPart {
	return SetupPart{Part: engine.Part{Name: name, Health: engine.OK}, Kind: kind, Device: device, Seat: seat}
}

// unsetTable returns an empty table on which nothing is set up.
func unsetTable() engine.Frame {
	f := empty()
	f.View.Notices = append(f.View.Notices, "not-set-up")
	return f
}
