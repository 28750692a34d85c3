package engine

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Player holds a seat and the player's name.
type Player struct {
	Seat Seat   `json:"seat"`
	Name string `json:"name,omitempty"` // as the players typed it, or ""
}

// A Pool declares that a seat brings N copies of a card. For example, the seat chose the card
// in a draft. If N is 0, the field Card may instead hold the id of a ready-made pool of the
// game (see Info.Pools). If it holds a card, the seat brings one copy.
type Pool struct {
	Seat Seat   `json:"seat"`
	Card string `json:"card"`
	N    int    `json:"n,omitempty"`
}

// A Setup holds the choices before the first input: the head of a journal.
type Setup struct {
	Game        string            `json:"game"`
	Rules       int               `json:"rules,omitempty"`
	Preset      string            `json:"preset,omitempty"` // the name of the game on a score sheet: skull-king
	Options     map[string]string `json:"options,omitempty"`
	Seats       []Player          `json:"seats"` // clockwise
	Pools       []Pool            `json:"pools,omitempty"`
	First       Seat              `json:"first,omitempty"`       // "" if the game decides it in play
	Computer    map[Seat]string   `json:"computer,omitempty"`    // how strong the table itself plays seats: see Strengths
	After       string            `json:"after,omitempty"`       // the match of which this one plays a moment again, with its cards
	Definitions []string          `json:"definitions,omitempty"` // the owner's cards and board
	Begin       time.Time         `json:"begin,omitzero"`
}

// Strengths are those with which the table itself plays a seat, the weakest first.
var Strengths = []string{"easy", "normal", "strong"}

// A SetupError tells people why a match cannot begin.
type SetupError struct{ Text Text }

func (e *SetupError) Error() string { return (&Refusal{Text: e.Text}).Error()[len("refused: "):] }

func setupError(key string, pairs ...any) error { return &SetupError{T(key, pairs...)} }

// NewSetupError returns a *SetupError, given a key of the catalogue and pairs of
// argument name and value.
func NewSetupError(key string, pairs ...any) error { return setupError(key, pairs...) }

// MatchID returns the name of the match: the time at which it began.
func (s Setup) MatchID() string { return s.Begin.UTC().Format(matchID) }

const matchID = "2006-01-02T15-04-05Z"

// BeginOf reads the name of a match and returns the time that it stands for. For any other
// text, it returns the zero time.
func BeginOf(id string) time.Time {
	begin, err := time.Parse(matchID, id)
	if err != nil || begin.Format(matchID) != id { // Parse takes fractions of seconds, too
		return time.Time{}
	}
	return begin
}

// Has reports whether somebody sits at the seat.
func (s Setup) Has(seat Seat) bool { return s.index(seat) >= 0 }

func (s Setup) index(seat Seat) int {
	return slices.IndexFunc(s.Seats, func(p Player) bool { return p.Seat == seat })
}

// Option returns the value of an option, or "" if it is not set.
func (s Setup) Option(name string) string { return s.Options[name] }

// Complete returns the setup with its missing values filled in. These are the name of the
// game, the version of its rules and the defaults of the game's own options. If the setup
// already has a version of the rules, this version stays. If the game does not accept the
// setup, Complete returns a *SetupError.
func (i Info) Complete(s Setup) (Setup, error) {
	if len(s.Seats) < i.MinSeats || len(s.Seats) > i.MaxSeats {
		if i.MinSeats == i.MaxSeats {
			return s, setupError("setup.seats-fixed", "n", len(s.Seats), "of", i.MinSeats)
		}
		return s, setupError("setup.seats", "n", len(s.Seats), "min", i.MinSeats, "max", i.MaxSeats)
	}
	if s.Preset != "" && !IsWord(s.Preset) {
		return s, setupError("setup.preset", "name", Literal(MarkUnseen(s.Preset)))
	}
	seen := map[Seat]bool{}
	for _, p := range s.Seats {
		switch {
		case !IsWord(string(p.Seat)) || p.Seat == Table || p.Seat == markWord || p.Seat == endWord:
			return s, setupError("setup.seat-name", "name", string(p.Seat))
		case seen[p.Seat]:
			return s, setupError("setup.seat-twice", "name", string(p.Seat))
		case MarkUnseen(p.Name) != p.Name:
			return s, setupError("setup.name-unseen", "name", Literal(MarkUnseen(p.Name)))
		case !readableName(p.Name):
			return s, setupError("setup.name-long", "name", Literal(p.Name), "n", len([]rune(p.Name)))
		}
		seen[p.Seat] = true
	}
	if s.First != "" && !seen[s.First] {
		return s, setupError("setup.first", "name", string(s.First))
	}
	for _, seat := range slices.Sorted(maps.Keys(s.Computer)) {
		switch {
		case !seen[seat]:
			return s, setupError("setup.computer-seat", "name", string(seat))
		case !slices.Contains(Strengths, s.Computer[seat]):
			return s, setupError("setup.computer", "name", Literal(s.Computer[seat]), "known", strings.Join(Strengths, ", "))
		}
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
	all := i.AllOptions()
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		value := s.Options[name]
		at := slices.IndexFunc(all, func(o Option) bool { return o.Name == name })
		if at < 0 {
			return s, setupError("setup.option-unknown", "name", name, "known", i.optionNames())
		}
		if err := all[at].Accepts(value); err != nil {
			return s, err
		}
		if at < len(i.Options) || value != all[at].Default {
			options[name] = value
		}
	}
	s.Options = options
	if err := limitsOf(s).check(); err != nil {
		return s, err
	}
	if s.Rules == 0 {
		s.Rules = i.Rules
	}
	s.Game = i.Name
	if !s.isReadable() {
		return s, setupError("setup.unreadable")
	}
	return s, nil
}

func readableName(name string) bool { return len([]rune(name)) <= 24 && printable(name) }

func (s Setup) isReadable() bool {
	head := s.Head()
	again, err := ParseJournal("", []byte(strings.Join(head, "\n")+"\n"))
	return err == nil && len(again.Lines) == 0 && slices.Equal(again.Setup.Head(), head)
}

// Accepts returns a *SetupError if the option cannot have this value.
func (o Option) Accepts(value string) error {
	var err error
	switch {
	case o.List:
		err = o.acceptsAll(SplitList(value))
	case o.Values != nil && !slices.Contains(o.Values, value):
		return setupError("setup.option-value", "name", o.Name, "value", value, "known", strings.Join(o.Values, ", "))
	case o.Check != nil && value != o.Default:
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

// SplitList splits the value of a list option at its commas, and trims spaces
// around them.
func SplitList(value string) []string {
	list := strings.Split(value, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

func reason(err error) any {
	if e, ok := errors.AsType[*SetupError](err); ok {
		return e.Text
	}
	return err.Error()
}

func (i Info) optionNames() string {
	var names []string
	for _, o := range i.AllOptions() {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}

// Between returns a check for an option that is a whole number from low to high.
func Between(low, high int) func(string) error {
	return func(s string) error {
		if _, ok := Whole(s, low, high); !ok {
			return setupError("setup.whole-number", "low", low, "high", high)
		}
		return nil
	}
}

// Whole reads a whole number from low to high, written as a program would write it.
func Whole(s string, low, high int) (n int, ok bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && strconv.Itoa(n) == s && low <= n && n <= high
}
