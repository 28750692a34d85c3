package evening

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"tableside/engine"
)

// A Brief describes an evening in the list of all evenings.
type Brief struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Format  string    `json:"format"` // swiss, round-robin, knock-out, free
	Game    string    `json:"game"`   // title of the game; "" if all count
	Size    int       `json:"size"`   // seats of a table
	Begin   time.Time `json:"begin"`
	Over    bool      `json:"over"`
	Players int       `json:"players"` // how many came
	Round   int       `json:"round"`   // the running one; 0 before the first
	Missing int       `json:"missing"` // results that the running round still lacks
	Last    bool      `json:"last"`    // no further round follows the running one
	Best    int       `json:"best"`    // 3 where two wins decide, else 1
	Minutes int       `json:"minutes"` // of a round; 0 without a clock
}

// A View holds all the facts about an evening that a page shows.
type View struct {
	Brief
	Seq       int        `json:"seq"`  // counts the changes
	Undo      string     `json:"undo"` // first word of the change that undo takes back; "" for none
	Redo      bool       `json:"redo"`
	Damage    int        `json:"damage"` // first unreadable line of the journal; 0 for none
	People    []Player   `json:"people"` // in the order in which they came
	Tables    []Table    `json:"tables"`
	Rounds    []Round    `json:"rounds"`
	Aside     []Aside    `json:"aside"` // results set aside, about which somebody must decide
	TieBreaks []string   `json:"tiebreaks"`
	Standings []Standing `json:"standings"`
}

// List describes all evenings, the newest first.
func (b *Book) List() []Brief {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := []Brief{}
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(b.evenings))) {
		all = append(all, b.evenings[id].brief())
	}
	return all
}

func (k *keptEvening) brief() Brief {
	s := k.state()
	game := s.Game
	if game == anyGame {
		game = ""
	}
	return Brief{ID: k.id, Name: s.Name, Format: s.Format, Game: game, Size: s.Size, Begin: s.Begin.UTC(), Over: s.Over,
		Players: len(s.Players), Round: len(s.Rounds), Missing: s.Missing(), Last: s.Last(), Minutes: s.Minutes,
		Best: map[bool]int{true: 3, false: 1}[s.BestOfThree]}
}

// View returns an evening, or ErrNotFound. Its lists are shared and must not be changed.
func (b *Book) View(id string) (*View, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.evenings[id]
	if k == nil {
		return nil, ErrNotFound
	}
	if k.cachedView == nil {
		k.cachedView = k.view()
	}
	return k.cachedView, nil
}

func (k *keptEvening) view() *View {
	s := k.state()
	v := &View{Brief: k.brief(), Seq: k.match.Seq(), Redo: len(k.undone) > 0, Damage: k.damage,
		People: append([]Player{}, s.Players...), Tables: append([]Table{}, s.Tables...), Rounds: []Round{}, Aside: []Aside{}, TieBreaks: s.TieBreaks(), Standings: s.Standings()}
	if change, _ := k.newestChange(); len(change) > 0 {
		v.Undo = change[0].Arg(0)
	}
	for _, r := range s.Rounds {
		r.Pairings = slices.Clone(r.Pairings) // which may change, while their results never do
		v.Rounds = append(v.Rounds, r)
	}
	for _, a := range s.Aside {
		if !a.Done {
			v.Aside = append(v.Aside, a)
		}
	}
	return v
}

// A Seating is an evening as one player sees it. It says where and with whom the player sits
// in the running round. It also has the result there and the player's standing.
type Seating struct {
	Name      string    `json:"name"` // of the evening
	Player    string    `json:"player"`
	Out       bool      `json:"out"`
	Over      bool      `json:"over"`
	Round     int       `json:"round"`     // 0 before the first
	Seated    bool      `json:"seated"`    // whether the player has a place in that round
	Table     string    `json:"table"`     // "" for none
	Board     int       `json:"board"`     // of the pairing
	First     bool      `json:"first"`     // whether the player begins
	Opponents []string  `json:"opponents"` // none for a bye
	Place     int       `json:"place"`     // of the player, in the result; 0 without one
	Places    []int     `json:"places"`    // of the opponents; empty without a result
	Standing  *Standing `json:"standing"`
	Of        int       `json:"of"` // how many players the evening has
}

// Seating returns an evening as one player sees it. player is the number of the player. If the
// evening or the player is unknown, Seating returns ErrNotFound.
func (b *Book) Seating(id string, player int) (Seating, error) {
	v, err := b.View(id)
	if err != nil || player < 1 || player > len(v.People) {
		return Seating{}, cmp.Or(err, ErrNotFound)
	}
	me := v.People[player-1]
	s := Seating{Name: v.Name, Player: me.Name, Out: me.Out, Over: v.Over, Round: v.Round, Opponents: []string{},
		Places: []int{}, Of: len(v.People)}
	for i := range v.Standings {
		if v.Standings[i].Player == player {
			s.Standing = &v.Standings[i]
		}
	}
	if v.Round == 0 {
		return s, nil
	}
	for i, p := range v.Rounds[v.Round-1].Pairings {
		at := slices.Index(p.Players, player)
		if at < 0 {
			continue
		}
		s.Seated, s.Table, s.Board, s.First = true, p.Table, i+1, at == 0 && len(p.Players) > 1
		for j, other := range p.Players {
			switch {
			case j == at && p.Result != nil:
				s.Place = p.Result.Places[j]
			case j != at:
				s.Opponents = append(s.Opponents, v.People[other-1].Name)
				if p.Result != nil {
					s.Places = append(s.Places, p.Result.Places[j])
				}
			}
		}
	}
	return s, nil
}

// Said returns the text of an error in a language. refused reports whether the error is a
// refusal or an error in a setup. After such an error, people can try another way.
func Said(err error, lang engine.Lang) (text string, refused bool) {
	if r, ok := engine.AsRefusal(err); ok {
		return engine.Merge(engine.CoreWords(), Words()).Say(lang, r.Text, nil), true
	}
	_, refused = errors.AsType[*engine.SetupError](err)
	return engine.SayFault(err, Rules{}, lang), refused
}
