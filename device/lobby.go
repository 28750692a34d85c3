package device

import (
	"slices"
	"strconv"
	"strings"

	"tableside/device/history"
	"tableside/engine"
)

// A lobby asks at the empty table which match to continue, or what to play next. Its questions
// come one after another, and keys answer them. The answers are inputs of the table, such as
// "table choose mutants/second-edition", but they are no part of a match.
type lobby struct {
	games    []engine.Info
	seats    []engine.Player // of the table; if more people play, engine.UsualSeats follow
	waiting  *waitingMatch   // asks whether to continue it; or nil
	answers  []string        // so far: game, seats, options; undo takes back the last
	lately   []string        // the games that were played here, the newest first; see candidates
	proposal proposal        // of a hall
}

// A waitingMatch is a match that can be continued.
type waitingMatch struct {
	id   string
	game string
	stop *history.Stop // from where to continue; nil for its end
}

func (l *lobby) clear() { l.waiting, l.answers, l.proposal.declined = nil, nil, false }

func (l *lobby) waitsFor(id string) bool { return l.waiting != nil && l.waiting.id == id }

func (l *lobby) forget(id string) (asked bool) {
	if asked = l.waitsFor(id); asked {
		l.waiting = nil
	}
	return asked
}

// ask returns the next question, and the setup to which the answers so far lead. When the
// question offers to begin the match, the setup is complete. While the question is whether to
// continue a match, the setup is empty. A question with only one answer is skipped.
func (l *lobby) ask() (engine.Prompt, engine.Setup) {
	if w := l.waiting; w != nil {
		key, args := "lobby-continue", engine.Args{"game": l.titleWord(w.game)}
		if w.stop != nil {
			key, args["n"], args["lost"] = "lobby-partly", w.stop.Seq, w.stop.LostMoves
			if w.stop.Damaged {
				key = "lobby-damaged"
			}
		}
		return tablePrompt(key, args, keyAnswers("yes", "no")...), engine.Setup{}
	}
	chosen := l.answers
	next := func(values []string) (string, bool) {
		switch {
		case len(values) == 1:
			return values[0], true
		case len(chosen) == 0:
			return "", false
		}
		value := chosen[0]
		chosen = chosen[1:]
		return value, true
	}
	names, offer := l.candidates(), l.proposal.offer
	if offer != nil && len(names) == 1 {
		return l.seatingPrompt("seated", "new"), l.seated(names[0])
	}
	name, ok := next(names)
	if !ok {
		p := tablePrompt("lobby-game", nil, l.gameAnswers(names)...)
		if offer != nil {
			p.Key, p.Args = "lobby-seating", seatingArgs(offer)
			p.Options = append(p.Options, seatingAnswer("new"))
		}
		return p, engine.Setup{}
	}
	setup, info := l.setupOf(name)
	var counts []string
	for n := info.MinSeats; n <= info.MaxSeats; n++ {
		counts = append(counts, strconv.Itoa(n))
	}
	if offer != nil && seats(info, offer) {
		counts = []string{strconv.Itoa(len(offer.Players))}
	}
	count, ok := next(counts)
	if !ok {
		return tablePrompt("lobby-seats", nil, chooseAnswers("lobby-seats", counts, func(v string) engine.Args {
			n, _ := strconv.Atoi(v)
			return engine.Args{"n": n}
		})...), setup
	}
	n, _ := strconv.Atoi(count)
	l.assignSeats(&setup, info, n)
	for _, o := range info.Options {
		if setup.Preset != "" || o.Advanced || len(o.Values) < 2 {
			continue // a preset has its options; a free value cannot be chosen by key: it keeps its default
		}
		args := engine.Args{"option": optionWord(info.Words, o.Name)}
		if o.List {
			on, rest, done := toggledValues(o, chosen)
			if !done {
				key := "lobby-list"
				if len(on) == 0 {
					key = "lobby-list-none"
				}
				return tablePrompt(key, args, listAnswers(info.Words, o, on)...), setup
			}
			chosen, setup.Options[o.Name] = rest, strings.Join(on, ",")
			continue
		}
		values := defaultFirst(o)
		value, ok := next(values)
		if !ok {
			return tablePrompt("lobby-option", args, chooseAnswers("lobby-value", values, func(v string) engine.Args {
				return engine.Args{"value": valueWord(info.Words, o.Name, v)}
			})...), setup
		}
		setup.Options[o.Name] = value
	}
	return tablePrompt("lobby-begin", engine.Args{"game": l.titleWord(name), "n": n}, keyAnswers("yes", "no")...), setup
}

// take answers the next question. The input undo takes the last answer back. If the answer
// leads to an order, take returns this order, and otherwise nil. If the input is no answer and
// takes nothing back, ok is false.
func (l *lobby) take(in engine.Input) (order *engine.Order, ok bool) {
	if len(l.games) == 0 {
		return nil, false
	}
	if in.Verb == engine.Undo {
		switch {
		case l.waiting != nil || len(l.answers) == 0 && !l.proposal.declined:
			return nil, false
		case len(l.answers) == 0:
			l.proposal.declined = false
			return nil, true
		}
		l.answers = l.answers[:len(l.answers)-1]
		return nil, true
	}
	p, setup := l.ask()
	in.Seat = engine.Table // every seat's keys answer for the table
	if !slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return o.Input == in.Command() }) {
		return nil, false
	}
	yes := in.Verb == engine.Key && in.Arg(0) == "yes"
	switch p.Key {
	case "lobby-partly", "lobby-damaged", "lobby-continue":
		w := l.waiting
		l.waiting = nil
		if yes {
			return &engine.Order{Do: "resume", Match: w.id}, true
		}
	case "lobby-begin":
		if yes {
			return &engine.Order{Do: "begin", Setup: setup}, true
		}
		l.answers = nil
	default:
		if p.Key == "lobby-seating" {
			switch in.Arg(0) {
			case "seated":
				return &engine.Order{Do: "begin", Setup: setup}, true
			case "new":
				l.proposal.declined = true
				return nil, true
			}
		}
		l.answers = append(l.answers, in.Arg(0))
	}
	return nil, true
}

