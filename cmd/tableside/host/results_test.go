package host

import (
	"log/slog"
	"testing"
	"testing/synctest"

	"tableside/mqtt"
)

// TestKeptMessage checks that a message which the broker has kept, and delivers with each
// connection, is not shown as if the hall had just sent it.
func TestKeptMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := tableWith(t, t.TempDir())
		h.Log = slog.New(slog.DiscardHandler)
		for _, kept := range []bool{true, false} {
			h.fromHall(mqtt.MessageTopic, []byte(`{"text":"Round 2"}`), kept)
			synctest.Wait()
			if said := h.table.Frame().Status.Says; (said == "") != kept {
				t.Errorf("kept %t: the table says %q", kept, said)
			}
		}
	})
}
