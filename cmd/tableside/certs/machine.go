package certs

import (
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Hosts holds the names, in lower case, and the addresses under which browsers reach the page.
type Hosts []string

// ThisMachine returns the names and addresses of this computer, and those of a configuration. It
// leaves out addresses that no certificate can hold for long: link-local IPv6 addresses need a zone,
// and public IPv6 addresses change.
func ThisMachine(configured []string) Hosts {
	h := Hosts{"localhost"}
	if name, err := os.Hostname(); err == nil {
		first, _, _ := strings.Cut(name, ".")
		h.add(name)
		h.add(first)
		h.add(first + ".local") // multicast DNS
	}
	for _, host := range configured {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		h.add(strings.Trim(host, "[]"))
	}
	interfaces, _ := net.InterfaceAddrs()
	for _, a := range interfaces {
		if n, ok := a.(*net.IPNet); ok && (n.IP.To4() != nil || n.IP.IsPrivate() || n.IP.IsLoopback()) {
			h.add(n.IP.String())
		}
	}
	return h
}

var dnsName = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

func (h *Hosts) add(host string) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		host = addr.Unmap().WithZone("").String()
	} else if len(host) > 253 || !dnsName.MatchString(host) {
		return
	}
	if !slices.Contains(*h, host) {
		*h = append(*h, host)
	}
}

func (h Hosts) split() (names []string, addrs []net.IP) {
	for _, host := range h {
		if ip := net.ParseIP(host); ip != nil {
			addrs = append(addrs, ip)
		} else {
			names = append(names, host)
		}
	}
	return names, addrs
}

// privateRanges holds the address ranges that belong to nobody on the internet: those of RFC 1918,
// RFC 3927 and RFC 4193, and loopback.
var privateRanges = []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "127.0.0.0/8",
	"::1/128"}

// ranges returns the addresses for which an authority of this machine may sign. All private
// addresses are included, because a router gives the machine another private address now and
// then. The machine's own public addresses are included, too.
func (h Hosts) ranges() (nets []*net.IPNet) {
	for _, text := range privateRanges {
		_, n, _ := net.ParseCIDR(text)
		nets = append(nets, n)
	}
	_, addrs := h.split()
	for _, ip := range addrs {
		if v4 := ip.To4(); v4 != nil {
			ip = v4
		}
		if !inRanges(nets, ip) {
			nets = append(nets, &net.IPNet{IP: ip, Mask: net.CIDRMask(8*len(ip), 8*len(ip))})
		}
	}
	return nets
}

func inRanges(nets []*net.IPNet, ip net.IP) bool {
	return slices.ContainsFunc(nets, func(n *net.IPNet) bool { return n.Contains(ip) })
}
