package host

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/cmd/tableside/shelf"
	"tableside/device"
	"tableside/device/chances"
	"tableside/device/hall"
	"tableside/display/web"
	"tableside/display/web/cards"
	"tableside/display/web/core"
	"tableside/engine"
	"tableside/mqtt"
	"tableside/mqtt/broker"
)

const (
	mostConnections = 1024 // of all pages: a hall of 768 phones, and what else browsers keep open
	otherFiles      = 256
)

// A Host runs a table with its page, broker and hardware.
type Host struct {
	Config config.Config
	Games  shelf.List
	Parts  Equipment
	Log    *slog.Logger

	Version, Commit string // of the program

	// Print writes to w the labels that somebody asks for on the page. The owner's cards are
	// in the data folder data.
	Print func(data string, w io.Writer, ask cards.PrintOrder) (cards.PrintResult, error)

	Setup    *engine.Setup // the match to begin; nil: none
	Resume   bool          // continue an unfinished match
	StartNew bool          // leave an unfinished match unfinished
	Script   *Script       // to play; nil: none

	// Shows are the matches to play when somebody at the empty table wants to see one, by the
	// title of the game.
	Shows map[string]*Shown

	Out          io.Writer // gets the addresses, and what becomes of the match
	Hints        AddressHints
	Env          func(string) string // reads the environment, for systemd's variables
	Temporary    bool                // the data folder is removed at the end
	Unconfigured bool                // no configuration file; the token is printed on a terminal

	lang            engine.Lang
	began           time.Time
	token           string // for players
	ownerToken      string // "" where nobody needs a token
	ownerTokenIsNew bool   // it was made at this start
	pageURL         string // for other machines, without the token; "" where they cannot reach it
	table           *device.Table
	page            *web.Server
	client          *mqtt.Client // nil: no MQTT
	hall            *Hall        // nil: none
	results         *hall.Sender // nil: the table names no hall
	show            show
	cardsFaulty     bool // the owner's data had mistakes when it was last read
}

// Equipment is the real, emulated or simulated hardware of a table.
type Equipment interface {
	Configure(*device.Config) error // prepares it, and sets what the table needs of it
	Show(*web.Config)               // sets what the page shows of it
	Add(*device.Table, *web.Server) // connects it to the table
	Halt() error                    // puts it to rest, at the end

	// CopyPanel passes each picture of the panel to the given function while the table runs.
	// It reports whether there is a panel.
	CopyPanel(to func(image.Image)) bool
}

// AddressHints holds hints for the owner. A hint is shown if the address of the page or of the
// embedded broker cannot be used, and on the page if other machines cannot reach it.
type AddressHints struct{ HTTP, MQTT, Reach string }

// Run runs the table until the context ends. Then it stops everything in a fixed order. First
// it stops the page, so that no more inputs arrive. Then it stops the table, which writes and
// shows the last inputs. It stops the outputs last.
func (h *Host) Run(ctx context.Context) (err error) {
	h.began, h.lang = time.Now(), engine.Lang(h.Config.Table.Lang)
	listener, err := listen("page", h.Config.HTTP.Listen, h.Hints.HTTP)
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
	if err := h.openHall(); err != nil {
		return err
	}
	defer h.hall.close()
	defer func() {
		if err := h.Parts.Halt(); err != nil {
			h.Log.Warn("hardware at the end", "error", err)
		}
	}()
	if err := h.openTable(listener.Addr()); err != nil {
		return err
	}
	h.warnOfCards()
	background := context.WithoutCancel(ctx)
	tableDone := start(background, "table", h.table.Run)
	if err = h.connect(); err == nil {
		err = h.beginMatch(background)
	}
	if err != nil {
		return errors.Join(err, tableDone.stop())
	}

	h.Parts.Add(h.table, h.page) // before the page: it operates what is simulated
	pageDone := start(ctx, "page", func(ctx context.Context) error { return h.page.Serve(ctx, listener) })
	brokerDone := start(background, "mqtt", func(ctx context.Context) error {
		if h.client != nil {
			h.client.Run(ctx)
		}
		return nil
	})
	resultsDone := start(ctx, "results", h.runResults)
	hallDone := start(ctx, "hall", h.hall.serveBeside)

	err = h.serve(ctx, listener.Addr(), pageDone)
	for _, part := range []*task{pageDone, hallDone, resultsDone, tableDone, brokerDone} {
		if part == tableDone {
			h.show.stop() // nobody can begin another show
		}
		if e := part.stop(); e != nil && err == nil {
			err = config.Failed(part.name, e.Error(), "")
		}
	}
	return err
}

