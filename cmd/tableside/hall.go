package main

import (
	"cmp"
	"context"
	"flag"
	"log/slog"
	"path/filepath"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
	"tableside/cmd/tableside/invite"
	"tableside/device"
)

func hallCommand() command {
	return command{
		name: "hall", usage: "[invite [TABLE…]] [--config FILE] [--data DIR] [FLAGS]",
		short: "all tables of a broker on one page",
		help: `Listens to all tables of an MQTT broker and shows them on one page: game, seats,
scores, round, who is asked and for how long, and what does not work. Each table
opens as on a television. A hall has no table of its own, and only listens. With
--data it keeps the matches of the tables that name it in mqtt.hall, and shows
them at /history.

The broker is that of [mqtt] in the configuration, or --broker. Several addresses
are those of one cluster: the hall uses one at a time, and goes to the next at
once when it fails. User and password are in the configuration only, as
mqtt.user and mqtt.password_file. The page answers where --http or http.listen
says, and everybody who reaches that address may read it. To change what is kept
takes the token in DIR/owner-token, but for this machine.

"hall invite one two" gives the tables one and two a user and a password each at
the broker, with which they may publish on their own topics only, and prints what
goes into their configurations. It writes the files for mosquitto and nats-server
into DIR/broker, or into --files, and says how the broker takes them. The list of
those who are invited is in DIR, without passwords: each is shown once. "hall
invite" prints the list, --remove takes tables off it, and --again gives them
other passwords. --out writes what tables need into files instead, and
--discovery homeassistant lets them announce themselves to Home Assistant.

docs/hall.md tells more.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			file := flags.String("config", "", "the configuration `FILE`: its sections [mqtt], [http] and [hall]")
			brokers := flags.String("broker", "", "the brokers instead of those of the configuration: `URL,…`")
			http := flags.String("http", "", "where the page answers, instead of http.listen; port 0 is a free one: `HOST:PORT`")
			data := flags.String("data", "", "keep the tables' matches there, instead of hall.data: `DIR`")
			order := invite.Order{Out: p.out, Err: p.err}
			order.Flags(flags)
			return func(ctx context.Context, args []string) error {
				inviting := len(args) > 0 && args[0] == "invite"
				c, err := p.hallConfig(*file, *brokers, *http)
				c.Hall.Data = cmp.Or(*data, c.Hall.Data)
				// The password file that the configuration names may be the one that invite makes.
				if missing, only := err.(*config.Error); only && inviting && missing.Key == "mqtt.password_file" &&
					c.MQTT.PasswordFile == filepath.Join(c.Hall.Data, invite.PasswordName) {
					err = nil
				}
				if err == nil && *data != "" {
					c.Hall.Data, err = filepath.Abs(*data)
				}
				switch {
				case inviting && *http != "":
					return config.Wrong("hall invite", "--http belongs to hall, which shows the page", "")
				case err != nil:
					return err
				case inviting:
					return order.Run(args[1:], c, *file != "")
				case len(args) > 0:
					return checkArgCount("hall", args, 0, 0, "")
				case order.IsGiven():
					return usageFailure("hall", "--remove, --again, --files, --out and --discovery belong to hall invite", "")
				case len(c.MQTT.Addresses()) == 0:
					return usageFailure("hall", "there is no broker to listen to",
						"name it: --broker tcp://HOST:1883, mqtt.broker or mqtt.brokers in --config")
				case c.HTTP.HasTLS():
					return usageFailure("http", "the page of a hall has no TLS", "put a proxy before it (docs/proxy.md)")
				}
				if err := config.CheckAddr(c.HTTP.Listen); err != nil {
					return usageFailure("--http", err.Error(), "")
				}
				log := device.LimitLog(slog.New(slog.NewTextHandler(p.err, nil)))
				return (&host.Hall{Config: c, Games: p.games(), Lang: p.lang, Log: log, Out: p.out}).Run(ctx)
			}
		},
	}
}

// hallConfig reads the configuration of a hall from a file. The addresses of the brokers and the
// address of the page may be given as arguments. If they are given, they replace the values in
// the file. Without a file, hallConfig begins with the defaults.
//
// hallConfig does not read the usual file, because that file belongs to a table. With that
// file, the hall's page would get the address of the table's page.
func (p *program) hallConfig(file, brokers, http string) (c config.Config, err error) {
	c = config.New(p.env)
	if file != "" {
		c, err = config.Load(file, p.env)
	}
	if brokers != "" {
		c.MQTT.Broker, c.MQTT.Brokers = "", strings.Split(brokers, ",")
	}
	c.HTTP.Listen = cmp.Or(http, c.HTTP.Listen)
	return c, err
}
