// Package cardgame holds what every game with real, tagged cards does at this
// table: it names the places where cards lie, keeps the beliefs about hidden
// ones, asks questions, and takes the answers. The rules stay in the games, as
// plain functions under the headings of their rulebooks; the kit has no phases
// and no effects. docs/decisions/0008 says why.
package cardgame
