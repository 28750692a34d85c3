package simulated

import (
	"strings"
	"testing"

	"tableside/engine"
)

// A notebook is a game whose only card says what was defined.
type notebook struct{}

func (notebook) Info() engine.Info {
	return engine.Info{Name: "notebook/plain", Rules: 1, MinSeats: 1, MaxSeats: 1}
}

func (notebook) New(setup engine.Setup) (func() (engine.State, error), error) {
	return func() (engine.State, error) { return page{setup.Definitions}, nil }, nil
}

type page struct{ defined []string }

func (page) Apply(engine.Input) ([]engine.Event, error) { return nil, nil }
func (page) View() engine.View                          { return engine.View{} }
func (p page) Describe(string) []engine.Text {
	return []engine.Text{engine.T(strings.Join(p.defined, ","))}
}

// TestDescribe checks that a card says at once what was entered at the table, and no
// longer what was undone.
func TestDescribe(t *testing.T) {
	cards := &Cards{Games: []engine.Game{notebook{}}}
	check := func(want string) {
		t.Helper()
		if got := cards.Describe("card-1"); len(got) != 1 || got[0].Key != want {
			t.Errorf("got %v, want %q", got, want)
		}
	}
	follow := func(learned ...string) { cards.Follow(engine.Step{}, learned) }
	setup := engine.Setup{Game: "notebook/plain", Seats: []engine.Player{{Seat: "red"}}, Definitions: []string{"own"}}
	cards.Begin(setup, page{setup.Definitions})
	check("own")
	follow("kind")
	check("own,kind")
	follow("kind", "attack 0")
	check("own,kind,attack 0")
	follow("kind")
	check("own,kind")
	follow("kind", "attack 0")
	check("own,kind,attack 0")
	follow()
	check("own")
	follow("color")
	check("own,color")
	follow("color")
	check("own,color")
	cards.Begin(setup, page{setup.Definitions})
	check("own")
}
