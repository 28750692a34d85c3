// Package doctor examines what an installation needs: the settings, the clock and
// the supply, the address of the page, the data folder, the broker, and each part
// on the ports that rig opens. Examine returns findings; the command doctor prints
// them. Nothing is changed, and a table that runs keeps its hardware.
package doctor
