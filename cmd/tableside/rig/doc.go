// Package rig opens the hardware of a configuration. Ports are the buses and pins of the
// computer. Parts are the readers, keys, panel, screens, lights and buzzer that are connected
// to the ports. A Rig connects the parts to a table. Each part opens itself when the table
// runs the part. So if a part is missing, only the health of this part shows the fault.
//
// Record writes the traffic of the ports on a tape. Replay replays a tape through the drivers.
//
// The command "run" uses a Rig on a Raspberry. Package bench has emulated chips behind the
// same Ports. Package doctor tests the Parts one by one.
package rig
