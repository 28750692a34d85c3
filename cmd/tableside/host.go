package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"net"
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

// A host runs a table with its page, broker and hardware, from the start of the
// program to its end. The commands demo and run each run one.
type host struct {
	*program
	config   config.Config
	choose   addressHints
	resume   bool
	startNew bool // leave an unfinished match unfinished
	begin    *engine.Setup
	script   *script // nil: none
	parts    equipment
	log      *slog.Logger

	temporary bool // the data folder is removed at the end
	bare      bool // no configuration file; the token is printed on a terminal

	began   time.Time
	token   string
	pageURL string // for other machines, without the token; "" where they cannot reach it
	table   *device.Table
	page    *web.Server
	client  *mqtt.Client // nil: no MQTT
}

// Equipment is the real, emulated or simulated hardware of a table.
type equipment interface {
	Configure(*device.Config) error // before there is a table
	Show(*web.Config)               // sets what the page shows of it
	Add(*device.Table, *web.Server) // connects it to the table
	Halt() error                    // at the end

	// CopyPanel calls to with each picture of the panel while the table runs, and
	// reports whether there is a panel.
	CopyPanel(to func(image.Image)) bool
}

// addressHints hold the hints about choosing other addresses.
type addressHints struct{ http, mqtt string }

// run runs the table until the context ends. Then it stops everything in order: the
// page first, so that no more inputs arrive; then the table, which writes and shows
// the last ones; then the outputs.
func (s *host) run(ctx context.Context) (err error) {
	s.began = time.Now()
	listener, err := listen("page", s.config.HTTP.Listen, s.choose.http)
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it, too
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

	err = s.serve(ctx, listener.Addr(), broker, pageDone)
	for _, part := range []*running{pageDone, tableDone, brokerDone} {
		if failed := part.stop(); failed != nil && err == nil {
			err = no(part.name, failed.Error(), "")
		}
	}
	return err
}

// openBroker starts the embedded broker where one is configured, and sets its
// address as the broker to use.
func (s *host) openBroker() (*mqtt.Broker, error) {
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

// open opens the table with its data folder.
func (s *host) open(addr net.Addr) error {
	address := ""
	s.pageURL = pageFor(addr)
	owner := s.games.owner(s.config.Table.Data)
	opts := device.Config{
		Seats: config.Players(s.config.Table.Seats),
		Name:  s.config.Table.Name, Dir: s.config.Table.Data, Games: s.games, Lang: s.lang, Log: s.log,
		Definitions: owner.Definitions, Learn: owner.Learn,
		New: s.startNew,
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

// connect creates the page and the MQTT client and adds them to the table.
func (s *host) connect() error {
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

// cards returns the cards in the box of a game, with the owner's file, and with
// stand-ins where they are the game's default.
func (s *host) cards(game string, lang engine.Lang) ([]web.Card, error) {
	box := s.games.box(game)
	if box == nil {
		return nil, nil
	}
	own, err := s.games.owner(s.config.Table.Data).Definitions(game)
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

// serve waits until everything answers, announces it, plays the script, and returns
// when the context or the page ends.
func (s *host) serve(ctx context.Context, addr net.Addr, broker *mqtt.Broker, page *running) error {
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
	case <-page.done: // it failed; stop returns its error
	}
	return nil
}

// ended returns err, or nil where the context has ended: then err is its result.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// beginMatch begins the configured match, unless an unfinished one waits or is
// resumed. It runs before any output: nobody sees an empty table between the two
// halves of a match.
func (s *host) beginMatch() error {
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

// listen listens on a TCP address; a failure has the hint.
func listen(what, addr, hint string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, wrong(what+" "+addr, doctor.ListenReason(err), hint)
	}
	return l, nil
}

// A shower is a device.Output whose Show cannot fail.
type shower func(context.Context, engine.Frame)

func (s shower) Show(ctx context.Context, f engine.Frame) error {
	s(ctx, f)
	return nil
}

// brokerReason returns the text of an error without the name of package mqtt.
func brokerReason(err error) string { return strings.TrimPrefix(err.Error(), "mqtt: ") }
