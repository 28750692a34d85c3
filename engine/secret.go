package engine

import "strings"

// A Secretive is a State in which an input may name a card that only its player has seen.
type Secretive interface {
	// IsSecret reports whether an input of this match must stay secret now. An input is no
	// longer secret when its card has been face up.
	IsSecret(Input) bool
}

// maskedMagic is the first line of a masked journal. ParseJournal refuses it.
const maskedMagic = "tableside-journal masked"

// Mask returns the text of a journal for people who may not know the secret inputs of an
// unfinished match. The argument data is the whole text. A question mark replaces the card of
// each secret input and of each secret line "pool". What cannot be read, from the first damaged
// line on, is left out. The given remark follows the first line. If nothing is secret, Mask returns
// the text unchanged, but for a last line that has no end.
//
// Mask calls limit before every line, unless limit is nil. If limit returns an error, or the match
// cannot be folded, every tap is masked. If it cannot be folded, game may be nil.
func (j *Journal) Mask(game Game, data []byte, remark string, limit func() error) []byte {
	if j.End != nil && j.End.State == "finished" {
		return data
	}
	isSecret := j.secrets(game, limit)
	if isSecret == nil {
		return data
	}
	hidden := map[int]Input{} // by line
	for _, line := range j.Lines {
		if line.Mark == nil && isSecret(line.Input) {
			hidden[line.Number] = Input{At: line.Input.At, Seat: line.Input.Seat, Verb: line.Input.Verb, Args: []string{"?"}}
		}
	}
	masked := len(hidden) > 0 || j.Length < len(data) && !j.Torn
	pools := j.Setup.Pools
	lines := []string{}
	for raw := range strings.Lines(string(data[:j.Length])) {
		text, _, _ := cutSeal(strings.TrimRight(raw, "\r\n"))
		if in, secret := hidden[len(lines)+1]; secret {
			text = in.String()
		} else if len(pools) > 0 && strings.HasPrefix(strings.TrimSpace(text), "pool ") {
			if p := pools[0]; isSecret(Input{Seat: p.Seat, Verb: Tap, Args: []string{p.Card}}) {
				text, masked = "pool "+string(p.Seat)+" ?", true
			}
			pools = pools[1:]
		}
		if text == looseMagic || text == chainedMagic {
			text = maskedMagic + "\n# " + remark
		}
		lines = append(lines, text+"\n")
	}
	if !masked {
		return data[:j.Length]
	}
	return []byte(strings.Join(lines, ""))
}

// secrets returns a function that reports whether an input of the journal is secret, as the
// match stands at the end of the journal. If the game has no secret inputs, it returns nil.
func (j *Journal) secrets(game Game, limit func() error) func(Input) bool {
	isTap := func(in Input) bool { return in.Verb == Tap }
	if game == nil {
		return isTap
	}
	begun, err := NewMatch(game, j.Setup)
	if err != nil {
		return isTap
	}
	if _, secretive := begun.State().(Secretive); !secretive {
		return nil
	}
	inputs := *j
	inputs.Lines = nil // a mark that no longer agrees hides nothing
	for _, line := range j.Lines {
		if line.Mark == nil {
			inputs.Lines = append(inputs.Lines, line)
		}
	}
	m, err := Replay(game, &inputs, limit, nil)
	if err != nil {
		return isTap
	}
	return m.State().(Secretive).IsSecret
}
