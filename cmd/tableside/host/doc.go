// Package host runs a table from the start of the program to its end. A table has a page, a
// broker and hardware. The commands demo and run each run a [Host]. The command join asks for
// the address of a Host.
package host
