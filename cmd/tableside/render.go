package main

import (
	"context"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tableside/device/disk"
	"tableside/display/panel"
	"tableside/engine"
)

// These are the default size and the limits of a panel, in pixels. The minimum is the size of
// the smallest e-paper panel that is sold. The maximum limits the memory for a picture.
const (
	defaultPanel = "250x122"
	minPanel     = 80
	maxPanel     = 4000
)

func renderCommand() command {
	return command{
		name: "render", usage: "FILE|- -o OUT.png [--panel WxH]",
		short: "what e-paper shows at the end of a journal",
		help: `Reads a journal as replay does, and writes a PNG of what the e-paper shows at its
end, pixel for pixel. "-o -" writes to standard output.`,
		prepare: func(p *program, flags *flag.FlagSet) action {
			out := flags.String("o", "", "write the picture to this `OUT.png`")
			size := flags.String("panel", defaultPanel, "size of the e-paper in pixels, `WxH`")
			return func(_ context.Context, args []string) error {
				if err := checkArgCount("render", args, 1, 1, "the journal's name"); err != nil {
					return err
				}
				if *out == "" {
					return usageFailure("render", "-o OUT.png is missing", "")
				}
				if *out != "-" && !strings.EqualFold(filepath.Ext(*out), ".png") {
					return usageFailure("render", fmt.Sprintf("got %q, and render writes PNG", *out), "name the file .png")
				}
				at, err := parseSize(*size)
				if err != nil {
					return usageFailure("render", err.Error(), "such as --panel "+defaultPanel)
				}
				frame, err := p.frameOf(args[0])
				if err != nil {
					return err
				}
				return p.writeFile(*out, func(w io.Writer) error {
					return png.Encode(w, panel.NewPainter().Draw(frame, at))
				})
			}
		},
	}
}

// parseSize parses a size such as "250x122".
func parseSize(s string) (image.Point, error) {
	w, h, ok := strings.Cut(s, "x")
	x, errX := strconv.Atoi(w)
	y, errY := strconv.Atoi(h)
	switch {
	case !ok || errX != nil || errY != nil:
		return image.Point{}, fmt.Errorf("%q is not a size", s)
	case min(x, y) < minPanel || max(x, y) > maxPanel:
		return image.Point{}, fmt.Errorf("%q: a panel has %d to %d pixels a side", s, minPanel, maxPanel)
	}
	return image.Pt(x, y), nil
}

// frameOf returns the frame that a table shows at the end of a journal.
func (p *program) frameOf(file string) (engine.Frame, error) {
	journal, err := p.readJournal(file)
	if err != nil {
		return engine.Frame{}, err
	}
	r := &replay{program: p, file: file, until: -1, out: io.Discard}
	if err := r.play(journal); err != nil {
		return engine.Frame{}, err
	}
	return r.frame(), nil
}

// writeFile writes a file, as a whole or not at all. The given function writes the content to
// the writer that it gets. If file is "-", the content goes to standard output.
func (p *program) writeFile(file string, write func(io.Writer) error) error {
	if file == "-" {
		return write(p.out)
	}
	if _, err := os.Stat(filepath.Dir(file)); err != nil {
		return usageFailure(file, p.reason(err), "")
	}
	if err := disk.Write(file, write); err != nil {
		return negativeFailure(file, p.reason(err), "")
	}
	return nil
}
