package mfrc522

import "periph.io/x/conn/v3/spi"

// readBit is the bit of an address that asks the chip for the register's value. In an address
// on the wire (8.1.2.3), bits 6 to 1 are the number of the register, and bit 0 is 0.
const readBit = 0x80

// A wire holds the connection to the chip and the buffers of this connection. Using a wire
// allocates nothing.
//
// A reading transaction can read any registers, because each byte that is sent is the address
// of the next register to read (8.1.2.1). In a writing transaction, all bytes go to one
// register (8.1.2.2).
type wire struct {
	conn spi.Conn
	out  [1 + fifoSize]byte
	in   [1 + fifoSize]byte
	err  error // the first one of a write since the last flush
}

func (w *wire) set(reg, value byte) {
	w.out[0], w.out[1] = reg<<1, value
	w.write(2)
}

// fill writes bytes into the FIFO.
func (w *wire) fill(b []byte) {
	w.out[0] = regFIFOData << 1
	w.write(1 + copy(w.out[1:], b))
}

func (w *wire) write(n int) {
	if w.err == nil {
		w.err = w.conn.Tx(w.out[:n], nil)
	}
}

// flush returns the first error of a write since the last flush.
func (w *wire) flush() error {
	err := w.err
	w.err = nil
	return err
}

// read reads registers in one transaction, unless a write has failed. The values are valid until
// the next read.
func (w *wire) read(regs []byte) ([]byte, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	n := len(regs)
	for i, reg := range regs {
		w.out[i] = readBit | reg<<1
	}
	w.out[n] = 0
	if err := w.conn.Tx(w.out[:n+1], w.in[:n+1]); err != nil {
		return nil, err
	}
	return w.in[1 : n+1], nil
}

// drain reads n bytes from the FIFO.
func (w *wire) drain(n int) ([]byte, error) {
	return w.read(fifoReads[:n])
}

var fifoReads = func() (regs [fifoSize]byte) {
	for i := range regs {
		regs[i] = regFIFOData
	}
	return regs
}()
