package mfrc522

// crcA returns the checksum CRC_A of ISO/IEC 14443-3, 6.2.4. The polynomial is x^16 + x^12 +
// x^5 + 1, with the lowest bit first. The initial value is 6363h.
func crcA(b []byte) (low, high byte) {
	crc := uint16(0x6363)
	for _, c := range b {
		crc ^= uint16(c)
		for range 8 {
			carry := crc & 1
			if crc >>= 1; carry != 0 {
				crc ^= 0x8408
			}
		}
	}
	return byte(crc), byte(crc >> 8)
}

// seal puts the checksum after the first n bytes of the frame and returns the
// frame's length.
func (d *Dev) seal(n int) int {
	d.frame[n], d.frame[n+1] = crcA(d.frame[:n])
	return n + 2
}

func sealed(b []byte) bool {
	if len(b) < 3 {
		return false
	}
	low, high := crcA(b[:len(b)-2])
	return b[len(b)-2] == low && b[len(b)-1] == high
}
