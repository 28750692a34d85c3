package tally

import (
	"fmt"
	"strconv"

	"tableside/engine"
)

// amounts lists the changes that a prompt offers besides a single step. They are multiples of
// the option "step". Players may also choose an amount that is not in the list.
var amounts = []int{5, -5, 10, -10}

// prompts returns the prompts of the seats and then the prompts of the table. It begins with
// the seat that firstAsked returns. Usually every seat that is not out has a prompt, even in
// the turns of others, because players may lose lives in these turns. But while bids, tricks
// or named rows are asked for, only the seats that still have to answer have a prompt.
func (s *state) prompts() []engine.Prompt {
	var prompts []engine.Prompt
	if s.deals != nil {
		prompts = append(prompts, s.askDeal())
	}
	for i := range s.seats {
		at := (s.firstAsked() + i) % len(s.seats)
		p := s.seats[at]
		if s.isOut(at) && (!s.turns || i > 0) {
			continue
		}
		prompt := engine.Prompt{Seat: p.id, Key: "count", Args: engine.Args{}, May: s.turns && i > 0}
		if s.result == byPoints {
			prompt.Args["counter"] = engine.ParseWord(s.counterWords[p.selected])
		}
		asked := s.nextPart(s.column(at))
		switch {
		case asked != points:
			prompt = s.askBid(p.id, asked)
		case s.phase() != "play", s.rows != nil && s.turns && i > 0:
			continue
		case s.rows != nil:
			prompt = s.askRow(at)
		case !s.isOut(at) && s.result == byPoints:
			prompt.Options = s.changes(at)
		}
		if s.turns && i == 0 {
			if s.rows == nil {
				prompt.Key = "turn"
			}
			prompt.Options = append(prompt.Options, answer("end-turn", nil, p.id, engine.Key, "next"))
		}
		if len(prompt.Options) > 0 {
			prompts = append(prompts, prompt)
		}
	}
	table := s.askTable()
	table.May = len(prompts) > 0 && (len(table.Options) == 1 || s.result != byPoints) // only to end the match
	prompts = append(prompts, table)
	if s.dice.n > 0 {
		prompts = append(prompts, s.askDice())
	}
	return prompts
}

// askTable returns the prompt for everybody. The points of a round may have a known sum. If
// only one column has no points yet, the prompt then says what is left for that column. If all
// columns have points and the sum is wrong, the prompt says so.
func (s *state) askTable() engine.Prompt {
	table := engine.Prompt{Seat: engine.Table, Key: "table", Args: engine.Args{}}
	if s.result != byPoints {
		table = s.askWinner()[0]
	}
	end := answer("end-round", nil, engine.Table, engine.Key, "next")
	if s.sum != nil {
		left, columns := s.rest()
		switch {
		case len(columns) > 0 && s.columns > 1:
			if len(columns) == 1 {
				table.Key, table.Args = "table-rest", engine.Args{"n": left}
			}
			end.Key, end.Args = s.restAnswer(left/len(columns), columns)
		case s.countMissing(s.round, cell.filled) < 2 && left != 0:
			table.Key, table.Args = "table-sum", engine.Args{"n": *s.sum - left, "of": *s.sum}
		}
	}
	// With named rows, and without points, the end of a round matters only where it may end the match.
	matters := s.rows == nil && s.result == byPoints || s.target != nil || s.minutes+s.rounds > 0
	if !s.turns && s.phase() == "play" && matters && len(s.draft) == 0 {
		table.Options = append(table.Options, end)
	}
	if s.result == byPoints {
		table.Options = append(table.Options, answer("end", nil, engine.Table, engine.Choose, "end"))
	}
	return table
}

// restAnswer returns the key and the arguments of the answer that ends a round in which columns
// get what is left. If the points of a round add up to 0, they pay the others or are paid by them.
func (s *state) restAnswer(n int, columns []int) (key string, args engine.Args) {
	key = "end-round-rest"
	if *s.sum == 0 {
		if key = "end-round-gets"; n < 0 {
			key, n = "end-round-pays", -n
		}
		if len(columns) > 1 {
			return key + "-each", engine.Args{"n": n}
		}
	}
	return key, engine.Args{"seat": s.seats[columns[0]].id, "n": n}
}

// maxOffered is the greatest number of points that a prompt offers for a row that takes any
// number. maxTricks is the greatest bid or number of tricks that a prompt offers. Players may
// enter greater numbers.
const maxOffered, maxTricks = 30, 20

