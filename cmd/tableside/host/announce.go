package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/rig"
	"tableside/mqtt"
)

// answerLimit bounds the wait for answers of the page and the broker at the start.
const answerLimit = 10 * time.Second

// awaitAnswers waits until page and embedded broker answer.
func (h *Host) awaitAnswers(ctx context.Context, addr string, broker *mqtt.Broker) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true} // leaves no goroutine behind
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/healthz", nil)
		if err != nil {
			return err
		}
		answer, err := transport.RoundTrip(request)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				break
			}
		}
		select {
		case <-ctx.Done():
			return failed("page", "http://"+addr+" does not answer", "")
		case <-time.After(5 * time.Millisecond):
		}
	}
	if broker == nil {
		return nil
	}
	settings := rig.Client(&h.Config)
	settings.Lang = "" // commands print English
	if err := mqtt.Check(ctx, settings); err != nil {
		hint := ""
		var p *mqtt.Problem
		if errors.As(err, &p) {
			hint = p.Hint()
		}
		return failed("mqtt", brokerReason(err), hint)
	}
	return nil
}

// announce prints the addresses and the data folder.
func (h *Host) announce(addr net.Addr) {
	h.announcePage(addr)
	if h.client != nil {
		h.tell("mqtt", h.Config.MQTT.Broker+", topics tableside/"+h.Config.Table.Name+"/#")
	}
	if h.Temporary {
		h.tell("data", h.Config.Table.Data+", until the end; --data DIR keeps it")
		return
	}
	h.tell("data", h.Config.Table.Data)
}

// joinCommand returns the command that shows the QR code of this table. A demo has
// no configuration file, so its command has flags.
func (h *Host) joinCommand(addr net.Addr) string {
	if !h.Bare {
		return "tableside join"
	}
	host, _, _ := net.SplitHostPort(h.Config.HTTP.Listen)
	_, port, _ := net.SplitHostPort(addr.String())
	return fmt.Sprintf("tableside join --data %s --http %s", h.Config.Table.Data, net.JoinHostPort(host, port))
}

// announcePage prints the addresses of the page and the place of the token. Only a
// demo on a terminal prints the token itself: logs are kept, and others read them.
func (h *Host) announcePage(addr net.Addr) {
	here, phones := "http://"+local(addr)+"/", h.pageURL
	if h.token == "" {
		h.tell("page", here)
		return
	}
	if h.Bare && isTerminal(h.Out) {
		if h.Config.HTTP.LocalNeedsToken() {
			here += key(h.token)
		}
		h.tell("page", here)
		if phones != "" {
			h.tell("phones", phones+key(h.token))
		}
		return
	}
	h.tell("page", here)
	if phones != "" {
		h.tell("phones", phones+", to play with the code on the panel or the token")
	}
	h.tell("token", "in "+tokenFile(h.Config.Table.Data)+"; "+h.joinCommand(addr)+" shows it with its code")
}

func (h *Host) tell(what, text string) { fmt.Fprintf(h.Out, "%-7s %s\n", what, text) }

// isTerminal reports whether w is a terminal, not a file or log.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
