package advice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
)

// A player answers for a seat at a table whose cards are simulated; an answer without a verb leaves it to chance.
type player func(m *engine.Match, seat engine.Seat, cards *engine.Dealer, chance *rand.Rand) (engine.Input, error)

// searcher plays the answer that a search tries most.
func searcher(playouts int) player {
	given := map[*engine.Match][]string{}
	return func(m *engine.Match, seat engine.Seat, cards *engine.Dealer, chance *rand.Rand) (engine.Input, error) {
		s, err := At(m, seat, seenBy(seat, cards.Piles()), chance)
		if err != nil {
			return engine.Input{}, err
		}
		run(s, playouts)
		best, err := s.Best(given[m])
		given[m] = append(given[m], best.Key)
		if best.Pick != "" && !cards.Pick(string(seat)+"/hand", best.Pick) {
			return engine.Input{}, fmt.Errorf("%s has no %s", seat, best.Pick)
		}
		if in := best.Input; best.Place != "" && len(best.Input.Args) == 0 {
			list := engine.Pile{Place: best.Place, Cards: cards.Cards(best.Place)}.Takeable()
			in.Args = []string{list[chance.IntN(len(list))]}
			return in, err
		}
		return best.Input, err
	}
}

func run(s *Search, playouts int) {
	for range playouts {
		_ = s.Run()
	}
}

func seenBy(seat engine.Seat, piles []engine.Pile) (seen []engine.Pile) {
	for _, pile := range piles {
		if engine.IsSeenBy(pile.Place, seat) {
			seen = append(seen, engine.Pile{Place: pile.Place, Cards: slices.Clone(pile.Cards)})
		}
	}
	return seen
}

// play plays a match to its end and returns the winners. A seat without a player, and the table, answer by chance.
func play(t testing.TB, game engine.Game, setup engine.Setup, players map[engine.Seat]player, seed uint64) []engine.Seat {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 0))
	setup.Game, setup.Begin = game.Info().Name, time.Unix(int64(seed), 0)
	m, err := engine.NewMatch(game, setup)
	if err != nil {
		t.Fatal(err)
	}
	cards := engine.NewDealer(m.State(), chance)
	for n := 0; !m.Over(); n++ {
		w := world{state: m.State().(state), cards: cards, chance: chance}
		if !w.list() || n > longest {
			t.Fatalf("seed %d: nothing to do after %d inputs", seed, n)
		}
		any, err := w.any()
		if err != nil {
			t.Fatal(err)
		}
		in := any.in
		if player := players[in.Seat]; player != nil && in.Verb != engine.Roll {
			answer, err := player(m, in.Seat, cards, chance)
			if err != nil {
				t.Fatalf("seed %d, after %d inputs: %v", seed, n, err)
			}
			if answer.Verb != "" {
				in = answer
			}
		}
		step, err := m.Apply(in)
		if err != nil {
			t.Fatalf("seed %d, after %d inputs: %q: %v", seed, n, in.Command(), err)
		}
		if err := cards.Follow(step); err != nil {
			t.Fatalf("seed %d, after %d inputs: %q: %v", seed, n, in.Command(), err)
		}
	}
	return m.View().Winners
}

// setup returns a setup in which every card is known and nothing is explained.
func setup(game engine.Game, seats int) engine.Setup {
	s := engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(seats), Options: map[string]string{}}
	for _, o := range game.Info().Options {
		switch o.Name {
		case "guide":
			s.Options["guide"] = "off"
		case "data":
			s.Options["data"] = "stand-in"
		}
	}
	return s
}

// won plays matches in which one seat after the other is a player's, and returns how many that one won.
func won(t *testing.T, game engine.Game, seats, matches int, p player) (won int) {
	t.Helper()
	s := setup(game, seats)
	for seed := range matches {
		me := s.Seats[seed%seats].Seat
		winners := play(t, game, s, map[engine.Seat]player{me: p}, uint64(seed))
		if len(winners) == 1 && winners[0] == me {
			won++
		}
	}
	t.Logf("won %d of %d", won, matches)
	return won
}

func TestMindbug(t *testing.T) {
	if enginetest.Brief() {
		t.Skip("make test plays it")
	}
	if n := won(t, engine.Find(mindbug.Games(), "mindbug/first-contact"), 2, 20, searcher(60)); n < 14 {
		t.Errorf("won %d of 20 matches", n)
	}
}

