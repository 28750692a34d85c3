package boot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A client uses a disk over NBD, as QEMU does.
type client struct {
	*testing.T
	net.Conn
	served chan error
	cookie uint64
}

const testSectors = 64

// open makes a disk of zeros in a file, and a client whose connection has to end
// without an error.
func open(t *testing.T) (*Disk, *client, string) {
	t.Helper()
	d, c, path := serve(t, func(conn net.Conn) net.Conn { return conn })
	t.Cleanup(func() {
		c.Close()
		if err := <-c.served; err != nil {
			t.Errorf("serving ended with %v", err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, c, path
}

// serve makes a disk of zeros in a file and serves it, over a wrapped
// connection, to a client.
func serve(t *testing.T, wrap func(net.Conn) net.Conn) (*Disk, *client, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(path, make([]byte, testSectors*sector), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDisk(path)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	c := &client{T: t, Conn: ours, served: make(chan error, 1)}
	go func() { c.served <- d.Serve(wrap(theirs)); theirs.Close() }()
	return d, c, path
}

func (c *client) send(values ...any) {
	c.Helper()
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.BigEndian, v); err != nil {
			c.Fatal(err)
		}
	}
	if _, err := c.Write(b.Bytes()); err != nil {
		c.Fatal(err)
	}
}

// want reads the bytes of the values and compares them.
func (c *client) want(values ...any) {
	c.Helper()
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.BigEndian, v); err != nil {
			c.Fatal(err)
		}
	}
	got := make([]byte, b.Len())
	if _, err := io.ReadFull(c, got); err != nil {
		c.Fatal(err)
	}
	if !bytes.Equal(got, b.Bytes()) {
		c.Fatalf("got % X, want % X", got, b.Bytes())
	}
}

func (c *client) greet() {
	c.Helper()
	c.want([]byte("NBDMAGICIHAVEOPT"), uint16(3))
	c.send(uint32(3))
	c.send([]byte("IHAVEOPT"), uint32(8), uint32(0)) // structured replies: not offered
	c.want(uint64(nbdReply), uint32(8), uint32(nbdRepUnsupported), uint32(0))
	c.send([]byte("IHAVEOPT"), uint32(7), uint32(8), uint32(0), uint16(1), uint16(3))
	c.want(uint64(nbdReply), uint32(7), uint32(3), uint32(12), uint16(0), uint64(testSectors*sector), uint16(5))
	c.want(uint64(nbdReply), uint32(7), uint32(3), uint32(14), uint16(3), uint32(512), uint32(4096), uint32(32<<20))
	c.want(uint64(nbdReply), uint32(7), uint32(1), uint32(0))
}

func (c *client) ask(kind uint16, off int64, size int, data []byte) uint64 {
	c.Helper()
	c.cookie++
	c.send(uint32(nbdRequest), uint16(0), kind, c.cookie, off, uint32(size), data)
	return c.cookie
}

func (c *client) write(number int64, value byte) {
	c.Helper()
	cookie := c.ask(nbdWrite, number*sector, sector, bytes.Repeat([]byte{value}, sector))
	c.want(uint32(nbdSimple), uint32(0), cookie)
}

func (c *client) read(number int64, value byte) {
	c.Helper()
	cookie := c.ask(nbdRead, number*sector, sector, nil)
	c.want(uint32(nbdSimple), uint32(0), cookie, bytes.Repeat([]byte{value}, sector))
}

func (c *client) flush() {
	c.Helper()
	cookie := c.ask(nbdFlush, 0, 0, nil)
	c.want(uint32(nbdSimple), uint32(0), cookie)
}

// A cut loses some unflushed sectors, and no others. Each sector is completely old
// or completely new.
func TestDiskLosesWhatWasNotFlushed(t *testing.T) {
	kept, lost := 0, 0
	for seed := range uint64(20) {
		d, c, path := open(t)
		c.greet()
		for n := range int64(20) {
			c.write(n, 1)
		}
		c.flush()
		for n := int64(10); n < 40; n++ {
			c.write(n, 2)
			c.read(n, 2) // it sees its own cache
		}
		c.read(5, 1)
		if err := d.Cut(rand.New(rand.NewPCG(seed, 0))); err != nil {
			t.Fatal(err)
		}
		c.ask(nbdFlush, 0, 0, nil) // a disk without power sends no reply; closing proves it
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for n := range int64(testSectors) {
			got := data[n*sector : (n+1)*sector]
			old := byte(0)
			if n < 20 {
				old = 1
			}
			isNew := bytes.Equal(got, bytes.Repeat([]byte{2}, sector))
			isOld := bytes.Equal(got, bytes.Repeat([]byte{old}, sector))
			if !isOld && (!isNew || n < 10 || n >= 40) {
				t.Fatalf("seed %d: sector %d holds % X…", seed, n, got[:8])
			}
		}
		k := d.Counts()
		if k.Kept+k.Lost != 30 || k.Flushes != 1 || k.Writes != 50 {
			t.Errorf("seed %d: %+v", seed, k)
		}
		kept, lost = kept+k.Kept, lost+k.Lost
		if _, err := d.ReadAt(make([]byte, sector), 0); !errors.Is(err, errCut) {
			t.Errorf("read without power: %v", err)
		}
	}
	if kept == 0 || lost == 0 {
		t.Errorf("%d sectors kept and %d lost in all: want both", kept, lost)
	}
}

// A table writes a line, flushes, and then shows it. On an honest disk a cut loses
// nothing that was shown. The same check must fail if the line is shown before the
// flush, or if the disk lies: otherwise it would prove nothing.
func TestDiskKeepsWhatWasShown(t *testing.T) {
	const lines = 20
	for _, test := range []struct {
		name           string
		flushes, lying bool
		want           func(losses, cuts int) bool
	}{
		{"honest", true, false, func(losses, _ int) bool { return losses == 0 }},
		{"shown before the flush", false, false, func(losses, cuts int) bool { return losses > 0 && losses < cuts }},
		{"lying", true, true, func(losses, cuts int) bool { return losses == cuts }},
	} {
		t.Run(test.name, func(t *testing.T) {
			const cuts = 20
			losses := 0
			for seed := range uint64(cuts) {
				d, c, path := open(t)
				d.Lying = test.lying
				c.greet()
				for n := range int64(lines) {
					c.write(n, 1)
					if test.flushes {
						c.flush()
					}
				}
				for n := range int64(lines) {
					c.read(n, 1) // with power there is no difference
				}
				if err := d.Cut(rand.New(rand.NewPCG(seed, 0))); err != nil {
					t.Fatal(err)
				}
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Count(data, []byte{1}) < lines*sector {
					losses++
				}
			}
			if !test.want(losses, cuts) {
				t.Errorf("%d of %d cuts lost what was shown", losses, cuts)
			}
		})
	}
}

// The power may be cut when a flush is requested; the flush is then not done.
func TestDiskCutAtFlush(t *testing.T) {
	d, c, path := open(t)
	c.greet()
	c.write(1, 1)
	c.flush()
	tripped := d.CutAtFlush(rand.New(rand.NewPCG(luckless, 0)))
	c.write(1, 2)
	select {
	case <-tripped:
		t.Error("a write cut the power")
	default:
	}
	c.ask(nbdFlush, 0, 0, nil)
	if err := <-tripped; err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if k := d.Counts(); data[sector] != 1 || k != (Counts{Writes: 2, Flushes: 1, Lost: 1}) {
		t.Errorf("the sector holds %d, want 1; %+v", data[sector], k)
	}
	if err := d.Cut(rand.New(rand.NewPCG(1, 0))); !errors.Is(err, errCut) {
		t.Errorf("a second cut: %v", err)
	}
}

// luckless is a seed with which no unflushed sector is kept.
const luckless = 0

// A resetting connection ends with a reset, as when QEMU is killed before it has
// read everything.
type resetting struct{ net.Conn }

func (r resetting) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	if err != nil {
		err = &net.OpError{Op: "read", Net: "unix", Err: syscall.ECONNRESET}
	}
	return n, err
}

