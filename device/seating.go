package device

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// A proposal of a hall says who shall play here. It is put to the players while nobody plays.
type proposal struct {
	seating  *engine.Seating // the newest; nil for none
	since    time.Time       // by this table's clock: only matches since then can be the proposed one
	declined bool            // the players play another match first
	offer    *engine.Seating // about which the players are asked now; nil for none
	played   int             // so many matches of its players since then: it was played
}

// clockTolerance is how far the clocks of a hall and a table may differ.
const clockTolerance = 2 * time.Minute

// Propose takes a hall's proposal of who plays at this table. A nil proposal withdraws the
// present proposal. The caller must have checked the proposal, and must not change it
// afterwards. If the proposal equals the present one, nothing changes. Any other proposal is
// put to the players, even if they have declined an earlier proposal.
func (t *Table) Propose(s *engine.Seating) {
	t.inbox.put(func(l *loop) {
		p := &l.lobby.proposal
		if reflect.DeepEqual(p.seating, s) {
			return
		}
		l.outbox.stale = true
		if s != nil && p.seating != nil {
			timed := *p.seating
			if timed.Ends = s.Ends; reflect.DeepEqual(timed, *s) { // only the clock of the round was set
				p.seating = s
				return
			}
		}
		switch now := time.Now(); {
		case p.since.IsZero(): // the match may have been played before this program was started
			p.since, p.played = s.Since.Add(-clockTolerance), max(1, s.Match)
			if now.Before(p.since) { // this table's clock is behind the hall's
				p.since = now.Truncate(time.Second) // as is the begin of a match
			}
		case p.seating != nil: // a proposal that was taken back and made again is to be played again
			p.since, p.played = now, 1
		}
		p.seating, p.declined = s, false
		l.lobby.answers = nil
	})
}

// propose decides whether to ask the players about the hall's proposal. It does not ask while
// they play, or once they have declined the proposal. It also does not ask once they have
// played the proposed match, even if the hall does not know this yet.
//
// v is the view of the match on the table, or nil if there is no match. If the match has ended
// and the players are to be asked, the question replaces the last prompt of v.
func (l *loop) propose(v *engine.View) {
	p := &l.lobby.proposal
	p.offer = nil
	s := p.seating
	if s == nil || p.declined || v != nil && len(v.Winners) == 0 {
		return
	}
	matches := l.table.list.allMatches()
	l.lobby.lately = l.table.list.lately()
	others := slices.DeleteFunc(slices.Clone(matches), func(m engine.MatchInfo) bool {
		over := m.State == "finished" || m.State == "playing" && v != nil
		return over && !m.Begin.Before(p.since) && len(m.Seats) == len(s.Players) &&
			!slices.ContainsFunc(m.Seats, func(p engine.Player) bool {
				return !slices.ContainsFunc(s.Players, func(name string) bool { return history.SameName(name, p.Name) })
			})
	})
	if len(matches)-len(others) >= p.played {
		return
	}
	p.offer = s
	if v != nil {
		v.Prompts[len(v.Prompts)-1] = l.lobby.overSeated()
	}
}

// overSeated returns the prompt that is shown after the end of a match if a hall proposes the
// next match.
func (l *lobby) overSeated() engine.Prompt {
	if len(l.candidates()) == 1 {
		return l.seatingPrompt("seated", "rematch", "new")
	}
	return l.seatingPrompt("rematch", "new")
}

func (l *lobby) accept() (engine.Order, bool) {
	names := l.candidates()
	if l.proposal.offer == nil || len(names) != 1 {
		return engine.Order{}, false
	}
	return engine.Order{Do: "begin", Setup: l.seated(names[0])}, true
}

// candidates lists the names of the games that may be played, of a score sheet also those of its
// presets. Those that were played here come first, the newest before the others: there are more games
// than one wants to go through by key.
//
// With a proposal, a game is suitable if it has seats for as many players as the hall
// proposes. The result is then the first of these lists that has a game:
//
//   - of the suitable editions of the proposed game, the one that was played here last;
//   - all suitable editions of the proposed game;
//   - all suitable games;
//   - all games.
func (l *lobby) candidates() []string {
	offer := l.proposal.offer
	var all, presets, fit, named []string
	for _, g := range l.games {
		all = append(all, g.Name)
		for _, p := range g.Presets {
			presets = append(presets, p.Name)
		}
	}
	all = append(all, presets...)
	n := len(l.lately) + 1
	played := func(name string) int { return (slices.Index(l.lately, name) + n) % n } // n-1 if it was not
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(played(a), played(b)) })
	for _, name := range all {
		setup, info := l.setupOf(name)
		if offer == nil || !seats(info, offer) {
			continue
		}
		fit = append(fit, name)
		if cmp.Or(setup.Preset, engine.Title(name)) == offer.Game {
			named = append(named, name)
		}
	}
	if len(named) > 0 && slices.Contains(l.lately, named[0]) {
		return named[:1]
	}
	for _, names := range [][]string{named, fit} {
		if len(names) > 0 {
			return names
		}
	}
	return all
}

func seats(g engine.Info, s *engine.Seating) bool {
	return g.MinSeats <= len(s.Players) && len(s.Players) <= g.MaxSeats
}

func (l *lobby) seated(game string) engine.Setup {
	setup, info := l.setupOf(game)
	l.assignSeats(&setup, info, len(l.proposal.offer.Players))
	return setup
}

// assignSeats puts n seats into a setup. If a hall proposes players, these players get the
// seats. The setup then also says that the first of them begins, unless the game itself finds
// out who begins.
func (l *lobby) assignSeats(setup *engine.Setup, info engine.Info, n int) {
	setup.Seats = defaultSeats(l.seats, n)
	if l.proposal.offer == nil {
		return
	}
	for i, name := range l.proposal.offer.Players[:min(n, len(l.proposal.offer.Players))] {
		setup.Seats[i].Name = name
	}
	if !info.FindsFirst {
		setup.First = setup.Seats[0].Seat
	}
}

func (l *lobby) seatingPrompt(answers ...string) engine.Prompt {
	p := tablePrompt("lobby-seating", seatingArgs(l.proposal.offer))
	for _, a := range answers {
		p.Options = append(p.Options, seatingAnswer(a))
	}
	return p
}

func seatingAnswer(what string) engine.Answer {
	return engine.Answer{Key: what, Input: "table choose " + what}
}

func seatingArgs(s *engine.Seating) engine.Args {
	return engine.Args{"players": engine.Literal(strings.Join(s.Players, " – ")), "n": s.Round,
		"evening": engine.Literal(s.Evening)}
}
