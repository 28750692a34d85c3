package web

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"tableside/engine"
)

// maxReplay is the greatest number of a match's inputs that a replay shows.
const maxReplay = 5000

// A Recording is a match that can be looked at moment by moment. It holds the first view, and
// what each input changed.
type Recording struct {
	Match    engine.Null     `json:"match"`
	Lang     engine.Lang     `json:"lang"`
	Begin    time.Time       `json:"begin"`
	Counter  string          `json:"counter"` // by which the seats are compared; "" if they are not
	View     json.RawMessage `json:"view"`    // before the first input
	Steps    []recordedStep  `json:"steps"`
	Moves    []recordedMove  `json:"moves"`    // that decided the match
	Animated bool            `json:"animated"` // the visitor may have an animation of it made
	Stopped  bool            `json:"stopped"`  // the rest is damaged, longer than can be shown, or not of today's rules
}

// A recordedStep is an accepted input of a match. Its number is its place in
// Recording.Steps, counted from 1.
type recordedStep struct {
	Second int         `json:"second"` // of play
	Event  string      `json:"event,omitempty"`
	Seat   engine.Seat `json:"seat,omitempty"`
	Lines  []string    `json:"lines,omitempty"`
	Struck []int       `json:"struck,omitempty"` // the steps that take it back, restore it, take it back …
	Patch  []operation `json:"patch"`            // of the view
}

// A recordedMove is a decisive move.
type recordedMove struct {
	Step  int      `json:"n"`
	Lines []string `json:"lines"`
}

// A recorder makes the recording of a match.
type recorder struct {
	lang      engine.Lang
	words     engine.Words
	recording Recording
	view      any // the newest, decoded
	history   history
	inForce   []int // the step that led to each position
}

// record replays a journal and returns the recording in the given language. If the replay
// fails half way, the recording ends there, and its field Stopped is set. If the match cannot
// even begin, record returns an error.
func record(game engine.Game, j *engine.Journal, lang engine.Lang) (Recording, error) {
	// Words of cards that became known late are used from the beginning.
	all, err := engine.Replay(game, j, nil)
	if all == nil {
		return Recording{}, err
	}
	first, err := engine.NewMatch(game, j.Setup)
	if err != nil {
		return Recording{}, err
	}
	r := recorder{lang: lang, words: all.Words()}
	view := r.speak(first)
	r.recording = Recording{Match: view.Match, Lang: lang, Begin: first.Setup().Begin, View: view.AppendJSON(nil),
		Steps: []recordedStep{}}
	if r.view, err = decoded(r.recording.View); err != nil {
		return Recording{}, err
	}
	_, stopped := engine.Replay(game, j, r.step)
	r.recording.Stopped = stopped != nil
	r.say(all)
	return r.recording, r.addDecisive(all)
}

func (r *recorder) speak(m *engine.Match) engine.View { return r.words.SpeakView(r.lang, m.View()) }

func decoded(view []byte) (value any, err error) {
	err = json.Unmarshal(view, &value)
	return value, err
}

// step records an input.
func (r *recorder) step(m *engine.Match, s engine.Step) error {
	view := r.speak(m)
	now, err := decoded(view.AppendJSON(nil))
	if err != nil {
		return err
	}
	struck := r.struck()
	r.history.seq++
	r.history.record(slices.Clone(s.Events))
	for i, was := range struck {
		if e := r.history.entries[i]; e.undone != was {
			r.recording.Steps[e.seq-1].Struck = append(r.recording.Steps[e.seq-1].Struck, r.history.seq)
		}
	}
	r.recording.Steps = append(r.recording.Steps, recordedStep{
		Second: int(s.Input.At / time.Second), Patch: operations([]operation{}, "", r.view, now),
	})
	r.view = now
	if s.Position <= len(r.inForce) { // an undo
		r.inForce = r.inForce[:s.Position]
	} else {
		r.inForce = append(r.inForce, r.history.seq)
	}
	return nil
}

// struck returns, for each entry of the history, whether it is struck out.
func (r *recorder) struck() []bool {
	list := make([]bool, len(r.history.entries))
	for i, e := range r.history.entries {
		list[i] = e.undone
	}
	return list
}

// say puts the spoken lines of the log into the steps.
func (r *recorder) say(all *engine.Match) {
	f := engine.Frame{View: r.speak(all), Words: r.words, Lang: r.lang}
	for _, e := range speak(r.history.entries, f) {
		s := &r.recording.Steps[e.N-1]
		s.Event, s.Seat, s.Lines = e.Event, e.Seat, e.Lines
	}
}

// addDecisive adds the decisive moves of the match to the recording. It also adds the name of
// the counter by which the seats are compared.
func (r *recorder) addDecisive(all *engine.Match) error {
	result, err := all.Result()
	if err != nil {
		return err
	}
	r.recording.Moves = []recordedMove{}
	r.recording.Counter = result.Counter
	for _, m := range result.In(r.lang).Moves {
		if m.Seq <= len(r.inForce) {
			r.recording.Moves = append(r.recording.Moves, recordedMove{r.inForce[m.Seq-1], m.Lines})
		}
	}
	return nil
}

// json returns the recording as JSON for a page. The JSON contains no "<". Thus no text in it
// can end the script element around it.
func (r *Recording) json() ([]byte, error) {
	var b bytes.Buffer
	err := json.NewEncoder(&b).Encode(r) // which escapes <, > and &
	return b.Bytes(), err
}
