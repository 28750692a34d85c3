package device

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/engine"
)

func TestMeaning(t *testing.T) {
	for _, s := range []string{"mutants/zombie.2", "mutants/zombie-king.10", "key/undo", "key/redo", "roll/growth-2",
		"roll/6"} {
		m, err := ParseMeaning(s)
		if err != nil || m.String() != s {
			t.Errorf("%s: %+v, %v", s, m, err)
		}
		if again, ok := ParseTagText(" " + m.TagText() + "\n"); !ok || again != m {
			t.Errorf("%s: on a tag it is %+v, %v", s, again, ok)
		}
	}
	for s, why := range map[string]string{
		"zombie.2":                        "want a meaning such as",
		"":                                "want a meaning such as",
		"/zombie.2":                       "name of a game",
		"mutants/zombie":                  "not a copy",
		"mutants/zombie.0":                "not a copy",
		"mutants/zombie.02":               "not a copy",
		"mutants/zombie.2 ":               "not a copy",
		"mutants/a/b.1":                   "not a copy",
		"Mutants/zombie.2":                "name of a game",
		"key/jump":                        "not a key",
		"roll/":                           "face",
		"roll/two words":                  "face",
		"roll/" + strings.Repeat("x", 60): "face",
	} {
		if m, err := ParseMeaning(s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q is %+v, %v", s, m, err)
		}
		if m, ok := ParseTagText(TagScheme + s); ok && m.String() != strings.TrimSpace(s) {
			t.Errorf("on a tag %q is %+v", s, m)
		}
	}
	if m, ok := ParseTagText("https://example.org/"); ok {
		t.Errorf("an address is %+v", m)
	}
}

func FuzzParseTagText(f *testing.F) {
	for _, s := range []string{"tableside:mutants/zombie.2", "tableside:key/undo", "tableside:roll/growth-2", "tableside:",
		"https://a.b/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := ParseTagText(text)
		if !ok {
			return
		}
		if again, ok := ParseTagText(m.TagText()); !ok || again != m {
			t.Errorf("%q is %+v, and written again %+v", text, m, again)
		}
	})
}

// catalogued returns the configuration of a table whose catalogue is a map.
func catalogued(t *testing.T, tags map[string]string) (Config, map[string]string) {
	config := configured(t.TempDir())
	config.Tags = func(tag, text string) (Meaning, bool) {
		if s, ok := tags[tag]; ok {
			m, err := ParseMeaning(s)
			return m, err == nil
		}
		return ParseTagText(text)
	}
	config.LearnTag = func(tag string, m Meaning) (before string, err error) {
		if tag == "full" {
			return "", errors.New("no space left on device")
		}
		if tag == "odd" {
			return "", &engine.SyntaxError{Reason: "that is no UID"}
		}
		if tag == "broken" {
			return "", &engine.SyntaxError{File: "/var/lib/tableside/tags.txt", Line: 3, Column: 5, Reason: "odd"}
		}
		for other, s := range tags {
			if other != tag && s == m.String() {
				before = other
				delete(tags, other)
			}
		}
		tags[tag] = m.String()
		return before, nil
	}
	return config, tags
}

