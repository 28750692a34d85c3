package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// UnmarshalJSON implements json.Unmarshaler.
func (n *Null) UnmarshalJSON(data []byte) error {
	*n = "" // as null leaves it
	return json.Unmarshal(data, (*string)(n))
}

// UnmarshalJSON implements json.Unmarshaler.
func (z *Zones) UnmarshalJSON(data []byte) error {
	*z = nil
	return unmarshalOrdered(data, func(name string, d *json.Decoder) error {
		zone := Zone{Name: name}
		err := d.Decode(&zone.Cards)
		*z = append(*z, zone)
		return err
	})
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Counters) UnmarshalJSON(data []byte) error {
	*c = nil
	return unmarshalOrdered(data, func(name string, d *json.Decoder) error {
		counter := Counter{Name: name}
		err := d.Decode(&counter.Value)
		*c = append(*c, counter)
		return err
	})
}

// unmarshalOrdered calls the callback for each member of a JSON object, in the order of the
// text. The callback decodes the member's value. The text must be valid JSON.
func unmarshalOrdered(data []byte, member func(name string, d *json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	start, err := d.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('{') {
		return fmt.Errorf("an object is needed, not %s", data)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if err := member(name.(string), d); err != nil {
			return err
		}
	}
	return nil
}

// complete replaces nil lists with empty ones, so that JSON readers find lists.
func (v View) complete() View {
	v.Seats, v.Tracks, v.Dice, v.Prompts = listed(v.Seats), listed(v.Tracks), listed(v.Dice), listed(v.Prompts)
	v.Winners, v.Notices = listed(v.Winners), listed(v.Notices)
	for i := range v.Tracks {
		t := &v.Tracks[i]
		t.Areas = listed(t.Areas)
		if t.Stacks == nil {
			t.Stacks = map[int][]Seat{}
		}
	}
	for i := range v.Prompts {
		p := &v.Prompts[i]
		p.Options = listed(p.Options)
		if p.Args == nil {
			p.Args = Args{}
		}
	}
	return v
}

func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// EmptyView returns the view of a table without a match, with the given prompts.
func EmptyView(prompts ...Prompt) View {
	return View{Schema: SchemaVersion, Phase: "empty", Prompts: prompts}.complete()
}
