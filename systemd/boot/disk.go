// Package boot tests an installed table on a whole machine. The machine is Debian for arm64
// with its own kernel and systemd, in QEMU. .ci/boot builds the machine and runs the tests,
// which have the build tag boot. CONTRIBUTING.md says what the tests show and how long they take.
//
// A power cut differs from killing a program, because data in the disk's cache is lost, too.
// So the machine's disk is a [Disk].
package boot

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
)

// sector is the number of bytes that a disk writes either completely or not at all.
const sector = 512

var errCut = errors.New("the power is cut")

// A Disk is a file that behaves like a disk with a write cache. Data is safe only after the
// next Flush. A cut loses some of the unflushed sectors, in any order. The specification of
// virtio's block device allows this loss (5.2.6.2, with VIRTIO_BLK_F_FLUSH negotiated).
type Disk struct {
	// Lying makes the disk report flushes that the disk has not done. In a cut, such a disk
	// loses all of its cache. Lying is the negative control of the tests of power cuts. Set
	// Lying before the disk is used.
	Lying bool

	mu      sync.Mutex
	file    *os.File
	size    int64
	pending map[int64]*[sector]byte // written but not flushed, by number
	cut     bool
	counts  Counts

	armed   *rand.Rand // the next flush cuts the power
	tripped chan error // receives the outcome of that cut
}

// Counts holds the numbers of a disk's writes and flushes, and of the unflushed sectors that a
// cut of the power kept or lost.
type Counts struct {
	Writes, Flushes int
	Kept, Lost      int // unflushed sectors that reached the disk at a cut, and that did not
}

// OpenDisk opens the file as a disk. The size of the file must be a whole number of sectors,
// at least one. Otherwise OpenDisk fails.
func OpenDisk(path string) (*Disk, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	info, err := file.Stat()
	if err == nil && (info.Size() == 0 || info.Size()%sector != 0) {
		err = fmt.Errorf("disk: %s has %d bytes, want a multiple of %d", path, info.Size(), sector)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Disk{file: file, size: info.Size(), pending: map[int64]*[sector]byte{}}, nil
}

// Counts returns the numbers of operations so far.
func (d *Disk) Counts() Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts
}

// ReadAt reads the newest data, flushed or not.
func (d *Disk) ReadAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.check(p, off); err != nil {
		return 0, err
	}
	if _, err := d.file.ReadAt(p, off); err != nil {
		return 0, err
	}
	for at := 0; at < len(p); at += sector {
		if s := d.pending[(off+int64(at))/sector]; s != nil {
			copy(p[at:at+sector], s[:])
		}
	}
	return len(p), nil
}

// WriteAt writes whole sectors to the disk's cache.
func (d *Disk) WriteAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.check(p, off); err != nil {
		return 0, err
	}
	d.counts.Writes++
	for at := 0; at < len(p); at += sector {
		n := (off + int64(at)) / sector
		s := d.pending[n]
		if s == nil {
			s = new([sector]byte)
			d.pending[n] = s
		}
		copy(s[:], p[at:])
	}
	return len(p), nil
}

// check returns an error for a request that the disk cannot serve. The range may be beyond the
// disk, or may not consist of whole sectors. After the power is cut, check returns an error
// for every request.
func (d *Disk) check(p []byte, off int64) error {
	switch {
	case d.cut:
		return errCut
	case off < 0 || off > d.size || int64(len(p)) > d.size-off:
		return fmt.Errorf("disk: %d bytes at %d: the disk has %d: %w", len(p), off, d.size, io.ErrUnexpectedEOF)
	case off%sector != 0 || len(p)%sector != 0:
		return fmt.Errorf("disk: %d bytes at %d are not whole sectors", len(p), off)
	}
	return nil
}

// Flush makes all earlier writes safe. A lying disk only reports that it has done so. After a
// cut, Flush returns errCut. If CutAtFlush has asked for a cut at this flush, Flush cuts the
// power and returns errCut.
func (d *Disk) Flush() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.armed != nil && !d.cut {
		d.tripped <- d.cutNow(d.armed)
	}
	if d.cut {
		return errCut
	}
	d.counts.Flushes++
	if d.Lying {
		return nil
	}
	for n, s := range d.pending {
		if _, err := d.file.WriteAt(s[:], n*sector); err != nil {
			return fmt.Errorf("disk: %w", err)
		}
	}
	clear(d.pending)
	return nil
}

// Cut cuts the power. Which of the unflushed sectors still reach the disk is random: often
// some of them, sometimes all or none. On a lying disk, it is always none. If the power is cut
// already, Cut returns errCut.
func (d *Disk) Cut(chance *rand.Rand) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cut {
		return errCut
	}
	return d.cutNow(chance)
}

// CutAtFlush arranges for a cut at the worst moment. This moment is after the next flush is
// requested and before the flush is done. CutAtFlush returns at once. Its channel receives the
// error of the cut, or nil.
func (d *Disk) CutAtFlush(chance *rand.Rand) <-chan error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed, d.tripped = chance, make(chan error, 1)
	return d.tripped
}

func (d *Disk) cutNow(chance *rand.Rand) error {
	d.cut = true
	luck := []float64{0, 0.25, 0.5, 0.75, 1}[chance.IntN(5)]
	if d.Lying {
		luck = 0
	}
	for n, s := range d.pending {
		if chance.Float64() >= luck {
			d.counts.Lost++
			continue
		}
		d.counts.Kept++
		if _, err := d.file.WriteAt(s[:], n*sector); err != nil {
			return fmt.Errorf("disk: %w", err)
		}
	}
	clear(d.pending)
	return nil
}

func (d *Disk) dark() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cut
}

// Close closes the file. Unflushed data is lost.
func (d *Disk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cut = true
	return d.file.Close()
}
