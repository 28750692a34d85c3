package evening

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// A Message is a result as a table reports it. Places and Scores are in the order of Names.
type Message struct {
	Table  string        `json:"table"`
	Match  string        `json:"-"`
	Game   string        `json:"-"`
	Preset string        `json:"-"` // of a score sheet that is that of a game
	Names  []string      `json:"names"`
	Places []int         `json:"places"`
	Scores []int         `json:"scores"` // empty if the game has none
	Ahead  time.Duration `json:"-"`      // of the table's clock, which names the match, before the evening's
}

func (m Message) source() string { return m.Table + "/" + m.Match }

// input returns the input that records a message. The time of this input is not set.
func (m Message) input() engine.Input {
	var names []string
	for _, name := range m.Names {
		names = append(names, engine.Quote(name))
	}
	scores := cmp.Or(formatNumbers(m.Scores), "-")
	in := set("heard", m.source(), m.Game, strings.Join(names, " "), formatNumbers(m.Places), scores)
	if m.Ahead != 0 {
		in.Args = append(in.Args, strconv.FormatInt(m.Ahead.Milliseconds(), 10))
	}
	return in
}

func report(in engine.Input) string {
	in.Args = in.Args[:min(len(in.Args), 6)]
	return in.Command()
}

func set(args ...string) engine.Input {
	return engine.Input{Seat: engine.Table, Verb: engine.Set, Args: args}
}

// readMessage is the opposite of Message.input: it returns the message that an input records.
// If the message cannot be read, readMessage returns false.
func readMessage(in engine.Input) (Message, bool) {
	m := Message{Game: in.Arg(2), Places: places(numbers(in.Arg(4))), Scores: numbers(in.Arg(5))} // "-" are none
	at := strings.LastIndexByte(in.Arg(1), '/')
	tokens, err := engine.Tokens(in.Arg(3))
	if at < 0 || err != nil || len(tokens) < 1 || len(m.Places) != len(tokens) ||
		len(m.Scores) > 0 && len(m.Scores) != len(tokens) {
		return m, false
	}
	if len(in.Args) > 6 {
		ms, err := strconv.ParseInt(in.Arg(6), 10, 64)
		if err != nil {
			return m, false
		}
		m.Ahead = time.Duration(ms) * time.Millisecond
	}
	m.Table, m.Match = in.Arg(1)[:at], in.Arg(1)[at+1:]
	for _, t := range tokens {
		m.Names = append(m.Names, t.Text)
	}
	return m, true
}

// enter applies an input with which somebody enters, corrects or removes a result.
func (s *State) enter(in engine.Input) error {
	round := number(in, 1, maxRounds)
	p := s.pairingAt(round, number(in, 2, MaxPlayers))
	if p == nil || p.Bye() {
		return engine.Refuse("evening.no-pairing")
	}
	if in.Arg(3) == "0" {
		p.Games = nil
		return s.settle(round, p, nil)
	}
	r := &Result{Places: numbers(in.Arg(3)), Scores: []int{}, Hand: true}
	if in.Arg(4) != "-" {
		if r.Scores = numbers(in.Arg(4)); len(r.Scores) != len(p.Players) {
			return engine.Refuse("evening.result", "n", len(p.Players))
		}
	}
	if len(r.Places) != len(p.Players) || slices.Min(r.Places) < 1 || slices.Max(r.Places) > MaxSize {
		return engine.Refuse("evening.result", "n", len(p.Players))
	}
	r.Places = places(r.Places)
	return s.settle(round, p, r)
}

// settle gives a pairing a new result, or removes the result if r is nil. In a knock-out the
// winner plays in the next round. Once there is a next round, settle refuses to change the
// winner.
func (s *State) settle(round int, p *Pairing, r *Result) error {
	if s.Format == KnockOut && round < len(s.Rounds) && p.Result.onlyWinner() != r.onlyWinner() {
		return engine.Refuse("evening.goes-on", "n", round+1)
	}
	p.Result = r
	return nil
}

// count gives a pairing the result of a match. In a series it may leave the pairing without one.
func (s *State) count(round int, p *Pairing, r *Result) error {
	if s.BestOfThree {
		r = p.play(*r)
	}
	return s.settle(round, p, r)
}

// hear handles a result that a table reports. The result counts if the players that it names
// are paired in the running round, at this table or without a table. The match must not have
// begun before the round by more than clockSkew. There must be no result from another match.
//
// A new report replaces an earlier report of the same match. A result that somebody entered is
// never replaced. If a report agrees with the entered result, hear adds the match and the
// scores from the report to the entered result.
//
// A result that does not count is set aside. If maxAside results are already set aside and
// wait for somebody, hear refuses the result.
func (s *State) hear(in engine.Input) error {
	m, ok := readMessage(in)
	if !ok {
		return engine.Refuse("evening.unreadable")
	}
	round, board, why := s.place(m)
	if why == "" {
		p := s.pairingAt(round, board)
		r := s.resultOf(m, p)
		if s.BestOfThree && r.Hand {
			return nil // somebody has decided the series
		}
		return s.count(round, p, r)
	}
	if s.countOpenResults() >= maxAside {
		return engine.Refuse("evening.aside-most", "most", maxAside)
	}
	s.Aside = append(s.Aside, Aside{N: len(s.Aside) + 1, Message: m, Why: why, Round: round, Board: board})
	return nil
}

