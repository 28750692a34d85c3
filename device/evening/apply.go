package evening

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tableside/engine"
)

// Apply takes an input with the seat "table" and the verb "set", and refuses any other. The
// first argument says what happens:
//
//	player NAME              somebody comes
//	rename PLAYER NAME
//	out PLAYER, in PLAYER    a player leaves the further rounds, or comes back
//	table NAME               a table is used in further rounds
//	no-table NAME            a table is not used in further rounds
//	round N PAIRINGS         a round begins: "1:1,4;2:2,3;0:5", each a table and its players
//	round N PAIRINGS AT      a round comes back; it began AT milliseconds into the evening
//	swap PLAYER PLAYER       two players change places in the running round
//	move BOARD NAME          a pairing goes to another table
//	result ROUND BOARD PLACES SCORES
//	                         somebody enters a result; places 0 removes it, scores may be -
//	heard TABLE/MATCH GAME NAMES RANKS SCORES
//	                         a table reports a result
//	heard TABLE/MATCH GAME NAMES RANKS SCORES AHEAD
//	                         the same, of a table whose clock is AHEAD milliseconds ahead
//	take N, dismiss N        a result that was set aside now counts, or is dismissed
//	clock MINUTES            the running round ends so long after now; 0 stops its clock
//	evening over, evening on
func (s *State) Apply(in engine.Input) ([]engine.Event, error) {
	act := acts[in.Arg(0)]
	args := len(in.Args) - 1
	if in.Seat != engine.Table || in.Verb != engine.Set || act.do == nil ||
		args < act.args || args > act.args+act.extraArgs {
		return nil, engine.Refuse("evening.unreadable")
	}
	if s.Over && in.Arg(0) != "evening" && in.Arg(0) != "heard" {
		return nil, engine.Refuse("evening.is-over")
	}
	return nil, act.do(s, in)
}

// acts holds the functions that carry out inputs, by the first argument of the input. The
// field args is the number of further arguments that the input must have. The field extraArgs
// is the number of arguments that may follow after those.
var acts = map[string]struct {
	args, extraArgs int
	do              func(*State, engine.Input) error
}{
	"player":   {1, 0, (*State).join},
	"rename":   {2, 0, (*State).rename},
	"out":      {1, 0, func(s *State, in engine.Input) error { return s.leave(in, true) }},
	"in":       {1, 0, func(s *State, in engine.Input) error { return s.leave(in, false) }},
	"table":    {1, 0, (*State).useTable},
	"no-table": {1, 0, (*State).dropTable},
	"round":    {2, 1, (*State).begin},
	"swap":     {2, 0, (*State).swap},
	"move":     {2, 0, (*State).move},
	"result":   {4, 0, (*State).enter},
	"heard":    {5, 1, (*State).hear},
	"take":     {1, 0, (*State).take},
	"dismiss":  {1, 0, func(s *State, in engine.Input) error { _, err := s.finishAside(in); return err }},
	"clock":    {1, 0, (*State).setClock},
	"evening":  {1, 0, (*State).end},
}

func number(in engine.Input, i, limit int) int {
	n, err := strconv.Atoi(in.Arg(i))
	if err != nil || n < 1 || n > limit {
		return 0
	}
	return n
}

func (s *State) checkName(name string, player int) error {
	if name == "" || name != squeeze(name) || len([]rune(name)) > maxName || strings.Contains(name, ",") {
		return engine.Refuse("evening.name", "name", engine.Literal(name), "most", maxName)
	}
	if n := s.player(name); n > 0 && n != player {
		return engine.Refuse("evening.name-twice", "name", engine.Literal(name))
	}
	return nil
}

func (s *State) join(in engine.Input) error {
	if err := s.checkName(in.Arg(1), 0); err != nil {
		return err
	}
	switch {
	case len(s.Players) >= MaxPlayers:
		return engine.Refuse("evening.players-most", "most", MaxPlayers)
	case s.Format == KnockOut && len(s.Rounds) > 0:
		return engine.Refuse("evening.too-late")
	}
	s.Players = append(s.Players, Player{Number: len(s.Players) + 1, Name: in.Arg(1)})
	return nil
}

func (s *State) rename(in engine.Input) error {
	n := number(in, 1, len(s.Players))
	if n == 0 {
		return engine.Refuse("evening.no-player", "name", in.Arg(1))
	}
	if err := s.checkName(in.Arg(2), n); err != nil {
		return err
	}
	s.Players[n-1].Name = in.Arg(2)
	return nil
}

func (s *State) leave(in engine.Input, out bool) error {
	n := number(in, 1, len(s.Players))
	if n == 0 {
		return engine.Refuse("evening.no-player", "name", in.Arg(1))
	}
	s.Players[n-1].Out = out
	return nil
}

func (s *State) useTable(in engine.Input) error {
	name := in.Arg(1)
	if name == "" || name != squeeze(name) || len([]rune(name)) > 40 {
		return engine.Refuse("evening.table-name", "name", engine.Literal(name))
	}
	for i := range s.Tables {
		if s.Tables[i].Name == name {
			s.Tables[i].Out = false
			return nil
		}
	}
	if len(s.Tables) >= MaxTables {
		return engine.Refuse("evening.tables-most", "most", MaxTables)
	}
	s.Tables = append(s.Tables, Table{Name: name})
	return nil
}

func (s *State) dropTable(in engine.Input) error {
	n := s.tableNumber(in.Arg(1))
	if n == 0 {
		return engine.Refuse("evening.no-table", "name", engine.Literal(in.Arg(1)))
	}
	s.Tables[n-1].Out = true
	return nil
}

