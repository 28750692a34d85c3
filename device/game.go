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

	match      *engine.Match  // nil at an empty table
	ended      bool           // the match is over, and the journal says how it ended
	course     *engine.Course // the values for the chart, once the match has ended; else nil
	courseDue  bool           // the match has ended, and its course is computed once the end is shown
	since      time.Time      // when the match began or was resumed…
	base       time.Duration  // …and its time then
	pastEvents []engine.Event // from before the match was resumed
	lastSetup  engine.Setup   // of the previous match, for a rematch
	dice       diceThrower
	cursor     cursor
}

func newGame(games []engine.Info, lang engine.Lang) game {
	g := game{games: games, lang: lang, cursor: cursor{at: -1}}
	g.speak("")
	return g
}

// speak makes the words of the table and of the named game the current words. While
// no game has been chosen, name is "".
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

// say returns a text in the table's language.
func (g *game) say(t engine.Text) string {
	var names map[engine.Seat]string
	if g.match != nil {
		v := g.match.View()
		names = v.Names()
	}
	return g.words.Say(g.lang, t, names)
}

// gameNames returns the names of games, separated by commas.
func gameNames(games []engine.Info) string {
	var names []string
	for _, g := range games {
		names = append(names, g.Name)
	}
	return strings.Join(names, ", ")
}

// enter makes a match the current one. Its clock continues from the time of its last input.
func (g *game) enter(match *engine.Match, d diceThrower, at time.Time) {
	g.match, g.ended, g.course, g.courseDue, g.dice = match, false, nil, false, d
	g.since, g.base = at, match.Last()
	g.speak(match.Setup().Game)
	g.speakCards()
}

// speakCards adds the words of the match: the titles of its cards.
func (g *game) speakCards() {
	if s, ok := g.match.State().(engine.Speaker); ok {
		g.words = engine.Merge(g.words, s.Words())
	}
}

// leave empties the table. For a rematch it remembers the setup, with the names that the
// players have now.
func (g *game) leave() {
	g.lastSetup = g.match.Setup()
	for i, s := range g.match.View().Seats {
		if i < len(g.lastSetup.Seats) && g.lastSetup.Seats[i].Seat == s.ID {
			g.lastSetup.Seats = slices.Clone(g.lastSetup.Seats)
			g.lastSetup.Seats[i].Name = s.Name
		}
	}
	g.match, g.ended, g.course, g.courseDue, g.pastEvents = nil, false, nil, false, nil
	g.speak("")
}

// maxCourseInputs is the greatest number of inputs for which a match's course is computed
// before the match's end is shown. The course holds the values for the chart. To compute it,
// an outline of the match is needed after each input. For 5,000 inputs of Mutants this takes
// 150 ms on a fast machine, a delay that players would notice.
const maxCourseInputs = 300

// setEnded records whether the match has ended. At the end it also computes the course, the
// values for the chart. If the match has more than maxCourseInputs inputs, setEnded only sets
// courseDue, and the course is computed later. After an error there is no course.
func (g *game) setEnded(ended bool) error {
	g.ended, g.course = ended, nil
	g.courseDue = ended && g.match.Seq() > maxCourseInputs
	if !ended || g.courseDue {
		return nil
	}
	return g.follow()
}

// follow computes the course of a match that has ended.
func (g *game) follow() error {
	g.courseDue = false
	course, err := g.match.Course()
	if err == nil {
		g.course = &course
	}
	return err
}

// playing reports whether a match is under way.
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

// view returns the view of the match, with the table's own questions.
func (g *game) view() engine.View {
	v := offerDice(g.match.View())
	if len(v.Winners) > 0 {
		v.Prompts = append(slices.Clip(v.Prompts), overPrompt())
	}
	return v
}

// mark returns a journal line with the hash of the present view.
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

// advanceClock sets the match's clock forward to a later time. If the clock has already
// reached that time, advanceClock changes nothing.
func (g *game) advanceClock(to time.Duration, at time.Time) {
	if to > g.clock(at) {
		g.base, g.since = to, at
	}
}

// info returns the match's entry in the list of matches.
func (g *game) info(id, state string) engine.MatchInfo {
	setup := g.match.Setup()
	return engine.MatchInfo{
		ID: id, Game: setup.Game, Seats: setup.Seats, Begin: setup.Begin, Inputs: g.match.Seq(), State: state,
	}
}
