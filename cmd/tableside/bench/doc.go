// Package bench stands in for hardware. Chips is a table on emulated chips behind
// the ports of rig, which demo --chips plays on with emulated hands; Simulated is
// the table of a plain demo, without drivers; a tag bench is one reader for cards
// learn --chips. Tests, also those of doctor, break the chips of a Bench.
package bench
