package host

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tableside/engine"
)

// TestLoadToken checks that a token is long, whole and readable by its owner only, whatever the
// file was before.
func TestLoadToken(t *testing.T) {
	const good = "ABCDEFGHIJKLMNOPQRST234567"
	own := "a.secret-of-the-club!"
	for name, test := range map[string]struct {
		text  string
		mode  os.FileMode
		keeps string // the token that stays; "" for a new one
		said  string // in the log; "" for nothing
		fault string // of doctor
	}{
		"whole":       {good + "\n", 0o600, good, "", ""},
		"by hand":     {own, 0o600, own, "", ""},
		"for a group": {good, 0o640, good, "others could read", "others may read it"},
		"for all":     {good, 0o666, good, "others could read", "others may read it"},
		"empty":       {"", 0o644, "", "made anew", "this is no token"},
		"torn":        {"ab", 0o600, "", "made anew", "this is no token"},
		"zeros":       {strings.Repeat("\x00", 27), 0o600, "", "made anew", "this is no token"},
		"two lines":   {good + "\n" + good, 0o600, "", "made anew", "this is no token"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, tokenFile)
			if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, test.mode); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(tokenFaults(file, engine.English), "")
			if !strings.HasPrefix(got, test.fault) || (got == "") != (test.fault == "") {
				t.Errorf("doctor says %q", got)
			}
			var log bytes.Buffer
			token, isNew, err := loadToken(dir, tokenFile, slog.New(slog.NewTextHandler(&log, nil)))
			if err != nil || isNew != (test.keeps == "") || token == "" || test.keeps != "" && token != test.keeps {
				t.Errorf("got %q, %v, %v", token, isNew, err)
			}
			if !strings.Contains(log.String(), test.said) || (log.Len() == 0) != (test.said == "") {
				t.Errorf("log %q", log.String())
			}
			if strings.Contains(log.String(), token) {
				t.Error("the log has the token")
			}
			info, err := os.Stat(file)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			if again, _, err := loadToken(dir, tokenFile, slog.Default()); err != nil || again != token {
				t.Errorf("the next start has %q, %v", again, err)
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "new")
	first, isNew, err := loadToken(dir, tokenFile, slog.Default())
	if err != nil || !isNew || len(first) < minTokenLen {
		t.Errorf("got %q, %v, %v", first, isNew, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ownerFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if token, isNew, err := loadToken(dir, ownerFile, slog.Default()); err == nil || isNew || len(token) < minTokenLen {
		t.Errorf("a folder in place of the file: %q, %v, %v", token, isNew, err)
	}
}

// TestTokenOnReadOnlyDisk checks that a token which others may read stays the token if its file
// cannot be written again, so that phones stay joined.
func TestTokenOnReadOnlyDisk(t *testing.T) {
	const readOnly = "/proc/sys/kernel/random/boot_id" // not even root can replace it
	want, err := os.ReadFile(readOnly)
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(readOnly, filepath.Join(dir, tokenFile)); err != nil {
		t.Fatal(err)
	}
	token, isNew, err := loadToken(dir, tokenFile, slog.New(slog.DiscardHandler))
	if err == nil || isNew || token != strings.TrimSpace(string(want)) {
		t.Errorf("got %q, %v, %v, want %s and an error", token, isNew, err, want)
	}
}
