package homeassistant

import (
	"slices"
	"testing"

	"tableside/engine"
)

// A seat that may do something is not asked.
func TestAsked(t *testing.T) {
	f := testFrame(t, engine.English, 1)
	f.View.Prompts = append(f.View.Prompts, engine.Prompt{Seat: "blue", Key: "move", May: true})
	if got := Summary(f)["asked"].Attributes["seats"].([]engine.Seat); !slices.Equal(got, []engine.Seat{"red"}) {
		t.Errorf("asked are %v", got)
	}
	f.View.Prompts = f.View.Prompts[1:]
	if got := Summary(f)["asked"].Attributes["seats"].([]engine.Seat); !slices.Equal(got, []engine.Seat{engine.Table}) {
		t.Errorf("where nobody has to answer, asked are %v", got)
	}
}

// Who is ahead has the colour of its seat, and all chances beside it.
func TestAhead(t *testing.T) {
	f := testFrame(t, engine.English, 1)
	if got := Summary(f)["ahead"]; got.State != nil || got.Attributes == nil {
		t.Errorf("nobody knows who is ahead: %+v", got)
	}
	f.Status.Chances = &engine.Chances{Of: 400, List: []engine.Chance{{Seat: "red", Mean: .375}, {Seat: "blue", Mean: .625}}}
	got := Summary(f)["ahead"]
	percents := got.Attributes["chances"].(map[engine.Seat]int)
	if got.State != "blue" || got.Attributes["percent"] != 63 || percents["red"] != 38 || got.Attributes["name"] == "" {
		t.Errorf("%+v", got)
	}
	d := describer{cfg: Config{Chances: true}, frame: f, components: map[string]component{}}
	d.table(nil)
	if d.components["ahead"]["state_topic"] == nil {
		t.Errorf("%v", d.components)
	}
}
