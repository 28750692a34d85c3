package cards

import (
	"errors"
	"fmt"
	"image"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"tableside/display/panel"
	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// A rehearsal is a small match with one card in hand, which shows what the card does. The
// table stores no rehearsal. Each request brings all inputs, and the table folds (applies)
// them again.
type rehearsal struct {
	game    engine.Game
	match   *engine.Match
	dealer  *engine.Dealer
	inputs  []engine.Input
	history core.Story
	rng     *rand.Rand // for dice
}

// A rehearsalState is the state of a rehearsal in the form that its page reads.
type RehearsalState struct {
	Game    string            `json:"game"`   // the edition
	Inputs  []string          `json:"inputs"` // accepted so far, with faces of dice; sent with the next
	View    engine.View       `json:"view"`
	History []core.Entry      `json:"history"`
	Piles   []core.HiddenPile `json:"piles"`
	Card    string            `json:"card"`    // the copy in hand
	Refused string            `json:"refused"` // why the last input is not among Inputs
	Panel   string            `json:"panel"`   // the e-paper at this moment: a data URL
}

// Limits of a rehearsal.
const (
	MaxRehearsalInputs = 200
	maxDeals           = 400 // until the card is in the hand
	maxLeadInputs      = 40  // inputs until the card may be played
)

// rehearsalPanelSize is the size, in pixels, of the panel that a rehearsal shows. It is the
// size of a common e-paper display.
var rehearsalPanelSize = image.Pt(400, 300)

var (
	rehearsalBegin = time.Date(2026, 1, 1, 20, 0, 0, 0, time.UTC)
	rehearsalSeat  = engine.Seat("red")
)

// errNoHand reports that a card cannot be rehearsed, because it never comes to a hand.
var ErrNoHand = core.FailWith(http.StatusConflict, engine.T("rehearsal.no-hand"))

// A rehearsalOrder says which card is rehearsed. The field Lines describes this card, in the
// format of a card file. The page makes these lines from its form.
type RehearsalOrder struct {
	Game, Card string
	Lines      []string
	Inputs     []string // the accepted ones, as the previous answer listed them
	Input      string   // the next one
	Paper      bool     // only the e-paper is wanted, with the card face up
}

func (s *Room) play(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	_, err := s.owners(query.Get("game"))
	if query.Get("card") == "" {
		err = core.FailWith(http.StatusNotFound, engine.T("rehearsal.which"))
	}
	if err != nil && !query.Has("token") {
		s.Fail(w, r, err)
		return
	}
	s.Page("rehearsal.html", core.Unframed)(w, r)
}

// rehearse answers with the state of a rehearsal after the inputs in the request. Everybody
// may ask for it.
func (s *Room) rehearse(w http.ResponseWriter, r *http.Request) (any, error) {
	var ask RehearsalOrder
	if err := decodeCards(w, r, &ask); err != nil {
		return nil, err
	}
	owners, err := s.owners(ask.Game)
	if err != nil {
		return nil, err
	}
	if len(ask.Inputs) > MaxRehearsalInputs {
		return nil, core.FailWith(http.StatusBadRequest, engine.T("rehearsal.long", "n", MaxRehearsalInputs))
	}
	text, err := s.Files.Text(ask.Game)
	if err != nil {
		return nil, err
	}
	var made RehearsalState
	err = s.Fold(w, r, func() error {
		lines, _ := owners.Define("", cardfile.Replace(text, ask.Card, ask.Lines))
		play := RehearseCard
		if ask.Paper {
			play = LayCard
		}
		var err error
		made, err = play(panel.NewPainter(), s.Files.Editions(ask.Game), ask, lines, s.LangFor(r))
		if _, ok := errors.AsType[*core.Failure](err); err == nil || ok {
			return err
		}
		return core.FailWith(http.StatusBadRequest, err)
	})
	if ask.Paper {
		return map[string]string{"panel": made.Panel}, err
	}
	return made, err
}

// rehearseCard rehearses a card with the inputs that the order lists. It uses the newest
// edition in which the card comes into the hand and may be played. If there is no such
// edition, rehearseCard returns errNoHand.
func RehearseCard(painter *panel.Painter, editions []engine.Game, order RehearsalOrder, lines []string,
	lang engine.Lang) (RehearsalState, error) {
	for _, game := range slices.Backward(editions) {
		r, copied := newRehearsal(game, order.Card, lines)
		if r == nil {
			continue
		}
		if err := r.begin(copied, order.Inputs); err != nil {
			return RehearsalState{}, r.explain(err, lang)
		}
		if len(order.Inputs) == 0 && !r.isPlayable(copied) {
			continue
		}
		refused := ""
		if order.Input != "" {
			err := r.applyLine(order.Input)
			if _, ok := engine.AsRefusal(err); ok {
				refused = r.explain(err, lang).Error()
			} else if err != nil {
				return RehearsalState{}, err
			}
		}
		made, err := r.show(painter, lang)
		made.Card, made.Refused = copied, refused
		return made, err
	}
	return RehearsalState{}, ErrNoHand
}

func LayCard(painter *panel.Painter, editions []engine.Game, ask RehearsalOrder, lines []string,
	lang engine.Lang) (RehearsalState, error) {
	for _, game := range slices.Backward(editions) {
		r, copied := newRehearsal(game, ask.Card, lines)
		if r != nil && r.lay(copied) {
			return r.show(painter, lang)
		}
	}
	return RehearsalState{}, nil
}

// lay puts a copy of a card into a zone. It uses the input "set", with which players correct
// the table by hand. It tries one zone after another until the copy is visible. If no zone
// makes it visible, lay returns false.
func (r *rehearsal) lay(copied string) bool {
	view := r.match.View()
	for _, zone := range slices.Concat(view.Seats[0].Zones, view.Zones) {
		if r.applyLine(string(rehearsalSeat)+" set "+copied+" "+zone.Name) != nil {
			continue
		}
		now := r.match.View()
		for _, open := range slices.Concat(now.Seats[0].Zones, now.Zones) {
			if slices.ContainsFunc(open.Cards, func(c engine.Card) bool { return c.ID() == copied }) {
				return true
			}
		}
	}
	return false
}

// setups returns the setups of an edition in which to look for a card: one for each ready-made
// pool, one setup with all boxes, and one for each box alone.
//
// All of these setups are in the list twice. In the first half, made-up cards replace the
// cards that nobody has entered. The second half has no made-up cards, because a made-up card
// may stand in for the very card that is wanted.
func setups(info engine.Info, lines []string) (all []engine.Setup) {
	base := engine.Setup{Game: info.Name, Begin: rehearsalBegin, Definitions: lines, Options: map[string]string{},
		Seats: []engine.Player{{Seat: rehearsalSeat}, {Seat: "blue"}}, First: rehearsalSeat}
	for _, data := range []string{"stand-in", "known"} {
		one := base
		one.Options = map[string]string{}
		for _, o := range info.Options {
			switch {
			case o.Name == "data" && slices.Contains(o.Values, data):
				one.Options[o.Name] = data
			case o.Name == "guide":
				one.Options[o.Name] = "off"
			}
		}
		for _, pool := range info.Pools {
			with := one
			with.Pools = []engine.Pool{{Seat: rehearsalSeat, Card: pool}}
			all = append(all, with)
		}
		all = append(all, one)
		for _, o := range info.Options {
			for i := 0; o.List && i < len(o.Values); i++ {
				mixed := one
				mixed.Options = maps.Clone(one.Options)
				mixed.Options[o.Name] = o.Values[i]
				all = append(all, mixed)
			}
		}
	}
	return all
}

// newRehearsal deals a match until a copy of the card is in the hand. It returns the rehearsal
// and this copy. If the card is never dealt into the hand, newRehearsal returns a copy from
// elsewhere, which the method begin puts into the hand later. If no match of the edition has
// the card, the rehearsal is nil.
func newRehearsal(game engine.Game, card string, lines []string) (r *rehearsal, copied string) {
	for _, setup := range setups(game.Info(), lines) {
		match, err := engine.NewMatch(game, setup)
		if err != nil {
			continue
		}
		r := &rehearsal{game: game, match: match, rng: rand.New(rand.NewPCG(1, 0))}
		if copied := r.deal(card); copied != "" {
			return r, copied
		}
	}
	return nil, ""
}

// deal deals again and again until a copy of the card is in the hand, but at most maxDeals
// times. It returns this copy. If no deal brings the card into the hand, deal returns a copy
// that is somewhere else. If there is no such copy, it returns "".
func (r *rehearsal) deal(card string) (copied string) {
	hand, isThere := string(rehearsalSeat)+"/hand", false
	for seed := range uint64(maxDeals) {
		dealer := engine.NewDealer(r.match.State(), rand.New(rand.NewPCG(seed, 0)))
		for _, p := range dealer.Piles() {
			i := slices.IndexFunc(p.Cards, func(id string) bool { kind, _ := engine.SplitCopy(id); return kind == card })
			if i < 0 {
				continue
			}
			isThere = true
			seat, _, owned := strings.Cut(p.Place, "/")
			if mine := !owned || seat == string(rehearsalSeat); p.Place == hand || mine && r.dealer == nil {
				r.dealer, copied = dealer, p.Cards[i]
			}
			if p.Place == hand {
				return copied
			}
		}
		if !isThere {
			return ""
		}
	}
	return copied
}

// begin applies the inputs. If there are no inputs, the program plays by itself until the card
// may be played. If the card is not in the hand, the program first puts it there.
func (r *rehearsal) begin(card string, inputs []string) error {
	for _, line := range inputs {
		if err := r.applyLine(line); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	for range maxLeadInputs {
		if len(inputs) > 0 || r.isPlayable(card) {
			return nil
		}
		if !slices.Contains(r.dealer.Cards(string(rehearsalSeat)+"/hand"), card) &&
			r.applyLine(string(rehearsalSeat)+" set "+card+" hand") == nil {
			continue
		}
		if !r.lead() {
			return nil // no input is accepted: the card does not fit in this edition
		}
	}
	return nil
}

// explain returns an error that says what players read if err is a refusal, and otherwise err.
func (r *rehearsal) explain(err error, lang engine.Lang) error {
	refusal, ok := engine.AsRefusal(err)
	if !ok {
		return err
	}
	view := r.match.View()
	return errors.New(r.match.Words().Say(lang, refusal.Text, view.Names()))
}

// isPlayable reports whether the card is in the hand and may be played now. The card may be
// played if playing it is one of the answers that the match asks for.
func (r *rehearsal) isPlayable(card string) bool {
	hand := string(rehearsalSeat) + "/hand"
	if !slices.Contains(r.dealer.Cards(hand), card) {
		return false
	}
	return slices.ContainsFunc(r.match.View().Prompts, func(p engine.Prompt) bool {
		return slices.ContainsFunc(p.Options, func(o engine.Answer) bool {
			return o.Zone == hand || o.Input == string(rehearsalSeat)+" tap "+card
		})
	})
}

// lead gives one answer to a question of the match, and reports whether the match accepted an
// answer. Where "no" is a possible answer, lead answers no. Otherwise it throws the dice, or
// tries the answers in order.
func (r *rehearsal) lead() bool {
	for _, p := range r.match.View().Prompts {
		if slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return strings.HasSuffix(o.Input, " key no") }) &&
			r.applyLine(string(p.Seat)+" key no") == nil {
			return true
		}
		if p.Roll != nil && r.applyLine(string(p.Seat)+" key roll") == nil {
			return true
		}
		for _, o := range p.Options {
			if o.Zone == "" && r.applyLine(o.Input) == nil {
				return true
			}
			for _, id := range r.dealer.Cards(o.Zone) {
				if o.Zone != "" && r.applyLine(o.Input+" "+id) == nil {
					return true
				}
			}
		}
	}
	return false
}

