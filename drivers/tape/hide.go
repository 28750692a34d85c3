package tape

import "regexp"

// fifoWrite is the byte that addresses an MFRC522's FIFO (data sheet, 8.1.2).
const fifoWrite = 0x09 << 1

// uids matches the number of a tag in an error.
var uids = regexp.MustCompile(`\b[0-9A-F]{8,20}\b`)

// hide replaces by zeros what passed between a reader and tags: their numbers, and the texts on
// them. Nothing is left of answers. Of what was sent, a PN532's command and its first parameter
// are left (UM0701-02, 6.2.1), or the command for a tag and the level or page in an MFRC522's FIFO.
func hide(c *Call) {
	c.Err = uids.ReplaceAllString(c.Err, "…")
	c.Words = c.Words[:1]
	for i := range c.IO {
		o, left := &c.IO[i], 9
		if len(o.W) > 0 && o.W[0] == fifoWrite {
			left = 3
		}
		clear(o.W[min(left, len(o.W)):])
		clear(o.R)
		o.Err = uids.ReplaceAllString(o.Err, "…")
	}
}
