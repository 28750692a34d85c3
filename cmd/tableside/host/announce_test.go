package host

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tableside/cmd/tableside/config"
	"tableside/mqtt"
)

// TestAwaitAnswersHint tests that a broker that does not serve the table is reported
// with what to do about it.
func TestAwaitAnswersHint(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer page.Close()
	h := &Host{Config: config.New(func(string) string { return "" })}
	h.Config.MQTT.Broker = "tcp://127.0.0.1:1"
	err := h.awaitAnswers(t.Context(), page.Listener.Addr().String(), &mqtt.Broker{})
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Reason, "cannot be reached") ||
		!strings.Contains(e.Hint, "heck mqtt.broker") {
		t.Errorf("got %+v", err)
	}
}
