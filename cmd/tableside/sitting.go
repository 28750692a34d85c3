package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/doctor"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/display/web"
	"tableside/engine"
	"tableside/mqtt"
)

// A sitting is a table with its page, its broker and its hardware, from the
// beginning of the program to its end. Demo and run are each one.
type sitting struct {
	*program
	config config.Config
	choose addressHints
	resume bool
	anew   bool // leave an unfinished match unfinished
	begin  *engine.Setup
	script *script // nil: none
	parts  equipment
	log    *slog.Logger

	temporary bool // the data folder
	bare      bool // print the token where the output is a terminal

	began   time.Time
	token   string
	pageURL string // for other machines, without the token; "" where none reaches it
	table   *device.Table
	page    *web.Server
	client  *mqtt.Client // nil: no MQTT
}

// Equipment is what stands at a table: hardware, or what stands for it.
type equipment interface {
	Configure(*device.Config) error // before there is a table
	Show(*web.Config)               // what the page shows of it
	Add(*device.Table, *web.Server) // connect it to the table
	Halt() error                    // at the end

	// copyPanel hands on each picture of the panel, from when the table runs,
	// and reports whether there is a panel.
	CopyPanel(to func(image.Image)) bool
}

// addressHints tell how other addresses are chosen.
type addressHints struct{ http, mqtt string }

// answerLimit bounds how long the page and the broker take to answer at the
// start.
const answerLimit = 10 * time.Second

// run sits until the context ends, then puts everything away in order: first
// the page, so that nothing more comes in; then the table, which keeps and
// shows what came; at last what shows it.
func (s *sitting) run(ctx context.Context) (err error) {
	s.began = time.Now()
	listener, err := listen("page", s.config.HTTP.Listen, s.choose.http)
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it too
	broker, err := s.openBroker()
	if err != nil {
		return err
	}
	if broker != nil {
		defer func() { err = errors.Join(err, broker.Close()) }()
	}
	defer func() {
		if err := s.parts.Halt(); err != nil {
			s.log.Warn("hardware at the end", "error", err)
		}
	}()
	if err := s.open(listener.Addr()); err != nil {
		return err
	}
	if err = s.connect(); err == nil {
		err = s.beginMatch()
	}
	if err != nil {
		return errors.Join(err, s.table.Close())
	}

	pageDone := start(ctx, "page", func(ctx context.Context) error { return s.page.Serve(ctx, listener) })
	background := context.WithoutCancel(ctx)
	tableDone := start(background, "table", s.table.Run)
	brokerDone := start(background, "mqtt", func(ctx context.Context) error {
		if s.client != nil {
			s.client.Run(ctx)
		}
		return nil
	})
	s.parts.Add(s.table, s.page)

	err = s.host(ctx, listener.Addr(), broker, pageDone)
	for _, part := range []*running{pageDone, tableDone, brokerDone} {
		if failed := part.stop(); failed != nil && err == nil {
			err = no(part.name, failed.Error(), "")
		}
	}
	return err
}

// A running goroutine is waited for by whoever started it.
type running struct {
	name   string
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended
	err    error         // read after done
}

func start(ctx context.Context, name string, do func(context.Context) error) *running {
	ctx, cancel := context.WithCancel(ctx)
	r := &running{name: name, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.err = do(ctx)
	}()
	return r
}

func (r *running) stop() error {
	r.cancel()
	<-r.done
	return r.err
}

// openBroker starts the embedded broker where one is wanted, and remembers
// its address as the broker to use.
func (s *sitting) openBroker() (*mqtt.Broker, error) {
	m := &s.config.MQTT
	if m.Embedded == "" {
		return nil, nil
	}
	broker, err := mqtt.Listen(mqtt.BrokerConfig{Addr: m.Embedded, User: m.User, Password: m.Password, Log: s.log})
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			return nil, wrong("mqtt "+m.Embedded, doctor.ListenReason(err), s.choose.mqtt)
		}
		return nil, wrong("mqtt", brokerReason(err), s.choose.mqtt)
	}
	addr, err := net.ResolveTCPAddr("tcp", broker.Addr())
	if err != nil {
		return nil, errors.Join(err, broker.Close())
	}
	m.Broker = "tcp://" + local(addr)
	return broker, nil
}