// play adds a match to a series, or replaces it if it ended differently. It returns the result once
// somebody has won two, with the wins as scores, or nil.
func (p *Pairing) play(match Result) *Result {
	p.Games = slices.Clone(p.Games)
	if at := p.gameFrom(match.From); at >= 0 {
		p.Games[at] = match
	} else {
		p.Games = append(p.Games, match)
	}
	wins := make([]int, len(p.Players))
	for i := range p.Games {
		if winner := p.Games[i].onlyWinner(); winner >= 0 {
			wins[winner]++
		}
	}
	if slices.Max(wins) < 2 {
		return nil
	}
	lost := make([]int, len(wins))
	for i, n := range wins {
		lost[i] = -n
	}
	return &Result{Places: places(lost), Scores: wins, From: match.From, Hand: match.Hand}
}

func (p *Pairing) gameFrom(source string) int {
	return slices.IndexFunc(p.Games, func(r Result) bool { return r.From == source })
}

func (s *State) countOpenResults() int {
	n := 0
	for i := range s.Aside {
		if !s.Aside[i].Done {
			n++
		}
	}
	return n
}

// place finds the newest pairing of a message's players. It returns the number of the
// pairing's round, and the number of the pairing in this round. The third result is the reason
// why the message does not count for the pairing, or "" if it counts. In spite of such a
// reason, somebody may still accept the message by hand.
//
// If there is no such pairing, both numbers are 0, and the reason is "nobody".
func (s *State) place(m Message) (round, board int, why string) {
	for i := len(s.Rounds); i >= 1; i-- {
		for j := range s.Rounds[i-1].Pairings {
			p := &s.Rounds[i-1].Pairings[j]
			if p.Bye() || s.matchNames(p, m.Names) == nil {
				continue
			}
			return i, j + 1, s.objection(m, i, p)
		}
	}
	return 0, 0, "nobody"
}

// objection returns the reason why a message does not count for a pairing of the same players.
// If the message counts, objection returns "". In spite of an objection, somebody may accept
// the message by hand.
func (s *State) objection(m Message, round int, p *Pairing) string {
	old := p.Result
	switch {
	case s.Over:
		return "over"
	case old != nil && (old.From == m.source() || p.gameFrom(m.source()) >= 0) && !old.Hand && round == len(s.Rounds):
		return "" // the match went on, and ended differently
	case old != nil && old.Hand && s.agrees(m, p) && !s.isBefore(m, round):
		return "" // somebody was faster than the table
	case old != nil && old.Hand:
		return "corrected"
	case old != nil:
		return "second"
	case round < len(s.Rounds):
		return "earlier"
	case p.Table != "" && p.Table != m.Table:
		return "elsewhere"
	case s.isBefore(m, round):
		return "before"
	}
	return ""
}

// clockSkew is the greatest time by which a match may begin before its round. Message.Ahead
// leaves a difference of up to a minute.
const clockSkew = 2 * time.Minute

// began returns when the match began, by the evening's clock. If the name of the match does not
// say it, the result is the zero time.
func (m Message) began() time.Time {
	begin := engine.BeginOf(m.Match)
	if begin.IsZero() {
		return begin
	}
	return begin.Add(-m.Ahead)
}

// isBefore reports whether a match began before its round did, by more than clockSkew.
func (s *State) isBefore(m Message, round int) bool {
	begin := m.began()
	return !begin.IsZero() && begin.Before(s.Rounds[round-1].At.Add(-clockSkew))
}

func (s *State) agrees(m Message, p *Pairing) bool {
	told, old := s.resultOf(m, p), p.Result
	return (old.From == "" || old.From == told.From) && slices.Equal(old.Places, told.Places) &&
		(len(old.Scores) == 0 || slices.Equal(old.Scores, told.Scores))
}

// resultOf turns a message into the result of a pairing of the same players. If the pairing's
// present result was entered by hand, the new result is marked as entered by hand, too.
func (s *State) resultOf(m Message, p *Pairing) *Result {
	r := &Result{Scores: []int{}, From: m.source(), Hand: p.Result != nil && p.Result.Hand}
	for _, at := range s.matchNames(p, m.Names) {
		r.Places = append(r.Places, m.Places[at])
		if len(m.Scores) > 0 {
			r.Scores = append(r.Scores, m.Scores[at])
		}
	}
	return r
}

// finishAside marks a result that was set aside as done, and returns this result. The input
// has the number of the result. If no result with this number waits, finishAside refuses the
// input.
func (s *State) finishAside(in engine.Input) (*Aside, error) {
	n := number(in, 1, len(s.Aside))
	if n == 0 || s.Aside[n-1].Done {
		return nil, engine.Refuse("evening.no-aside")
	}
	s.Aside[n-1].Done = true
	return &s.Aside[n-1], nil
}

func (s *State) take(in engine.Input) error {
	a, err := s.finishAside(in)
	if err != nil {
		return err
	}
	p := s.pairingAt(a.Round, a.Board)
	if p == nil || s.matchNames(p, a.Names) == nil { // somebody was renamed or swapped since
		return engine.Refuse("evening.take")
	}
	r := s.resultOf(a.Message, p)
	r.Hand = true
	return s.count(a.Round, p, r)
}

// message returns the message of a match that is over. Winners rank before all other players.
// Among the winners, and among the others, the ranks of the seats decide.
func message(e history.Entry) Message {
	m := Message{Table: e.Table, Match: e.ID, Game: cmp.Or(engine.Title(e.Game), "-"), Preset: e.Preset}
	for i, seat := range e.Seats {
		name := squeeze(seat.Name)
		if name == "" { // nobody typed a name; no player has this one
			name = "?" + strconv.Itoa(i+1)
		}
		rank := 1
		for _, other := range e.Seats {
			if other.Won && !seat.Won || other.Won == seat.Won && other.Rank < seat.Rank {
				rank++
			}
		}
		m.Names, m.Places = append(m.Names, name), append(m.Places, rank)
		if e.Counter != "" {
			m.Scores = append(m.Scores, seat.Value)
		}
	}
	return m
}
