// Package rig opens what a configuration wires: Ports are the buses and pins of
// the computer, Parts the readers, keys, glass, lights and buzzer on them, and a
// Rig connects them to a table. Each part opens itself when the table runs it, so
// that one that is missing is the health of one part. Record writes what passes
// over the ports on a tape, Replay plays a tape to the drivers.
//
// The command run has a Rig on a Raspberry; bench has emulated chips behind the
// same Ports; doctor asks the Parts one by one.
package rig
