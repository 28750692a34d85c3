package engine

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// fill sets every field, so that the test notices a field that AppendJSON does
// not write. The strings need every kind of escape that JSON has.
func fill(v reflect.Value, chance *rand.Rand, depth int) {
	texts := []string{"", "red", "zombie-king", "Crête à l'œil", `"quoted" \ <b>&`, "\u2028\u2029",
		"tab\tnew\nline\x00\x7f", "bad\xff\xc3", "日本", "�"}
	if v.Type() == reflect.TypeFor[Args]() {
		switch chance.IntN(3) {
		case 1:
			v.Set(reflect.ValueOf(Args{}))
		case 2:
			v.Set(reflect.ValueOf(Args{"n": 3, "card": Word("card.zombie"), "text": T("a", "<", "é"), "seat": Seat("red")}))
		}
		return
	}
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.UnixMilli(chance.Int64N(2e12)).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(texts[chance.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(chance.IntN(2) == 0)
	case reflect.Int:
		v.SetInt(int64(chance.IntN(40) - 10))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), chance, depth)
		}
	case reflect.Pointer:
		if chance.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), chance, depth)
		}
	case reflect.Slice:
		if depth == 0 || chance.IntN(5) == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), chance.IntN(4), 4))
		for i := range v.Len() {
			fill(v.Index(i), chance, depth-1)
		}
	case reflect.Map:
		if chance.IntN(5) == 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range chance.IntN(14) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, chance, depth)
			fill(value, chance, depth)
			v.SetMapIndex(key, value)
		}
	default:
		panic("fill does not know " + v.Type().String())
	}
}

// TestAppendJSON compares AppendJSON with json.Marshal.
func TestAppendJSON(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var v View
		fill(reflect.ValueOf(&v).Elem(), chance, 4)
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.AppendJSON(nil); string(got) != string(want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			from := max(0, at-60)
			t.Fatalf("viewjson.go does not write the View as json does; has it a new field?\n%.150s\nwant:\n%.150s", got[from:],
				want[from:])
		}
	}
}
