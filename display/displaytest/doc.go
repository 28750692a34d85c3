// Package displaytest helps to test displays. It has sample frames like those of games, and
// frames that no game would make. It also has golden pictures, and a check that words do not
// overlap.
package displaytest
