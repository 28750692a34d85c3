// Package engine is the heart of Tableside. What happens at the table is a list of inputs, and
// the package computes everything else from this list.
//
// A [Game] holds the immutable rules of one edition. [Game.New] makes the [State] of one
// match. A [Match] folds inputs: it applies them to the state in order, with undo and redo. A
// [Frame] holds what displays draw: the [View] of the match, the [Event]s that led to the
// view, and the [Status] of the table.
//
// The package is pure: it has no clock, no goroutine, no input or output, and no global source
// of chance. The time comes from [Input.At], and chance comes from rolls in the inputs.
package engine
