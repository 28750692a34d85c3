package main

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tableside/display/labels/labelstest"
	"tableside/display/qr"
	"tableside/display/qr/qrtest"
)

// TestPrintedCardsPlay prints the cards of a box, looks at the paper at an angle, and
// taps what the codes say: the table plays it, and nobody has taught it anything.
func TestPrintedCardsPlay(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "labels.pdf")
	cmd := exec.Command(binary(), "cards", "print", "mindbug", "--card", "axolotl-healer", "--size", "sticker", "--lang",
		"en", "--data", dir, "--out", file)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), ": 2 labels on 1 page.") {
		t.Fatalf("%v: %s", err, out)
	}
	pdf, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pages := labelstest.Pages(t, pdf, 8)
	codes := qr.Read(qrtest.Seen(pages[0], 0.05, 0.1))
	if len(codes) != 2 || codes[0].Text == codes[1].Text {
		t.Fatalf("the paper says %+v", codes)
	}
	config := filepath.Join(dir, "table.toml")
	if err := os.WriteFile(config, []byte(`
[table]
data = "`+dir+`/data"
[http]
listen = "127.0.0.1:0"
[game]
name = "mindbug/first-contact"
seats = ["red=Alice", "blue=Max"]
first = "red"
`), 0o644); err != nil {
		t.Fatal(err)
	}
	p := startTable(t, "run", "--config", config)
	answer, err := http.PostForm(p.page+"/api/tap", url.Values{"place": {"red"}, "tag": {codes[0].Text}})
	if err != nil || answer.Body.Close() != nil || answer.StatusCode != http.StatusAccepted {
		t.Fatalf("%v, %v", answer, err)
	}
	kind, copy, _ := strings.Cut(strings.TrimPrefix(codes[0].Text, "tableside:mindbug/"), ".")
	body, err := p.get("/api/view")
	if err != nil || !strings.Contains(string(body), `"stage":[{"card":"`+kind+`","copy":`+copy+`,`) {
		t.Errorf("%v: %s was not played: %s", err, codes[0].Text, body)
	}
}
