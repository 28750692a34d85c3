package device

import (
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tableside/engine"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		crashPlayer(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

func TestPlay(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	if f := table.Frame(); f.View.Match != "" || f.View.Prompts[0].Key != "lobby-seats" || !f.Status.Keeping {
		t.Errorf("the empty table shows %+v", f)
	}
	table.begin("red", "blue")
	if r := table.must("red key plus", "blue tap zombie.1", "red key plus"); r.Seq != 3 || r.N != 4 {
		t.Errorf("receipt %+v", r)
	}
	f := table.Frame()
	if len(f.Events) != 1 || f.Events[0].Spoken != "Red counts 2" || f.View.Seq != 3 || f.View.Table != "test" ||
		f.View.Title != "Counting" {
		t.Errorf("frame %+v", f)
	}
	if n := table.count("red"); n != 2 {
		t.Errorf("red has %d", n)
	}
	data, err := table.Journal("")
	if err != nil {
		t.Fatal(err)
	}
	j, err := engine.ParseJournal("", data)
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Lines) != 3 || j.Lines[1].Input.Command() != "blue tap zombie.1" || j.Setup.First == "" {
		t.Errorf("journal\n%s", data)
	}
	for line := range strings.Lines(string(data)) {
		if !strings.Contains(line, " #=") {
			t.Errorf("line is not sealed: %s", line)
		}
	}
	if m := table.Matches(); len(m) != 1 || m[0].State != "playing" || m[0].Inputs != 3 ||
		m[0].ID != string(f.View.Match) {
		t.Errorf("matches %+v", m)
	}
}
