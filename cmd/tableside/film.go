package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/display/web"
	"tableside/engine"
)

// film writes a match as a page that replays it, or opens the page. Of a damaged journal
// it is the intact beginning, and the page says so.
func (p *program) film(ctx context.Context, name string, file *journalFile, out string, open bool) error {
	game, err := p.games.Find(file.Setup.Game)
	if err != nil {
		return err
	}
	page, err := web.ReplayPage(game, file.Journal, file.damage != nil, p.lang)
	if err != nil {
		return no(name, engine.SayFault(err, game, p.lang), "")
	}
	if out == "" {
		folder, err := os.MkdirTemp("", "tableside-")
		if err != nil {
			return no("the folder for temporary files", config.Reason(err), "name a file with --html")
		}
		out = filepath.Join(folder, strings.TrimSuffix(filepath.Base(name), ".journal")+".html")
	}
	err = p.writeFile(out, func(w io.Writer) error {
		_, err := w.Write(page)
		return err
	})
	if err != nil || !open || out == "-" {
		return err
	}
	fmt.Fprintln(p.out, out)
	if err := exec.CommandContext(ctx, "xdg-open", out).Run(); err != nil {
		return no("xdg-open", err.Error(), "open "+out+" in a browser")
	}
	return nil
}