func (s *state) askBid(seat engine.Seat, p part) engine.Prompt {
	prompt := engine.Prompt{Seat: seat, Key: p.name(), Args: engine.Args{"n": s.round}}
	for n := range min(s.round, maxTricks) + 1 {
		prompt.Options = append(prompt.Options, numeral(seat, n))
	}
	return prompt
}

// askRow returns the prompt that asks which row a seat fills. If the seat has chosen a row,
// the prompt asks how many points the row gets.
func (s *state) askRow(at int) engine.Prompt {
	p := s.seats[at]
	prompt := engine.Prompt{Seat: p.id, Key: "row", Args: engine.Args{}}
	if p.row == 0 {
		for i, r := range s.rows {
			if !s.cell(i+1, s.column(at)).filled() {
				args := engine.Args{"row": engine.ParseWord(s.rowWord(i + 1))}
				prompt.Options = append(prompt.Options, answer("row", args, p.id, engine.Choose, r.name))
			}
		}
		return prompt
	}
	r := s.rows[p.row-1]
	prompt.Key, prompt.Args = "fill", engine.Args{"row": engine.ParseWord(s.rowWord(p.row))}
	for n := 0; n <= r.last; n += r.step {
		a := numeral(p.id, n)
		a.Args["n"] = n * r.times
		prompt.Options = append(prompt.Options, a)
	}
	prompt.Options = append(prompt.Options, answer("no-row", nil, p.id, engine.Key, "no"))
	return prompt
}

func numeral(seat engine.Seat, n int) engine.Answer {
	return answer("number", engine.Args{"n": n}, seat, engine.Choose, strconv.Itoa(n))
}

// dealer returns the index of the seat that deals: in turn, but for those who have left.
func (s *state) dealer() int { return (s.first + s.round - 1 + s.passedNow()) % len(s.seats) }

// passedNow returns how many have not dealt when it was their turn, with those of this round.
func (s *state) passedNow() int {
	passed := s.passed
	for range s.seats {
		if s.seats[(s.first+s.round-1+passed)%len(s.seats)].left {
			passed++
		}
	}
	return passed
}

// firstAsked returns the index of the seat that is asked first. In a match with turns, this is
// the seat whose turn it is. In a match without turns, it is the seat after the dealer or, if
// the seats do not deal, the seat that began.
func (s *state) firstAsked() int {
	if s.deal && !s.turns {
		return (s.dealer() + 1) % len(s.seats)
	}
	return s.turn
}

// changes returns the answers that change the selected counter within its bounds, and
// those that select another counter.
func (s *state) changes(at int) []engine.Answer {
	var answers []engine.Answer
	p := s.seats[at]
	value, counter := p.values[p.selected], engine.ParseWord(s.counterWords[p.selected])
	offer := func(n int, verb engine.Verb, arg string) {
		if now := s.clamp(p.selected, value, n); now != value {
			args := engine.Args{"n": max(n, -n), "counter": counter}
			answers = append(answers, answer(gainOrLose(n), args, p.id, verb, arg))
		}
	}
	offer(s.step, engine.Key, "plus")
	offer(-s.step, engine.Key, "minus")
	if len(s.counters) > 1 {
		for _, way := range []string{"left", "right"} {
			answers = append(answers, answer(way, nil, p.id, engine.Key, way))
		}
	}
	for _, c := range s.finish {
		if s.clamp(c.first, p.values[c.first], 1) > p.values[c.first] {
			args := engine.Args{"counter": engine.ParseWord(s.counterWords[c.first])}
			answers = append(answers, answer("advance", args, p.id, engine.Choose, s.counters[c.first], "+1"))
		}
	}
	if s.misses > 0 && p.selected == 0 && !s.cell(s.round, s.column(at)).filled() {
		answers = append(answers, answer("miss", nil, p.id, engine.Choose, "0"))
	}
	for _, n := range amounts {
		if n*s.step <= maxNumber && n*s.step >= -maxNumber {
			offer(n*s.step, engine.Choose, fmt.Sprintf("%+d", n*s.step))
		}
	}
	return answers
}

func answer(key string, args engine.Args, seat engine.Seat, verb engine.Verb, words ...string) engine.Answer {
	in := engine.Input{Seat: seat, Verb: verb, Args: words}
	return engine.Answer{Key: key, Args: args, Input: in.Command()}
}
