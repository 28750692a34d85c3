package host

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device/hall"
	"tableside/display/web"
	"tableside/engine"
	"tableside/mqtt"
)

// A Hall shows all tables of a broker, and has none of its own.
type Hall struct {
	Config config.Config // its brokers, and the address of its page
	Lang   engine.Lang   // of the log
	Log    *slog.Logger
	Out    io.Writer // gets the addresses
}

// Run listens and shows the page until the context ends.
func (h *Hall) Run(ctx context.Context) error {
	listener, err := listen("page", h.Config.HTTP.Listen, "choose another --http; port 0 picks a free one")
	if err != nil {
		return err
	}
	defer listener.Close() // Serve closes it, too
	var page *web.Hall
	tables := hall.New(hall.Config{
		Show:    func(table string, f *engine.Frame) { page.Show(table, f) },
		Changed: func() { page.Changed() },
	})
	page = web.NewHall(web.HallConfig{
		List:  func(after int) (any, int) { return tables.List(after) },
		Hosts: h.Config.HTTP.Hosts,
	})
	watcher, err := h.watcher(tables)
	if err != nil {
		return wrong("mqtt", brokerReason(err), "")
	}
	pageDone := start(ctx, "page", func(ctx context.Context) error { return page.Serve(ctx, listener) })
	heard := start(ctx, "mqtt", func(ctx context.Context) error { watcher.Run(ctx); return nil })
	reviews := start(ctx, "tables", func(ctx context.Context) error { tables.Run(ctx); return nil })
	h.announce(listener.Addr())
	select {
	case <-ctx.Done():
	case <-pageDone.done: // it failed; stop returns its error
	}
	_, _ = heard.stop(), reviews.stop() // neither fails
	if err := pageDone.stop(); err != nil {
		return failed("page", err.Error(), "")
	}
	return nil
}

// watcher returns who tells the tables what the broker says of them.
func (h *Hall) watcher(tables *hall.Hall) (*mqtt.Watcher, error) {
	settings := rig.Client(&h.Config)
	settings.Lang, settings.Log = h.Lang, h.Log
	return mqtt.NewWatcher(settings, mqtt.Heard{
		Listening: tables.Listening, State: tables.State, Status: tables.Status, Alive: tables.Alive,
		Health: tables.Health, Aside: tables.Aside,
	})
}

// announce prints the addresses.
func (h *Hall) announce(addr net.Addr) {
	fmt.Fprintf(h.Out, "%-7s http://%s/\n", "page", local(addr))
	fmt.Fprintf(h.Out, "%-7s %s, topics tableside/#\n", "mqtt", strings.Join(h.Config.MQTT.Addresses(), " or "))
}