// TestStrength plays matches at night: normal against chance, and strong against normal. It logs the 95 % intervals.
func TestStrength(t *testing.T) {
	if !enginetest.Nightly() {
		t.Skip("make nightly plays it")
	}
	for _, test := range []struct {
		game, tough        string
		seats              int
		playouts, opponent int     // 0 answers by chance
		matches            int     // unless strength= says how many
		atLeast            float64 // of all matches
	}{
		{"mindbug/first-contact", "", 2, 200, 0, 20, .9},
		{"mindbug/first-contact", "", 2, 1000, 200, 10, .65},
		{"mindbug/king-of-tokyo", "", 2, 200, 0, 20, .9},
		{"mutants/second-edition", "", 2, 200, 0, 4, .9},
		{"genegrafter/standard", "", 2, 200, 0, 4, .8},
		{"mutants/uprising", "", 1, 200, 0, 4, .9},
		{"mutants/uprising", "on", 1, 200, 0, 4, .5},
	} {
		t.Run(fmt.Sprint(test.game, " ", test.tough, " ", test.playouts, " against ", test.opponent), func(t *testing.T) {
			t.Parallel()
			game, matches := engine.Find(games(), test.game), enginetest.Count("strength", test.matches)
			s := setup(game, test.seats)
			if test.tough != "" {
				s.Options["tough"] = test.tough
			}
			won := 0
			for seed := range matches {
				players := map[engine.Seat]player{}
				for i, p := range s.Seats {
					if i == seed%test.seats {
						players[p.Seat] = searcher(test.playouts)
					} else if test.opponent > 0 {
						players[p.Seat] = searcher(test.opponent)
					}
				}
				me := s.Seats[seed%test.seats].Seat
				if winners := play(t, game, s, players, uint64(seed)); len(winners) == 1 && winners[0] == me {
					won++
				}
			}
			low, high := wilson(won, matches)
			t.Logf("won %d of %d, 95 %%: %.0f to %.0f of 100", won, matches, 100*low, 100*high)
			if float64(won) < test.atLeast*float64(matches) && (matches >= 100 || high < test.atLeast) {
				t.Errorf("want %.0f of 100", 100*test.atLeast)
			}
		})
	}
}

// TestCalibration lets the table play both seats, and compares the chances that everybody could know at every
// twentieth input with who won. It logs the Brier score of the first seat, 0.25 for saying 50 % each time, and what was
// won of what was said, in fifths.
func TestCalibration(t *testing.T) {
	if !enginetest.Nightly() {
		t.Skip("make nightly plays it")
	}
	for _, name := range []string{"mindbug/first-contact", "mindbug/king-of-tokyo", "genegrafter/standard",
		"mutants/second-edition"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			game := engine.Find(games(), name)
			s := setup(game, 2)
			first, brier, n := s.Seats[0].Seat, 0.0, 0
			var said, won, in [5]float64
			for seed := range enginetest.Count("calibration", 2) {
				var chances []float64
				watch := func(p player) player {
					return func(m *engine.Match, seat engine.Seat, cards *engine.Dealer, chance *rand.Rand) (engine.Input, error) {
						if m.Seq()%20 == 10 {
							s, err := At(m, "", nil, chance)
							if err != nil {
								return engine.Input{}, err
							}
							run(s, 400)
							chances = append(chances, s.Chances().List[0].Mean)
						}
						return p(m, seat, cards, chance)
					}
				}
				players := map[engine.Seat]player{}
				for _, p := range s.Seats {
					players[p.Seat] = watch(searcher(60))
				}
				winners, wins := play(t, game, s, players, uint64(seed)), 0.0
				if slices.Contains(winners, first) {
					wins = 1 / float64(len(winners))
				}
				for _, c := range chances {
					bin := min(int(5*c), 4)
					said[bin], won[bin], in[bin] = said[bin]+c, won[bin]+wins, in[bin]+1
					brier, n = brier+(c-wins)*(c-wins), n+1
				}
			}
			var fifths []string
			for i, of := range in {
				if of > 0 {
					fifths = append(fifths, fmt.Sprintf("%.2f→%.2f (%.0f)", said[i]/of, won[i]/of, of))
				}
			}
			t.Logf("Brier %.3f in %d positions; said→won %s", brier/float64(n), n, strings.Join(fifths, " "))
			if n >= 100 && brier/float64(n) > .25 {
				t.Errorf("50 %% each time would be better")
			}
		})
	}
}

