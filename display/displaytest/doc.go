// Package displaytest helps to test displays. It has sample frames like those of games, frames
// that no game would make, golden pictures, and a check that words do not overlap.
package displaytest
