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