// TestTags checks the input of each kind of tag: cards, keys and dice of the catalogue,
// cards of another box, texts, and unknown tags.
func TestTags(t *testing.T) {
	config, _ := catalogued(t, map[string]string{
		"A1": "count/zombie.1", "A2": "key/plus", "A3": "key/undo", "A4": "roll/6", "A5": "other/fox.1",
		"A6": "nowhere/fox.1", "A7": "count/fox.1",
	})
	config.Games = []engine.Game{countGame{lifts: true}, countGame{name: "other/plain"}}
	table := start(t, config)
	on := func(tag, text string) engine.Receipt {
		return <-table.Emit(TagOn{Place: "left", Seat: "red", Tag: tag, Text: text})
	}
	off := func(tag string) engine.Receipt { return <-table.Emit(TagOff{Place: "left", Seat: "red", Tag: tag}) }
	table.begin("red", "blue")
	for _, c := range []struct {
		tag, text string
		outcome   engine.Outcome
		key       string
	}{
		{"A1", "", engine.Accepted, ""},
		{"A2", "", engine.Accepted, ""},
		{"A3", "", engine.Accepted, ""},
		{"A4", "", engine.Accepted, ""},
		{"A5", "", engine.Refused, "receipt.other-box"},
		{"A6", "", engine.Refused, "receipt.other-box"},
		{"B1", "tableside:count/bat.2", engine.Accepted, ""},
		{"A7", "tableside:count/bat.2", engine.Accepted, ""}, // the catalogue comes first
		{"B2", "tableside:other/bat.2", engine.Refused, "receipt.other-box"},
		{"B3", "hello", engine.Unknown, "receipt.unknown-tag"},
		{"B4", "", engine.Unknown, "receipt.unknown-tag"},
	} {
		r := on(c.tag, c.text)
		if r.Outcome != c.outcome || r.Text.Key != c.key || r.Place != "left" || r.Seat != "red" ||
			strings.Contains(r.Spoken, "«") {
			t.Errorf("%s %q: %+v", c.tag, c.text, r)
		}
		if c.outcome == engine.Unknown && (r.Text.Args["tag"] != c.tag || r.Text.Args["learn"] != true) {
			t.Errorf("%s: nothing is offered: %+v", c.tag, r)
		}
		if strings.Contains(r.Spoken, "bat") || strings.Contains(r.Spoken, "fox") {
			t.Errorf("%s: a card that was not accepted is named: %s", c.tag, r.Spoken)
		}
		off(c.tag)
	}
	got := strings.Join(lines(t, table, ""), ",")
	if got != "red tap zombie.1,red lift zombie.1,red key plus,red undo,red roll 6,red tap bat.2,red tap "+
		"fox.1,red lift fox.1" {
		t.Errorf("lines %q", got)
	}
}

// TestLiftOfTagThatNamesItself checks that a lift, too, reads the text of a tag.
func TestLiftOfTagThatNamesItself(t *testing.T) {
	config, _ := catalogued(t, map[string]string{})
	config.Games = []engine.Game{countGame{lifts: true}}
	table := start(t, config)
	table.begin("red")
	s := TagOn{Place: "left", Seat: "red", Tag: "B1", Text: "tableside:count/bat.2"}
	<-table.Emit(s)
	<-table.Emit(TagOff(s))
	if got := strings.Join(lines(t, table, ""), ","); got != "red tap bat.2,red lift bat.2" {
		t.Errorf("lines %q", got)
	}
}

