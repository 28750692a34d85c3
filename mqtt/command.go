package mqtt

import (
	"context"
	"fmt"

	"tableside/engine"
)

// A command came in and waits to be looked at.
type command struct {
	topic   string // the answer goes to topic + "/result"
	order   bool
	payload []byte
	long    int // the limit that the payload exceeds, else 0
}

// receive takes a command from the broker. It never blocks: what it calls
// may be in the middle of the connection.
func (c *Client) receive(cmd command) {
	limit := maxInput
	if cmd.order {
		limit = maxOrder
	}
	if len(cmd.payload) > limit {
		cmd.payload, cmd.long = nil, limit
	}
	select {
	case c.inbox <- cmd:
	default:
		c.answer(cmd, "", c.problem(engine.Failed, "mqtt.busy"))
	}
}

// work takes the commands into the match, one after the other.
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

// obey reads a command and hands it on. What cannot be read changes nothing.
func (c *Client) obey(ctx context.Context, cmd command) (id string, receipt engine.Receipt) {
	if cmd.long > 0 {
		return "", c.problem(engine.Malformed, "mqtt.too-long", "n", cmd.long)
	}
	if cmd.order {
		id, order, err := parseOrder(cmd.payload)
		switch {
		case err != nil:
			return id, c.problem(engine.Malformed, "mqtt.malformed", "reason", err.Error())
		case c.cfg.Order == nil:
			return id, c.problem(engine.Failed, "mqtt.not-taken")
		}
		if receipt, done := c.choose(&order); done {
			return id, receipt
		}
		return id, c.cfg.Order(ctx, order)
	}
	id, in, err := parseInput(cmd.payload)
	switch {
	case err != nil:
		return id, c.problem(engine.Malformed, "mqtt.malformed", "reason", err.Error())
	case c.cfg.Input == nil:
		return id, c.problem(engine.Failed, "mqtt.not-taken")
	}
	return id, c.cfg.Input(ctx, in)
}

// problem is the receipt for what the match never sees.
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
