// Package enginetest tests games: [Promises] checks what all games promise, with
// random players who hold the hidden cards; [RunScripts] plays rules written as
// conversations; and benchmarks measure the fold.
package enginetest