// After a power cut a client may disconnect in any way; otherwise a reset is an
// error.
func TestDiskClientKilled(t *testing.T) {
	for _, cut := range []bool{true, false} {
		d, c, _ := serve(t, func(conn net.Conn) net.Conn { return resetting{conn} })
		c.greet()
		c.write(1, 1)
		if cut {
			if err := d.Cut(rand.New(rand.NewPCG(1, 0))); err != nil {
				t.Fatal(err)
			}
		}
		c.Close()
		if err := <-c.served; (err == nil) != cut {
			t.Errorf("power cut: %t: serving ended with %v", cut, err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// An impossible request gives the client an error, and the disk goes on.
func TestDiskRefuses(t *testing.T) {
	_, c, _ := open(t)
	c.greet()
	for _, r := range []struct {
		kind uint16
		off  int64
		size int
		code uint32
	}{
		{nbdRead, testSectors * sector, sector, nbdEIO},
		{nbdRead, -sector, sector, nbdEIO},
		{nbdRead, 0, 100, nbdEIO},
		{nbdRead, 1<<63 - sector, sector, nbdEIO},
		{4, 0, sector, nbdEINVAL}, // trim is not offered
	} {
		cookie := c.ask(r.kind, r.off, r.size, nil)
		c.want(uint32(nbdSimple), r.code, cookie)
	}
	c.write(3, 7)
	c.read(3, 7)
	c.ask(nbdDisconnect, 0, 0, nil)
	if _, err := OpenDisk(os.DevNull); err == nil {
		t.Error("a disk without a size was opened")
	}
}
