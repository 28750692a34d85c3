package core

import (
	"encoding/binary"
	"maps"
	"slices"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/sfnt"
)

// A face is a part of the pages' typeface, which the panel also uses. With this typeface the pages
// look the same on a machine without typefaces of its own. Its digits are all equally wide.
type face struct {
	ttf     []byte
	letters [][2]rune // which of its characters it draws
}

// The letters of each face; base.css names the same ranges, and a browser fetches the further ones
// when a text has one of them. It writes others, such as Greek names, in a typeface of its own; so it
// does hyphens, because those of this typeface are as wide as dashes.
var (
	latin   = [][2]rune{{0x20, 0x2c}, {0x2e, 0xff}, {0x152, 0x153}, {0x178, 0x178}, {0x2000, 0x22ff}, {0x25a0, 0x25ff}}
	further = [][2]rune{{0x100, 0x151}, {0x154, 0x177}, {0x179, 0x17f}, {0xfb01, 0xfb02}}
)

// Typeface holds the faces by the names of their files.
var Typeface = map[string]*face{
	"go-medium-latin.ttf": {gomedium.TTF, latin}, "go-medium-further.ttf": {gomedium.TTF, further},
	"go-bold-latin.ttf": {gobold.TTF, latin}, "go-bold-further.ttf": {gobold.TTF, further},
}

// ForAYear lets caches keep the typeface for a year, the longest that HTTP caches are
// meant to keep anything. Other letters need other names.
const ForAYear = "public, max-age=31536000"

// file returns a TrueType font in which all other characters have no outlines: a fraction of its
// size. The format is that of the OpenType specification, "glyf" and "loca".
func (f *face) file() []byte {
	ttf := f.ttf
	font, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err)
	}
	u16, u32 := binary.BigEndian.Uint16, binary.BigEndian.Uint32
	tables := map[string][]byte{}
	for i := range int(u16(ttf[4:])) {
		record := ttf[12+16*i:]
		tables[string(record[:4])] = ttf[u32(record[8:]):][:u32(record[12:])]
	}
	head := slices.Clone(tables["head"])
	isLong := head[51] == 1 // offsets of four bytes; else of two, in units of two bytes
	outline := func(glyph int) []byte {
		loca := tables["loca"]
		if isLong {
			return tables["glyf"][u32(loca[4*glyph:]):u32(loca[4*glyph+4:])]
		}
		return tables["glyf"][2*int(u16(loca[2*glyph:])) : 2*int(u16(loca[2*glyph+2:]))]
	}
	keep := map[int]bool{0: true}
	var add func(glyph int)
	add = func(glyph int) {
		keep[glyph] = true
		data := outline(glyph)
		if len(data) == 0 || int16(u16(data)) >= 0 {
			return
		}
		for part := data[10:]; ; { // a composite glyph
			flags := u16(part)
			add(int(u16(part[2:])))
			if flags&0x20 == 0 {
				return
			}
			part = part[6+2*int(flags&1)+2*int(flags>>3&1)+4*int(flags>>6&1)+8*int(flags>>7&1):]
		}
	}
	for _, span := range f.letters {
		for r := span[0]; r <= span[1]; r++ {
			if glyph, err := font.GlyphIndex(nil, r); err == nil {
				add(int(glyph))
			}
		}
	}
	var glyf, loca []byte
	for glyph := range font.NumGlyphs() {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if keep[glyph] {
			glyf = append(glyf, outline(glyph)...)
		}
	}
	head[51] = 1
	tables["head"], tables["glyf"], tables["loca"] = head, glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	made := slices.Clone(ttf[:12+16*len(tables)])
	for i, tag := range slices.Sorted(maps.Keys(tables)) {
		record := made[12+16*i:]
		copy(record, tag)
		binary.BigEndian.PutUint32(record[8:], uint32(len(made)))
		binary.BigEndian.PutUint32(record[12:], uint32(len(tables[tag])))
		made = append(made, tables[tag]...)
		made = append(made, make([]byte, -len(made)&3)...)
	}
	return made
}
