package evdev

import (
	"os"
	"path/filepath"
	"testing"
)

// TestList tests what is read from sysfs and the names that udev gives.
func TestList(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range map[string]string{"name": "SIGMACHIP USB Keyboard\n", "phys": "usb-1.2/input0\n", "uniq": "\n",
		"id/bustype": "0003\n", "id/vendor": "1c4f\n", "id/product": "0002\n", "capabilities/key": "10000000 2\n"} {
		write("sys/class/input/event10/device/"+file, text)
		write("sys/class/input/event2/device/"+file, text)
	}
	write("dev/input/by-id/readme", "no link")
	if err := os.Symlink("../event10", filepath.Join(root, "dev/input/by-id/usb-SIGMACHIP-event-kbd")); err != nil {
		t.Fatal(err)
	}
	all, err := Kernel{root}.List()
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	i := all[1]
	if all[0].Path != "/dev/input/event2" || i.Path != "/dev/input/event10" || i.Name != "SIGMACHIP USB Keyboard" ||
		i.Phys != "usb-1.2/input0" || i.Bus != USB || i.Vendor != 0x1c4f || i.Product != 2 || i.Keys == 0 ||
		len(i.IDs) != 1 || i.Device(all) != "usb-SIGMACHIP-event-kbd" {
		t.Errorf("%+v", all)
	}
}

func TestCountKeys(t *testing.T) {
	// A key pad with Esc (1), Enter (28), KPEnter (96) and a mouse's left button (0x110).
	for wordBits, text := range map[int]string{
		64: "10000 0 0 100000000 10000002", 32: "10000 0 0 0 0 1 0 0 10000002"} {
		if n := countKeys(text, wordBits); n != 3 {
			t.Errorf("words of %d bits: %d keys, want 3", wordBits, n)
		}
	}
	if n := countKeys("xyz ffffffffffffffffffff", 64); n != 0 {
		t.Errorf("junk has %d keys", n)
	}
}