// applyLine applies an input that is given as a line of text. If a tap names a place instead
// of a card, the top card of the place is tapped. If the input is the key "roll", the program
// throws the dice.
func (r *rehearsal) applyLine(line string) error {
	in, err := engine.ParseInput(line)
	if err != nil {
		return err
	}
	in.At = 0
	for _, p := range r.match.View().Prompts {
		if in.Verb == engine.Key && in.Arg(0) == "roll" && p.Roll != nil && len(p.Roll.Faces) > 0 {
			in = engine.Input{Seat: p.Seat, Verb: engine.Roll}
			for range p.Roll.N {
				in.Args = append(in.Args, p.Roll.Faces[r.rng.IntN(len(p.Roll.Faces))])
			}
			break
		}
	}
	if cards := r.dealer.Cards(in.Arg(0)); in.Verb == engine.Tap && len(cards) > 0 {
		in.Args = []string{cards[0]}
	}
	step, err := r.match.Apply(in)
	if err != nil {
		return err
	}
	_ = r.dealer.Follow(step) // the error names a card that "set" took from elsewhere
	r.inputs = append(r.inputs, step.Input)
	r.history.Seq++
	r.history.Record(slices.Clone(step.Events))
	return nil
}

// show returns the state of the rehearsal for its page, with the texts in the given language.
func (r *rehearsal) show(painter *panel.Painter, lang engine.Lang) (made RehearsalState, err error) {
	words := r.match.Words()
	f := engine.Frame{View: words.SpeakView(lang, r.match.View()), Words: words, Lang: lang}
	f.Status.Keeping = true // otherwise the panel says that nothing is saved
	made = RehearsalState{Game: r.game.Info().Name, Inputs: []string{}, View: f.View,
		History: core.Speak(r.history.Entries, f),
		Piles:   []core.HiddenPile{}}
	for _, in := range r.inputs {
		made.Inputs = append(made.Inputs, in.Command())
	}
	describe := func(string) string { return "" }
	if d, ok := r.match.State().(engine.Describer); ok {
		describe = func(id string) string { return core.SayLines(f, d.Describe(id)) }
	}
	for _, p := range r.dealer.Piles() {
		made.Piles = append(made.Piles, core.SpokenPile(f, p, describe))
	}
	picture, err := core.AsPNG(painter.Draw(f, rehearsalPanelSize))
	made.Panel = core.DataURL(picture.Kind, picture.Data)
	return made, err
}
