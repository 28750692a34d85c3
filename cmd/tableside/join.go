package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/skip2/go-qrcode"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/host"
)

func joinCommand() command {
	return command{
		name: "join", usage: "[--config FILE] [--data DIR] [--http ADDR] [--tls own]",
		short: "the address with which a phone joins, and its QR code",
		help: `Prints the address that lets a phone play, with the token in it, and the same as
a QR code. The token is in the file "token" of the table's data folder, which
only the table's own user reads:

  sudo -u tableside tableside join

Where the page listens on this machine only, the address is that of the first
name in http.hosts, which is a proxy's, or else of this machine itself. For a
demo that keeps its data: tableside join --data DIR --http ADDR, and --tls own
where the demo has it.

To lock out everybody who has joined, delete that file and start the table again.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			file := flags.String("config", "", "the configuration `FILE` (default "+config.DefaultFile+")")
			data := flags.String("data", "", "the token of this data `DIR` instead of the configured one")
			addr := flags.String("http", "", "where the page answers, instead of the configured address: `HOST:PORT`")
			secure := flags.String("tls", "", "as the demo has it: `own`")
			return func(_ context.Context, args []string) error {
				if err := takes("join", args, 0, 0, ""); err != nil {
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
						return wrong("--http", err.Error(), "")
					}
					c.HTTP.Listen = *addr
				}
				if *secure != "" {
					c.HTTP.TLS = *secure
					if _, why, _ := c.HTTP.CheckTLS(); why != "" {
						return wrong("--tls", why, "")
					}
				}
				return p.join(c)
			}
		},
	}
}

// join prints the URL with the token of a table, and its QR code.
func (p *program) join(c config.Config) error {
	address, err := host.JoinURL(c)
	if err != nil {
		return err
	}
	code, err := qrcode.New(address, qrcode.Low)
	if err != nil {
		return no("join", err.Error(), "")
	}
	_, err = fmt.Fprintf(p.out, "%s\n%s", address, code.ToSmallString(false))
	return err
}
