package cards

import (
	"errors"
	"net/http"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/cardfile"
)

// A PickOrder says what a form does with the effects of a card: with a field of the lines that
// begin with Line, such as "play" of "card". Printed is what is printed on the card; "" if nobody
// wants to know what it may mean.
type PickOrder struct {
	Game, Line, Field, Printed string
	cardfile.Order
}

// A PickAnswer is an ability after an order. Unread says that the text of the order is no
// sentence of the game's table: then it stays as it is.
type PickAnswer struct {
	cardfile.Picked
	Unread  bool              `json:"unread,omitempty"`
	Clauses []cardfile.Clause `json:"clauses,omitempty"` // of what is printed
}

// pick carries out an order about the effects of a card, and keeps nothing.
func (s *Room) pick(w http.ResponseWriter, r *http.Request) (any, error) {
	var ask PickOrder
	if err := core.Decode(w, r, &ask); err != nil {
		return nil, err
	}
	owners, err := s.owners(ask.Game)
	if err != nil {
		return nil, err
	}
	control, _ := owners.Control(ask.Line, ask.Field)
	if control.Table == nil {
		return nil, core.FailWith(http.StatusNotFound, engine.T("files.no-table", "field", core.Printable(ask.Field)))
	}
	var answer PickAnswer
	err = s.Fold(w, r, func() (err error) {
		answer.Clauses = control.Table.Propose(control.Slot, s.LangFor(r), ask.Printed)
		answer.Picked, err = control.Table.Pick(control.Slot, s.LangFor(r), ask.Order)
		return err
	})
	var unread *engine.SyntaxError
	switch {
	case errors.As(err, &unread) && ask.Do == "":
		answer.Unread = true
		return answer, nil
	case errors.As(err, &unread), errors.Is(err, cardfile.ErrPick):
		return nil, core.FailWith(http.StatusBadRequest, engine.T("files.no-pick"))
	}
	return answer, err
}
