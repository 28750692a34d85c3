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
	Config config.Config
	Hints  addressHints
	Resume bool
	New    bool // leave an unfinished match unfinished
	Begin  *engine.Setup
	Script *script // nil: none
	Parts  equipment
	Log    *slog.Logger

	Temporary bool // the data folder is removed at the end
	Bare      bool // no configuration file; the token is printed on a terminal

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
func (h *host) run(ctx context.Context) (err error) {
	h.began = time.Now()
	listener, err := listen("page", h.Config.HTTP.Listen, h.Hints.http)
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it, too
	broker, err := h.openBroker()
	if err != nil {
		return err
	}
	if broker != nil {
		defer func() { err = errors.Join(err, broker.Close()) }()
	}
	defer func() {
		if err := h.Parts.Halt(); err != nil {
			h.Log.Warn("hardware at the end", "error", err)
		}
	}()
	if err := h.open(listener.Addr()); err != nil {
		return err
	}
	if err = h.connect(); err == nil {
		err = h.beginMatch()
	}
	if err != nil {
		return errors.Join(err, h.table.Close())
	}

	pageDone := start(ctx, "page", func(ctx context.Context) error { return h.page.Serve(ctx, listener) })
	background := context.WithoutCancel(ctx)
	tableDone := start(background, "table", h.table.Run)
	brokerDone := start(background, "mqtt", func(ctx context.Context) error {
		if h.client != nil {
			h.client.Run(ctx)
		}
		return nil
	})
	h.Parts.Add(h.table, h.page)

	err = h.serve(ctx, listener.Addr(), broker, pageDone)
	for _, part := range []*running{pageDone, tableDone, brokerDone} {
		if failed := part.stop(); failed != nil && err == nil {
			err = no(part.name, failed.Error(), "")
		}
	}
	return err
}

// openBroker starts the embedded broker where one is configured, and sets its
// address as the broker to use.
func (h *host) openBroker() (*mqtt.Broker, error) {
	m := &h.Config.MQTT
	if m.Embedded == "" {
		return nil, nil
	}
	broker, err := mqtt.Listen(mqtt.BrokerConfig{Addr: m.Embedded, User: m.User, Password: m.Password, Log: h.Log})
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			return nil, wrong("mqtt "+m.Embedded, doctor.ListenReason(err), h.Hints.mqtt)
		}
		return nil, wrong("mqtt", brokerReason(err), h.Hints.mqtt)
	}
	addr, err := net.ResolveTCPAddr("tcp", broker.Addr())
	if err != nil {
		return nil, errors.Join(err, broker.Close())
	}
	m.Broker = "tcp://" + local(addr)
	return broker, nil
}

// open opens the table with its data folder.
func (h *host) open(addr net.Addr) error {
	address := ""
	h.pageURL = pageFor(addr)
	owner := h.games.owner(h.Config.Table.Data)
	opts := device.Config{
		Seats: config.Players(h.Config.Table.Seats),
		Name:  h.Config.Table.Name, Dir: h.Config.Table.Data, Games: h.games, Lang: h.lang, Log: h.Log,
		Definitions: owner.Definitions, Learn: owner.Learn,
		New: h.New,
	}
	if err := h.Parts.Configure(&opts); err != nil {
		return err
	}
	if !isLoopback(addr) || h.Config.HTTP.LocalNeedsToken() {
		var err error
		if h.token, err = loadToken(h.Config.Table.Data); err != nil {
			return no("token in "+h.Config.Table.Data, config.Reason(err), dataHint(err))
		}
		if to := door(h.Config.HTTP, addr); to != "" {
			address = to + key(h.token)
		}
	}
	opts.Address = address
	table, err := device.New(opts)
	if err != nil {
		what, why, found := strings.Cut(err.Error(), ": ")
		if !found {
			what, why = h.Config.Table.Data, err.Error()
		}
		return no(what, why, dataHint(err))
	}
	h.table = table
	return nil
}