// openBroker starts the embedded broker, if one is configured. The table then uses this
// broker. If no embedded broker is configured, openBroker returns nil.
func (h *Host) openBroker() (*broker.Broker, error) {
	m := &h.Config.MQTT
	if m.Embedded == "" {
		return nil, nil
	}
	b, err := broker.Listen(broker.Config{Addr: m.Embedded, User: m.User, Password: m.Password, Log: h.Log})
	if err != nil {
		if _, ok := errors.AsType[*net.OpError](err); ok {
			return nil, config.Wrong("mqtt "+m.Embedded, config.ListenReason(err), h.Hints.MQTT)
		}
		return nil, config.Wrong("mqtt", brokerReason(err), h.Hints.MQTT)
	}
	addr, err := net.ResolveTCPAddr("tcp", b.Addr())
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	m.Broker = "tcp://" + local(addr)
	return b, nil
}

// openTable opens the table with its data folder. If the page asks for tokens, openTable also
// reads the tokens, and makes a token that is missing. Without their files the table still starts,
// with tokens that end with it. The argument is the address on which
// the page listens.
func (h *Host) openTable(addr net.Addr) error {
	address := ""
	h.pageURL = reachableURL(h.Config.HTTP, addr)
	owner := h.Games.Owner(h.Config.Table.Data)
	opts := device.Config{
		Seats: config.Players(h.Config.Table.Seats),
		Name:  h.Config.Table.Name, Dir: h.Config.Table.Data, Games: h.Games, Lang: h.lang, Log: h.Log,
		Definitions: h.definitions(owner), Learn: owner.Learn,
		New: h.StartNew, Hall: h.Config.MQTT.Hall,
	}
	if err := h.Parts.Configure(&opts); err != nil {
		return err
	}
	faults := map[string]error{}
	if !isLoopback(addr) {
		h.Hints.Reach = ""
	}
	if !isLoopback(addr) || h.Config.HTTP.LocalNeedsToken() {
		data := h.Config.Table.Data
		h.token, _, faults[tokenFile] = loadToken(data, tokenFile, h.Log)
		h.ownerToken, h.ownerTokenIsNew, faults[ownerFile] = loadToken(data, ownerFile, h.Log)
		if h.pageURL != "" {
			address = h.pageURL + key(h.token)
		}
	}
	opts.Address = address
	table, err := device.New(opts)
	if err != nil {
		return dataFailed(h.Config.Table.Data, err)
	}
	h.table = table
	for file, err := range faults {
		table.ReportFile(file, err)
	}
	return nil
}

// connect creates the page and the MQTT client and adds them to the table.
func (h *Host) connect() error {
	read := journalFinder(h.Games, h.table.Journal)
	moments := filepath.Join(h.Config.Table.Data, "chances")
	page := web.Config{
		Config: site(h.Config, h.lang, h.ownerToken, h.Log),
		Input:  h.table.Input, Order: h.order, Try: h.table.Try, Judge: h.table.Judge, Games: h.table.Games, Cards: h.cards,
		Files: h.cardFiles(), Presets: h.presets(),
		Matches: func() ([]engine.MatchInfo, error) { return h.table.Matches(), nil },
		Journal: h.table.Journal, ReadMatch: read,
		History: h.history(), Chances: (&chances.Finder{Read: read, Folder: moments, Pause: h.table.Pause}).At,
		Metrics: h.writeMetrics,
	}
	page.Token, page.Reach = h.token, h.Hints.Reach
	page.LastTag = func() (n int, tag, card string) {
		last := h.table.LastTag()
		return last.N, last.Tag, last.Card
	}
	page.Print = func(w io.Writer, ask cards.PrintOrder) (cards.PrintResult, error) {
		return h.Print(h.Config.Table.Data, w, ask)
	}
	if err := h.secure(&page); err != nil {
		return err
	}
	if h.Shows != nil {
		page.Show = &web.Show{Games: slices.Sorted(maps.Keys(h.Shows)), Start: h.startShow, Stop: h.show.stop, Playing: h.show.Playing,
			Caption: h.show.caption}
	}
	if tells := h.Config.Table.Chances || h.Config.Lights != nil && h.Config.Lights.Chances > 0; tells {
		other := &chances.Finder{Read: read, Folder: moments, Pause: h.table.Pause} // so that it waits for no page
		h.table.Add(device.Part{Name: "chances", Output: other.Tell(h.table.Emit)})
	}
	h.Parts.Show(&page)
	h.page = web.New(page)
	if len(h.Config.MQTT.Addresses()) > 0 {
		c := rig.Client(&h.Config)
		c.Home.Version, c.Home.Chances = h.Version, h.Config.Table.Chances
		c.Lang, c.Log = h.lang, h.Log
		c.Input, c.Order, c.Health = h.table.Input, h.order, h.table.Report
		if page.Readers != nil {
			c.Tap, c.Lift, c.Presence = page.Readers.Tap, page.Readers.Lift, page.Readers.Presence
		}
		h.homeAssistant(&c)
		h.sendResults(&c)
		client, err := mqtt.New(c)
		if err != nil {
			return config.Wrong("mqtt", brokerReason(err), "")
		}
		h.client = client
		h.table.Add(device.Part{Name: "mqtt", Output: device.OutputFunc(client.Show), Direct: true})
	}
	h.table.Add(device.Part{Name: "page", Output: h.page, Direct: true})
	h.table.Report(engine.Part{Name: "page", Health: engine.OK})
	return nil
}