// open opens the table on its data folder.
func (s *sitting) open(addr net.Addr) error {
	address := ""
	s.pageURL = pageFor(addr)
	owners := ownersFile{s.config.Table.Data, s.games}
	opts := device.Config{
		Seats: config.Players(s.config.Table.Seats),
		Name:  s.config.Table.Name, Dir: s.config.Table.Data, Games: s.games, Lang: s.lang, Log: s.log,
		Definitions: owners.definitions, Learn: owners.learn,
		New: s.anew,
	}
	if err := s.parts.Configure(&opts); err != nil {
		return err
	}
	if !isLoopback(addr) || s.config.HTTP.LocalNeedsToken() {
		var err error
		if s.token, err = loadToken(s.config.Table.Data); err != nil {
			return no("token in "+s.config.Table.Data, config.Reason(err), dataHint(err))
		}
		if to := door(s.config.HTTP, addr); to != "" {
			address = to + key(s.token)
		}
	}
	opts.Address = address
	table, err := device.New(opts)
	if err != nil {
		what, why, found := strings.Cut(err.Error(), ": ")
		if !found {
			what, why = s.config.Table.Data, err.Error()
		}
		return no(what, why, dataHint(err))
	}
	s.table = table
	return nil
}

// connect makes page and MQTT client and adds them to the table.
func (s *sitting) connect() error {
	config := web.Config{
		Input: s.table.Input, Order: s.table.Do, Games: s.table.Games, Cards: s.cards,
		Matches: func() ([]engine.MatchInfo, error) { return s.table.Matches(), nil },
		Journal: s.table.Journal,
		Token:   s.token, AskHere: s.config.HTTP.LocalNeedsToken(), Hosts: s.config.HTTP.Hosts,
	}
	config.Metrics = func(w io.Writer) { writeMetrics(w, s.table, s.began) }
	s.parts.Show(&config)
	s.page = web.New(config)
	if s.config.MQTT.Broker != "" {
		c := rig.Client(&s.config)
		c.Version = release
		c.Lang, c.Log = s.lang, s.log
		c.Input, c.Order, c.Health = s.table.Input, s.table.Do, s.table.Report
		s.homeAssistant(&c)
		client, err := mqtt.New(c)
		if err != nil {
			return wrong("mqtt", brokerReason(err), "")
		}
		s.client = client
		s.table.Add(device.Part{Name: "mqtt", Output: shower(client.Show), Direct: true})
	}
	s.table.Add(device.Part{Name: "page", Output: s.page, Direct: true})
	s.table.Report(engine.Part{Name: "page", Health: engine.OK})
	return nil
}

// cards are those in the box of a game as it is played here: with what the
// owner's file says, and with stand-ins where they are the default.
func (s *sitting) cards(game string, lang engine.Lang) ([]web.Card, error) {
	box := s.games.box(game)
	if box == nil {
		return nil, nil
	}
	own, err := ownersFile{s.config.Table.Data, s.games}.definitions(game)
	if err != nil {
		return nil, err
	}
	standIn := func(o engine.Option) bool { return o.Name == "data" && o.Default == "stand-in" }
	byDefault := slices.ContainsFunc(s.games, func(g engine.Game) bool {
		info := g.Info()
		return info.Name == game && slices.ContainsFunc(info.Options, standIn)
	})
	known, err := box.Cards(byDefault, own)
	if err != nil {
		return nil, err
	}
	sheets, _ := inWords(known, lang)
	var cards []web.Card
	for _, sheet := range sheets {
		cards = append(cards, web.Card{Kind: sheet.ID, Name: sheet.Name, Copies: sheet.Copies})
	}
	return cards, nil
}