// gameAnswers returns an answer for each game. If there are several editions of a game, its
// answers name the edition.
func (l *lobby) gameAnswers(names []string) []engine.Answer {
	answers := chooseAnswers("lobby-game", names, func(name string) engine.Args {
		return engine.Args{"game": l.titleWord(name)}
	})
	for i, name := range names {
		title, edition := engine.Title(name), engine.Edition(name)
		same := 0
		for _, other := range l.games {
			if strings.HasPrefix(other.Name, title+"/") {
				same++
			}
		}
		if same > 1 {
			answers[i].Key = "lobby-edition"
			_, info := l.setupOf(name)
			answers[i].Args["edition"] = wordOr(engine.Merge(Words(), info.Words), "edition."+edition, edition)
		}
	}
	return answers
}

// setupOf returns how a match of a game begins, or of a preset that is a game of a score sheet.
func (l *lobby) setupOf(name string) (engine.Setup, engine.Info) {
	setup := engine.Setup{Game: name, Options: map[string]string{}}.FromPreset(l.games)
	info := l.games[slices.IndexFunc(l.games, func(g engine.Info) bool { return g.Name == setup.Game })]
	return setup, info.With(setup.Preset)
}

func (l *lobby) titleWord(name string) engine.Word {
	if preset := (engine.Setup{Game: name}).FromPreset(l.games).Preset; preset != "" {
		return engine.Word("preset." + preset)
	}
	return titleWord(name)
}

// overPrompt returns the prompt after the end of a match. The loser, if there is one, begins the
// rematch.
func overPrompt(loser engine.Seat) engine.Prompt {
	again := seatingAnswer("rematch")
	if loser != "" {
		again.Key, again.Args = "rematch-begins", engine.Args{"seat": loser}
	}
	return tablePrompt("lobby-over", nil, again, seatingAnswer("new"))
}

func tablePrompt(key string, args engine.Args, answers ...engine.Answer) engine.Prompt {
	if args == nil {
		args = engine.Args{}
	}
	return engine.Prompt{Seat: engine.Table, Key: key, Args: args, Options: answers}
}

func keyAnswers(keys ...string) []engine.Answer {
	var answers []engine.Answer
	for _, key := range keys {
		answers = append(answers, engine.Answer{Key: key, Input: "table key " + key})
	}
	return answers
}

func chooseAnswers(key string, values []string, args func(string) engine.Args) []engine.Answer {
	var answers []engine.Answer
	for _, v := range values {
		in := engine.Input{Seat: engine.Table, Verb: engine.Choose, Args: []string{v}}
		answers = append(answers, engine.Answer{Key: key, Args: args(v), Input: in.Command()})
	}
	return answers
}

// toggledValues reads the answers to an option whose value is a list. Each answer turns one
// value of the option on or off. The answer "next" ends the list.
//
// The first result is the list of the values that are on, in the order of the option. The
// second result is the list of the answers after "next". The third result reports whether
// there was an answer "next".
func toggledValues(o engine.Option, answers []string) (on, rest []string, done bool) {
	is := map[string]bool{}
	for _, v := range engine.SplitList(o.Default) {
		is[v] = true
	}
	for i, a := range answers {
		if done = a == "next"; done {
			rest = answers[i+1:]
			break
		}
		is[a] = !is[a]
	}
	for _, v := range o.Values {
		if is[v] {
			on = append(on, v)
		}
	}
	return on, rest, done
}

// listAnswers returns the answers to an option whose value is a list. There is an answer for
// each value, marked as on or off. If any value is on, an answer with the key "next" comes
// first. This answer ends the question.
func listAnswers(words engine.Words, o engine.Option, on []string) []engine.Answer {
	answers := chooseAnswers("lobby-off", o.Values, func(v string) engine.Args {
		return engine.Args{"value": valueWord(words, o.Name, v)}
	})
	for i, v := range o.Values {
		if slices.Contains(on, v) {
			answers[i].Key = "lobby-on"
		}
	}
	if len(on) == 0 {
		return answers
	}
	return slices.Insert(answers, 0, engine.Answer{Key: "lobby-done", Input: "table key next"})
}

func defaultFirst(o engine.Option) []string {
	values := slices.Clone(o.Values)
	if i := slices.Index(values, o.Default); i > 0 {
		values = slices.Insert(slices.Delete(values, i, i+1), 0, o.Default)
	}
	return values
}

func wordOr(words engine.Words, key, otherwise string) any {
	if words.Has(key) {
		return engine.Word(key)
	}
	return otherwise
}

func optionWord(words engine.Words, name string) any {
	if words.Has("option." + name) {
		return engine.Word("option." + name)
	}
	return wordOr(words, "option."+name+".help", name)
}

func valueWord(words engine.Words, option, value string) any {
	return wordOr(words, "option."+option+"."+value, value)
}

func defaultSeats(table []engine.Player, n int) []engine.Player {
	players := slices.Clone(table[:min(n, len(table))])
	for _, seat := range engine.UsualSeats {
		taken := func(p engine.Player) bool { return p.Seat == seat }
		if len(players) < n && !slices.ContainsFunc(players, taken) {
			players = append(players, engine.Player{Seat: seat})
		}
	}
	return players
}
