package mfrc522

import "fmt"

const cloneSuffix = " (a clone of the MFRC522)"

// versions holds the names of chips by the version in VersionReg. Owners of clones reported theirs.
var versions = map[byte]string{
	0x90: "MFRC522 0.0",
	0x91: "MFRC522 1.0",
	0x92: "MFRC522 2.0",
	0x88: "FM17522" + cloneSuffix,
	0x89: "FM17522E" + cloneSuffix,
	0xB2: "FM17522, version B2h" + cloneSuffix,
}

func name(version byte) string {
	if known := versions[version]; known != "" {
		return known
	}
	return fmt.Sprintf("unknown chip, version %02Xh%s", version, cloneSuffix)
}
