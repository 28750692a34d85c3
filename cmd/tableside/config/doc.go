// Package config reads the configuration of a table, checks it once and hands it
// on as plain values: docs/configuration.md tells what each key means. What
// cannot be is an *Error with file, line, key and a hint. Claims says which part
// wants which pin or address, so that two that want the same are found before
// anything is touched.
//
// The commands load it, rig opens what it wires, doctor compares it with the
// computer. It knows no game: whether a match can begin is asked in cmd/tableside.
package config