func (h *Host) cards(game string, lang engine.Lang) ([]cards.Card, error) {
	own, _, err := h.Games.Owner(h.Config.Table.Data).Read(game)
	if err != nil {
		return nil, err
	}
	return h.Games.Cards(game, own, lang)
}

// serve prints the addresses of page and broker, which take connections by now, and plays the
// script, if there is one. It returns when the context or the page ends.
func (h *Host) serve(ctx context.Context, addr net.Addr, page *task) error {
	h.announce(addr)
	notify := newNotifier(h.Env)
	notify.tell("READY=1\nSTATUS=page at http://" + local(addr) + "/")
	defer notify.tell("STOPPING=1")
	watchdog := start(ctx, "watchdog", func(ctx context.Context) error { return notify.feed(ctx, h.table) })
	defer watchdog.stop()
	if h.Script != nil {
		if err := h.Script.play(ctx, h); err != nil && ctx.Err() == nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
	case <-page.done: // it failed; stop returns its error
	}
	return nil
}

// beginMatch begins the configured match. If there is a script, it begins the script's match
// instead. If an unfinished match waits, beginMatch begins no match. If Resume is also set, it
// resumes the unfinished match.
//
// beginMatch runs before any output runs, so that nobody sees an empty table before a resumed
// match.
func (h *Host) beginMatch(ctx context.Context) error {
	if h.Script != nil {
		receipt := h.table.Do(ctx, engine.Order{Do: "begin", Setup: h.Script.Setup, AsIs: true})
		if receipt.Outcome != engine.Accepted {
			return config.Failed(h.Script.File, receipt.Spoken, "")
		}
		return nil
	}
	for _, m := range h.table.Matches() {
		if m.State == "damaged" {
			h.tell("match", m.ID+" cannot be read and is left as it is: "+m.Reason)
		}
	}
	unfinished := h.table.Frame().Status.Unfinish
	switch {
	case unfinished != "" && h.Resume:
		receipt := h.table.Do(ctx, engine.Order{Do: "resume", Match: unfinished})
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
	if h.Setup == nil {
		return nil
	}
	receipt := h.table.Do(ctx, engine.Order{Do: "begin", Setup: *h.Setup})
	switch {
	case receipt.Outcome == engine.Accepted:
		return nil
	case receipt.Text.Key == "receipt.definitions": // a typo in the owner's file must not take the page away
		h.tell("match", receipt.Spoken)
		return nil
	}
	return config.Failed("game "+h.Setup.Game, receipt.Spoken, "")
}

func site(c config.Config, lang engine.Lang, ownerToken string, log *slog.Logger) core.Config {
	return core.Config{Lang: lang, OwnerToken: ownerToken, AskHere: c.HTTP.LocalNeedsToken(), Hosts: c.HTTP.Hosts,
		Frame: c.HTTP.Frame, MaxConnections: maxConnections(c), Log: log}
}

// maxConnections returns how many connections each page of this program may have open. The
// program may open as many other files, for journals, hardware and the broker, as otherFiles
// says; if its limit is lower, half of the limit.
func maxConnections(c config.Config) int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	files := int(min(limit.Cur, mostConnections+otherFiles))
	n := max(files-otherFiles, files/2)
	if c.Hall.Listen != "" { // this program has two pages
		n /= 2
	}
	return n
}

func listen(label, addr, hint string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, config.Wrong(label+" "+addr, config.ListenReason(err), hint)
	}
	return l, nil
}

func brokerReason(err error) string { return strings.TrimPrefix(err.Error(), "mqtt: ") }

func dataFailed(data string, err error) error {
	what, why, found := strings.Cut(err.Error(), ": ")
	if !found {
		what, why = data, err.Error()
	}
	return config.Failed(what, why, dataHint(err))
}

func dataHint(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "the folder is another user's: sudo -u tableside runs a command as the table's own, --data DIR or " +
			"table.data names another folder"
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return "nothing can be made there: --data DIR or table.data names another folder"
	}
	return ""
}
