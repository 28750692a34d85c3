package pn532

import "errors"

// Parts and lengths of frames. UM0701-02 describes the frames in section 6.2.1:
//
//	00 00 FF LEN LCS TFI PD0 … PDn DCS 00
//	00 00 FF 00 FF 00                                   ACK
//	00 00 FF FF 00 00                                   NACK
//	00 00 FF 01 FF 7F 81 00                             syntax error
//
// LEN is the number of bytes from TFI to PDn. LEN+LCS and TFI+…+DCS are 0 in eight bits. There are
// also frames of more than 255 bytes, which no command or answer of this driver needs.
const (
	toChip    = 0xD4
	fromChip  = 0xD5
	syntaxTFI = 0x7F // TFI of the error frame

	overhead = 7 // all but TFI and PD
	maxFrame = 255 + overhead
	ackLen   = 6
)

var (
	ackFrame  = []byte{0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00}
	nackFrame = []byte{0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00}
)

// appendFrame appends to dst the frame that sends a command with its parameters to the chip.
func appendFrame(dst []byte, code byte, params ...byte) []byte {
	n := 2 + len(params)
	dst = append(dst, 0x00, 0x00, 0xFF, byte(n), -byte(n))
	sum := byte(toChip) + code
	for _, b := range params {
		sum += b
	}
	dst = append(dst, toChip, code)
	dst = append(dst, params...)
	return append(dst, -sum, 0x00)
}

// A kind is a type of frame.
type kind uint8

const (
	noFrame kind = iota
	ackKind
	nackKind
	errorKind  // a syntax error: the chip does not know the command or its parameters
	answerKind // an information frame; data is PD0 and what follows
)

var (
	errShort = errors.New("the frame is cut off")
	errFrame = errors.New("the frame is damaged")
)

// parse returns the kind and the data of the first frame in b, which holds the bytes from the
// chip. Any number of zeros may pad the frame before and after it (6.2.1.6). The third result
// is the number of bytes parsed, including the padding before the frame.
//
// If the frame is damaged, the error is errFrame. If the frame is cut off, the error is
// errShort, and the third result is the least number of bytes that the frame needs.
//
// The last byte of a frame, after the checksum, must be zero. Otherwise parse would accept a
// frame that lost a zero byte on the line. It would read the true checksum as data and the
// last zero as the checksum, and the sum would still be right.
func parse(b []byte) (k kind, data []byte, used int, err error) {
	at := 0
	for ; ; at++ {
		if at+1 >= len(b) {
			return noFrame, nil, len(b) + ackLen - 1, errShort
		}
		if b[at] == 0x00 && b[at+1] == 0xFF {
			break
		}
		if b[at] != 0x00 {
			return noFrame, nil, at + 1, errFrame
		}
	}
	at += 2
	if len(b) < at+3 {
		return noFrame, nil, at + 3, errShort
	}
	length, lcs := int(b[at]), b[at+1]
	at += 2
	switch {
	case length == 0x00 && lcs == 0xFF:
		return parseBare(ackKind, b, at)
	case length == 0xFF && lcs == 0x00:
		return parseBare(nackKind, b, at)
	case length == 0 || byte(length)+lcs != 0:
		return noFrame, nil, at, errFrame
	}
	used = at + length + 2
	if len(b) < used {
		return noFrame, nil, used, errShort
	}
	k, data = content(b[at : at+length+1])
	if k == noFrame || b[used-1] != 0x00 {
		return noFrame, nil, used, errFrame
	}
	return k, data, used, nil
}

// parseBare checks the end of a frame without data. The last byte, b[pos], must be 0. The
// caller passes the kind of the frame. The results are those of parse.
func parseBare(k kind, b []byte, pos int) (kind, []byte, int, error) {
	if b[pos] != 0x00 {
		return noFrame, nil, pos + 1, errFrame
	}
	return k, nil, pos + 1, nil
}

// content returns the kind and the data of a frame. The body of a frame reaches from its TFI
// to its checksum. If the body is not valid, the kind is noFrame.
func content(body []byte) (kind, []byte) {
	sum := byte(0)
	for _, c := range body {
		sum += c
	}
	length := len(body) - 1
	switch {
	case sum != 0:
	case body[0] == syntaxTFI && length == 1:
		return errorKind, nil
	case body[0] == fromChip && length >= 2:
		return answerKind, body[1:length]
	}
	return noFrame, nil
}
