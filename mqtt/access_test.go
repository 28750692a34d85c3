package mqtt

import (
	"testing"
)

// TestAccessFiles compares the files for a table that announces itself to Home Assistant, and
// whose name is another one in NATS.
func TestAccessFiles(t *testing.T) {
	t.Parallel()
	users := []User{{Name: "t", Hashes: Hashes{Mosquitto: "$7$1$a$b", NATS: "$2a$04$c"},
		Rights: append(TableRights("t-1.a", "club", "home/ha"), Right{Filter: "log", Write: true})}}
	for _, c := range []struct{ what, got, want string }{
		{"password file", PasswordFile(users, ""), "t:$7$1$a$b\n"},
		{"access list", AccessList(users, ""), `# Made by "tableside hall invite", which replaces it.

user t
topic readwrite tableside/t-1.a/#
topic read tableside-hall/club/t-1.a/#
topic readwrite home/ha/device/tableside_t_1_a/config
topic read home/ha/status
topic write log
`},
		{"users for NATS", NATSUsers(users, ""), `# Made by "tableside hall invite", which replaces it.
users: [
  { user: "t", password: "$2a$04$c", permissions: {
      publish: [ "tableside.t-1//a.>"
                   "home.ha.device.tableside_t_1_a.config"
                   "log" ]
      subscribe: [ "tableside.t-1//a"
                   "tableside.t-1//a.>"
                   "tableside-hall.club.t-1//a"
                   "tableside-hall.club.t-1//a.>"
                   "home.ha.device.tableside_t_1_a.config"
                   "home.ha.status" ] } }
]
`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.what, c.got, c.want)
		}
	}
}

// TestHashes checks that two passwords, and two hashes of one, differ; mosquitto and NATS check
// them in other tests.
func TestHashes(t *testing.T) {
	t.Parallel()
	one, first, err := NewPassword()
	if err != nil {
		t.Fatal(err)
	}
	two, _, err := NewPassword()
	if err != nil {
		t.Fatal(err)
	}
	again, err := HashPassword(one)
	if err != nil {
		t.Fatal(err)
	}
	if len(one) < 26 || one == two || first.Mosquitto == again.Mosquitto || first.NATS == again.NATS {
		t.Errorf("%q, %q, %+v, %+v", one, two, first, again)
	}
	if !first.Valid() || !again.Valid() {
		t.Errorf("%+v or %+v is not valid", first, again)
	}
	for _, bad := range []Hashes{{}, {first.Mosquitto, ""}, {"", first.NATS}, {one, first.NATS},
		{first.Mosquitto + "\nroot:", first.NATS}, {first.Mosquitto, first.NATS + `"`}, {"x" + first.Mosquitto, first.NATS}} {
		if bad.Valid() {
			t.Errorf("%+v is valid", bad)
		}
	}
}
