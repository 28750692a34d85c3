package tape

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/pin"
	"periph.io/x/conn/v3/spi"
)

func bit(high bool) gpio.Level { return gpio.Level(high) }

// SPI returns an SPI port that plays the transfers of the part. The given name is the one that
// the port's String method returns.
func (p *Player) SPI(name string) spi.Port { return &playedSPI{p, name} }

type playedSPI struct {
	player *Player
	name   string
}

func (s *playedSPI) String() string                                            { return s.name }
func (s *playedSPI) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return s, nil }
func (s *playedSPI) Duplex() conn.Duplex                                       { return conn.Full }
func (s *playedSPI) Tx(w, r []byte) error                                      { return s.player.exchange(SPI, w, r) }

func (s *playedSPI) TxPackets(packets []spi.Packet) error {
	for i := range packets {
		if err := s.player.exchange(SPI, packets[i].W, packets[i].R); err != nil {
			return err
		}
	}
	return nil
}

// I2C plays a transaction with the part's chip: w goes out, and the answer goes into r.
func (p *Player) I2C(w, r []byte) error { return p.exchange(I2C, w, r) }

// Mux plays the multiplexer's answer to w, a request to open the channel of the part.
func (p *Player) Mux(w []byte) error { return p.exchange(Mux, w, nil) }

// Pin returns the GPIO line of the part that has this name on the tape.
func (p *Player) Pin(name string) gpio.PinIO { return &playedPin{player: p, name: name} }

type playedPin struct {
	player     *Player
	name       string
	levelKnown bool
	level      gpio.Level
}

var _ gpio.PinIO = (*playedPin)(nil)

func (s *playedPin) String() string                 { return s.name }
func (s *playedPin) Name() string                   { return s.name }
func (s *playedPin) Number() int                    { return -1 }
func (s *playedPin) Function() string               { return string(s.Func()) }
func (s *playedPin) Func() pin.Func                 { return pin.FuncNone }
func (s *playedPin) Halt() error                    { return nil }
func (s *playedPin) In(gpio.Pull, gpio.Edge) error  { return nil }
func (s *playedPin) WaitForEdge(time.Duration) bool { return false }
func (s *playedPin) Pull() gpio.Pull                { return gpio.PullNoChange }
func (s *playedPin) DefaultPull() gpio.Pull         { return gpio.PullNoChange }
func (s *playedPin) PWM(gpio.Duty, physic.Frequency) error {
	return errors.New("a tape has no PWM")
}

// Read returns the level that the pin has on the tape by now. The player measures time from
// the line that it played last.
func (s *playedPin) Read() gpio.Level {
	p := s.player
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.call != nil && p.difference == nil && p.next < len(p.lines) {
		l := &p.lines[p.next]
		if l.Verb != Pin || l.Name != s.name || !p.isDue(l.At) {
			break
		}
		p.pins[s.name] = l.High
		p.take()
	}
	return bit(p.pins[s.name])
}

// longPulse is the length of the shortest pulse that a driver may treat as a long one. In
// drivers/epaper, such a pulse means that a panel loses its power.
const longPulse = 4 * time.Millisecond

// maxPulse is the time after which a long pulse ends, even if it is longer on the tape. A
// driver learns nothing more from a longer pulse, and the wait for its end cannot be
// interrupted.
const maxPulse = time.Second

// Out compares a change of level with the change on the tape. If the two changes are not the
// same, Out returns errDiffers. A long pulse lasts as long as on the tape, but at most
// maxPulse. Out does not wait for a short pulse, because a busy computer could turn the
// pulse into a long one.
func (s *playedPin) Out(l gpio.Level) error {
	if s.levelKnown && s.level == l {
		return nil
	}
	p := s.player
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.difference != nil {
		return errDiffers
	}
	got := fmt.Sprintf("pin %s %c", s.name, level(l))
	if p.call == nil {
		return p.recordMismatch(got)
	}
	p.skip()
	if p.next >= len(p.lines) {
		return p.recordMismatch(got)
	}
	line := &p.lines[p.next]
	if line.Verb != Pin || line.Name != s.name || bit(line.High) != l {
		return p.recordMismatch(got)
	}
	pulse := line.At - p.tapeTime
	if p.next > 0 && p.lines[p.next-1].Verb == Pin && p.lines[p.next-1].Name == s.name && pulse >= longPulse {
		time.Sleep(min(pulse, maxPulse) - time.Since(p.playedAt))
	}
	s.levelKnown, s.level = line.Err == "", l
	return p.take().err()
}

// Serial returns the serial line of the part.
func (p *Player) Serial() *PlayedSerial { return &PlayedSerial{p} }

// A PlayedSerial is a serial line that plays a tape.
type PlayedSerial struct{ player *Player }

// Close implements io.Closer and does nothing.
func (s *PlayedSerial) Close() error { return nil }

// SetReadTimeout sets how long a Read waits for bytes.
func (s *PlayedSerial) SetReadTimeout(d time.Duration) error {
	s.player.mu.Lock()
	defer s.player.mu.Unlock()
	s.player.readTimeout = d
	return nil
}

// Write compares the bytes b with the bytes on the tape. If they are not the same, the error
// is errDiffers.
func (s *PlayedSerial) Write(b []byte) (int, error) {
	p := s.player
	p.mu.Lock()
	for p.call != nil && p.difference == nil && p.next < len(p.lines) && p.lines[p.next].Verb == Receive {
		p.pass()
	}
	p.mu.Unlock()
	if err := p.exchange(Send, b, nil); err != nil {
		return 0, err
	}
	return len(b), nil
}

// receive adds the next bytes on the tape to p.unreadLines if they are due within
// p.readTimeout. Bytes are due at their time on the tape. Once the driver has made as many
// empty reads as the tape has, the bytes are due even before that time.
func (p *Player) receive() {
	behind := p.next
	for behind < len(p.lines) && p.lines[behind].repeatable {
		behind++
	}
	if behind == len(p.lines) || p.lines[behind].Verb != Receive {
		return
	}
	wait := p.lines[behind].At - p.tapeTime - time.Since(p.playedAt)
	if wait > p.readTimeout && !p.askedEnough(behind, func(l *Line) bool { return l.Verb == Receive }) {
		return
	}
	time.Sleep(min(wait, p.readTimeout))
	p.next = behind
	p.unreadLines = append(p.unreadLines, *p.take())
}

// Read returns the next bytes on the tape when they are due. If no bytes are due within the
// time limit, Read returns 0 and no error. Read also returns the errors on the tape. After a
// difference, the error is errDiffers.
func (s *PlayedSerial) Read(b []byte) (int, error) {
	p := s.player
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.difference != nil {
		return 0, errDiffers
	}
	if len(p.unreadLines) == 0 && p.call != nil {
		p.receive()
	}
	if len(p.unreadLines) == 0 {
		p.looks++
		time.Sleep(p.readTimeout)
		return 0, nil
	}
	l := &p.unreadLines[0]
	if l.Err != "" {
		p.unreadLines = p.unreadLines[1:]
		return 0, l.err()
	}
	n := copy(b, l.R)
	if l.R = l.R[n:]; len(l.R) == 0 {
		p.unreadLines = p.unreadLines[1:]
	}
	return n, nil
}
