package mqtt

import (
	"testing"

	"tableside/mqtt/hatest"
)

// checkDiscovery reads an announcement as Home Assistant does, and returns its
// components.
func checkDiscovery(t *testing.T, m Message) map[string]map[string]any {
	t.Helper()
	all, err := hatest.Components(DefaultDiscovery, m.Topic, m.Payload)
	if err != nil {
		t.Errorf("Home Assistant does not take this announcement: %v\n%s", err, m.Payload)
	}
	return all
}
