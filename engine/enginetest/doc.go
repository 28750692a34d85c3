// Package enginetest tests games. [Promises] checks what all games promise, with random
// players who hold the hidden cards. [RunScripts] plays rules written as conversations. The
// benchmarks measure how fast matches fold.
package enginetest
