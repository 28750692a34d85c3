package boot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// These are the numbers of the Network Block Device protocol, by which QEMU reaches a disk.
// See doc/proto.md of the NBD project, sections "Newstyle negotiation" and "Transmission".
const (
	nbdMagic   = 0x4e42444d41474943 // "NBDMAGIC"
	nbdOption  = 0x49484156454f5054 // "IHAVEOPT"
	nbdReply   = 0x0003e889045565a9
	nbdRequest = 0x25609513
	nbdSimple  = 0x67446698

	nbdFixedNewstyle, nbdNoZeroes = 1, 2
	nbdOptGo                      = 7
	nbdRepAck, nbdRepInfo         = 1, 3
	nbdRepUnsupported             = 1<<31 + 1
	nbdInfoExport, nbdInfoBlocks  = 0, 3

	nbdHasFlags, nbdSendFlush = 1, 4

	nbdRead, nbdWrite, nbdDisconnect, nbdFlush = 0, 1, 2, 3

	nbdEIO, nbdEINVAL = 5, 22

	nbdMost = 32 << 20 // bytes of a request: the maximum that a client may assume
)

// Serve serves the disk to one client until the client disconnects. After Cut, Serve sends no
// more replies, like a disk without power. Then Serve only waits for the client to disconnect.
func (d *Disk) Serve(conn net.Conn) error {
	if err := d.greet(conn); err != nil {
		return fmt.Errorf("nbd: %w", err)
	}
	for {
		err := d.serveOne(conn)
		switch {
		case errors.Is(err, errCut):
			_, _ = io.Copy(io.Discard, conn)
			return nil
		case errors.Is(err, io.EOF), err != nil && d.dark():
			return nil // a client killed with the power may reset the connection
		case err != nil:
			return fmt.Errorf("nbd: %w", err)
		}
	}
}

// greet negotiates until the client asks for transmission.
func (d *Disk) greet(conn net.Conn) error {
	if err := send(conn, uint64(nbdMagic), uint64(nbdOption), uint16(nbdFixedNewstyle|nbdNoZeroes)); err != nil {
		return err
	}
	var flags uint32
	if err := binary.Read(conn, binary.BigEndian, &flags); err != nil {
		return err
	}
	for {
		var option struct {
			Magic    uint64
			ID, Size uint32
		}
		if err := binary.Read(conn, binary.BigEndian, &option); err != nil {
			return err
		}
		if option.Magic != nbdOption || option.Size > 4096 {
			return fmt.Errorf("option %d with magic %#x and %d bytes", option.ID, option.Magic, option.Size)
		}
		if _, err := io.CopyN(io.Discard, conn, int64(option.Size)); err != nil { // every export is this disk
			return err
		}
		answer := []any{uint64(nbdReply), option.ID, uint32(nbdRepUnsupported), uint32(0)}
		if option.ID == nbdOptGo {
			answer = []any{
				uint64(nbdReply), option.ID, uint32(nbdRepInfo), uint32(12), // bytes
				uint16(nbdInfoExport), uint64(d.size), uint16(nbdHasFlags | nbdSendFlush),
				uint64(nbdReply), option.ID, uint32(nbdRepInfo), uint32(14),
				uint16(nbdInfoBlocks), uint32(sector), uint32(4096), uint32(nbdMost), // least, best, most
				uint64(nbdReply), option.ID, uint32(nbdRepAck), uint32(0),
			}
		}
		if err := send(conn, answer...); err != nil || option.ID == nbdOptGo {
			return err
		}
	}
}

// send sends numbers, and bytes, in one piece.
func send(conn net.Conn, values ...any) (err error) {
	var b []byte
	for _, v := range values {
		if b, err = binary.Append(b, binary.BigEndian, v); err != nil {
			return err
		}
	}
	_, err = conn.Write(b)
	return err
}

// serveOne handles one request. It returns io.EOF when the client has asked to disconnect.
func (d *Disk) serveOne(conn net.Conn) error {
	var r struct {
		Magic       uint32
		Flags, Type uint16
		Cookie      uint64
		Offset      uint64
		Size        uint32
	}
	if err := binary.Read(conn, binary.BigEndian, &r); err != nil {
		return err
	}
	if r.Magic != nbdRequest || r.Size > nbdMost {
		return fmt.Errorf("request %d with magic %#x and %d bytes", r.Type, r.Magic, r.Size)
	}
	var err error
	var data []byte
	switch r.Type {
	case nbdRead:
		data = make([]byte, r.Size)
		_, err = d.ReadAt(data, int64(r.Offset))
	case nbdWrite:
		written := make([]byte, r.Size)
		if _, err := io.ReadFull(conn, written); err != nil {
			return err
		}
		_, err = d.WriteAt(written, int64(r.Offset))
	case nbdFlush:
		err = d.Flush()
	case nbdDisconnect:
		return io.EOF
	default:
		err = errors.ErrUnsupported
	}
	code := uint32(0)
	switch {
	case errors.Is(err, errCut):
		return err
	case errors.Is(err, errors.ErrUnsupported):
		code, data = nbdEINVAL, nil
	case err != nil:
		code, data = nbdEIO, nil
	}
	return send(conn, uint32(nbdSimple), code, r.Cookie, data)
}
