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
// register (8.1.2.2). Writing several registers therefore needs several transactions, but only
// one system call.
type wire struct {
	conn spi.Conn
	out  [1 + fifoSize + 16]byte
	in   [1 + fifoSize]byte
	used int

	// packets holds the queue, at most four packets, because periph's sysfs-spi (host v3.8.5)
	// allocates memory for more.
	packets [4]spi.Packet
	queued  int
	err     error
}

// set queues a write of one register.
func (w *wire) set(reg, value byte) {
	w.out[w.used], w.out[w.used+1] = reg<<1, value
	w.queue(2)
}

// fill queues a write of bytes into the FIFO.
func (w *wire) fill(b []byte) {
	w.out[w.used] = regFIFOData << 1
	n := 1 + copy(w.out[w.used+1:], b)
	w.queue(n)
}

func (w *wire) queue(n int) {
	w.packets[w.queued] = spi.Packet{W: w.out[w.used : w.used+n]}
	w.used += n
	if w.queued++; w.queued == len(w.packets) {
		w.send()
	}
}

func (w *wire) send() {
	if w.queued > 0 && w.err == nil {
		w.err = w.conn.TxPackets(w.packets[:w.queued])
	}
	w.queued, w.used = 0, 0
}

// flush sends the queue and returns the first error since the last flush.
func (w *wire) flush() error {
	w.send()
	err := w.err
	w.err = nil
	return err
}

// read sends the queue and then reads registers in one transaction. The values are valid until
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
