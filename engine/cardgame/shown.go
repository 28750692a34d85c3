package cardgame

import (
	"slices"

	"tableside/engine"
)

// A ViewCache keeps the views of a pile's cards for the next view of the match. Successive views
// of the match share these card views, because most inputs change no pile or add only one
// card. The zero value is ready for use.
type ViewCache struct{ cards []engine.Card }

// Cards returns the views of n cards. The callback returns the view of the card with the given
// index. No card may lie under these cards or be attached to them. Callers must not change the
// result.
func (v *ViewCache) Cards(n int, view func(i int) engine.Card) []engine.Card {
	same := 0
	for same < min(n, len(v.cards)) && looksLike(&v.cards[same], view(same)) {
		same++
	}
	switch {
	case n == 0:
		return []engine.Card{}
	case same == n:
		return v.cards[:n:n]
	}
	list := v.cards
	if same < len(list) { // earlier views still show the cards after these
		list = slices.Clip(list[:same])
	}
	for i := same; i < n; i++ {
		list = append(list, view(i))
	}
	v.cards = list
	return list[:n:n]
}

// looksLike reports whether two cards look alike. Neither card may have other cards under it
// or attached to it.
func looksLike(a *engine.Card, b engine.Card) bool {
	return a.Kind == b.Kind && a.Copy == b.Copy && slices.Equal(a.State, b.State) &&
		slices.Equal(a.Counters, b.Counters) && slices.Equal(a.Keywords, b.Keywords)
}
