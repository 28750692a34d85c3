// Package evening holds the evenings of a club. An evening has players, rounds, results and
// standings. In each round the players meet at tables.
//
// An evening is folded from a list of inputs, as a match is. Its [Rules] are an [engine.Game],
// and its journal has the form and the seals of the journal of a match. Undo takes back the
// last change that a person made. The reports of tables stay. Inputs other than undo and redo
// have the seat "table" and the verb "set". See [State.Apply] for a list of these inputs.
//
// Pairings are drawn outside the rules and recorded. So a journal still folds to the same
// evening when a later version of the program draws pairings better.
package evening

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// The formats of an evening.
const (
	Swiss      = "swiss"
	RoundRobin = "round-robin"
	KnockOut   = "knock-out"
	Free       = "free"
)

// The limits of an evening. A round is one line of the journal, and a line is at most
// [engine.MaxLine] long. Such a line has room for a round of 256 tables with two players each.
const (
	MaxPlayers = 512
	MaxTables  = 256
	MaxSize    = 8  // seats of a table
	maxRounds  = 99 // of an evening
	maxName    = 24 // letters of a player, as at a table
	maxTitle   = 60 // letters of an evening
	maxAside   = 200
	maxMinutes = 600 // of a round
)

//go:embed words.txt
var wordsFile string

// Words returns the texts about evenings that people read.
func Words() engine.Words { return engine.MustWords("device/evening/words.txt", wordsFile) }

// Rules begins evenings. Everything that people can choose for an evening is an option of its
// setup.
type Rules struct{}

// Info describes the setup of an evening.
func (Rules) Info() engine.Info {
	return engine.Info{
		Name: "evening", Rules: 2, Words: Words(),
		Options: []engine.Option{
			{Name: "name", Default: "-", Check: checkTitle},
			{Name: "format", Default: Swiss, Values: []string{Swiss, RoundRobin, KnockOut, Free}},
			{Name: "game", Default: anyGame},
			{Name: "size", Default: "2", Check: engine.Between(2, MaxSize)},
			{Name: "minutes", Default: "0", Check: engine.Between(0, maxMinutes)},
			{Name: "best", Default: "1", Values: []string{"1", "3"}},
			{Name: "third", Default: "off", Values: []string{"off", "on"}},
		},
	}
}

// anyGame is the value of the option "game" for an evening in which matches of all games
// count.
const anyGame = "any"

func checkTitle(name string) error {
	if name == "" || len([]rune(name)) > maxTitle {
		return engine.NewSetupError("evening.title", "most", maxTitle)
	}
	return nil
}

// New begins an evening without players. In a round-robin and in a knock-out, players only
// meet in pairs. For these formats New returns an error if the option "size", the number of
// seats at a table, is not 2.
func (Rules) New(s engine.Setup) (func() (engine.State, error), error) {
	size, _ := strconv.Atoi(s.Option("size")) // checked by the option
	format := s.Option("format")
	if size != 2 && (format == RoundRobin || format == KnockOut) {
		return nil, engine.NewSetupError("evening.pairs-only")
	}
	minutes, _ := strconv.Atoi(s.Option("minutes"))
	best, third := s.Option("best") == "3", s.Option("third") == "on"
	if format != KnockOut && (best || third) {
		return nil, engine.NewSetupError("evening.knock-out-only")
	}
	same := history.SameName
	if s.Rules < 2 {
		same = strings.EqualFold
	}
	return func() (engine.State, error) {
		return &State{Name: s.Option("name"), Format: format, Game: s.Option("game"), Size: size, Begin: s.Begin,
			Minutes: minutes, BestOfThree: best, Third: third, isSameName: same}, nil
	}, nil
}

// State is an evening at one moment. Players, tables and rounds are numbered from 1 in the
// order in which they came. These numbers never change.
type State struct {
	Name, Format, Game string
	Size               int  // seats of a table
	Minutes            int  // of a round, which nobody has to obey; 0 without a clock
	BestOfThree        bool // in a knock-out, the first with two wins goes on
	Third              bool // in a knock-out, those who lost before the final meet beside it
	Begin              time.Time
	Over               bool
	Players            []Player
	Tables             []Table
	Rounds             []Round
	Aside              []Aside

	isSameName func(a, b string) bool // compares results of squeeze
}

// A Player takes part in an evening.
type Player struct {
	Number int    `json:"n"`
	Name   string `json:"name"`
	Out    bool   `json:"out"` // plays no further rounds
}

// A Table is where people play: a table that a hall knows, or any other name.
type Table struct {
	Name string `json:"name"`
	Out  bool   `json:"out"` // is not used in further rounds
}

