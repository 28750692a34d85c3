package config

import (
	"reflect"
	"slices"
	"strings"

	"tableside/engine"
)

// Wiring holds the hardware that is connected to the computer. It has a field for each section
// of the configuration that describes hardware. For drawings, see docs/hardware.md.
type Wiring struct {
	Readers   []Reader   `toml:"readers"`
	Keys      []Key      `toml:"keys"`
	Encoders  []Encoder  `toml:"encoders"`
	Keyboards []Keyboard `toml:"keyboards"`
	Screens   []Screen   `toml:"screens"`
	Panel     *Panel     `toml:"panel"`
	Lights    *Lights    `toml:"lights"`
	Buzzer    *Buzzer    `toml:"buzzer"`

	Pi5 bool `toml:"-"` // the computer is a Raspberry Pi 5, whose buses have other pins
}

// A Part is a section of the wiring. Each kind of part has a file of its own in this package;
// the table in package rig says how it is opened, and that in package doctor how it is tested.
type Part interface {
	Who() string   // the name in errors and findings: "reader red"
	Whose() string // the seat; "" is everybody's
	What() string  // its model, bus or chip, for the page

	check(f *Errors, seats []engine.Seat) // of all but the pins; it fills in defaults
	pins() []pin                          // that the part drives or reads itself
	claims(w *Wiring) []Claim             // all but the pins
}

// Section returns the name of the section that describes a part, such as "readers".
func Section(p Part) string { return sectionOf(p).Tag.Get("toml") }

func sectionOf(p Part) reflect.StructField {
	sections, kind := fieldsOf(reflect.TypeFor[Wiring]()), reflect.TypeOf(p).Elem()
	return sections[slices.IndexFunc(sections, func(f reflect.StructField) bool { return f.Type.Elem() == kind })]
}

// Parts returns all parts, in the order of the fields of Wiring.
func (w *Wiring) Parts() []Part {
	var all []Part
	for _, f := range fieldsOf(reflect.TypeFor[Wiring]()) {
		section := reflect.ValueOf(w).Elem().FieldByIndex(f.Index)
		if section.Kind() == reflect.Pointer && !section.IsNil() {
			all = append(all, section.Interface().(Part))
		}
		for i := 0; section.Kind() == reflect.Slice && i < section.Len(); i++ {
			all = append(all, section.Index(i).Addr().Interface().(Part))
		}
	}
	return all
}

// Add adds a copy of a part. A wiring may have only one panel, one strip and one buzzer: Add
// fails if there is one already.
func (w *Wiring) Add(p Part) error {
	section, part := reflect.ValueOf(w).Elem().FieldByIndex(sectionOf(p).Index), reflect.ValueOf(p).Elem()
	if section.Kind() == reflect.Slice {
		section.Set(reflect.Append(section.Slice3(0, section.Len(), section.Len()), part)) // into new memory
		return nil
	}
	if !section.IsNil() {
		return Errorf(p.Who(), "", "the configuration file has one already")
	}
	section.Set(reflect.New(part.Type()))
	section.Elem().Set(part)
	return nil
}

// Clone returns a copy of the wiring that shares no part with it.
func (w *Wiring) Clone() Wiring { return w.Without(func(Part) bool { return false }) }

// Without returns a copy of the wiring without the parts for which a function returns true.
func (w *Wiring) Without(drop func(Part) bool) Wiring {
	rest := Wiring{Pi5: w.Pi5}
	for _, p := range w.Parts() {
		if !drop(p) {
			_ = rest.Add(p) // fails only for a second one
		}
	}
	return rest
}

// check checks the wiring without touching any device. First it checks each part and fills in
// the part's defaults. Then it checks that no two parts claim the same pin or address. Parts
// may belong only to the given seats, which are the seats of the table.
func (w *Wiring) check(f *Errors, seats []engine.Seat) {
	nth, names, readers, before := map[string]int{}, map[string]bool{}, map[string]string{}, len(*f)
	for _, p := range w.Parts() {
		first := len(*f)
		checkPart(f, p, seats)
		name := NameOf(p)
		f.wrong(names[name] && name != KeysName, p.Who(), "give one of them another name", "two parts have that name")
		names[name] = true
		if IsReader(p) && p.Whose() != "" {
			// Somebody may have copied the section of a reader and changed only the name. Then
			// the cards of one player would be played for another.
			f.wrong(readers[p.Whose()] != "", p.Who()+": seat", "give it another seat, or leave seat out: then it is everybody's",
				"%s has %s already", p.Whose(), readers[p.Whose()])
			readers[p.Whose()] = p.Who()
		}
		section := Section(p)
		for _, e := range (*f)[first:] {
			e.section, e.index = section, nth[section]
		}
		nth[section]++
	}
	if len(*f) == before {
		f.conflicts(w.Claims())
	}
}

func checkPart(f *Errors, p Part, seats []engine.Seat) {
	p.check(f, seats)
	f.pins(p.Who(), p.pins()...)
}

// KeysName is the name of all buttons and encoders, which are one part of the table.
const KeysName = "keys"

// NameOf returns the name of a part in the table's health, such as "reader-red".
func NameOf(p Part) string {
	switch p.(type) {
	case *Key, *Encoder:
		return KeysName
	}
	return strings.ReplaceAll(p.Who(), " ", "-")
}

// IsReader reports whether a part reads tags: it is a reader, or a keyboard that types them.
func IsReader(p Part) bool { return strings.HasPrefix(p.Who(), "reader ") }
