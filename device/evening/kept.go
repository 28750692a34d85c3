package evening

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/device/disk"
	"tableside/engine"
)

// A keptEvening is an evening in the book, with its journal.
type keptEvening struct {
	id, path   string
	match      *engine.Match
	sealer     engine.Sealer
	length     int               // of the journal up to the last whole line
	cachedView *View             // the newest view; nil until somebody asks for it
	stale      bool              // a change failed: the state is ahead of the journal
	undone     []engine.Input    // people's inputs that were taken back, the newest last
	setBack    time.Duration     // by how much the hall's clock was set back since this evening's last input
	damage     int               // the first line of the journal that cannot be read; 0 for none
	reports    map[string]string // the newest result of each match, even if undone since: its command
}

func (k *keptEvening) state() *State { return k.match.State().(*State) }

// reload loads the journal again if a change has failed. After such a change, the state may
// have applied inputs that were never written to the journal. If the journal cannot be loaded,
// the next call tries again.
func (k *keptEvening) reload() error {
	if !k.stale {
		return nil
	}
	err := k.load()
	k.stale = err != nil
	return err
}

// load reads the journal up to the first line that cannot be read or applied. The field damage
// then has the number of this line. If not even the beginning can be read, load returns an
// error.
func (k *keptEvening) load() error {
	data, err := disk.ReadJournal(k.path)
	if err != nil {
		return err
	}
	j, fault := engine.ParseJournal(filepath.Base(k.path), data)
	if j == nil {
		return fault
	}
	match, err := engine.NewMatch(Rules{}, j.Setup)
	if err != nil {
		return err
	}
	k.match, k.sealer, k.length, k.damage, k.reports = match, j.Sealer, j.Length, 0, map[string]string{}
	k.undone, k.cachedView = nil, nil
	if syntax, ok := errors.AsType[*engine.SyntaxError](fault); ok {
		k.damage = syntax.Line
	}
	for _, line := range j.Lines {
		if line.Mark != nil {
			continue
		}
		step, err := match.Apply(line.Input)
		if err != nil {
			k.damage = line.Number
			return nil
		}
		k.recordStep(step)
	}
	return nil
}

// recordStep records a step that was applied. It updates the results that tables have
// reported, and the list of inputs that redo can bring back. A report of a table does not
// change what redo can bring back.
func (k *keptEvening) recordStep(step engine.Step) {
	in, last := step.Input, len(k.undone)-1
	switch {
	case in.Verb == engine.Undo && heard(step.Undone):
	case in.Verb == engine.Undo:
		k.undone = append(k.undone, step.Undone)
	case in.Verb == engine.Redo: // in journals of older versions
		k.undone = k.undone[:max(last, 0)]
	case heard(in):
		k.reports[in.Arg(1)] = report(in)
	case last >= 0 && isAgain(in, k.undone[last]):
		k.undone = k.undone[:last]
	default:
		k.undone = nil
	}
}

// addBeginTime returns an input in a form that can be applied again later. An input that
// begins a round gets one more argument, the time at which the round first began. The round
// then keeps this time, so that the results of its matches still count.
func addBeginTime(in engine.Input) engine.Input {
	if in.Arg(0) == "round" && len(in.Args) == 3 {
		in.Args = append(slices.Clip(in.Args), fmt.Sprint(in.At.Milliseconds()))
	}
	return in
}

// isAgain reports whether an input makes the same change as an input that was undone. If an
// input brings a round back, it has one argument more than the undone input, the time of the
// round. In journals of older versions, this argument is missing.
func isAgain(in, undone engine.Input) bool {
	command := in.Command()
	return command == undone.Command() || command == addBeginTime(undone).Command()
}

func heard(in engine.Input) bool { return in.Arg(0) == "heard" }

// newestChange returns the last change that a person made, which may be several inputs. It
// also returns the reports of tables that came after this change.
func (k *keptEvening) newestChange() (change, told []engine.Input) {
	done := k.match.Inputs()
	at := len(done)
	for at > 0 && heard(done[at-1]) {
		at--
	}
	from := at
	for from > 0 && isOneChange(done[from-1:at]) {
		from--
	}
	return done[from:at], done[at:]
}

func isOneChange(ins []engine.Input) bool {
	first, what := ins[0], ins[0].Arg(0)
	for _, in := range ins[1:] {
		if in.Arg(0) != what || in.At != first.At || what != "player" && what != "table" {
			return false
		}
	}
	return !heard(first)
}

// undo returns the inputs that take back the last change that a person made. If tables have
// reported results since, the inputs also apply these reports again.
func (k *keptEvening) undo() ([]engine.Input, error) {
	change, told := k.newestChange()
	if len(change) == 0 {
		return nil, engine.Refuse("refusal.nothing-to-undo")
	}
	return append(undos(len(told)+len(change)), told...), nil
}

// redo returns the inputs that bring back the change that was taken back last. If tables have
// reported results since, the change is placed before these reports.
func (k *keptEvening) redo() ([]engine.Input, error) {
	last := len(k.undone) - 1
	if last < 0 {
		return nil, engine.Refuse("refusal.nothing-to-redo")
	}
	from := last
	for from > 0 && isOneChange(k.undone[from-1:]) {
		from--
	}
	_, told := k.newestChange()
	ins := undos(len(told))
	for _, in := range slices.Backward(k.undone[from:]) {
		ins = append(ins, addBeginTime(in))
	}
	return append(ins, told...), nil
}

func undos(n int) []engine.Input {
	return slices.Repeat([]engine.Input{{Seat: engine.Table, Verb: engine.Undo}}, n)
}

// fold applies inputs and returns their sealed lines. All inputs get the same time. After an
// error some of the inputs may have been applied.
func (k *keptEvening) fold(ins []engine.Input, at time.Duration) (string, error) {
	var b strings.Builder
	k.cachedView = nil
	for _, in := range ins {
		in.At = at
		step, err := k.match.Apply(in)
		if err != nil {
			return "", err
		}
		k.recordStep(step)
		b.WriteString(k.sealer.Seal(step.Input.String()))
	}
	return b.String(), nil
}

// elapsed returns the time since the evening began, which never goes back. If the hall's clock
// was set back since the evening's last input, the evening's own clock goes on from there.
func (k *keptEvening) elapsed(now time.Time) time.Duration {
	at := now.Sub(k.match.Setup().Begin) + k.setBack
	if last := k.match.Last(); at < last {
		k.setBack += last - at
		return last
	}
	return at
}

// write adds lines to the journal, and returns once the disk has them. A torn line is left out.
func (b *Book) write(k *keptEvening, lines string) error {
	text, err := disk.ReadJournal(k.path)
	if err != nil {
		return err
	}
	if err := b.replace(k.path, string(text[:min(k.length, len(text))])+lines); err != nil {
		return err
	}
	k.length += len(lines)
	return nil
}
