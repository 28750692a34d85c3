package main

import (
	"context"
	"flag"
	"fmt"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
	"tableside/display/qr"
	"tableside/engine"
)

func joinCommand() command {
	return command{
		name: "join", usage: "[--seat SEAT] [--reader|--owner] [--config FILE] [FLAGS]",
		short: "the address with which a phone joins, and its QR code",
		help: `Prints the address with which a phone may play, which has the token in it, and its
QR code. The token is in the file "token" of the table's data folder, which only
the table's own user can read:

  sudo -u tableside tableside join

With --seat red the phone plays for that seat only, and sees no other hand. With
--owner it may also begin and end matches; that token is in "owner-token".

With --reader the address is that of the page that makes the phone a reader, for
that seat with --seat: print the code and put it beside the seat. Browsers allow
cameras on the secure page only ([http] tls in docs/configuration.md).

If the page listens on this machine only, the address has the first name of
http.hosts, which is a proxy's, or else the name of this machine. For a demo that
keeps its data: tableside join --data DIR --http ADDR, with --tls own if the demo
has it.

To lock out everybody who has joined, seats' codes included, delete "token" and
restart the table; to lock out owners, delete "owner-token".`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			file := flags.String("config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			data := flags.String("data", "", "the token of this data `DIR` instead of the configured one")
			addr := flags.String("http", "", "where the page answers, instead of the configured address: `HOST:PORT`")
			seat := flags.String("seat", "", "the code of one `SEAT`, such as red")
			owner := flags.Bool("owner", false, "the owner's address instead of the players'")
			reads := flags.Bool("reader", false, "the address of the page that makes a phone a reader")
			secure := flags.String("tls", "", "as the demo has it: `own`")
			return func(_ context.Context, args []string) error {
				if err := checkArgCount("join", args, 0, 0, ""); err != nil {
					return err
				}
				c, err := p.loadConfig(*file)
				if err != nil {
					return err
				}
				if *data != "" {
					c.Table.Data = *data
				}
				if *addr != "" {
					if err := config.CheckAddr(*addr); err != nil {
						return usageFailure("--http", err.Error(), "")
					}
					c.HTTP.Listen = *addr
				}
				if err := checkFlags(flags, "seat excludes owner", "reader excludes owner"); err != nil {
					return err
				}
				if *seat != "" && (!engine.IsWord(*seat) || *seat == string(engine.Table)) {
					return usageFailure("--seat "+*seat, "this is not a seat's name", "a seat is named by its colour: --seat red")
				}
				if *secure != "" {
					c.HTTP.TLS = *secure
					if wrong := c.HTTP.CheckTLS(); wrong != nil {
						return usageFailure("--tls", wrong.Reason, "")
					}
				}
				return p.join(c, host.Guest{Seat: engine.Seat(*seat), Owner: *owner, Reader: *reads})
			}
		},
	}
}

// join prints the URL with which a guest joins a table, token included, and its QR code.
func (p *program) join(c config.Config, guest host.Guest) error {
	address, err := host.JoinURL(c, guest)
	if err != nil {
		return err
	}
	code, err := qr.New(address, qr.Low)
	if err != nil {
		return negativeFailure("join", err.Error(), "")
	}
	_, err = fmt.Fprintf(p.out, "%s\n%s", address, code.Text())
	return err
}
