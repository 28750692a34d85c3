// Package displaytest helps the tests of what draws frames: samples as games
// make them, frames that no game would make, golden pictures, and the proof
// that words stand apart.
package displaytest
