package mqtt

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"tableside/engine"
)

// A command is a message that was received and is not processed yet.
type command struct {
	topic   string // the answer goes to topic + "/result"
	order   bool
	payload []byte
}

// receive queues a command from the broker. It never blocks, because paho calls
// it while reading the connection.
func (c *Client) receive(cmd command) {
	limit := maxInput
	if cmd.order {
		limit = maxOrder
	}
	if len(cmd.payload) > limit {
		c.answer(cmd, findID(cmd.payload), c.problem(engine.Malformed, "mqtt.too-long", "n", limit))
		return
	}
	select {
	case c.inbox <- cmd:
	default:
		c.answer(cmd, findID(cmd.payload), c.problem(engine.Failed, "mqtt.busy"))
	}
}

// work executes the commands one after the other.
func (c *Client) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case cmd := <-c.inbox:
			id, receipt := c.obey(ctx, cmd)
			c.answer(cmd, id, receipt)
		}
	}
}

// obey reads a command and passes it on. A malformed command changes nothing.
func (c *Client) obey(ctx context.Context, cmd command) (id string, receipt engine.Receipt) {
	var do func() engine.Receipt
	var err error
	if cmd.order {
		var order engine.Order
		if id, order, err = parseOrder(cmd.payload); c.cfg.Order != nil {
			do = func() engine.Receipt {
				if receipt, done := c.choose(&order); done {
					return receipt
				}
				return c.cfg.Order(ctx, order)
			}
		}
	} else {
		var in engine.Input
		if id, in, err = parseInput(cmd.payload); c.cfg.Input != nil {
			do = func() engine.Receipt { return c.cfg.Input(ctx, in) }
		}
	}
	switch {
	case err != nil:
		return id, c.problem(engine.Malformed, "mqtt.malformed", "reason", c.wrong(err))
	case do == nil:
		return id, c.problem(engine.Failed, "mqtt.not-taken")
	case id == "":
		return id, do()
	}
	return id, c.once(cmd.topic+" "+id, cmd.payload, do)
}

// once executes a command whose id is new, and repeats the earlier answer if
// the id is known. A failed command may be tried again.
func (c *Client) once(key string, payload []byte, do func() engine.Receipt) engine.Receipt {
	sum := sha256.Sum256(payload)
	if g, ok := c.given.get(key, time.Now()); ok {
		if g.payload != sum {
			return c.problem(engine.Malformed, "mqtt.id-used")
		}
		return g.receipt
	}
	receipt := do()
	if receipt.Outcome != engine.Failed {
		c.given.put(key, given{at: time.Now(), payload: sum, receipt: receipt})
	}
	return receipt
}

// problem returns the receipt for a command that never reaches the match.
func (c *Client) problem(outcome engine.Outcome, key string, pairs ...any) engine.Receipt {
	return engine.Receipt{Outcome: outcome, Seq: int(c.seq.Load()), Text: engine.T(key, pairs...)}
}

func (c *Client) answer(cmd command, id string, r engine.Receipt) {
	result := Result{ID: id, Outcome: r.Outcome, Seq: r.Seq, Reason: r.Text, Text: r.Spoken}
	if result.Text == "" && r.Text.Key != "" {
		result.Text = c.words.Say(c.cfg.Lang, r.Text, nil)
	}
	c.log.Debug("mqtt: command", "topic", cmd.topic, "outcome", r.Outcome, "text", fmt.Sprintf("%.80s", result.Text))
	c.box.answer(Message{Topic: cmd.topic + "/result", Payload: encode(result)})
}
