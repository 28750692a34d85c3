package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/engine"
)

func demoCommand() command {
	return command{
		name: "demo", usage: "[--game NAME] [FLAGS]",
		short: "a simulated table on this machine: no hardware, no configuration",
		help: `Runs a whole table with simulated readers, keys, LED strip and e-paper on the
page, and with an MQTT broker of its own. Prints the addresses once they
answer; Ctrl-C ends it.

Without --game the table asks what to play, and can show a match that plays
itself. With --game the match begins at once:

  tableside demo --game tally/score --seats red=Alice,blue=Max --option target=20

Card data that nobody has entered yet is filled with stand-ins, which the
table announces; --option data=known plays without them.

--data keeps the matches in a folder; without it they are lost when the demo
ends. If a match there is unfinished, the page asks whether to continue it;
--resume continues it, and --new leaves it as it is.

--computer makes the table itself play a seat of a card game, with what that seat
may know; give it once for each seat:

  tableside demo --game mindbug/first-contact --computer blue

--script plays a journal at the table, at its own pace or with --fast, and the
table stays up afterwards.

--chips puts emulated reader chips, keys, e-paper and LEDs behind the drivers that
"run" uses: the page then shows panel and strip as the emulated glass and LEDs
show them, and a script is played with tags, buttons and knobs. --record writes
the traffic on their buses to a tape, which "tableside doctor --replay" plays.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			d := &demo{program: p, options: map[string]string{}}
			flags.StringVar(&d.game, "game", "", "begin a match of this game or preset, as games lists it, at once: `NAME`")
			flags.StringVar(&d.seats, "seats", "", "who plays, clockwise, as red=Alice,blue: `SEAT,…`")
			flags.Func("computer", "the table itself plays this seat: `SEAT[=easy|normal|strong]`", func(s string) error {
				d.computer = append(d.computer, s)
				return nil
			})
			flags.StringVar(&d.firstSeat, "first", "", "the `SEAT` that begins")
			flags.Func("option", "an option of the game; may be given once for each: `NAME=VALUE`", d.option)
			flags.StringVar(&d.http, "http", config.DefaultHTTP, "where the page answers; port 0 is a free one: `HOST:PORT`")
			flags.StringVar(&d.local, "local", config.LocalOpen,
				"who on this machine may play: everybody, or with the token: `open|token`")
			flags.StringVar(&d.tls, "tls", "",
				"the page over TLS, with the table's own certificate: `own`")
			flags.StringVar(&d.mqtt, "mqtt", config.DefaultEmbedded,
				"where the broker answers; port 0 is a free one: `HOST:PORT|off`")
			flags.StringVar(&d.broker, "broker", "", "use the broker at this `URL` instead, as mqtt://user:password@host:1883")
			flags.StringVar(&d.data, "data", "", "keep journals in this `DIR` instead of a temporary one")
			flags.BoolVar(&d.resume, "resume", false, "continue the unfinished match of --data")
			flags.BoolVar(&d.startNew, "new", false, "leave the unfinished match of --data as it is")
			flags.StringVar(&d.script, "script", "", "play this journal `FILE` into the table (- is standard input)")
			flags.BoolVar(&d.chances, "chances", false, "tell over MQTT after each input how likely each seat is to win")
			flags.BoolVar(&d.chips, "chips", false, "put the real drivers on emulated chips between the page and the engine")
			d.record = recordFlags(flags)
			flags.BoolVar(&d.fast, "fast", false, "play the script, or the table's own seats, without pauses")
			return func(ctx context.Context, args []string) error {
				if err := checkArgCount("demo", args, 0, 0, ""); err != nil {
					return err
				}
				return d.run(ctx, flags)
			}
		},
	}
}

// A demo holds the flags of the command "demo".
type demo struct {
	*program
	game, seats, firstSeat string
	options                map[string]string
	computer               []string // as config.Game has it
	http, local, tls       string
	mqtt, broker           string
	data, script           string
	resume, startNew, fast bool
	chips, chances         bool
	record                 *rig.TapeFile
}

func (d *demo) option(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return errors.New("want NAME=VALUE")
	}
	if _, twice := d.options[name]; twice {
		return errors.New("duplicate " + name + "; give several values of a list in one, with commas between")
	}
	d.options[name] = value
	return nil
}

// check returns a failure for flags that contradict each other, or are invalid.
func (d *demo) check(flags *flag.FlagSet) error {
	if err := checkFlags(flags, "seats needs game", "first needs game", "option needs game", "game excludes script",
		"resume excludes script", "new excludes script", "resume excludes new", "mqtt excludes broker",
		"computer needs game", "record needs chips", "hide-tags needs record", "resume needs data"); err != nil {
		return err
	}
	if err := config.CheckAddr(d.http); err != nil {
		return usageFailure("--http", err.Error(), "")
	}
	if wrong := config.CheckLocal(d.local); wrong != nil {
		return usageFailure("--local", wrong.Reason, wrong.Hint)
	}
	if wrong := (config.HTTP{TLS: d.tls}).CheckTLS(); wrong != nil {
		return usageFailure("--tls", wrong.Reason, "")
	}
	if d.mqtt == "off" {
		d.mqtt = ""
	} else if err := config.CheckAddr(d.mqtt); err != nil {
		return usageFailure("--mqtt", err.Error(), "")
	}
	return nil
}

func (d *demo) run(ctx context.Context, flags *flag.FlagSet) error {
	if err := d.check(flags); err != nil {
		return err
	}
	var sc *host.Script
	if d.script != "" { // before ForDemo: a replay has the games' own defaults
		journal, err := d.readJournal(d.script)
		if err != nil {
			return err
		}
		if sc, err = d.program.script(d.script, journal); err != nil {
			return err
		}
		sc.Fast = d.fast
	}
	d.games = d.games().ForDemo
	h := d.host(config.New(d.env))
	if !d.chips && sc == nil {
		var err error
		if h.Shows, err = shownMatches(); err != nil {
			return err
		}
	}
	h.Script, h.Unconfigured = sc, true
	h.Resume, h.StartNew = d.resume, d.startNew || d.script != ""
	h.Hints = host.AddressHints{
		HTTP:  "--http 127.0.0.1:0 picks a free port",
		MQTT:  "--mqtt 127.0.0.1:0 picks a free port, --mqtt off has no broker, --broker URL uses one that is there",
		Reach: "tableside demo --http 0.0.0.0:8080",
	}
	if flags.NFlag() > 0 {
		h.Hints.Reach += " …" // and those flags
	}
	h.Log = device.LimitLog(slog.New(slog.NewTextHandler(d.err, &slog.HandlerOptions{Level: slog.LevelError})))
	h.Config.Table.Name, h.Config.Table.Lang, h.Config.Table.Chances = "demo", string(d.lang), d.chances
	h.Config.HTTP.Listen, h.Config.HTTP.Local, h.Config.HTTP.TLS = d.http, d.local, d.tls
	if err := d.useBroker(&h.Config.MQTT); err != nil {
		return err
	}
	seats, err := d.planMatch(h)
	if err != nil {
		return err
	}
	if h.Parts, err = d.equipment(seats); err != nil {
		return err
	}
	h.Config.Table.Data = d.data
	if d.data == "" {
		if h.Config.Table.Data, err = os.MkdirTemp("", "tableside-demo-"); err != nil {
			return negativeFailure("data folder", config.Reason(err), "--data DIR names another")
		}
		h.Temporary = true
		defer os.RemoveAll(h.Config.Table.Data)
	}
	c, ok := h.Parts.(*bench.Chips)
	if !ok {
		return h.Run(ctx)
	}
	return d.record.During(&c.Ports, c.Wiring, d.err, func() error { return h.Run(ctx) })
}

// showFiles holds, for each title, the beginning of a match. A table can play it by itself for
// somebody who wants to see how a match goes.
//
//go:embed shows
var showFiles embed.FS

func shownMatches() (map[string]*host.Shown, error) {
	all := map[string]*host.Shown{}
	files, err := showFiles.ReadDir("shows")
	for _, f := range files {
		data, readErr := showFiles.ReadFile("shows/" + f.Name())
		shown, parseErr := host.ParseShown(f.Name(), data)
		all[strings.TrimSuffix(f.Name(), ".journal")], err = shown, errors.Join(err, readErr, parseErr)
	}
	return all, err
}

// script replays a journal and returns the lines up to the end of the replay. If an error
// stopped the replay, the field StopError of the script holds the error. If the journal is
// damaged or its match cannot begin, script returns only an error.
func (p *program) script(file string, journal *journalFile) (*host.Script, error) {
	r := &replay{program: p, file: file, until: -1, out: io.Discard}
	stop := r.play(journal)
	if stop != nil && (r.match == nil || journal.damage != nil) {
		return nil, stop
	}
	return &host.Script{File: file, Setup: r.match.Setup(), Lines: journal.Lines[:r.lineCount],
		RefusedLines: r.refusedLines, StopError: stop}, nil
}

// equipment returns simulated equipment for the players. With --chips, it returns emulated
// chips for the seats of the players. If there are no players, the emulated chips are for four
// seats.
func (d *demo) equipment(players []engine.Player) (host.Equipment, error) {
	if !d.chips {
		return bench.NewSimulated(players, d.fast), nil
	}
	seats := engine.UsualSeats[:4]
	if len(players) > 0 {
		seats = nil
		for _, p := range players {
			seats = append(seats, p.Seat)
		}
	}
	c, err := bench.NewChips(seats)
	if err != nil {
		return nil, usageFailure("--chips", err.Error(), "")
	}
	return c, nil
}

// planMatch returns the players of the demo. If there is a script, these are the players of
// the script. Otherwise, if --game names a game, planMatch returns the players for a match of
// this game, and makes the host begin the match. If there is neither a script nor a game,
// there are no players.
func (d *demo) planMatch(h *host.Host) ([]engine.Player, error) {
	if h.Script != nil {
		return h.Script.Setup.Seats, nil
	}
	if d.game == "" {
		return nil, nil
	}
	c := config.Game{Name: d.game, First: d.firstSeat, Options: d.options, Computer: d.computer}
	if d.seats != "" {
		c.Seats = strings.Split(d.seats, ",")
	}
	setup, err := d.setup(func(string) string { return "game " + d.game }, c)
	h.Setup = &setup
	return setup.Seats, err
}

// useBroker puts the broker of the flag --broker into the configuration. If the broker's URL
// contains a user and a password, useBroker moves them from the URL to the settings for the
// user and the password. Without the flag, useBroker sets the address of the embedded broker, if any.
func (d *demo) useBroker(c *config.MQTT) error {
	if d.broker == "" {
		c.Embedded = d.mqtt
		return nil
	}
	c.Broker = d.broker
	if !strings.Contains(d.broker, "://") {
		return nil
	}
	u, err := url.Parse(d.broker)
	if err != nil {
		return usageFailure("--broker", "not a URL", "write it as mqtt://user:password@host:1883")
	}
	if u.User != nil {
		c.User = u.User.Username()
		c.Password, _ = u.User.Password()
		u.User = nil
		c.Broker = u.String()
	}
	return nil
}
