package pn532_test

import (
	"strings"
	"testing"
	"time"

	"tableside/drivers/nfc/nfctest"
)

// TestTimeOfAPoll checks that a poll takes no longer than limits allows once the
// driver knows the chip, with the chip's pauses and without the bytes on the wire.
// A chip that was slow to wake gets longer pauses.
func TestTimeOfAPoll(t *testing.T) {
	const ms = time.Millisecond
	type times struct{ empty, comes, stays time.Duration }
	limits := map[string]times{
		"SPI":  {22 * ms, 28 * ms, 25 * ms},
		"I2C":  {22 * ms, 29 * ms, 25 * ms},
		"UART": {24 * ms, 24 * ms, 24 * ms},
	}
	each(t, false, func(b *bench) {
		limit := limits[b.transport]
		if strings.HasSuffix(b.Name(), "/sleepy") {
			const more = 13 * ms // 4 for each pause, and a later look
			limit = times{limit.empty + more, limit.comes + more, limit.stays + more}
		}
		time.Sleep(50 * ms) // the power is on for some time
		b.init()
		// poll returns how long the last of some polls took.
		poll := func(polls int, tags ...*nfctest.Tag) (took time.Duration) {
			b.Helper()
			for range polls {
				began := time.Now()
				b.poll(tags...)
				took = time.Since(began)
				time.Sleep(50 * ms)
			}
			return took
		}
		tag := nfctest.NewNTAG213(uid(b, seven))
		for range 5 {
			var got times
			got.empty = poll(200)
			b.put(tag)
			got.comes = poll(1, tag)
			got.stays = poll(200, tag)
			b.field.Take(tag)
			if got.empty > limit.empty || got.comes > limit.comes || got.stays > limit.stays {
				b.Errorf("got %+v, want at most %+v", got, limit)
			}
		}
	})
}
