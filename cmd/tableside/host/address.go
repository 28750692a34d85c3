package host

import (
	"net"
	"net/netip"

	"tableside/cmd/tableside/certs"
	"tableside/cmd/tableside/config"
)

// reachableURL returns the URL under which other machines reach the page. The URL does not
// contain the token. addr is the address on which the page listens. Usually the URL leads to
// the page itself. But if the page listens only on this machine and asks for the token, there
// is a proxy before the page: the URL leads to the first proxy in http.hosts.
//
// If other machines cannot reach the page, reachableURL returns "", because a link to
// 127.0.0.1 would lead each machine to itself.
func reachableURL(c config.HTTP, addr net.Addr) string {
	if isLoopback(addr) && c.LocalNeedsToken() && len(c.Hosts) > 0 {
		return "https://" + c.Hosts[0] + "/"
	}
	host := reachable(addr)
	if to, err := net.ResolveTCPAddr("tcp", host); err != nil || isLoopback(to) {
		return ""
	}
	// A certificate is rarely for an IP address.
	if _, port, err := net.SplitHostPort(host); err == nil && certs.Name(c.Cert) != "" {
		host = net.JoinHostPort(certs.Name(c.Cert), port)
	}
	if c.HasTLS() {
		return "https://" + host + "/"
	}
	return "http://" + host + "/"
}

func isLoopback(addr net.Addr) bool {
	port, err := netip.ParseAddrPort(addr.String())
	return err == nil && port.Addr().Unmap().IsLoopback()
}

func local(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// reachable returns the address at which other machines reach a listener. If the listener is
// on all interfaces, this is the first IPv4 address of this machine. If the machine has no
// such address, this is 127.0.0.1.
func reachable(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	ip := net.ParseIP(host)
	if ip == nil || !ip.IsUnspecified() {
		return net.JoinHostPort(host, port)
	}
	addrs, _ := net.InterfaceAddrs()
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return net.JoinHostPort(n.IP.String(), port)
		}
	}
	return net.JoinHostPort("127.0.0.1", port)
}
