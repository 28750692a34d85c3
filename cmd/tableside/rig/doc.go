// Package rig opens the hardware of a configuration: Ports are the buses and pins
// of the computer, Parts the readers, keys, glass, lights and buzzer on them, and a
// Rig connects the parts to a table. Each part opens itself when the table runs it,
// so a missing one shows in its own health only. Record writes the traffic of the
// ports on a tape, Replay replays a tape through the drivers.
//
// The command run has a Rig on a Raspberry; bench has emulated chips behind the
// same Ports; doctor tests the Parts one by one.
package rig
