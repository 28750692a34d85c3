package web

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
)

// stripHints returns a TrueType font without hints and without the names of its glyphs. Hints
// are programs that fit the outlines to coarse pixels. No browser uses hints or names on
// today's screens, and they are half of the font's bytes. Outlines, widths and copyright stay.
// The tables are described in the OpenType specification, chapters "glyf", "loca", "post" and
// "head".
func stripHints(font []byte) []byte {
	big := binary.BigEndian
	tables := map[string][]byte{}
	for i := range int(big.Uint16(font[4:])) {
		record := font[12+16*i:]
		from, length := big.Uint32(record[8:]), big.Uint32(record[12:])
		tables[string(record[:4])] = font[from : from+length]
	}
	var glyphs []byte
	places := []byte{0, 0}
	for _, glyph := range glyphsOf(tables) {
		glyphs = append(glyphs, withoutProgram(glyph)...)
		glyphs = append(glyphs, make([]byte, len(glyphs)%2)...)
		places = big.AppendUint16(places, uint16(len(glyphs)/2))
	}
	tables["glyf"], tables["loca"] = glyphs, places
	tables["head"] = slices.Concat(tables["head"][:50], []byte{0, 0}, tables["head"][52:]) // loca holds halves
	tables["post"] = slices.Concat([]byte{0, 3, 0, 0}, tables["post"][4:32])               // without names
	for _, name := range []string{"cvt ", "fpgm", "prep"} {
		delete(tables, name)
	}
	return fontOf(tables)
}

// glyphsOf returns the outlines of all glyphs, in the order of the glyphs' numbers.
func glyphsOf(tables map[string][]byte) [][]byte {
	big := binary.BigEndian
	var glyphs [][]byte
	place := func(n int) uint32 { return 2 * uint32(big.Uint16(tables["loca"][2*n:])) }
	if big.Uint16(tables["head"][50:]) != 0 {
		place = func(n int) uint32 { return big.Uint32(tables["loca"][4*n:]) }
	}
	for n := range int(big.Uint16(tables["maxp"][4:])) {
		glyphs = append(glyphs, tables["glyf"][place(n):place(n+1)])
	}
	return glyphs
}

// withoutProgram returns a glyph without its instructions.
func withoutProgram(glyph []byte) []byte {
	big := binary.BigEndian
	if len(glyph) == 0 {
		return nil
	}
	if contours := int(int16(big.Uint16(glyph))); contours >= 0 {
		at := 10 + 2*contours
		rest := at + 2 + int(big.Uint16(glyph[at:]))
		return slices.Concat(glyph[:at], []byte{0, 0}, glyph[rest:])
	}
	const wide, scale, more, scales, matrix, instructions = 0x01, 0x08, 0x20, 0x40, 0x80, 0x100
	glyph = slices.Clone(glyph)
	for at := 10; ; {
		flags := big.Uint16(glyph[at:])
		big.PutUint16(glyph[at:], flags&^instructions)
		at += 6
		if flags&wide != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&scales != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			return glyph[:at]
		}
	}
}

// fontOf returns the file of a font with these tables.
func fontOf(tables map[string][]byte) []byte {
	big := binary.BigEndian
	count := len(tables)
	power := bits.Len(uint(count)) - 1 // of two, the largest not above count
	font := []byte{0, 1, 0, 0}
	for _, n := range []int{count, 16 << power, power, 16*count - 16<<power} {
		font = big.AppendUint16(font, uint16(n))
	}
	var body []byte
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		table := tables[name]
		start, sum := len(body), uint32(0)
		body = append(body, table...)
		body = append(body, make([]byte, -len(body)&3)...)
		for at := start; at < len(body); at += 4 {
			sum += big.Uint32(body[at:])
		}
		font = append(font, name...)
		for _, n := range []uint32{sum, uint32(12 + 16*count + start), uint32(len(table))} {
			font = big.AppendUint32(font, n)
		}
	}
	return append(font, body...)
}