// connect creates the page and the MQTT client and adds them to the table.
func (h *host) connect() error {
	config := web.Config{
		Input: h.table.Input, Order: h.table.Do, Games: h.table.Games, Cards: h.cards,
		Matches: func() ([]engine.MatchInfo, error) { return h.table.Matches(), nil },
		Journal: h.table.Journal,
		Token:   h.token, AskHere: h.Config.HTTP.LocalNeedsToken(), Hosts: h.Config.HTTP.Hosts,
	}
	config.Metrics = func(w io.Writer) { writeMetrics(w, h.table, h.began) }
	h.Parts.Show(&config)
	h.page = web.New(config)
	if h.Config.MQTT.Broker != "" {
		c := rig.Client(&h.Config)
		c.Version = release
		c.Lang, c.Log = h.lang, h.Log
		c.Input, c.Order, c.Health = h.table.Input, h.table.Do, h.table.Report
		h.homeAssistant(&c)
		client, err := mqtt.New(c)
		if err != nil {
			return wrong("mqtt", brokerReason(err), "")
		}
		h.client = client
		h.table.Add(device.Part{Name: "mqtt", Output: shower(client.Show), Direct: true})
	}
	h.table.Add(device.Part{Name: "page", Output: h.page, Direct: true})
	h.table.Report(engine.Part{Name: "page", Health: engine.OK})
	return nil
}

// cards returns the cards in the box of a game, with the owner's file, and with
// stand-ins where they are the game's default.
func (h *host) cards(game string, lang engine.Lang) ([]web.Card, error) {
	box := h.games.box(game)
	if box == nil {
		return nil, nil
	}
	own, err := h.games.owner(h.Config.Table.Data).Definitions(game)
	if err != nil {
		return nil, err
	}
	standIn := func(o engine.Option) bool { return o.Name == "data" && o.Default == "stand-in" }
	byDefault := slices.ContainsFunc(h.games, func(g engine.Game) bool {
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
func (h *host) serve(ctx context.Context, addr net.Addr, broker *mqtt.Broker, page *running) error {
	if err := h.awaitAnswers(ctx, local(addr), broker); err != nil {
		return ended(ctx, err)
	}
	h.announce(addr)
	notify := newNotifier(h.env)
	notify.tell("READY=1\nSTATUS=page at http://" + local(addr) + "/")
	defer notify.tell("STOPPING=1")
	watchdog := start(ctx, "watchdog", func(ctx context.Context) error { return notify.feed(ctx, h.table) })
	defer watchdog.stop()
	if h.Script != nil {
		if err := h.Script.play(ctx, h); err != nil {
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
func (h *host) beginMatch() error {
	if h.Script != nil {
		return h.Script.begin(h)
	}
	for _, m := range h.table.Matches() {
		if m.State == "damaged" {
			h.tell("match", m.ID+" cannot be read and is left as it is: "+m.Reason)
		}
	}
	unfinished := h.table.Frame().Status.Unfinish
	switch {
	case unfinished != "" && h.Resume:
		receipt := h.table.Prepare(engine.Order{Do: "resume", Match: unfinished})
		if receipt.Outcome != engine.Accepted {
			h.tell("match", unfinished+": "+receipt.Spoken)
			return nil
		}
		inputs := fmt.Sprintf("%d inputs", receipt.Seq)
		if receipt.Seq == 1 {
			inputs = "1 input"
		}
		h.tell("match", unfinished+" goes on after "+inputs)
		return nil
	case unfinished != "":
		h.tell("match", unfinished+" is unfinished: the page asks whether to continue (--resume and --new answer it)")
		return nil
	case h.Resume:
		h.tell("match", "none is unfinished")
	}
	if h.Begin == nil {
		return nil
	}
	receipt := h.table.Prepare(engine.Order{Do: "begin", Setup: *h.Begin})
	if receipt.Outcome != engine.Accepted {
		return no("game "+h.Begin.Game, receipt.Spoken, "")
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

func (o shower) Show(ctx context.Context, f engine.Frame) error {
	o(ctx, f)
	return nil
}

// brokerReason returns the text of an error without the name of package mqtt.
func brokerReason(err error) string { return strings.TrimPrefix(err.Error(), "mqtt: ") }
