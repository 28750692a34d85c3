package config

import (
	"os"
	"strings"
)

// Model returns the computer's model, as the device tree names it. If the computer has no
// device tree, Model returns "". root is "" except in tests, which have a device tree in a
// folder of their own.
func Model(root string) string {
	name, err := os.ReadFile(root + "/proc/device-tree/model")
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(name), "\x00")
}

// IsPi5 reports whether a model has the chips of a Raspberry Pi 5. A Pi 500 has them, too.
func IsPi5(model string) bool {
	return strings.HasPrefix(model, "Raspberry Pi 5") || strings.HasPrefix(model, "Raspberry Pi Compute Module 5")
}