// host is what is done while everything runs: wait until it answers, say
// where, play the script, and stay.
func (s *sitting) host(ctx context.Context, addr net.Addr, broker *mqtt.Broker, page *running) error {
	if err := s.awaitAnswers(ctx, local(addr), broker); err != nil {
		return ended(ctx, err)
	}
	s.announce(addr)
	notify := newNotifier(s.env)
	notify.tell("READY=1\nSTATUS=page at http://" + local(addr) + "/")
	defer notify.tell("STOPPING=1")
	watchdog := start(ctx, "watchdog", func(ctx context.Context) error { return notify.feed(ctx, s.table) })
	defer watchdog.stop()
	if s.script != nil {
		if err := s.script.play(ctx, s); err != nil {
			return ended(ctx, err)
		}
	}
	select {
	case <-ctx.Done():
	case <-page.done: // it cannot go on; stop says why
	}
	return nil
}

// ended is no error when somebody has ended the program meanwhile.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// awaitAnswers waits until page and embedded broker answer.
func (s *sitting) awaitAnswers(ctx context.Context, addr string, broker *mqtt.Broker) error {
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
	settings.Lang = "" // what a command prints is English
	if err := mqtt.Check(ctx, settings); err != nil {
		return no("mqtt", brokerReason(err), "")
	}
	return nil
}

// beginMatch begins what was asked for, unless a match waits or goes on. That
// is before anybody is shown anything: who watches a table sees no empty one
// between two halves of a match.
func (s *sitting) beginMatch() error {
	if s.script != nil {
		return s.script.begin(s)
	}
	for _, m := range s.table.Matches() {
		if m.State == "damaged" {
			s.tell("match", m.ID+" cannot be read and is left as it is: "+m.Reason)
		}
	}
	unfinished := s.table.Frame().Status.Unfinish
	switch {
	case unfinished != "" && s.resume:
		receipt := s.table.Prepare(engine.Order{Do: "resume", Match: unfinished})
		if receipt.Outcome != engine.Accepted {
			s.tell("match", unfinished+": "+receipt.Spoken)
			return nil
		}
		inputs := fmt.Sprintf("%d inputs", receipt.Seq)
		if receipt.Seq == 1 {
			inputs = "1 input"
		}
		s.tell("match", unfinished+" goes on after "+inputs)
		return nil
	case unfinished != "":
		s.tell("match", unfinished+" is unfinished: the page asks whether to continue (--resume and --new answer it)")
		return nil
	case s.resume:
		s.tell("match", "none is unfinished")
	}
	if s.begin == nil {
		return nil
	}
	receipt := s.table.Prepare(engine.Order{Do: "begin", Setup: *s.begin})
	if receipt.Outcome != engine.Accepted {
		return no("game "+s.begin.Game, receipt.Spoken, "")
	}
	return nil
}

// announce says where everything is.
func (s *sitting) announce(addr net.Addr) {
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

// joinCommand is what shows the code of this table: a demo has no configuration
// file that says where it is.
func (s *sitting) joinCommand(addr net.Addr) string {
	if !s.bare {
		return "tableside join"
	}
	host, _, _ := net.SplitHostPort(s.config.HTTP.Listen)
	_, port, _ := net.SplitHostPort(addr.String())
	return fmt.Sprintf("tableside join --data %s --http %s", s.config.Table.Data, net.JoinHostPort(host, port))
}

// announcePage prints where the page is, and where the token is. The token itself
// is printed only by a demo on a terminal: logs are kept, and read by others.
func (s *sitting) announcePage(addr net.Addr) {
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

func (s *sitting) tell(what, text string) { fmt.Fprintf(s.out, "%-7s %s\n", what, text) }

// listen opens a port, or says what to do where that cannot be.
func listen(what, addr, hint string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, wrong(what+" "+addr, doctor.ListenReason(err), hint)
	}
	return l, nil
}

// A shower is an output that cannot fail.
type shower func(context.Context, engine.Frame)

func (s shower) Show(ctx context.Context, f engine.Frame) error {
	s(ctx, f)
	return nil
}

// brokerReason says what is wrong, without the name of the package.
func brokerReason(err error) string { return strings.TrimPrefix(err.Error(), "mqtt: ") }
