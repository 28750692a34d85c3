package device

import (
	"io"

	"tableside/engine"
)

// Lock makes the data folder if necessary and locks it, for a program that runs no table.
// Closing the result unlocks the folder. An error tells the owner that the folder is in use or
// cannot be written.
func Lock(dir string) (io.Closer, error) {
	s, err := openStore(dir, engine.English)
	if err != nil {
		return nil, err
	}
	return s.lock, nil
}
