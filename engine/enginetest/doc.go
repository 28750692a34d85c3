// Package enginetest is what every game is tested with: [Promises] that hold
// for all of them, kept by random players who hold the hidden cards;
// [RunScripts] for rules that read as conversations; and benchmarks of the
// fold.
package enginetest
