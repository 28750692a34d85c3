package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"tableside/cmd/tableside/rig"
	"tableside/mqtt"
)

// answerLimit bounds the wait for answers of the page and the broker at the start.
const answerLimit = 10 * time.Second

// awaitAnswers waits until page and embedded broker answer.
func (s *host) awaitAnswers(ctx context.Context, addr string, broker *mqtt.Broker) error {
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
			return no("page", "http://"+addr+" does not answer", "")
		case <-time.After(5 * time.Millisecond):
		}
	}
	if broker == nil {
		return nil
	}
	settings := rig.Client(&s.config)
	settings.Lang = "" // commands print English
	if err := mqtt.Check(ctx, settings); err != nil {
		return no("mqtt", brokerReason(err), "")
	}
	return nil
}

// announce prints the addresses and the data folder.
func (s *host) announce(addr net.Addr) {
	s.announcePage(addr)
	if s.client != nil {
		s.tell("mqtt", s.config.MQTT.Broker+", topics tableside/"+s.config.Table.Name+"/#")
	}
	if s.temporary {
		s.tell("data", s.config.Table.Data+", until the end; --data DIR keeps it")
		return
	}
	s.tell("data", s.config.Table.Data)
}

// joinCommand returns the command that shows the QR code of this table. A demo has
// no configuration file, so its command has flags.
func (s *host) joinCommand(addr net.Addr) string {
	if !s.bare {
		return "tableside join"
	}
	host, _, _ := net.SplitHostPort(s.config.HTTP.Listen)
	_, port, _ := net.SplitHostPort(addr.String())
	return fmt.Sprintf("tableside join --data %s --http %s", s.config.Table.Data, net.JoinHostPort(host, port))
}

// announcePage prints the addresses of the page and the place of the token. Only a
// demo on a terminal prints the token itself: logs are kept, and others read them.
func (s *host) announcePage(addr net.Addr) {
	here, phones := "http://"+local(addr)+"/", door(s.config.HTTP, addr)
	if s.token == "" {
		s.tell("page", here)
		return
	}
	if s.bare && isTerminal(s.out) {
		if s.config.HTTP.LocalNeedsToken() {
			here += key(s.token)
		}
		s.tell("page", here)
		if phones != "" {
			s.tell("phones", phones+key(s.token))
		}
		return
	}
	s.tell("page", here)
	if phones != "" {
		s.tell("phones", phones+", to play with the code on the panel or the token")
	}
	s.tell("token", "in "+tokenFile(s.config.Table.Data)+"; "+s.joinCommand(addr)+" shows it with its code")
}

func (s *host) tell(what, text string) { fmt.Fprintf(s.out, "%-7s %s\n", what, text) }
