// Package bench replaces the hardware of a table. Chips is the equipment of demo --chips:
// emulated chips behind the ports of rig, and emulated hands that use them. Simulated is the
// equipment of a plain demo, without drivers. NewTagBench makes one reader for cards learn
// --chips. Tests, also those of doctor, break the chips of a Bench.
package bench
