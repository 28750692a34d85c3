package device

import (
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

// A game holds the current match, if any, with its clock, its dice and its words.
type game struct {
	games     []engine.Info // games that can be played here
	lang      engine.Lang
	words     engine.Words // of the table and this game
	wordsGame string       // the game whose words they are

	match      *engine.Match   // nil at an empty table
	ended      bool            // the match is over, and the journal says how it ended
	course     *engine.Course  // the values for the chart, once the match has ended; else nil
	since      time.Time       // when the match began or was resumed…
	base       time.Duration   // …and its time then
	pastEvents []engine.Event  // from before the match was resumed
	taken      []engine.Seat   // of the table's seats: people play them for now
	chances    *engine.Chances // the newest; nil if nobody has told any
	paused     bool            // the table's seats wait
	helped     engine.Seat     // of the table's, in the last view: people do something for it
	lastSetup  engine.Setup    // of the previous match, for a rematch
	lastLoser  engine.Seat     // of the previous match; "" if it has none
	dice       diceThrower
	cursor     cursor
}

func newGame(games []engine.Info, lang engine.Lang) game {
	g := game{games: games, lang: lang, cursor: cursor{at: -1}}
	g.speak("")
	return g
}

func (g *game) speak(name string) {
	if g.words == nil || name != g.wordsGame {
		g.words, g.wordsGame = wordsOf(g.games, name), name
	}
}

// speakSetup adds the texts with which a game refuses a setup to the words of the table. All
// words that the table had before stay as they are, because the table is empty, or still shows
// how another game ended.
func (g *game) speakSetup(name string) {
	own, reasons := wordsOf(g.games, name), engine.Words{}
	for key, word := range own {
		if strings.HasPrefix(key, "setup.") {
			reasons[key] = word
		}
	}
	g.words = engine.Merge(own, g.words, reasons)
}

func (g *game) say(t engine.Text) string {
	var names map[engine.Seat]string
	if g.match != nil {
		v := g.match.View()
		names = v.Names()
	}
	return g.words.Say(g.lang, t, names)
}

func gameNames(games []engine.Info) string {
	var names []string
	for _, g := range games {
		names = append(names, g.Name)
	}
	return strings.Join(names, ", ")
}

func (g *game) enter(match *engine.Match, d diceThrower, at time.Time) {
	g.match, g.ended, g.course, g.dice, g.taken, g.paused, g.chances = match, false, nil, d, nil, false, nil
	g.since, g.base = at, match.Last()
	g.speak(match.Setup().Game)
	g.speakCards()
}

func (g *game) speakCards() {
	if s, ok := g.match.State().(engine.Speaker); ok {
		g.words = engine.Merge(g.words, s.Words())
	}
}

// leave empties the table. For a rematch it remembers the setup, with the names that the
// players have now.
func (g *game) leave() {
	v := g.match.View()
	g.lastSetup, g.lastLoser = g.match.Setup(), g.match.Loser()
	for i, s := range v.Seats {
		if i < len(g.lastSetup.Seats) && g.lastSetup.Seats[i].Seat == s.ID {
			g.lastSetup.Seats = slices.Clone(g.lastSetup.Seats)
			g.lastSetup.Seats[i].Name = s.Name
		}
	}
	g.match, g.ended, g.course, g.pastEvents = nil, false, nil, nil
	g.speak("")
}

func (g *game) setEnded(ended bool) { g.ended, g.course = ended, g.match.FinalCourse() }

func (g *game) playing() bool { return g.match != nil && !g.ended }

// apply applies an input to the match.
func (g *game) apply(in engine.Input) (engine.Step, error) {
	step, err := g.match.Apply(in)
	if err != nil {
		return step, err
	}
	verb := step.Input.Verb
	if verb == engine.Set || verb == engine.Redo || step.Undone.Verb == engine.Set {
		g.speakCards() // a title may have been entered, or taken back
	}
	step.Events = slices.Clone(step.Events) // the state may use them again
	g.dice.follow(step)
	return step, nil
}

func (g *game) view() engine.View {
	v := offerDice(g.match.View())
	if len(v.Winners) > 0 {
		v.Prompts = append(slices.Clip(v.Prompts), overPrompt(g.match.Loser()))
	}
	return v
}

func (g *game) mark() string {
	return engine.Mark{Seq: g.match.Seq(), Hash: g.match.View().Hash()}.String()
}

// clock returns the time of the match at a moment, in whole milliseconds. Journals hold
// nothing finer, so games must not see anything finer. Without a match the result is 0.
func (g *game) clock(at time.Time) time.Duration {
	if g.match == nil {
		return 0
	}
	return max(0, g.base+at.Sub(g.since)).Truncate(time.Millisecond)
}

func (g *game) advanceClock(to time.Duration, at time.Time) {
	if to > g.clock(at) {
		g.base, g.since = to, at
	}
}

func (g *game) info(id, state string) engine.MatchInfo {
	setup := g.match.Setup()
	return engine.MatchInfo{
		ID: id, Game: setup.Game, Preset: setup.Preset, Seats: setup.Seats, Begin: setup.Begin, Inputs: g.match.Seq(),
		State: state,
	}
}
