package main

// wholeTable is a configuration with a bit of everything.
const wholeTable = "config/testdata/table.toml"

// repository is seen from this folder.
const repository = "../.."

func noEnv(string) string { return "" }
