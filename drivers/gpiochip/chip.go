//go:build linux

package gpiochip

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/warthog618/go-gpiocdev"
	"github.com/warthog618/go-gpiocdev/uapi"
	"golang.org/x/sys/unix"
)

// Chip names a GPIO chip of the kernel by its label. It finds the chip each time that lines
// are requested, because the number of a chip differs between models and kernels. For example,
// the pins of a Pi 5 were gpiochip4, then gpiochip0. The labels of different models differ
// only towards the end, so that a pattern can match them all.
type Chip struct {
	Label    string // with wildcards as in path.Match; "" is "pinctrl-*", the header of every Raspberry Pi
	Consumer string // the name that others see on a taken line, up to 31 bytes; "" is "tableside"
}

// String returns the label.
func (c *Chip) String() string { return cmp.Or(c.Label, "pinctrl-*") }

// Request takes several lines together and returns one file descriptor for all of them. The
// caller closes the descriptor. queue is the number of edges that the kernel should queue for
// this request. If queue is 0, the kernel chooses the number.
//
// If somebody holds one of the lines, the error is a *BusyError. If the chip is missing, the
// error wraps ENODEV.
func (c *Chip) Request(lines []int, config *uapi.LineConfig, queue int) (int, error) {
	chip, err := c.find()
	if err != nil {
		return -1, err
	}
	defer chip.Close()
	for _, line := range lines {
		if line >= chip.Lines() {
			return -1, fmt.Errorf("no line %d: %s (%s) has %d", line, chip.Label, chip.Name, chip.Lines())
		}
	}
	fd, err := c.take(chip.Name, lines, config, queue)
	if errors.Is(err, unix.EBUSY) {
		if all, err := c.Holders(lines); err == nil {
			for _, busy := range all {
				if busy != nil {
					return -1, busy
				}
			}
		}
	}
	if err != nil {
		return -1, fmt.Errorf("take lines of %s (%s): %w", chip.Label, chip.Name, err)
	}
	return fd, nil
}

// Holders returns the holder of each line, or nil for a free line. The holder may be this
// program. Holders does not touch the lines.
func (c *Chip) Holders(lines []int) ([]*BusyError, error) {
	chip, err := c.find()
	if err != nil {
		return nil, err
	}
	defer chip.Close()
	all := make([]*BusyError, len(lines))
	for i, line := range lines {
		info, err := chip.LineInfo(line)
		if err != nil {
			return nil, fmt.Errorf("look at line %d of %s (%s): %w", line, chip.Label, chip.Name, err)
		}
		if info.Used {
			all[i] = &BusyError{Line: line, Consumer: info.Consumer}
		}
	}
	return all, nil
}

// find opens the first chip whose label matches. The caller closes the chip. If no label
// matches and every chip could be opened, the error wraps ENODEV.
func (c *Chip) find() (*gpiocdev.Chip, error) {
	var failed error
	var others []string
	for _, name := range gpiocdev.Chips() {
		chip, err := gpiocdev.NewChip(name, gpiocdev.WithABIVersion(2))
		if errors.Is(err, gpiocdev.ErrNotCharacterDevice) {
			continue // a link, as Pi OS makes for old programs
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if match, _ := path.Match(c.String(), chip.Label); match {
			return chip, nil
		}
		others = append(others, chip.Label)
		chip.Close()
	}
	if failed != nil {
		return nil, fmt.Errorf("no GPIO chip %s: %w", c, failed)
	}
	if len(others) > 0 {
		return nil, fmt.Errorf("no GPIO chip %s, but %s: %w", c, strings.Join(others, ", "), unix.ENODEV)
	}
	return nil, fmt.Errorf("no GPIO chip: %w", unix.ENODEV)
}

// take requests the lines of the chip called name and returns their file descriptor.
func (c *Chip) take(name string, lines []int, config *uapi.LineConfig, queue int) (int, error) {
	f, err := os.OpenFile("/dev/"+name, os.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	defer f.Close()
	request := uapi.LineRequest{Lines: uint32(len(lines)), EventBufferSize: uint32(queue), Config: *config}
	for i, line := range lines {
		request.Offsets[i] = uint32(line)
	}
	copy(request.Consumer[:len(request.Consumer)-1], cmp.Or(c.Consumer, "tableside"))
	if err := uapi.GetLine(f.Fd(), &request); err != nil {
		return -1, err
	}
	unix.CloseOnExec(int(request.Fd))
	return int(request.Fd), nil
}
