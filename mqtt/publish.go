package mqtt

import (
	"context"
	"fmt"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// publish hands a message to the network. If too many messages have not been acknowledged,
// publish waits. Meanwhile newer frames replace each other in the mailbox.
func (s *session) publish(ctx context.Context, m Message) error {
	for len(s.unacked) >= window {
		if err := s.await(ctx, s.unacked[0]); err != nil {
			return fmt.Errorf("mqtt: publish: %w", err)
		}
		s.unacked = s.unacked[1:]
	}
	s.unacked = append(s.unacked, s.paho.Publish(m.Topic, qos, m.Retain, m.Payload))
	for len(s.unacked) > 0 {
		select {
		case <-s.unacked[0].Done():
			if err := s.unacked[0].Error(); err != nil {
				return fmt.Errorf("mqtt: publish: %w: %w", errLost, err)
			}
			s.unacked = s.unacked[1:]
		default:
			return nil
		}
	}
	return nil
}

// await waits for the broker to acknowledge a packet of the session.
func (s *session) await(ctx context.Context, token paho.Token) error {
	return awaitToken(ctx, token, s.lost)
}

// awaitToken waits up to ackTimeout for the broker to acknowledge a packet. After that time,
// or if the connection is lost, it returns errLost. If ctx ends, it returns the error of ctx.
// The last argument is a channel that receives the reason when the connection is lost; it may
// be nil.
//
// If a connection is lost, paho usually completes the packet with an error before it reports
// the loss. awaitToken therefore gives a packet that has failed the time lossFollows for the
// report, and else returns the error of the packet.
func awaitToken(ctx context.Context, token paho.Token, lost <-chan error) error {
	deadline := time.NewTimer(ackTimeout)
	defer deadline.Stop()
	done, failed := token.Done(), error(nil)
	for {
		select {
		case <-done:
			if failed = token.Error(); failed == nil || lost == nil {
				return failed
			}
			done = nil
			deadline.Reset(lossFollows)
		case err := <-lost:
			return fmt.Errorf("%w: %w", errLost, err)
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			if failed != nil {
				return failed
			}
			return fmt.Errorf("%w: nothing acknowledged for %s", errLost, ackTimeout)
		}
	}
}

// lossFollows is how long paho may take to report a lost connection after it has completed the
// packets of the connection.
const lossFollows = time.Second

// farewell publishes that the table is offline: the broker sends the last will
// only after an unexpected end.
func (s *session) farewell() error {
	ctx, done := context.WithTimeout(context.Background(), byeTimeout)
	defer done()
	if err := s.publish(ctx, Message{Topic: s.prefix + "/status", Payload: []byte(offline), Retain: true}); err != nil {
		return err
	}
	return s.settle(ctx)
}

// clearOldTopics clears every topic under the table's old name, because the table has a new
// name. It returns errRenamed.
//
// Before it clears the topics, the method unsubscribes. Otherwise a message could come that
// the broker can no longer deliver. The broker would then end the connection before it reads
// the goodbye, and would retain the last will.
func (s *session) clearOldTopics(ctx context.Context) error {
	if err := s.await(ctx, s.paho.Unsubscribe(s.filters()...)); err != nil {
		return fmt.Errorf("mqtt: unsubscribe: %w", err)
	}
	for m := range s.ledger.update(func(func(Message) bool) {}) {
		if err := s.publish(ctx, m); err != nil {
			return err
		}
	}
	s.home.renamed()
	if err := s.settle(ctx); err != nil {
		return err
	}
	return errRenamed
}

// settle waits until all messages that the session has published are acknowledged.
func (s *session) settle(ctx context.Context) error {
	for len(s.unacked) > 0 {
		if err := s.await(ctx, s.unacked[0]); err != nil {
			return err
		}
		s.unacked = s.unacked[1:]
	}
	return nil
}
