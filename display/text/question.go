package text

import "tableside/engine"

// A Question is what a display asks: the text of a prompt, or the reason for a refusal, and
// the possible answers. The Cursor is the index of the selected answer, or -1 for none.
type Question struct {
	Text    string
	Answers []engine.Answer
	Cursor  int
	Refused bool // the text is the reason why an input had no effect
}

// QuestionOf returns the question of the prompt with this index. If the index is -1, an empty
// table asks whether to continue an unfinished match.
//
// The caller says whether the last input concerns those who look at the display. If so, and if
// that input had no effect, the reason replaces the text. If this refusal can be overridden,
// the only answer is the one that insists on the input.
func QuestionOf(f engine.Frame, prompt int, concerned bool) Question {
	q := Question{Cursor: -1}
	if prompt >= 0 {
		p := f.View.Prompts[prompt]
		q.Text, q.Answers = Asked(&f.View, p), Numbered(f, p)
		if prompt == 0 {
			q.Cursor = f.Status.Cursor
		}
	} else if f.Status.Unfinish != "" && f.View.Match == "" {
		q.Text = Say(f, "continue")
	}
	if why := Answered(f); concerned && why != "" {
		q.Text, q.Refused = why, true
	}
	if insist, ok := Insist(f); concerned && ok {
		q.Answers, q.Cursor = []engine.Answer{insist}, 0 // the key yes gives this answer first
	}
	if q.Cursor >= len(q.Answers) {
		q.Cursor = -1
	}
	return q
}
