package tape

import (
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// readTransfer reads the data of the line l and adds the line to the call. For errors, the
// caller passes the column where the verb begins.
func (p *parser) readTransfer(call *Call, l Line, verb string, column int) (err error) {
	at := slices.Index(verbs[:], verb)
	if at < 1 {
		return p.fail(column, "got %.20q, want a verb such as spi, i2c, tx, rx, pin, done or failed", verb)
	}
	l.Verb = Verb(at)
	switch l.Verb {
	case SPI:
		return p.readPackets(call, l)
	case I2C:
		err = p.exchange(&l)
	case Send, Mux:
		l.W, err = p.bytes()
	case Receive:
		l.R, err = p.bytes()
	case Pin:
		l.Name, _ = p.word()
		l.High, err = p.level()
	case Lines:
		err = p.request(&l)
	case Levels:
		if l.Clock, err = p.micros(); err == nil {
			l.Name, err = p.levels()
		}
	case Edge:
		err = p.edge(&l)
	case Event:
		l.Name, _ = p.word()
		l.Key, err = p.quoted()
	}
	if err == nil {
		err = p.failure(&l)
	}
	if err == nil {
		err = p.checkLineEnd()
	}
	if err == nil {
		err = p.add(call, l)
	}
	return err
}

// add adds a line to a call.
func (p *parser) add(call *Call, l Line) error {
	if err := p.reserve(lineSize + len(l.Name) + len(l.Key) + len(l.Err) + len(l.GPIOLines)*gpioLineSize); err != nil {
		return err
	}
	call.Lines = append(call.Lines, l)
	return nil
}

// gpioLineSize is the size in memory, in bytes, of the number of a GPIO line. A request
// holds one such number for each GPIO line.
const gpioLineSize = int(unsafe.Sizeof(0))

func (p *parser) bytes() ([]byte, error) {
	word, column := p.word()
	b, in, err := parseBytes(word, min(maxBytes, p.room))
	if err != nil {
		return nil, p.fail(column+in, "%v", err)
	}
	p.room -= len(b)
	return b, nil
}

// exchange reads the bytes of a transfer into l: first those that were sent and then, after
// the sign ">", those that were received.
func (p *parser) exchange(l *Line) (err error) {
	if l.W, err = p.bytes(); err != nil {
		return err
	}
	if rest, ok := strings.CutPrefix(p.rest, "> "); ok {
		p.rest = rest
		l.R, err = p.bytes()
	}
	return err
}

// readPackets reads transfers separated by | and adds each transfer to the call. An error at
// the end of the line belongs to the last transfer.
func (p *parser) readPackets(call *Call, l Line) error {
	for {
		one := l
		if err := p.exchange(&one); err != nil {
			return err
		}
		rest, more := strings.CutPrefix(p.rest, "| ")
		if !more {
			if err := p.failure(&one); err != nil {
				return err
			}
		}
		if err := p.add(call, one); err != nil {
			return err
		}
		if !more {
			return p.checkLineEnd()
		}
		p.rest = rest
	}
}

// failure reads the error of a transfer into l.Err. The error comes after the bytes of the
// transfer. If there is none, failure changes nothing.
func (p *parser) failure(l *Line) (err error) {
	if rest, ok := strings.CutPrefix(p.rest, "! "); ok {
		p.rest = rest
		if l.Err, err = p.quoted(); err == nil && l.Err == "" {
			l.Err = "it failed"
		}
	}
	return err
}

func (p *parser) level() (bool, error) {
	word, column := p.word()
	if word != "0" && word != "1" {
		return false, p.fail(column, "got %.20q, want 0 or 1", word)
	}
	return word == "1", nil
}

func (p *parser) levels() (string, error) {
	word, column := p.word()
	if word == "" || len(word) > maxGPIOLines || strings.Trim(word, "01") != "" {
		return "", p.fail(column, "got %.20q, want up to %d levels 0 or 1", word, maxGPIOLines)
	}
	return word, nil
}

// maxGPIOLines is for one request.
const maxGPIOLines = 64

func (p *parser) request(l *Line) (err error) {
	if l.Clock, err = p.micros(); err != nil {
		return err
	}
	word, column := p.word()
	for number := range strings.SplitSeq(word, ",") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || len(l.GPIOLines) == maxGPIOLines {
			return p.fail(column, "got %.20q, want up to %d numbers of lines with commas between", word, maxGPIOLines)
		}
		l.GPIOLines = append(l.GPIOLines, n)
	}
	return nil
}

func (p *parser) edge(l *Line) (err error) {
	if l.Clock, err = p.micros(); err != nil {
		return err
	}
	line, err := p.count(1 << 16)
	if err != nil {
		return err
	}
	l.Line = int(line)
	if l.High, err = p.level(); err != nil {
		return err
	}
	seq, err := p.count(1<<32 - 1)
	l.Seq = uint32(seq)
	return err
}
