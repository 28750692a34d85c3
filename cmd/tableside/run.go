package main

import (
	"context"
	"flag"
	"log/slog"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/engine"
)

func runCommand() command {
	return command{
		name: "run", usage: "[--config FILE] [--resume | --new] [--record FILE]", short: "the daemon",
		help: `Runs a table as its configuration says: readers, keys, lights, e-paper, the
page, MQTT, the journal on disk and the owner's cards. docs/configuration.md
lists every key; "tableside doctor" checks a configuration and what it names.
Without a file the page answers at ` + config.DefaultHTTP + `, the table uses the readers that
are plugged in, and nothing goes to MQTT.

If two parts want the same pin, or a bus does not exist, the program exits with 2
before it touches any hardware. A part that does not answer is reported on the
page, in MQTT and /metrics, and tried again while the match goes on. Stand-in card
data is used only in a match that asks for it (option data=stand-in).

If a match is unfinished, the page asks whether to continue it; --resume continues
it, and --new leaves it as it is. The log goes to standard error.

--record writes the traffic on the buses to a tape of at most 32 MiB, which
"tableside doctor --replay" plays. The numbers of tags and the texts on them are in
it; --hide-tags leaves them out, and then it cannot be replayed.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			file := flags.String("config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			resume := flags.Bool("resume", false, "continue an unfinished match")
			startNew := flags.Bool("new", false, "leave an unfinished match as it is")
			record := recordFlags(flags)
			return func(ctx context.Context, args []string) error {
				if err := checkArgCount("run", args, 0, 0, ""); err != nil {
					return err
				}
				if err := checkFlags(flags, "hide-tags needs record", "resume excludes new"); err != nil {
					return err
				}
				c, err := p.loadConfig(*file)
				if err != nil {
					return err
				}
				flags.Visit(func(f *flag.Flag) {
					if f.Name == "lang" {
						c.Table.Lang = string(p.lang)
					}
				})
				if c.Table.Lang != "" {
					p.lang = engine.Lang(c.Table.Lang)
				}
				c.Table.Lang = string(p.lang)
				h, equipment, err := p.table(c, &rig.Raspberry{})
				if err != nil {
					return err
				}
				h.Resume, h.StartNew = *resume, *startNew
				return record.During(&equipment.Ports, equipment.Wiring, p.err, func() error { return h.Run(ctx) })
			}
		},
	}
}

// table returns the host of a table with this configuration, and the host's equipment: the
// hardware on these ports.
func (p *program) table(c config.Config, ports rig.Ports) (*host.Host, *rig.Rig, error) {
	h := p.host(c)
	h.Hints = host.AddressHints{
		HTTP:  "choose another http.listen; port 0 picks a free one",
		MQTT:  "choose another mqtt.embedded, or set mqtt.broker or mqtt.brokers to use the broker that is there",
		Reach: "[http] listen = \"0.0.0.0:8080\"",
	}
	h.Log = device.LimitLog(slog.New(slog.NewTextHandler(p.err, nil)))
	equipment := &rig.Rig{Ports: ports, Wiring: &h.Config.Wiring, Log: h.Log}
	equipment.Setup = rig.NewSetup(&h.Config, h.Log)
	h.Parts = equipment
	if c.Game.Name != "" {
		setup, err := p.setup(c.Game.Where, c.Game)
		if err != nil {
			return nil, nil, err
		}
		h.Setup = &setup
	}
	return h, equipment, nil
}
