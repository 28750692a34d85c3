package past

import (
	"encoding/json"
	"slices"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
)

// maxReplay is the greatest number of a match's inputs that a replay shows.
const MaxReplay = 5000

const turningPoints = 5

// A Recording is a match that can be looked at moment by moment. It holds the first view, and
// what each input changed.
type Recording struct {
	Match    engine.Null       `json:"match"`
	Lang     engine.Lang       `json:"lang"`
	Result   engine.Result     `json:"result"` // without moves, rounds and the lines of its course
	View     engine.View       `json:"view"`   // before the first input
	Steps    []recordedStep    `json:"steps"`
	Moves    []engine.Decision `json:"moves"` // that decided the match, each with its place among Steps
	Post     string            `json:"post,omitempty"`
	Animated bool              `json:"animated"` // the visitor may have an animation of it made
	Stopped  bool              `json:"stopped"`  // the rest is damaged, longer than can be shown, or not of today's rules
}

// A recordedStep is an accepted input of a match. Its number is its place in
// Recording.Steps, counted from 1.
type recordedStep struct {
	Second int         `json:"second"` // of play
	Event  string      `json:"event,omitempty"`
	Seat   engine.Seat `json:"seat,omitempty"`
	Lines  []string    `json:"lines,omitempty"`
	Struck []int       `json:"struck,omitempty"` // the steps that take it back, restore it, take it back …
	Patch  []Operation `json:"patch"`            // of the view
}

// A recorder makes the recording of a match.
type recorder struct {
	lang      engine.Lang
	words     engine.Words
	recording Recording
	view      any // the newest, decoded
	history   core.Story
	inForce   []int // the step that led to each position
}

// record replays a journal and returns the recording in the given language. If the replay
// fails half way, or takes longer than the limit, which is 0 if there is none, the recording ends
// there, and its field Stopped is set. If the match cannot even begin, record returns an error.
func Record(game engine.Game, j *engine.Journal, lang engine.Lang, limit time.Duration) (Recording, error) {
	// Words of cards that became known late are used from the beginning.
	long := shorten(j)
	all, err := engine.Replay(game, j, core.LimitTime(limit), nil)
	if all == nil {
		return Recording{}, err
	}
	first, err := engine.NewMatch(game, j.Setup)
	if err != nil {
		return Recording{}, err
	}
	r := recorder{lang: lang, words: all.Words()}
	view := r.speak(first)
	r.recording = Recording{Match: view.Match, Lang: lang, View: view, Steps: []recordedStep{}, Moves: []engine.Decision{}}
	if r.view, err = AsJSON(view); err != nil {
		return Recording{}, err
	}
	_, stopped := engine.Replay(game, j, core.LimitTime(limit), r.step)
	r.recording.Stopped = stopped != nil || err != nil || long
	r.say(all)
	err = r.addDecisive(all)
	return r.recording, err
}

func (r *recorder) speak(m *engine.Match) engine.View { return r.words.SpeakView(r.lang, m.View()) }

// asJSON returns a view in the form in which encoding/json decodes its JSON.
func AsJSON(view engine.View) (value any, err error) {
	data, err := json.Marshal(view)
	if err == nil {
		err = json.Unmarshal(data, &value)
	}
	return value, err
}

// step records an input.
func (r *recorder) step(m *engine.Match, s engine.Step) error {
	now, err := AsJSON(r.speak(m))
	if err != nil {
		return err
	}
	struck := r.struck()
	r.history.Seq++
	r.history.Record(slices.Clone(s.Events))
	for i, was := range struck {
		if e := r.history.Entries[i]; e.Undone != was {
			r.recording.Steps[e.Seq-1].Struck = append(r.recording.Steps[e.Seq-1].Struck, r.history.Seq)
		}
	}
	r.recording.Steps = append(r.recording.Steps, recordedStep{
		Second: int(s.Input.At / time.Second), Patch: operations([]Operation{}, "", r.view, now),
	})
	r.view = now
	if s.Position <= len(r.inForce) { // an undo
		r.inForce = r.inForce[:s.Position]
	} else {
		r.inForce = append(r.inForce, r.history.Seq)
	}
	return nil
}

func (r *recorder) struck() []bool {
	list := make([]bool, len(r.history.Entries))
	for i, e := range r.history.Entries {
		list[i] = e.Undone
	}
	return list
}

func (r *recorder) say(all *engine.Match) {
	f := engine.Frame{View: r.speak(all), Words: r.words, Lang: r.lang}
	for _, e := range core.Speak(r.history.Entries, f) {
		s := &r.recording.Steps[e.N-1]
		s.Event, s.Seat, s.Lines = e.Event, e.Seat, e.Lines
	}
}

// addDecisive adds the decisive moves of the match to the recording, and how it stands.
func (r *recorder) addDecisive(all *engine.Match) error {
	result, err := all.ResultWith(turningPoints, r.lang)
	if err != nil {
		return err
	}
	for _, m := range result.Moves {
		if m.Seq <= len(r.inForce) {
			m.Seq = r.inForce[m.Seq-1]
			r.recording.Moves = append(r.recording.Moves, m)
		}
	}
	result.Moves, result.Rounds, result.Course.Lines = nil, nil, nil
	r.recording.Result = result
	return nil
}
