package device

import (
	"io"

	"tableside/engine"
)

// Lock makes the data folder of a program without a table, and locks it until Close. An error
// tells the owner that the folder is in use or cannot be written.
func Lock(dir string) (io.Closer, error) {
	s, err := openStore(dir, engine.English)
	if err != nil {
		return nil, err
	}
	return s.lock, nil
}
