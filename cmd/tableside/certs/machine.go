package certs

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// Machine holds the names and addresses under which browsers reach the page.
type Machine struct {
	Names []string // in lower case
	Addrs []netip.Addr
}

// ThisMachine returns the names and addresses of this computer. It adds the given hosts, which
// are further names and addresses from a configuration.
//
// ThisMachine leaves out the addresses of the computer that no certificate can hold for long.
// Link-local IPv6 addresses need a zone, and public IPv6 addresses change.
func ThisMachine(hosts []string) Machine {
	m := Machine{Names: []string{"localhost"}}
	if name, err := os.Hostname(); err == nil {
		m.add(name)
		first, _, _ := strings.Cut(name, ".")
		m.add(first)
		m.add(first + ".local") // multicast DNS
	}
	for _, host := range hosts {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		m.add(strings.Trim(host, "[]"))
	}
	interfaces, _ := net.InterfaceAddrs()
	for _, a := range interfaces {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil {
			continue
		}
		if addr := prefix.Addr().Unmap(); addr.Is4() || addr.IsPrivate() || addr.IsLoopback() {
			m.addAddr(addr)
		}
	}
	return m
}

// add adds a name to Names or, if the name is an IP address, to Addrs. It ignores a name that
// no certificate can hold. It also ignores a name or an address that Names or Addrs already
// contains.
func (m *Machine) add(name string) {
	if addr, err := netip.ParseAddr(name); err == nil {
		m.addAddr(addr.Unmap().WithZone(""))
		return
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if isDNSName(name) && !slices.Contains(m.Names, name) {
		m.Names = append(m.Names, name)
	}
}

func (m *Machine) addAddr(addr netip.Addr) {
	if !slices.Contains(m.Addrs, addr) {
		m.Addrs = append(m.Addrs, addr)
	}
}

// isDNSName reports whether a certificate can hold the name.
func isDNSName(name string) bool {
	return name != "" && len(name) < 254 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == "" &&
		!strings.HasPrefix(name, ".") && !strings.Contains(name, "..")
}

// privateRanges holds the address ranges that belong to nobody on the internet. They are the
// ranges of RFC 1918, RFC 3927 and RFC 4193, and loopback.
var privateRanges = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("169.254.0.0/16"),
	netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"),
}

// ranges returns the addresses for which an authority of this machine may sign. All private
// addresses are included, because a router gives the machine another private address now and
// then. The machine's own public addresses are included, too.
func (m Machine) ranges() []*net.IPNet {
	prefixes := slices.Clone(privateRanges)
	for _, addr := range m.Addrs {
		if !slices.ContainsFunc(privateRanges, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			prefixes = append(prefixes, netip.PrefixFrom(addr, addr.BitLen()))
		}
	}
	var nets []*net.IPNet
	for _, p := range prefixes {
		nets = append(nets, &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())})
	}
	return nets
}
