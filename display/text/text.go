// Package text returns the texts that all displays add to a match: names, labels,
// warnings, winners and questions.
package text

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tableside/engine"
)

//go:embed words.txt
var wordsFile string

var words = engine.MustWords("display/text/words.txt", wordsFile)

// Say returns one of the sentences that displays add to a match.
func Say(f engine.Frame, key string, pairs ...any) string {
	return words.Say(f.Lang, engine.T(key, pairs...), f.View.Names())
}

// Name returns the name of a seat's player. If the player has no name, Name returns the view's
// label for the seat. Without a label, it returns the seat itself with a capital letter.
func Name(v *engine.View, seat engine.Seat) string {
	if s := v.Seat(seat); s != nil && s.Name != "" {
		return s.Name
	}
	if label := v.Labels["seat."+string(seat)]; label != "" {
		return label
	}
	return engine.Capital(string(seat))
}

// Seated returns the view with one more seat if the table itself plays, for example as a boss.
// The new seat is the last one, and takes over the counters and zones of the table. If the
// table does not play, Seated returns v unchanged.
func Seated(v engine.View) engine.View {
	if !v.TablePlays() {
		return v
	}
	boss := engine.SeatView{ID: engine.Table, Name: v.Labels["seat.table"], Colour: "#888888", Counters: v.Counters,
		Zones: v.Zones}
	v.Seats = append(slices.Clip(v.Seats), boss)
	v.Counters, v.Zones = nil, nil
	return v
}

// Label returns the word for a key such as "counter.score" or "zone.left". For a key without a
// word it returns the part after the first dot.
func Label(v *engine.View, key string) string {
	if label := v.Labels[key]; label != "" {
		return label
	}
	_, word, _ := strings.Cut(key, ".")
	return word
}

// Round returns the text that says which round of the match is being played. If the match
// has no rounds, Round returns the title of the game.
func Round(f engine.Frame) string {
	v := &f.View
	switch {
	case v.Round > 0 && v.Rounds > 0:
		return Say(f, "round-of", "n", v.Round, "of", v.Rounds)
	case v.Round > 0:
		return Say(f, "round", "n", v.Round)
	}
	return v.Title
}

// Turn returns two sentences. The first says whose turn it is. If another seat has to answer
// the first question, the second sentence says whose turn it is and which seat has to answer.
// Otherwise the two sentences are equal. If it is nobody's turn, both are "".
func Turn(f engine.Frame) (turn, answers string) {
	v := &f.View
	seat := engine.Seat(v.Turn)
	if seat == "" {
		return "", ""
	}
	turn = Say(f, "turn", "seat", Name(v, seat))
	if len(v.Prompts) == 0 || v.Prompts[0].Seat == seat || v.Prompts[0].Seat == engine.Table {
		return turn, turn
	}
	return turn, Say(f, "turn-answers", "seat", Name(v, seat), "other", Name(v, v.Prompts[0].Seat))
}

// Winner returns the text about who has won, or "" if nobody has.
func Winner(f engine.Frame) string {
	names := make([]string, len(f.View.Winners))
	for i, seat := range f.View.Winners {
		names[i] = Name(&f.View, seat)
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return Say(f, "wins", "seat", names[0])
	default:
		and := " " + Say(f, "and") + " "
		return Say(f, "win-shared", "seats", strings.Join(names[:n-1], ", ")+and+names[n-1])
	}
}

// Warnings returns the warnings for players, the most urgent first: that nothing is being
// saved, what the hall's organisers say, that the players have called the organisers, and
// which parts fail. Notices, such as the notice about stand-in data, come last.
func Warnings(f engine.Frame) []string {
	var all []string
	if !f.Status.Keeping && f.View.Match != "" {
		warning := f.Status.Trouble
		if warning == "" {
			warning = Say(f, "not-keeping")
		}
		all = append(all, warning)
	}
	if f.Status.Says != "" {
		all = append(all, f.Status.Says)
	}
	if !f.Status.Called.IsZero() {
		all = append(all, Say(f, "called"))
	}
	for _, part := range f.Status.Health {
		if part.Health == engine.Broken || part.Health == engine.Degraded {
			all = append(all, Say(f, "part-"+string(part.Health), "part", part.Name))
		}
	}
	for _, notice := range f.View.Notices {
		all = append(all, Label(&f.View, "notice."+notice))
	}
	return all
}

// Answered returns the text that says why the last input had no effect. If the input was
// accepted, or if there was none, the text is "".
func Answered(f engine.Frame) string {
	r := f.Status.Receipt
	if r == nil || r.Outcome == engine.Accepted || r.Outcome == "" {
		return ""
	}
	said := r.Spoken
	if said == "" {
		said = Say(f, string(r.Outcome))
	}
	return said
}

// Insist returns the answer that overrides the refusal of the last input, and true. If there
// is no refusal, or if the refusal is final, Insist returns false.
func Insist(f engine.Frame) (engine.Answer, bool) {
	r := f.Status.Receipt
	if r == nil || !r.Override || Answered(f) == "" {
		return engine.Answer{}, false
	}
	return engine.Answer{Key: "yes", Text: Say(f, "insist"), Input: string(engine.Table) + " key yes"}, true
}

