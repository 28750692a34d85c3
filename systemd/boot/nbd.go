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
	nbdOptAbort, nbdOptGo         = 2, 7
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
		more, err := d.serveOne(conn)
		switch {
		case errors.Is(err, errCut):
			_, _ = io.Copy(io.Discard, conn)
			return nil
		case errors.Is(err, io.EOF), err != nil && d.dark():
			return nil // a client killed with the power may reset the connection
		case err != nil:
			return fmt.Errorf("nbd: %w", err)
		case !more:
			return nil
		}
	}
}

// greet negotiates until the client asks for transmission.
func (d *Disk) greet(conn net.Conn) error {
	hello := binary.BigEndian.AppendUint64(nil, nbdMagic)
	hello = binary.BigEndian.AppendUint64(hello, nbdOption)
	hello = binary.BigEndian.AppendUint16(hello, nbdFixedNewstyle|nbdNoZeroes)
	if _, err := conn.Write(hello); err != nil {
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
		var err error
		switch option.ID {
		case nbdOptGo:
			export := binary.BigEndian.AppendUint16(nil, nbdInfoExport)
			export = binary.BigEndian.AppendUint64(export, uint64(d.size))
			export = binary.BigEndian.AppendUint16(export, nbdHasFlags|nbdSendFlush)
			blocks := binary.BigEndian.AppendUint16(nil, nbdInfoBlocks)
			for _, n := range []uint32{sector, 4096, nbdMost} { // least, best, most
				blocks = binary.BigEndian.AppendUint32(blocks, n)
			}
			return errors.Join(
				say(conn, option.ID, nbdRepInfo, export), say(conn, option.ID, nbdRepInfo, blocks),
				say(conn, option.ID, nbdRepAck, nil))
		case nbdOptAbort:
			return errors.Join(say(conn, option.ID, nbdRepAck, nil), errors.New("the client aborted the negotiation"))
		default:
			err = say(conn, option.ID, nbdRepUnsupported, nil)
		}
		if err != nil {
			return err
		}
	}
}

// say sends the reply to an option.
func say(conn net.Conn, option, kind uint32, data []byte) error {
	b := binary.BigEndian.AppendUint64(nil, nbdReply)
	b = binary.BigEndian.AppendUint32(b, option)
	b = binary.BigEndian.AppendUint32(b, kind)
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	_, err := conn.Write(append(b, data...))
	return err
}

// serveOne handles one request. It returns false when the client has asked to
// disconnect.
func (d *Disk) serveOne(conn net.Conn) (bool, error) {
	var r struct {
		Magic       uint32
		Flags, Type uint16
		Cookie      uint64
		Offset      uint64
		Size        uint32
	}
	if err := binary.Read(conn, binary.BigEndian, &r); err != nil {
		return false, err
	}
	if r.Magic != nbdRequest || r.Size > nbdMost {
		return false, fmt.Errorf("request %d with magic %#x and %d bytes", r.Type, r.Magic, r.Size)
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
			return false, err
		}
		_, err = d.WriteAt(written, int64(r.Offset))
	case nbdFlush:
		err = d.Flush()
	case nbdDisconnect:
		return false, nil
	default:
		err = errors.ErrUnsupported
	}
	if errors.Is(err, errCut) {
		return false, err
	}
	answer := binary.BigEndian.AppendUint32(nil, nbdSimple)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		answer, data = binary.BigEndian.AppendUint32(answer, nbdEINVAL), nil
	case err != nil:
		answer, data = binary.BigEndian.AppendUint32(answer, nbdEIO), nil
	default:
		answer = binary.BigEndian.AppendUint32(answer, 0)
	}
	answer = binary.BigEndian.AppendUint64(answer, r.Cookie)
	_, err = conn.Write(append(answer, data...))
	return true, err
}
