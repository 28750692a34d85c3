// Package cardgame holds what every game with real, tagged cards does at this
// table: it names the places where cards lie, keeps what is known of hidden
// ones, asks questions, and takes the answers. The rules stay in the games, as
// plain functions under the headings of their rulebooks; the kit knows no
// phase and no effect. docs/decisions/0008 tells why.
package cardgame