// Asked returns the question of a prompt. If the prompt's text begins with the name of its
// seat and a colon, Asked removes both.
func Asked(v *engine.View, p engine.Prompt) string {
	rest, found := strings.CutPrefix(p.Text, Name(v, p.Seat))
	if !found {
		return p.Text
	}
	rest, found = strings.CutPrefix(strings.TrimLeft(rest, " \u00a0\u202f"), ":")
	if rest = strings.TrimLeft(rest, " "); !found || rest == "" {
		return p.Text
	}
	return engine.Capital(rest)
}

// Short cuts words of more than five letters to their first four and a full stop.
func Short(label string) string {
	words := strings.Fields(label)
	for i, word := range words {
		if runes := []rune(word); len(runes) > 5 {
			words[i] = string(runes[:4]) + "."
		}
	}
	return strings.Join(words, " ")
}

// keySigns maps keys to their signs. The sign is put before an answer whose text does not
// begin with it.
var keySigns = map[string]string{"left": "◄", "right": "►", "plus": "+", "minus": "−", "next": "»"}

// Keyed returns the text of an answer, with the sign of the answer's key before it. If the key
// has no sign, or if the text already begins with the sign, Keyed returns the text alone.
func Keyed(a engine.Answer) string {
	for key, sign := range keySigns {
		if strings.HasSuffix(a.Input, " key "+key) && !strings.HasPrefix(a.Text, sign) {
			return sign + " " + a.Text
		}
	}
	return a.Text
}

// Numbered returns the answers of a prompt. At a table with a number pad, the text of an
// answer begins with the digit to type for this answer, if there is such a digit.
//
// Some answers get no digit. The keys "plus", "minus" and "next" have places of their own on
// the pad. If a typed number answers the prompt, no answer gets a digit.
func Numbered(f engine.Frame, p engine.Prompt) []engine.Answer {
	digits, asked := p.Digits()
	if !f.Status.Digits || asked {
		return p.Options
	}
	answers := slices.Clone(p.Options)
	for i := range answers {
		a := &answers[i]
		_, key, _ := strings.Cut(a.Input, " key ")
		if digits[i] != "" && key != "plus" && key != "minus" && key != "next" {
			a.Text = digits[i] + " " + a.Text
		}
	}
	return answers
}

// HasKeySign reports whether an answer's text begins with the sign of a key.
func HasKeySign(label string) bool {
	for _, sign := range keySigns {
		if strings.HasPrefix(label, sign) {
			return true
		}
	}
	return false
}

// Space returns the space of a seat's marker. If the seat has several markers, Space returns
// the lowest of their spaces. If the seat has no marker, found is false.
func Space(t engine.Track, seat engine.Seat) (space int, found bool) {
	for at, stack := range t.Stacks {
		if slices.Contains(stack, seat) && (!found || at < space) {
			space, found = at, true
		}
	}
	return space, found
}

// MaxSpaces is the length of the longest track that is drawn space by space. On a longer
// track, such as a score track, each position is written as a number.
const MaxSpaces = 25

// Spaces returns the spaces of a track that have markers, in ascending order. It also reports
// whether all of them are on the track, because a marker may be beyond one of its ends.
func Spaces(t engine.Track) (all []int, within bool) {
	for space, stack := range t.Stacks {
		if len(stack) > 0 {
			all = append(all, space)
		}
	}
	slices.Sort(all)
	return all, len(all) == 0 || all[0] >= t.First && all[len(all)-1] <= t.Last
}

// Known returns the cards of a zone that players can identify. A card whose kind is known can
// be identified. A card of unknown kind can be identified if it has a state, and no other card
// of unknown kind has the same state. Displays only count the other cards.
func Known(cards []engine.Card) []engine.Card {
	var known []engine.Card
	for i, c := range cards {
		same := func(o engine.Card) bool { return o.Kind == "" && slices.Equal(o.State, c.State) }
		alone := !slices.ContainsFunc(cards[:i], same) && !slices.ContainsFunc(cards[i+1:], same)
		if c.Kind != "" || len(c.State) > 0 && alone {
			known = append(known, c)
		}
	}
	return known
}

// Initials returns a distinct capital for each seat, without an accent, because a small sign
// has no room for one. It is the first letter
// of the player's name that no earlier seat has taken. If all letters of the name are taken,
// the seat gets a digit instead.
func Initials(v *engine.View) map[engine.Seat]string {
	initials := make(map[engine.Seat]string, len(v.Seats))
	taken := map[string]bool{}
	for i, s := range v.Seats {
		letter := strconv.Itoa((i + 1) % 10)
		for _, r := range Name(v, s.ID) {
			plain, _ := utf8.DecodeRuneInString(norm.NFD.String(string(unicode.ToUpper(r))))
			if unicode.IsLetter(r) && !taken[string(plain)] {
				letter = string(plain)
				break
			}
		}
		taken[letter] = true
		initials[s.ID] = letter
	}
	return initials
}
