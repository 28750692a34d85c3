package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Player sits at a seat.
type Player struct {
	Seat Seat   `json:"seat"`
	Name string `json:"name,omitempty"` // as the players typed it, or ""
}

// A Pool declares that a seat brings N copies of a card, as a draft left
// them. Set names a list that the game knows instead of a card: N is 0.
type Pool struct {
	Seat Seat   `json:"seat"`
	Card string `json:"card"`
	N    int    `json:"n,omitempty"`
}

// A Setup is all that is chosen before the first input: the head of a
// journal.
type Setup struct {
	Game        string            `json:"game"`
	Rules       int               `json:"rules,omitempty"`
	Options     map[string]string `json:"options,omitempty"`
	Seats       []Player          `json:"seats"` // clockwise
	Pools       []Pool            `json:"pools,omitempty"`
	First       Seat              `json:"first,omitempty"`       // "" where the game decides it in play
	Definitions []string          `json:"definitions,omitempty"` // owner's cards and board
	Begin       time.Time         `json:"begin,omitzero"`
}

// A SetupError says to people what cannot be begun.
type SetupError struct{ Text Text }

func (e *SetupError) Error() string { return (&Refusal{Text: e.Text}).Error()[len("refused: "):] }

func setupError(key string, pairs ...any) error { return &SetupError{T(key, pairs...)} }

// NewSetupError makes a SetupError from a key and pairs of argument name and
// value.
func NewSetupError(key string, pairs ...any) error { return setupError(key, pairs...) }

// MatchID names the match: the moment at which it began.
func (s Setup) MatchID() string { return s.Begin.UTC().Format(matchID) }

const matchID = "2006-01-02T15-04-05Z"

// BeginOf returns the moment for which a match is named; the zero time where
// the name is none.
func BeginOf(id string) time.Time {
	begin, _ := time.Parse(matchID, id)
	return begin
}

// Has reports whether somebody sits at the seat.
func (s Setup) Has(seat Seat) bool { return s.index(seat) >= 0 }

func (s Setup) index(seat Seat) int {
	return slices.IndexFunc(s.Seats, func(p Player) bool { return p.Seat == seat })
}

// Option returns the value of an option, "" where it is not set.
func (s Setup) Option(name string) string { return s.Options[name] }

// Complete returns the setup with every option that was left out at its
// default, or a *SetupError that says what cannot be.
func (i Info) Complete(s Setup) (Setup, error) {
	if len(s.Seats) < i.MinSeats || len(s.Seats) > i.MaxSeats {
		if i.MinSeats == i.MaxSeats {
			return s, setupError("setup.seats-fixed", "n", len(s.Seats), "of", i.MinSeats)
		}
		return s, setupError("setup.seats", "n", len(s.Seats), "min", i.MinSeats, "max", i.MaxSeats)
	}
	seen := map[Seat]bool{}
	for _, p := range s.Seats {
		switch {
		case !IsWord(string(p.Seat)) || p.Seat == Table || p.Seat == markWord || p.Seat == endWord:
			return s, setupError("setup.seat-name", "name", string(p.Seat))
		case seen[p.Seat]:
			return s, setupError("setup.seat-twice", "name", string(p.Seat))
		case len([]rune(p.Name)) > 24 || !printable(p.Name):
			return s, setupError("setup.player-name", "name", p.Name)
		}
		seen[p.Seat] = true
	}
	if s.First != "" && !seen[s.First] {
		return s, setupError("setup.first", "name", string(s.First))
	}
	for _, p := range s.Pools {
		if !seen[p.Seat] {
			return s, setupError("setup.pool-seat", "name", string(p.Seat))
		}
	}
	options := map[string]string{}
	for _, o := range i.Options {
		options[o.Name] = o.Default
	}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		value := s.Options[name]
		at := slices.IndexFunc(i.Options, func(o Option) bool { return o.Name == name })
		if at < 0 {
			return s, setupError("setup.option-unknown", "name", name, "known", i.optionNames())
		}
		if err := i.Options[at].Accepts(value); err != nil {
			return s, err
		}
		options[name] = value
	}
	s.Options = options
	if s.Rules == 0 {
		s.Rules = i.Rules
	}
	s.Game = i.Name
	// Whatever came in through a page must be read back from the journal.
	head := s.Head()
	again, err := ParseJournal("", []byte(strings.Join(head, "\n")+"\n"))
	if err != nil || len(again.Lines) > 0 || !slices.Equal(again.Setup.Head(), head) {
		return s, setupError("setup.unreadable")
	}
	return s, nil
}

// Accepts says why the option cannot have a value, nil where it can.
func (o Option) Accepts(value string) error {
	var err error
	switch {
	case o.List:
		err = o.acceptsAll(SplitList(value))
	case o.Values != nil && !slices.Contains(o.Values, value):
		return setupError("setup.option-value", "name", o.Name, "value", value, "known", strings.Join(o.Values, ", "))
	case o.Check != nil:
		err = o.Check(value)
	}
	if err != nil {
		return setupError("setup.option-reason", "name", o.Name, "value", value, "reason", reason(err))
	}
	return nil
}

func (o Option) acceptsAll(list []string) error {
	for i, name := range list {
		switch {
		case name == "":
			return setupError("setup.list-empty", "known", strings.Join(o.Values, ", "))
		case !slices.Contains(o.Values, name):
			return setupError("setup.list-unknown", "name", name, "known", strings.Join(o.Values, ", "))
		case slices.Contains(list[:i], name):
			return setupError("setup.list-twice", "name", name)
		}
	}
	return nil
}

// SplitList reads the value of an option that is a list, also with spaces
// around its commas.
func SplitList(value string) []string {
	list := strings.Split(value, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// reason returns why an option cannot have its value: a Text for people where
// the error is a SetupError.
func reason(err error) any {
	var e *SetupError
	if errors.As(err, &e) {
		return e.Text
	}
	return err.Error()
}

func (i Info) optionNames() string {
	var names []string
	for _, o := range i.Options {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}

// Between checks an option that is a whole number.
func Between(low, high int) func(string) error {
	return func(s string) error {
		var n int
		if _, err := fmt.Sscanf(s, "%d", &n); err != nil || fmt.Sprint(n) != s || n < low || n > high {
			return setupError("setup.whole-number", "low", low, "high", high)
		}
		return nil
	}
}
