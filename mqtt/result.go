package mqtt

import "encoding/json"

// Offer makes the client publish the compressed journal of a match for the hall that the table
// names. It stays on the broker until the next call of Offer. If the same journal is offered
// again, it is published again. If match is "", the journal is cleared. Offer does not wait for
// the broker.
func (c *Client) Offer(match string, journal []byte) {
	var offer Message
	if match != "" {
		offer = Message{Topic: journalTopic(c.cfg.Hall) + match, Payload: journal, Retain: true}
	}
	c.box.put(func(m *mail) { m.offer = &offer })
}

// journalTopic returns the topic of a journal for a hall, without the table's prefix and the
// match.
func journalTopic(hall string) string { return "/journal/" + level(hall) + "/" }

// An acknowledgement is the hall's answer to the journal of a match, which its SHA-256 names. The
// hall has kept the match or, if Refused is not "", has refused it for this reason.
type acknowledgement struct {
	Match   string `json:"match"`
	SHA256  string `json:"sha256"`
	Refused string `json:"refused,omitempty"`
}

// Acknowledge tells a table what the hall has done with a match whose compressed journal has this
// SHA-256. The hall has either kept or refused the match. The parameter refused holds the reason
// for the refusal, or "" if the hall has kept the match.
//
// The message has QoS 0, because a cluster that waits for other nodes would end the hall's
// connection. If the message is lost, the table offers its match again. Without a connection,
// or if nothing is sent within ackTimeout, Acknowledge returns errLost.
func (w *Watcher) Acknowledge(table, match, digest, refused string) error {
	return w.send(hallPrefix(w.cfg.Hall, table)+"kept", false, encode(acknowledgement{match, digest, refused}))
}

// refuseOlder answers a table whose program is older than that of this hall. Such a table
// publishes a result, and its journal in pieces. If the result is for another hall, refuseOlder
// reports false.
func (w *Watcher) refuseOlder(table string, payload []byte) bool {
	var result struct {
		Hall string `json:"hall"`
		acknowledgement
	}
	if json.Unmarshal(payload, &result) != nil || result.Hall != w.cfg.Hall {
		return false
	}
	result.Refused = "version"
	if c := w.connection.Load(); c != nil { // hear may not wait
		c.Publish(hallPrefix(w.cfg.Hall, table)+"kept", 0, false, encode(result.acknowledgement))
	}
	return true
}