// wilson returns the 95 % interval of a share (Wilson, 1927).
func wilson(won, of int) (low, high float64) {
	const z = 1.96
	n, p := float64(of), float64(won)/float64(of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (middle - half) / (1 + z*z/n), (middle + half) / (1 + z*z/n)
}

func games() []engine.Game {
	return slices.Concat(mindbug.Games(), genegrafter.Games(), mutants.Games())
}

// TestSecrets deals all cards that a seat cannot know anew, as the table believes that they may lie, and wants the
// same answer from the same chance. At night there are 500 matches.
func TestSecrets(t *testing.T) {
	matches := 2
	if enginetest.Nightly() {
		matches = 125
	}
	for _, name := range []string{"mindbug/first-contact", "mindbug/king-of-tokyo", "genegrafter/standard",
		"mutants/first-edition"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			game := engine.Find(games(), name)
			asked, exchanged := 0, 0
			ask := func(m *engine.Match, seat engine.Seat, cards *engine.Dealer, chance *rand.Rand) (engine.Input, error) {
				if asked++; asked%20 != 0 {
					return engine.Input{}, nil
				}
				s, err := At(m, seat, seenBy(seat, cards.Piles()), chance)
				if err != nil {
					return engine.Input{}, err
				}
				w, err := s.world()
				if err != nil {
					return engine.Input{}, err
				}
				for _, pile := range w.cards.Piles() {
					if real := cards.Cards(pile.Place); !slices.Equal(pile.Cards, real) {
						exchanged++
						break
					}
				}
				seed := chance.Uint64()
				var answers []string
				for _, piles := range [][]engine.Pile{cards.Piles(), w.cards.Piles()} {
					s, err := At(m, seat, seenBy(seat, piles), rand.New(rand.NewPCG(seed, seed)))
					if err != nil {
						return engine.Input{}, err
					}
					run(s, 2)
					answers = append(answers, fmt.Sprint(s.Choices()))
				}
				if answers[0] != answers[1] {
					return engine.Input{}, fmt.Errorf("%s answers %s, and with other cards %s", seat, answers[0], answers[1])
				}
				return engine.Input{}, nil
			}
			for seed := range matches {
				seats := setup(game, 2).Seats
				play(t, game, setup(game, 2), map[engine.Seat]player{seats[0].Seat: ask, seats[1].Seat: ask}, uint64(seed))
			}
			if exchanged < asked/40 {
				t.Errorf("of %d answers %d were with other cards", asked/20, exchanged)
			}
			t.Logf("%d answers, %d with other hidden cards", asked/20, exchanged)
		})
	}
}

// TestBeliefs tests that beliefs and the cards on the table agree, and that every imagined deal is whole.
func TestBeliefs(t *testing.T) {
	for _, game := range games() {
		info := game.Info()
		for _, seats := range []int{info.MinSeats, info.MaxSeats} {
			t.Run(fmt.Sprint(info.Name, seats), func(t *testing.T) {
				watch := func(m *engine.Match, seat engine.Seat, cards *engine.Dealer, chance *rand.Rand) (engine.Input, error) {
					return engine.Input{}, checkBeliefs(m, cards, chance)
				}
				players := map[engine.Seat]player{}
				for _, p := range setup(game, seats).Seats {
					players[p.Seat] = watch
				}
				for seed := range uint64(1) {
					play(t, game, setup(game, seats), players, seed)
				}
			})
		}
	}
}

func checkBeliefs(m *engine.Match, cards *engine.Dealer, chance *rand.Rand) error {
	s, err := At(m, "", nil, chance)
	if err != nil {
		return err
	}
	for _, pile := range s.piles {
		real := cards.Cards(pile.Place)
		if len(real) != len(pile.Cards) {
			return fmt.Errorf("%s: %d cards are believed there, and %d lie there", pile.Place, len(pile.Cards), len(real))
		}
		for _, card := range pile.Cards {
			if card != "" && !slices.Contains(real, card) {
				return fmt.Errorf("%s: %s is believed there, and %v lie there", pile.Place, card, real)
			}
		}
	}
	w, err := s.world()
	if err != nil {
		return err
	}
	for _, pile := range w.cards.Piles() {
		if slices.Contains(pile.Cards, "") && m.View().Phase != "set-up" {
			return fmt.Errorf("%s is dealt as %v", pile.Place, pile.Cards)
		}
	}
	return nil
}

// TestAnswers counts what a player cannot tell apart together: cards of a pile that it does not see.
func TestAnswers(t *testing.T) {
	tap := func(card, place string, visits int, wins float64) edge {
		in := engine.Input{Seat: "red", Verb: engine.Tap, Args: []string{card}}
		return edge{move: move{in, place}, visits: visits, wins: wins}
	}
	root := node{}
	for _, e := range []edge{tap("a.1", "", 50, 25), tap("b.1", "deck", 40, 10), tap("c.1", "deck", 60, 30), tap("d.1", "deck", 10, 5)} {
		root[e.move.name()] = &e
	}
	piles := []engine.Pile{{Place: "deck", Cards: []string{"", "d.2"}}}
	got := (&Search{seat: "red", piles: piles, root: root}).Choices()
	if len(got) != 3 || got[0].Place != "deck" || got[0].Visits != 100 || got[0].Chance != .4 || got[0].Input.Arg(0) != "" ||
		got[2].Input.Arg(0) != "d.1" {
		t.Errorf("%+v", got)
	}
}

func BenchmarkPlayouts(b *testing.B) {
	for _, game := range []engine.Game{
		engine.Find(mindbug.Games(), "mindbug/first-contact"), engine.Find(mindbug.Games(), "mindbug/king-of-tokyo"),
		engine.Find(genegrafter.Games(), "genegrafter/standard"), engine.Find(mutants.Games(), "mutants/second-edition"),
	} {
		info := game.Info()
		b.Run(info.Name, func(b *testing.B) {
			m, err := engine.NewMatch(game, setup(game, info.MinSeats))
			if err != nil {
				b.Fatal(err)
			}
			s, err := At(m, "", nil, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := s.Run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N-s.playouts)/float64(s.playouts), "failed/playout")
		})
	}
}
