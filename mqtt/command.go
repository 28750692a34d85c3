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
	topic   string // the answer goes to answerTopic
	order   bool   // a match command, as opposed to an input or a tag
	place   string // where a tag was put, or taken off; "" for other commands
	lift    bool   // the tag was taken off
	payload []byte
}

// newCommand returns the command of a message on one of the table's topics.
func newCommand(topic string, payload []byte) command {
	cmd := command{topic: topic, order: strings.HasSuffix(topic, "/match"), payload: payload}
	if levels := strings.Split(topic, "/"); len(levels) == tapLevels {
		cmd.place, cmd.lift = levels[tapLevels-2], levels[tapLevels-1] == "lift"
	}
	return cmd
}

// tapLevels counts the levels of "tableside/demo/reader/red/tap".
const tapLevels = 5

// These are the last levels (parts) of topics on which other devices publish. On a topic that
// ends with one of tapTopics, a device publishes what it has read. On a topic that ends with
// one of presenceTopics, it publishes whether it is online. A Tasmota device always uses
// "LWT", never "status".
var (
	tapTopics      = []string{"tap", "lift"}
	presenceTopics = []string{"status", "LWT"}
)

// readerFilters returns the topic filters for two kinds of messages from other devices:
// what they have read, and whether they are online.
func readerFilters(prefix string) []string {
	var filters []string
	for _, last := range slices.Concat(tapTopics, presenceTopics) {
		filters = append(filters, prefix+"/reader/+/"+last)
	}
	return filters
}

// readerTopic returns the place and the last level (part) of a topic on which another device
// publishes. For any other topic, ok is false.
func readerTopic(prefix, topic string) (place, last string, ok bool) {
	rest, ok := strings.CutPrefix(topic, prefix+"/reader/")
	place, last, found := strings.Cut(rest, "/")
	return place, last, ok && found
}

// isTap reports whether this is a topic on which other devices publish that a tag was put down
// or taken off.
func isTap(prefix, topic string) bool {
	_, last, ok := readerTopic(prefix, topic)
	return ok && slices.Contains(tapTopics, last)
}

// isPresence reports whether this is a topic on which other devices say that they are online
// or offline.
func isPresence(prefix, topic string) bool {
	_, last, ok := readerTopic(prefix, topic)
	return ok && slices.Contains(presenceTopics, last)
}

// presence passes a device's state to Config.Presence. The state is "online" or "offline", in
// capital or small letters, or "" if the message was cleared. Any other payload is logged and
// dropped.
func (c *Client) presence(prefix, topic string, payload []byte) {
	place, _, _ := readerTopic(prefix, topic)
	state := strings.ToLower(string(payload[:min(len(payload), maxPresence)]))
	switch {
	case state != "" && state != online && state != offline:
		c.log.Warn("mqtt: the status of a reader is neither online nor offline", "topic", topic)
	case c.cfg.Presence != nil:
		c.cfg.Presence(place, state)
	}
}

// maxPresence is how many bytes of a presence message are read.
const maxPresence = 16

// answerTopic returns the topic for the answer to a command. A card reader has only one answer
// topic, for taps and for lifts.
func (cmd command) answerTopic() string {
	if cmd.place != "" {
		return cmd.topic[:strings.LastIndex(cmd.topic, "/")] + "/result"
	}
	return cmd.topic + "/result"
}

// receive queues a command from the broker. If the command is too long, or if the queue is
// full, receive immediately sends an answer that says so. It never blocks, because paho calls
// it while reading from the connection.
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
	if cmd.place != "" {
		return "", c.read(ctx, cmd)
	}
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
	return id, c.executeOnce(cmd.topic+" "+id, cmd.payload, do)
}

// read passes the tag that another device has read to Config.Tap or, if the tag was taken off,
// to Config.Lift. It returns the receipt.
func (c *Client) read(ctx context.Context, cmd command) engine.Receipt {
	do := c.cfg.Tap
	if cmd.lift {
		do = c.cfg.Lift
	}
	if do == nil {
		return c.problem(engine.Failed, "mqtt.not-taken")
	}
	receipt := do(ctx, cmd.place, string(cmd.payload))
	if receipt.Seq == 0 { // it never reached the match
		receipt.Seq = int(c.seq.Load())
	}
	return receipt
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
		c.answers.put(key, givenAnswer{at: time.Now(), payload: sum, receipt: receipt})
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
	c.box.answer(Message{Topic: cmd.answerTopic(), Payload: encode(result)})
}
