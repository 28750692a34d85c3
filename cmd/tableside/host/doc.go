// Package host runs a table: its page, broker and hardware together, from the start
// of the program to its end. The commands demo and run each run a [Host]; join asks
// for the address of one.
package host
