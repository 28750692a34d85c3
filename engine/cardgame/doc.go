// Package cardgame holds what every game with real, tagged cards does at this table. It names
// the places where cards lie, keeps the beliefs about hidden cards, asks questions, and takes
// the answers. The rules stay in the games, as plain functions under the headings of their
// rulebooks. The package has no phases and no effects. docs/decisions/0008 gives the reasons.
package cardgame