func (s *State) tableNumber(name string) int {
	return 1 + slices.IndexFunc(s.Tables, func(t Table) bool { return t.Name == name })
}

// begin starts a round with the pairings of the input. The round begins now, or at the earlier
// time that the input states.
func (s *State) begin(in engine.Input) error {
	at := in.At
	if len(in.Args) > 3 {
		ms, err := strconv.ParseInt(in.Arg(3), 10, 64)
		if err != nil || ms < 0 || ms > in.At.Milliseconds() {
			return engine.Refuse("evening.unreadable")
		}
		at = time.Duration(ms) * time.Millisecond
	}
	if number(in, 1, maxRounds) != len(s.Rounds)+1 {
		return engine.Refuse("evening.round-begun", "n", len(s.Rounds))
	}
	var list []Pairing
	plays, used := map[int]bool{}, map[string]bool{}
	for text := range strings.SplitSeq(in.Arg(2), ";") {
		p, err := s.readPairing(text)
		if err != nil {
			return err
		}
		for _, n := range p.Players {
			if plays[n] {
				return engine.Refuse("evening.plays-twice", "name", engine.Literal(s.Players[n-1].Name))
			}
			plays[n] = true
		}
		if p.Table != "" && used[p.Table] {
			return engine.Refuse("evening.table-twice", "name", engine.Literal(p.Table))
		}
		used[p.Table] = true
		list = append(list, p)
	}
	if len(plays) < 2 && len(s.Rounds) == 0 {
		return engine.Refuse("evening.too-few")
	}
	s.Rounds = append(s.Rounds, Round{Round: len(s.Rounds) + 1, At: s.Begin.Add(at).UTC(), Pairings: list})
	s.endRound(at, s.Minutes)
	return nil
}

func (s *State) setClock(in engine.Input) error {
	minutes, ok := engine.Whole(in.Arg(1), 0, maxMinutes)
	if !ok || len(s.Rounds) == 0 {
		return engine.Refuse("evening.clock", "most", maxMinutes)
	}
	s.endRound(in.At, minutes)
	return nil
}

func (s *State) endRound(from time.Duration, minutes int) {
	r := s.Round()
	if r.Ends = s.Begin.Add(from + time.Duration(minutes)*time.Minute).UTC(); minutes == 0 {
		r.Ends = time.Time{}
	}
}

// readPairing reads a table and its players, as in "2:4,1".
func (s *State) readPairing(text string) (Pairing, error) {
	unreadable := engine.Refuse("evening.unreadable")
	table, players, ok := strings.Cut(text, ":")
	at, err := strconv.Atoi(table)
	if !ok || err != nil || at < 0 || at > len(s.Tables) {
		return Pairing{}, unreadable
	}
	p := Pairing{Players: []int{}}
	if at > 0 {
		p.Table = s.Tables[at-1].Name
	}
	if players == "" && s.Format == KnockOut {
		return p, nil
	}
	p.Players = numbers(players)
	for _, n := range p.Players {
		if n < 1 || n > len(s.Players) {
			return p, unreadable
		}
	}
	if len(p.Players) == 0 || len(p.Players) > MaxSize {
		return p, engine.Refuse("evening.size", "most", MaxSize)
	}
	return p, nil
}

func formatNumbers(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// numbers reads numbers with commas between them. Of any other text it returns an empty list, which
// is not null in JSON.
func numbers(text string) []int {
	all := []int{}
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return []int{}
		}
		all = append(all, n)
	}
	return all
}

func (s *State) findPairing(n int) (*Pairing, int) {
	if r := s.Round(); r != nil {
		for i := range r.Pairings {
			if at := slices.Index(r.Pairings[i].Players, n); at >= 0 {
				return &r.Pairings[i], at
			}
		}
	}
	return nil, 0
}

func (s *State) swap(in engine.Input) error {
	a, b := number(in, 1, len(s.Players)), number(in, 2, len(s.Players))
	if a == 0 || b == 0 || a == b {
		return engine.Refuse("evening.no-player", "name", in.Arg(1)+", "+in.Arg(2))
	}
	first, i := s.findPairing(a)
	second, j := s.findPairing(b)
	switch {
	case first == nil && second == nil:
		return engine.Refuse("evening.not-seated")
	case first.hasBegun() || second.hasBegun():
		return engine.Refuse("evening.has-result")
	}
	if first != nil {
		first.replace(i, b)
	}
	if second != nil {
		second.replace(j, a)
	}
	return nil
}

func (p *Pairing) hasBegun() bool { return p != nil && (p.Result != nil || len(p.Games) > 0) }

// replace gives a place to another player. The list is new, because a View may share the old one.
func (p *Pairing) replace(i, player int) {
	p.Players = slices.Clone(p.Players)
	p.Players[i] = player
}

func (s *State) move(in engine.Input) error {
	p := s.pairingAt(len(s.Rounds), number(in, 1, MaxPlayers))
	to := in.Arg(2)
	if p == nil || s.tableNumber(to) == 0 {
		return engine.Refuse("evening.no-table", "name", engine.Literal(to))
	}
	if p.Result != nil {
		return engine.Refuse("evening.has-result")
	}
	for i := range s.Round().Pairings {
		other := &s.Round().Pairings[i]
		switch {
		case other.Table != to:
		case other.Result != nil: // its players have left the table
		default:
			other.Table = p.Table // they change places
		}
	}
	p.Table = to
	return nil
}

func (s *State) end(in engine.Input) error {
	switch in.Arg(1) {
	case "over":
		s.Over = true
	case "on":
		s.Over = false
	default:
		return engine.Refuse("evening.unreadable")
	}
	return nil
}
