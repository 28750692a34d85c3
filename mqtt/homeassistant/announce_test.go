package homeassistant

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
	"tableside/mqtt/hatest"
)

const demo = "tableside/demo"

func encode(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkDiscovery reads an announcement as Home Assistant does, and returns its
// components.
func checkDiscovery(t *testing.T, payload []byte) map[string]map[string]any {
	t.Helper()
	all, err := hatest.Components(DefaultDiscovery, Topic(DefaultDiscovery, "demo"), payload)
	if err != nil {
		t.Errorf("Home Assistant does not take this announcement: %v\n%s", err, payload)
	}
	return all
}

// TestTriggers checks that a trigger fires once, when its condition becomes true.
func TestTriggers(t *testing.T) {
	before := testFrame(t, engine.English, 7)
	said := func(change func(*engine.Frame)) map[string]string {
		f := testFrame(t, engine.English, 7)
		change(&f)
		got := map[string]string{}
		for _, trigger := range Triggers(&before, f) {
			got[trigger.Name] = encode(t, trigger.Payload)
		}
		return got
	}
	blue := `{"colour":"#1b6ec2","name":"Blue","rgb_color":[27,110,194],"seat":"blue"}`
	for _, c := range []struct {
		what   string
		change func(*engine.Frame)
		want   map[string]string
	}{
		{"nothing", func(*engine.Frame) {}, map[string]string{}},
		{"blue's turn", func(f *engine.Frame) { f.View.Turn = "blue" }, map[string]string{"turn": blue}},
		{"nobody's turn", func(f *engine.Frame) { f.View.Turn = "" }, map[string]string{}},
		{"a question", func(f *engine.Frame) {
			f.View.Prompts = []engine.Prompt{{Seat: "blue", Text: "Block?"}}
		}, map[string]string{"asked": strings.Replace(blue, "}", `,"text":"Block?"}`, 1)}},
		{"the end", func(f *engine.Frame) { f.View.Winners = []engine.Seat{"red", "blue"} },
			map[string]string{"won": `{"names":["Alice","Blue"],"seats":["red","blue"]}`}},
		{"a refusal", func(f *engine.Frame) {
			f.Status.Receipt = &engine.Receipt{Outcome: engine.Refused, Seat: "blue", N: 3, Spoken: "Not now"}
		}, map[string]string{"refused": strings.Replace(blue, "}", `,"text":"Not now"}`, 1)}},
		{"an unknown tag", func(f *engine.Frame) {
			f.Status.Receipt = &engine.Receipt{Outcome: engine.Unknown, Seat: "blue", Place: "left", N: 3, Spoken: "Unknown",
				Text: engine.T("receipt.unknown-tag", "tag", "04A1B2C3D4E5F6")}
		}, map[string]string{"tag": strings.Replace(blue, "}",
			`,"place":"left","tag":"04A1B2C3D4E5F6","text":"Unknown"}`, 1)}},
		{"a key without a meaning", func(f *engine.Frame) {
			f.Status.Receipt = &engine.Receipt{Outcome: engine.Unknown, N: 3,
				Text: engine.T("receipt.unknown-key", "tag", "key:A")}
		}, map[string]string{}},
		{"a malformed line", func(f *engine.Frame) { f.Status.Receipt = &engine.Receipt{Outcome: engine.Malformed, N: 3} },
			map[string]string{}},
		{"the empty table asks", func(f *engine.Frame) { f.View.Match, f.View.Turn = "", "" }, map[string]string{}},
		{"a match that is over is resumed", func(f *engine.Frame) {
			f.View.Match, f.View.Turn, f.View.Prompts, f.View.Winners = "other", "", nil, []engine.Seat{"red"}
		}, map[string]string{}},
	} {
		want := map[string]string{}
		for name, payload := range c.want {
			want[name] = sorted(t, payload)
		}
		if got := said(c.change); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.what, got, want)
		}
	}
	if got := Triggers(nil, before); got != nil {
		t.Errorf("at the start: %v", got)
	}
}

func sorted(t *testing.T, object string) string {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(object), &o); err != nil {
		t.Fatal(err)
	}
	return encode(t, o)
}

// TestAnnouncementWithoutSweep checks that the client announces itself even if
// the broker does not send its retained messages.
func TestAnnouncementWithoutSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAnnouncer(Config{Discovery: DefaultDiscovery})
		began, f := time.Now(), testFrame(t, engine.English, 7)
		a.Connected()
		for {
			if payload := a.Announcement(demo, f); payload != nil {
				if took := time.Since(began); took < announceAfter || took > 2*sweepLimit {
					t.Errorf("after %s", took)
				}
				checkDiscovery(t, payload)
				return
			}
			<-a.Wake()
		}
	})
}
