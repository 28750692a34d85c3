package wled

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// Info holds what a controller reports about itself
// (kno.wled.ge/interfaces/json-api, "info").
type Info struct {
	Name    string // given by its owner
	Version string // "0.14.4"; "" if it was too busy to answer
	LEDs    int    // as configured; 0 if Version is ""
	Live    bool   // it shows pictures from the network, not its own effect
}

func (i Info) String() string {
	if i.Version == "" {
		return "WLED"
	}
	return fmt.Sprintf("WLED %s with %d LEDs", i.Version, i.LEDs)
}

// Limits for a request to the controller and for its answer.
const (
	askLimit     = 2 * time.Second
	releaseLimit = time.Second
	answerLimit  = 64 << 10 // bytes; WLED's answers have 1 to 2 KiB
)

// Connect, Ask and Overridden return these errors, wrapped.
var (
	ErrSilent  = errors.New("does not answer")
	ErrNotWLED = errors.New("answers, but not as a WLED does")
)

// Overridden reports whether the controller is set to show its own effect although pictures
// arrive. People set this on the controller's own page (JSON API, "state": lor). Info.Live is
// true even then.
//
// If the controller is too busy to answer, Overridden returns false and no error. Any error
// wraps ErrSilent or ErrNotWLED. Overridden takes 2 s at most.
func (d *Dev) Overridden(ctx context.Context) (bool, error) {
	answer, err := d.ask(ctx, "/json/state")
	if answer == nil || err != nil {
		return false, err
	}
	var said struct{ Lor int }
	if err := json.Unmarshal(answer, &said); err != nil {
		return false, fmt.Errorf("wled: %s %w", d.opts.Host, ErrNotWLED)
	}
	return said.Lor != 0, nil
}

// ask returns the answer of the JSON API to a request for the given path. If the controller is
// too busy to answer, ask returns nil and no error. Any error wraps ErrSilent or ErrNotWLED.
func (d *Dev) ask(ctx context.Context, path string) ([]byte, error) {
	limited, cancel := context.WithTimeoutCause(ctx, askLimit, errLate)
	defer cancel()
	answer, err := d.request(limited, http.MethodGet, path, "")
	if err != nil {
		if limited.Err() != nil && ctx.Err() == nil {
			err = errLate
		}
		if _, strange := errors.AsType[*strangeError](err); strange {
			return nil, fmt.Errorf("wled: %s %w: %w", d.opts.Host, ErrNotWLED, err)
		}
		return nil, fmt.Errorf("wled: %s %w: %w", d.opts.Host, ErrSilent, err)
	}
	return answer, nil
}

// Ask asks the controller for its name, version and state. If the controller is too busy to
// answer, the Info has no name and no version, and its Live is true. Any error wraps ErrSilent
// or ErrNotWLED. Ask takes 2 s at most.
func (d *Dev) Ask(ctx context.Context) (Info, error) {
	answer, err := d.ask(ctx, "/json/info")
	if err != nil {
		return Info{}, err
	}
	if answer == nil {
		return Info{Live: true}, nil // as far as can be known
	}
	var said struct {
		Ver  string
		Name string
		Live bool
		Leds struct{ Count int }
	}
	err = json.Unmarshal(answer, &said)
	version := printable(said.Ver)
	if err != nil || version == "" || said.Leds.Count < 0 {
		return Info{}, fmt.Errorf("wled: %s %w", d.opts.Host, ErrNotWLED)
	}
	return Info{Name: printable(said.Name), Version: version, LEDs: said.Leds.Count, Live: said.Live}, nil
}

// A strangeError says why an answer cannot be from a WLED.
type strangeError struct{ reason string }

func (e *strangeError) Error() string { return e.reason }

var errLate = fmt.Errorf("nothing within %s", askLimit)

// printable returns the text s in a form that is safe to print, because a stranger may have
// chosen s. It removes the characters that a terminal would execute, and those that change the
// direction of writing. It keeps at most 40 characters.
func printable(s string) string {
	const longest = 40
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest])
	}
	return s
}

// release ends the live mode, so that WLED returns to its own effect (JSON API, "state":
// live).
func (d *Dev) release() error {
	ctx, cancel := context.WithTimeout(context.Background(), releaseLimit)
	defer cancel()
	if _, err := d.request(ctx, http.MethodPost, "/json/state", `{"live":false}`); err != nil {
		return fmt.Errorf("wled: end the live mode of %s: %w", d.opts.Host, err)
	}
	return nil
}

// request sends an HTTP request to the controller and returns the answer. If the controller is
// too busy to answer, request returns nil and no error. A controller has one buffer for JSON
// and answers 503 while somebody else uses the buffer. The context must have a deadline.
//
// request opens its own connection instead of using net/http's client. The client would leave
// a slow connection attempt to a goroutine of its own.
func (d *Dev) request(ctx context.Context, method, path, body string) ([]byte, error) {
	url := "http://" + net.JoinHostPort(d.name, d.port) + path
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Close = true // an ESP8266 has room for few connections
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	conn, err := d.opts.Dial(ctx, "tcp", net.JoinHostPort(d.address.String(), d.port))
	if err != nil {
		return nil, rootOf(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })() // ends pending reads and writes
	if err := request.Write(conn); err != nil {
		return nil, rootOf(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(io.LimitReader(conn, 2*answerLimit)), request)
	if err != nil {
		return nil, rootOf(err)
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusServiceUnavailable:
		return nil, nil
	default:
		return nil, &strangeError{fmt.Sprintf("it says %q", answer.Status)}
	}
	said, err := io.ReadAll(io.LimitReader(answer.Body, answerLimit+1))
	if err != nil {
		return nil, rootOf(err)
	}
	if len(said) > answerLimit {
		return nil, &strangeError{fmt.Sprintf("its answer is longer than %d bytes", answerLimit)}
	}
	return said, nil
}

// rootOf returns the innermost cause of an error. The outer errors would repeat the method,
// the address and the port. The caller adds these itself.
func rootOf(err error) error {
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return err
}
