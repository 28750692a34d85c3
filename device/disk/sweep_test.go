package disk

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestSweepWhileWriting checks that a sweep takes no file from under a write.
func TestSweepWhileWriting(t *testing.T) {
	dir, done := t.TempDir(), make(chan struct{})
	var sweeps sync.WaitGroup
	for range 2 {
		sweeps.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				files, _ := filepath.Glob(filepath.Join(dir, ".tags-*"))
				for _, file := range files {
					if err := sweepFile(file); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for range 1000 {
		f, err := createTemporary(dir, ".tags-*")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Remove(f.Name()), f.Close()); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	sweeps.Wait()
}