// A Round holds the pairings of one round, which say who plays against whom.
type Round struct {
	Round    int       `json:"round"`
	At       time.Time `json:"at"`            // when it was drawn
	Ends     time.Time `json:"ends,omitzero"` // when its time is over; zero without a clock
	Pairings []Pairing `json:"pairings"`      // the board is the index plus one
}

// A Pairing holds the players who meet at one table. If there is only one player, this player
// has a bye. If nobody has reached a place in a knock-out, the pairing has no players.
type Pairing struct {
	Table   string   `json:"table"`           // "" for none
	Players []int    `json:"players"`         // their numbers; the first one begins
	Result  *Result  `json:"result"`          // null without one
	Games   []Result `json:"games,omitempty"` // of a best of three, as tables have reported them
}

// Bye reports whether the pairing has fewer than two players.
func (p *Pairing) Bye() bool { return len(p.Players) < 2 }

// A Result is the result of a pairing: the places and scores of its players.
type Result struct {
	Places []int  `json:"places"`         // of each player, from 1; equal ones share a place
	Scores []int  `json:"scores"`         // in the game; empty if they are not known
	Hand   bool   `json:"hand"`           // entered or taken by somebody, not by a table
	From   string `json:"from,omitempty"` // table and match that reported it, as "table/match"; "" for none
}

// An Aside is a result that was set aside when a table reported it. Either it fits no pairing,
// or objection returned a reason against it.
type Aside struct {
	N int `json:"n"` // its number, which a Change takes or dismisses
	Message
	Why   string `json:"why"`   // "nobody", or a word that objection returns
	Round int    `json:"round"` // of the pairing whose players these are; 0 if there is none
	Board int    `json:"board"`
	Done  bool   `json:"-"` // taken or dismissed
}

// View returns an empty view: an evening has no seats, and no display draws it.
func (s *State) View() engine.View { return engine.EmptyView() }

// Round returns the running round, or nil before the first round.
func (s *State) Round() *Round {
	if len(s.Rounds) == 0 {
		return nil
	}
	return &s.Rounds[len(s.Rounds)-1]
}

// pairingAt returns the pairing at a board in a round. Both are counted from 1. If there is no
// such pairing, pairingAt returns nil.
func (s *State) pairingAt(round, board int) *Pairing {
	if round < 1 || round > len(s.Rounds) || board < 1 || board > len(s.Rounds[round-1].Pairings) {
		return nil
	}
	return &s.Rounds[round-1].Pairings[board-1]
}

// Missing returns how many results the running round still lacks. A bye needs none.
func (s *State) Missing() int {
	n := 0
	if r := s.Round(); r != nil {
		for i := range r.Pairings {
			if p := &r.Pairings[i]; !p.Bye() && p.Result == nil {
				n++
			}
		}
	}
	return n
}

func (s *State) player(name string) int {
	name = squeeze(name)
	return 1 + slices.IndexFunc(s.Players, func(p Player) bool { return s.isSameName(p.Name, name) })
}

func squeeze(name string) string { return strings.Join(strings.Fields(name), " ") }

func (s *State) names(p *Pairing) []string {
	var names []string
	for _, n := range p.Players {
		names = append(names, s.Players[n-1].Name)
	}
	return names
}

// matchNames finds the players of a pairing in a list of names. It returns an index in the
// list for each player. If the list does not have exactly the names of these players,
// matchNames returns nil.
func (s *State) matchNames(p *Pairing, names []string) []int {
	if len(names) != len(p.Players) {
		return nil
	}
	var order []int
	for _, name := range s.names(p) {
		at := slices.IndexFunc(names, func(n string) bool { return s.isSameName(n, name) })
		if at < 0 || slices.Contains(order, at) {
			return nil
		}
		order = append(order, at)
	}
	return order
}

// places turns ranks into places. A place is one more than the number of better ranks. For
// example, the ranks 1, 5 and 5 become the places 1, 2 and 2.
func places(ranks []int) []int {
	list := make([]int, len(ranks))
	for i, rank := range ranks {
		list[i] = 1
		for _, other := range ranks {
			if other < rank {
				list[i]++
			}
		}
	}
	return list
}

// onlyWinner returns the index of the only winner. If several players share the first place,
// or if there is no result, onlyWinner returns -1.
func (r *Result) onlyWinner() int {
	at := -1
	if r == nil {
		return at
	}
	for i, place := range r.Places {
		if place == 1 {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

func (s *State) present() []int {
	var list []int
	for i, p := range s.Players {
		if !p.Out {
			list = append(list, i+1)
		}
	}
	return list
}
