package main

import (
	"bytes"
	"fmt"
	"strings"
)

// tabulate returns the page with a new table of the drawing in place of the old one.
func (p *plan) tabulate(page []byte) ([]byte, error) {
	begin, end := fmt.Sprintf("<!-- draw %s -->\n", p.file), "<!-- end -->\n"
	before, rest, found := bytes.Cut(page, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !found || !closed {
		return nil, fmt.Errorf("docs/hardware.md has no place for %s", p.file)
	}
	return bytes.Join([][]byte{before, []byte(begin), []byte(p.table()), []byte(end), after}, nil), nil
}

// table lists every wire in words, with a line for each connector of a part.
func (p *plan) table() string {
	var t strings.Builder
	fmt.Fprintln(&t, "| part | its connector | to | pin of the header |\n| --- | --- | --- | --- |")
	for _, b := range p.boxes {
		title := b.title
		if b.icon == "keys" {
			title += " " + b.subtitle[:strings.Index(b.subtitle, ";")]
		}
		for _, r := range b.rows {
			to, pin := p.end(r, b.side)
			if r.shifted {
				to = "74AHCT125, then " + to
			}
			fmt.Fprintf(&t, "| %s | %s | %s | %s |\n", title, r.label, to, pin)
			title = ""
		}
	}
	return t.String()
}

// end returns the other end of a row's wire, and the pin of the header.
func (p *plan) end(r row, s int) (to, pin string) {
	switch r.net {
	case "":
		return "nothing", ""
	case "5V supply":
		return "5 V supply", ""
	case "3V3 regulator":
		return "3.3 V regulator", ""
	}
	n := p.nets[p.netName(r.net, s)]
	return header[n.pin-1], fmt.Sprint(n.pin)
}
