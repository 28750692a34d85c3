// Package cardfile reads the files in which a game describes its cards, and in
// which an owner adds what the box says: a statement a line,
//
//	card killer-bee power 5
//	card killer-bee defeated gain 2 life, then draw a card  # a comment
//
// A game says which words may follow each other: with a Line for the words of
// a statement, with a Parser and tables of Phrases for the plain words of an
// ability. Every mistake is an *engine.SyntaxError at the word at fault, which
// says what could stand there. docs/cards.md describes the files.
package cardfile
