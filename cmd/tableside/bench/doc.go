// Package bench replaces the hardware of a table.
//
// Chips is the equipment of demo --chips. It has emulated chips behind the ports of package
// rig, and emulated hands that use the chips. Simulated is the equipment of a plain demo, and
// has no drivers. NewTagBench makes one reader for cards learn --chips. Tests, such as the
// tests of package doctor, break the chips of a Bench.
package bench
