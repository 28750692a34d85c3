// Package config reads the configuration of a table, checks it once and returns it as plain
// values. docs/configuration.md documents every key. An invalid value is an *Error with file,
// line, key and a hint. Claims lists the pins and addresses of each part, so that conflicts
// are found before any device is touched.
//
// The commands load the configuration. Package rig opens the parts in the configuration, and
// package doctor compares the configuration with the computer. Package config imports no game.
// The commands in cmd/tableside check whether a match can begin.
package config
