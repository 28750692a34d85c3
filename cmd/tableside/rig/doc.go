// Package rig opens the hardware of a configuration. Ports are the buses and pins of the
// computer. Parts are the readers, keys, panel, screens, lights and buzzer that are connected
// to them. A Rig connects the parts to a table. Each part opens itself when the table runs it,
// so if one is missing, only its own health shows that. Record writes the traffic of the ports
// on a tape; Replay replays a tape through the drivers.
//
// The command run uses a Rig on a Raspberry; package bench has emulated chips behind the same
// Ports; package doctor tests the Parts one by one.
package rig
