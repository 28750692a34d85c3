// Package engine is the heart of Tableside: what happens at the table is a
// list of inputs, and everything else is computed from it.
//
// A [Game] holds the immutable rules of one edition; [Game.New] makes the
// [State] of one match; [Match] folds inputs over it, with undo and redo. A
// [Frame] holds what displays draw: the [View] of the match, the [Event]s that
// led to it and the [Status] of the table.
//
// The package is pure: no clock, no goroutine, no input or output, no global
// source of chance. Time arrives as [Input.At]; chance arrives as a roll.
package engine
