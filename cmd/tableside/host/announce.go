package host

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/config"
)

// announce prints where the page, the broker, the hall and the data folder are.
func (h *Host) announce(addr net.Addr) {
	h.announcePage(addr)
	h.announceSetup(addr)
	if h.client != nil {
		h.tell("mqtt", strings.Join(h.Config.MQTT.Addresses(), " or ")+", topics tableside/"+h.Config.Table.Name+"/#")
	}
	if h.hall != nil {
		h.tell("hall", h.hall.address())
		h.hall.announceArchive(func(what, text string) { h.tell("hall", what+" "+text) })
	}
	if h.Temporary {
		h.tell("data", h.Config.Table.Data+", until the end; --data DIR keeps it")
		return
	}
	h.tell("data", h.Config.Table.Data)
}

// joinCommand returns the command that shows the QR code of this table. A demo has no
// configuration file, so its command names the table's settings in flags.
func (h *Host) joinCommand(addr net.Addr) string {
	if !h.Unconfigured {
		return "tableside join"
	}
	host, _, _ := net.SplitHostPort(h.Config.HTTP.Listen)
	_, port, _ := net.SplitHostPort(addr.String())
	command := fmt.Sprintf("tableside join --data %s --http %s", h.Config.Table.Data, net.JoinHostPort(host, port))
	if h.Config.HTTP.TLS != "" {
		command += " --tls " + h.Config.HTTP.TLS
	}
	return command
}

// announcePage prints the addresses of the page, and names the file that holds the token. Only
// a demo on a terminal prints the token itself, because logs are kept and other people read
// them.
func (h *Host) announcePage(addr net.Addr) {
	here, onTerminal := "http://"+local(addr)+"/", h.Unconfigured && isTerminal(h.Out)
	if h.token != "" && onTerminal && h.Config.HTTP.LocalNeedsToken() {
		here += key(h.ownerToken) // who runs a demo owns it
	}
	h.tell("page", here)
	if h.token == "" {
		return
	}
	if h.pageURL != "" {
		phones := h.pageURL + ", to play with the code on the panel or the token"
		if onTerminal {
			phones = h.pageURL + key(h.token)
		}
		h.tell("phones", phones)
		if h.Config.HTTP.TLS == config.TLSOwn {
			h.tell("trust", TrustURL(addr)+" says what to do about a phone's warning")
		}
	}
	if !onTerminal {
		h.tell("token", "in "+filepath.Join(h.Config.Table.Data, tokenFile)+"; "+h.joinCommand(addr)+" shows it with its code")
	}
}

// announceSetup prints the address where the owner sets up a table that has no parts yet. If
// this start of the program has made the owner's token, the address contains the token. Nobody
// knows the new token yet, and the person who installs the table finds it in the log. If the
// token is older, the address does not contain it.
func (h *Host) announceSetup(addr net.Addr) {
	switch {
	case h.Unconfigured || !h.Config.NothingSetUp():
	case h.ownerTokenIsNew && h.pageURL != "":
		h.tell("setup", h.pageURL+"setup"+key(h.ownerToken)+", shown this once: the code is the owner's")
	case h.token == "":
		h.tell("setup", "http://"+local(addr)+"/setup, nothing is set up yet")
	case h.pageURL != "":
		h.tell("setup", h.pageURL+"setup, with the code that tableside join --owner shows")
	}
}

// TrustURL returns the URL of the page that explains the table's own certificate. This page
// answers without TLS.
func TrustURL(addr net.Addr) string { return "http://" + reachable(addr) + "/trust" }

func (h *Host) tell(what, text string) { fmt.Fprintf(h.Out, "%-7s %s\n", what, text) }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
