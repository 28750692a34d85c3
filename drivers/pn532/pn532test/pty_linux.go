package pn532test

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// A PTY is the chip's serial interface as a terminal of the operating system. It serves
// programs that open a serial port by its path.
type PTY struct {
	path   string
	uart   *UART
	master *os.File
	slave  *os.File // keeps the terminal and its settings between two programs
	pumps  sync.WaitGroup
}

// PTY connects the chip's serial interface to a new terminal. The caller must close the PTY,
// which ends its two goroutines. If the chip is unplugged, the terminal is silent but reports
// no error.
func (c *Chip) PTY() (*PTY, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, fmt.Errorf("pn532test: pty: %w", err)
	}
	path, err := unlock(master)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pn532test: pty: %w", err), master.Close())
	}
	slave, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pn532test: pty: %w", err), master.Close())
	}
	p := &PTY{path: path, uart: c.UART(), master: master, slave: slave}
	p.pumps.Go(p.toChip)
	p.pumps.Go(p.fromChip)
	return p, nil
}

// unlock unlocks the slave end of a pseudo-terminal, which programs open, and returns the path
// of this end. It also makes the terminal carry bytes unchanged. The caller passes the master
// end.
func unlock(master *os.File) (path string, err error) {
	raw, err := master.SyscallConn()
	if err != nil {
		return "", err
	}
	control := raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err != nil {
			return
		}
		var n uint32
		if n, err = unix.IoctlGetUint32(int(fd), unix.TIOCGPTN); err != nil {
			return
		}
		path = fmt.Sprintf("/dev/pts/%d", n)
		var t *unix.Termios
		if t, err = unix.IoctlGetTermios(int(fd), unix.TCGETS); err != nil {
			return
		}
		t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
		t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B115200
		t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
		err = unix.IoctlSetTermios(int(fd), unix.TCSETS, t)
	})
	return path, errors.Join(control, err)
}

// Path returns the path that a program opens, such as "/dev/pts/3".
func (p *PTY) Path() string { return p.path }

// Close closes the terminal and waits for its goroutines.
func (p *PTY) Close() error {
	err := errors.Join(p.uart.Close(), p.master.Close(), p.slave.Close())
	p.pumps.Wait()
	return err
}

func (p *PTY) toChip() {
	buf := make([]byte, maxFrame)
	for {
		n, err := p.master.Read(buf)
		if err != nil {
			return
		}
		_, _ = p.uart.Write(buf[:n]) // an unplugged chip does not receive it
	}
}

func (p *PTY) fromChip() {
	buf := make([]byte, maxFrame)
	for {
		n, err := p.uart.Read(buf)
		if errors.Is(err, errUnplugged) {
			<-p.uart.c.changed
			continue
		}
		if err != nil {
			return
		}
		if _, err := p.master.Write(buf[:n]); err != nil {
			return
		}
	}
}
