package device

import (
	"io"
)

// Lock locks the data folder for a program that runs no table. If there is no such folder,
// Lock makes it. Closing the result unlocks the folder. An error tells the owner that the
// folder is in use or cannot be written.
func Lock(dir string) (io.Closer, error) {
	s, err := openStore(dir)
	if err != nil {
		return nil, err
	}
	return s.lock, nil
}
