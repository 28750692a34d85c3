// Package host runs a table from the start of the program to its end. A table has a page, a
// broker and hardware. Each of the commands "demo" and "run" runs a [Host]. The command "join"
// asks for the address of a Host.
package host
