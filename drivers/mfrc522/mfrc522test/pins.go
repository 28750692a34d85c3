package mfrc522test

import (
	"time"

	"periph.io/x/conn/v3/gpio"
)

// A resetPin is the host's pin on NRSTPD, which a resistor holds high. All methods that it
// does not define are those of gpio.INVALID, and they fail.
type resetPin struct {
	gpio.PinIO
	chip  *Chip
	level gpio.Level
}

func (p *resetPin) String() string { return p.Name() }
func (p *resetPin) Name() string   { return "RST" }

// In releases the line: it rises.
func (p *resetPin) In(gpio.Pull, gpio.Edge) error { return p.Out(gpio.High) }

func (p *resetPin) Read() gpio.Level {
	p.chip.mu.Lock()
	defer p.chip.mu.Unlock()
	return p.level
}

func (p *resetPin) Out(l gpio.Level) error {
	p.chip.hold(l == gpio.Low)
	p.chip.mu.Lock()
	defer p.chip.mu.Unlock()
	p.level = l
	return nil
}

// An irqPin is the host's pin on IRQ (8.3.1). Like the kernel, it keeps up to 16 edges for
// WaitForEdge, and drops all further edges.
type irqPin struct {
	gpio.PinIO // it drives nothing
	chip       *Chip
	level      gpio.Level
	edge       gpio.Edge
	edges      chan struct{}
	wake       chan struct{} // closed when waiting has to end
	alarm      *time.Timer   // fires when the pin changes next; nil: nobody waits for edges
}

const keptEdges = 16

func (p *irqPin) init(c *Chip) {
	p.PinIO, p.chip = gpio.INVALID, c
	p.edges, p.wake = make(chan struct{}, keptEdges), make(chan struct{})
}

func (p *irqPin) String() string { return p.Name() }
func (p *irqPin) Name() string   { return "IRQ" }

// In sets which edges to report, drops the edges recorded so far, and ends a WaitForEdge
// that is running.
func (p *irqPin) In(_ gpio.Pull, edge gpio.Edge) error {
	c := p.chip
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(p.edges) > 0 {
		<-p.edges
	}
	close(p.wake)
	p.wake = make(chan struct{})
	p.edge = edge
	if p.alarm != nil {
		p.alarm.Stop()
		p.alarm = nil
	}
	if edge != gpio.NoEdge {
		p.alarm = time.AfterFunc(time.Hour, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.settle(time.Now())
		})
	}
	c.settle(time.Now())
	return nil
}

// Halt ends waiting for edges.
func (p *irqPin) Halt() error { return p.In(gpio.PullNoChange, gpio.NoEdge) }

func (p *irqPin) Read() gpio.Level {
	p.chip.mu.Lock()
	defer p.chip.mu.Unlock()
	p.chip.settle(time.Now())
	return p.level
}

// WaitForEdge keeps gpio.PinIn's contract: a negative time-out waits forever, and
// 0 does not wait.
func (p *irqPin) WaitForEdge(timeout time.Duration) bool {
	p.chip.mu.Lock()
	wake := p.wake
	p.chip.mu.Unlock()
	select {
	case <-p.edges:
		return true
	default:
	}
	if timeout == 0 {
		return false
	}
	var late <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-p.edges:
		return true
	case <-wake:
	case <-late:
	}
	return false
}

// signal sets the IRQ pin to the level that the registers call for (IRqInv, 9.3.1.3).
func (c *Chip) signal(now time.Time) {
	p := &c.irq
	level := gpio.Level(c.requested() != (c.reg[comIEn]&irqInverted != 0))
	if !c.working() {
		level = gpio.High // open drain, pulled up
	}
	if level != p.level {
		p.level = level
		wanted := p.edge == gpio.BothEdges || p.edge == gpio.RisingEdge && level || p.edge == gpio.FallingEdge && !level
		if wanted {
			select {
			case p.edges <- struct{}{}:
			default:
			}
		}
	}
	if p.alarm != nil {
		if at, ok := c.nextEvent(); ok {
			p.alarm.Reset(max(0, at.Sub(now)))
		}
	}
}
