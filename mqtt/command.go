package mqtt

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

// A command is a message that was received and is not processed yet.
type command struct {
	topic   string
	what    string // the last level of the topic: input, match, tap or lift
	place   string // where a tag was put, or taken off; "" for other commands
	payload []byte
}

// These are the last levels (parts) of topics on which other devices publish. On a topic that
// ends with one of tapTopics, a device publishes what it has read. On a topic that ends with
// one of presenceTopics, it publishes whether it is online. A Tasmota device always uses
// "LWT", never "status".
var (
	tapTopics      = []string{"tap", "lift"}
	presenceTopics = []string{"status", "LWT"}
)

// splitTopic returns what follows the prefix in one of the table's topics, and of a reader's topic
// the place and what follows that.
func splitTopic(prefix, topic string) (place, what string) {
	what, own := strings.CutPrefix(topic, prefix+"/")
	if rest, ok := strings.CutPrefix(what, "reader/"); ok && own {
		place, what, _ = strings.Cut(rest, "/")
	} else if !own {
		what = ""
	}
	return place, what
}

func isPresence(place, what string) bool { return place != "" && slices.Contains(presenceTopics, what) }

func (c *Client) presence(place string, payload []byte) {
	state := strings.ToLower(string(payload[:min(len(payload), maxPresence)]))
	switch {
	case state != "" && state != online && state != offline:
		c.log.Warn("mqtt: the status of a reader is neither online nor offline", "place", place)
	case c.cfg.Presence != nil:
		c.cfg.Presence(place, state)
	}
}

// maxPresence is how many bytes of a presence message are read.
const maxPresence = 16

// receive queues a command from the broker. If the command is too long, or if the queue is
// full, receive immediately sends an answer that says so. It never blocks, because paho calls
// it while reading from the connection.
func (c *Client) receive(cmd command) {
	limit := maxInput
	if cmd.what == "match" {
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

// work executes the commands one after the other and answers them, until the context ends.
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

// obey reads a command and passes it on. It returns the receipt and the command's id. If the
// command has no id, the id is "". A malformed command changes nothing.
func (c *Client) obey(ctx context.Context, cmd command) (id string, receipt engine.Receipt) {
	var do func() engine.Receipt
	var err error
	switch cmd.what {
	case "match":
		var order engine.Order
		if id, order, err = parseOrder(cmd.payload); c.cfg.Order != nil {
			do = func() engine.Receipt { return c.order(ctx, order) }
		}
	case "input":
		var in engine.Input
		if id, in, err = parseInput(cmd.payload); c.cfg.Input != nil {
			do = func() engine.Receipt { return c.cfg.Input(ctx, in) }
		}
	default:
		tag := c.cfg.Tap
		if cmd.what == "lift" {
			tag = c.cfg.Lift
		}
		if tag != nil {
			do = func() engine.Receipt { return tag(ctx, cmd.place, string(cmd.payload)) }
		}
	}
	switch {
	case err != nil:
		return id, c.problem(engine.Malformed, "mqtt.malformed", "reason", c.wrong(err))
	case do == nil:
		return id, c.problem(engine.Failed, "mqtt.not-taken")
	case id != "":
		return id, c.executeOnce(cmd.topic+" "+id, cmd.payload, do)
	}
	receipt = do()
	if cmd.place != "" && receipt.Seq == 0 { // it never reached the match
		receipt.Seq = int(c.seq.Load())
	}
	return id, receipt
}

// executeOnce executes a command with the given function, and returns the answer. The key
// consists of the topic and the command's id. If a command with the same key was already
// answered, executeOnce does not call the function. If both commands have the same payload, it
// returns the earlier answer. Otherwise the answer is an error. A command that failed may be
// sent again with the same id.
func (c *Client) executeOnce(key string, payload []byte, do func() engine.Receipt) engine.Receipt {
	sum := sha256.Sum256(payload)
	if g, ok := c.answers.get(key, time.Now()); ok {
		if g.payload != sum {
			return c.problem(engine.Malformed, "mqtt.id-used")
		}
		return g.receipt
	}
	receipt := do()
	if receipt.Outcome != engine.Failed {
		c.answers.put(givenAnswer{key: key, at: time.Now(), payload: sum, receipt: receipt})
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
	topic := cmd.topic
	if cmd.place != "" { // a tap and a lift have one answer topic
		topic = strings.TrimSuffix(topic, "/"+cmd.what)
	}
	c.box.answer(Message{Topic: topic + "/result", Payload: encode(result)})
}
