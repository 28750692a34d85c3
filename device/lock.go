package device

import (
	"io"

	"tableside/engine"
)

// Lock makes and locks the data folder of a program without a table; closing the result
// unlocks it. An error tells the owner that the folder is in use or cannot be written.
func Lock(dir string) (io.Closer, error) {
	s, err := openStore(dir, engine.English)
	if err != nil {
		return nil, err
	}
	return s.lock, nil
}
