// Package doctor checks everything that an installation needs. It checks the configuration,
// the clock and the supply, the address of the page, the data folder, the broker, and each
// part on the ports of package rig.
//
// Examine returns findings, which the command doctor prints. Examine changes nothing, and does
// not touch the hardware of a running table.
package doctor