func TestTeach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config, tags := catalogued(t, map[string]string{"A1": "count/zombie.1"})
		config.Games = []engine.Game{countGame{lifts: true}}
		table := start(t, config)
		table.begin("red")
		on := func(tag string) engine.Receipt {
			return <-table.Emit(TagOn{Place: "left", Seat: "red", Tag: tag})
		}
		teach := func(tag, card string) engine.Receipt {
			r := table.order(engine.Order{Do: "learn", Tag: tag, Card: card})
			if strings.Contains(r.Spoken, "«") {
				t.Errorf("learn %s %s: %+v", tag, card, r)
			}
			return r
		}
		// A tag that is on a reader.
		on("B1")
		if r := teach("B1", "count/zombie.2"); r.Outcome != engine.Accepted || r.Text.Key != "receipt.learnt" ||
			tags["B1"] != "count/zombie.2" || !strings.Contains(r.Spoken, "this tag is Zombie 2.") {
			t.Errorf("%+v", r)
		}
		<-table.Emit(TagOff{Place: "left", Seat: "red", Tag: "B1"}) // it was never tapped
		if r := on("B1"); r.Outcome != engine.Accepted {
			t.Errorf("%+v", r)
		}
		<-table.Emit(TagOff{Place: "left", Seat: "red", Tag: "B1"})
		// The next unknown one; others are played meanwhile.
		if r := teach("", "count/zombie.3"); r.Text.Key != "receipt.learn-next" {
			t.Errorf("%+v", r)
		}
		if r := on("A1"); r.Outcome != engine.Accepted || tags["A1"] != "count/zombie.1" {
			t.Errorf("%+v", r)
		}
		if r := on("B2"); r.Text.Key != "receipt.learnt" || r.Place != "left" || tags["B2"] != "count/zombie.3" {
			t.Errorf("%+v", r)
		}
		if r := on("B3"); r.Outcome != engine.Unknown {
			t.Errorf("%+v", r)
		}
		// A card has one tag.
		if r := teach("B4", "count/zombie.3"); r.Text.Key != "receipt.learnt-again" || !strings.Contains(r.Spoken, "B2") ||
			tags["B2"] != "" {
			t.Errorf("%+v", r)
		}
		if r := teach("B6", "key/plus"); !strings.Contains(r.Spoken, `this tag is the key "Plus".`) {
			t.Errorf("%+v", r)
		}
		// It waits a minute, or until it is cancelled.
		teach("", "count/zombie.5")
		time.Sleep(lessonLimit + time.Second)
		if r := on("B5"); r.Outcome != engine.Unknown {
			t.Errorf("%+v", r)
		}
		teach("", "count/zombie.5")
		if r := teach("", ""); r.Outcome != engine.Accepted {
			t.Errorf("%+v", r)
		}
		if r := on("B5"); r.Outcome != engine.Unknown {
			t.Errorf("%+v", r)
		}
		for _, c := range []struct {
			tag, card string
			outcome   engine.Outcome
			key       string
		}{
			{"B6", "zombie.5", engine.Malformed, "receipt.no-meaning"},
			{"B6", "", engine.Malformed, "receipt.no-meaning"},
			{"B6", "coutn/zombie.5", engine.Refused, "receipt.no-such-game"},
			{"odd", "count/zombie.5", engine.Malformed, "receipt.no-meaning"},
			{"full", "count/zombie.5", engine.Failed, "receipt.not-learnt"},
			{"broken", "count/zombie.5", engine.Failed, "receipt.not-learnt"},
			{"B6", "key/undo", engine.Accepted, "receipt.learnt"},
			{"B7", "roll/growth-2", engine.Accepted, "receipt.learnt"},
		} {
			if r := teach(c.tag, c.card); r.Outcome != c.outcome || r.Text.Key != c.key {
				t.Errorf("learn %s %s: %+v", c.tag, c.card, r)
			}
		}
		if r := teach("broken", "count/zombie.5"); r.Text.Args["reason"] != sameWords("tags.txt:3:5: odd") {
			t.Errorf("a broken catalogue: %+v", r)
		}
		if got := strings.Join(lines(t, table, ""), ","); got != "red tap zombie.2,red lift zombie.2,red tap zombie.1" {
			t.Errorf("lines %q", got)
		}
		table.stop()
	})
	table := start(t, configured(t.TempDir()))
	if r := table.order(engine.Order{Do: "learn", Tag: "B1",
		Card: "count/zombie.1"}); r.Text.Key != "receipt.no-catalogue" {
		t.Errorf("%+v", r)
	}
	if r := <-table.Emit(TagOn{Tag: "stranger"}); r.Text.Args["learn"] != nil {
		t.Errorf("a table that learns nothing offers it: %+v", r)
	}
}

// TestSourceReportsItself checks that the report of a source stays until its next
// one.
func TestSourceReportsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := start(t, configured(t.TempDir()))
		told := engine.Part{Name: "left", Health: engine.Degraded, Reason: "half of it", Resets: 3, ErrorRate: 0.5,
			LastGood: time.Now().UTC()}
		table.Add(Part{Name: "left", Source: runFunc(func(ctx context.Context, emit Emit) error {
			emit(Report{told})
			<-ctx.Done()
			return nil
		})})
		time.Sleep(2 * wellAfter)
		synctest.Wait()
		if h := health(table, "left"); h != told {
			t.Errorf("health %+v", h)
		}
		table.stop()
	})
}

func sameWords(text string) engine.Wording {
	return engine.Worded(func(engine.Lang) string { return text })
}
