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
	return scheme(c) + withName(c, host) + "/"
}

// scheme returns the beginning of the page's URL for other machines: "https://" or "http://".
func scheme(c config.HTTP) string {
	if c.HasTLS() {
		return "https://"
	}
	return "http://"
}

// withName replaces the host of an address by the name in the certificate file, because a
// certificate is rarely for an IP address. The setting http.tls_cert names the certificate
// file. If there is no such file, or no name in the file, withName returns the address
// unchanged.
func withName(c config.HTTP, addr string) string {
	_, port, err := net.SplitHostPort(addr)
	if name := certs.Name(c.Cert); err == nil && name != "" {
		return net.JoinHostPort(name, port)
	}
	return addr
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
