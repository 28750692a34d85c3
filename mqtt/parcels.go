package mqtt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
)

// parcels collects the journals that a watcher has asked for. A journal comes in pieces. A
// watcher subscribes to these pieces only while it fetches the journal, so that the journals
// of all tables never come at the same time.
type parcels struct {
	mu          sync.Mutex
	client      paho.Client // nil while there is no connection
	collections map[string]*pieces
}

// pieces holds the pieces of one journal that have come so far.
type pieces struct {
	payloads [][]byte
	missing  int           // how many have not come yet
	arrived  chan struct{} // holds a value when a piece has come
}

func (p *parcels) connect(client paho.Client) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.client = client
}

// connection returns the present connection, nil if there is none.
func (p *parcels) connection() paho.Client {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.client
}

// take records a piece of a wanted journal. An invalid piece, or a piece that came before, is
// ignored. take reports whether the topic belongs to a piece, even if nobody wants the piece.
func (p *parcels) take(topic string, payload []byte) bool {
	cut := strings.LastIndexByte(topic, '/') + 1
	p.mu.Lock()
	defer p.mu.Unlock()
	of := p.collections[topic[:cut]]
	if of == nil {
		_, what, _ := strings.Cut(strings.TrimPrefix(topic, "tableside/"), "/")
		return strings.HasPrefix(what, "journal/") // a table may be called journal, too
	}
	n, err := strconv.Atoi(topic[cut:])
	if err != nil || n < 1 || n > len(of.payloads) || of.payloads[n-1] != nil || len(payload) == 0 ||
		len(payload) > pieceSize {
		return true
	}
	of.payloads[n-1] = payload
	of.missing--
	select {
	case of.arrived <- struct{}{}:
	default:
	}
	return true
}

// startCollection starts a collection of the n pieces of a journal. The topics of these pieces
// all begin with the given prefix. It returns the collection, which is still empty, and the
// connection on which the caller must ask for the pieces. Without a connection, it returns
// errLost.
func (p *parcels) startCollection(prefix string, n int) (*pieces, paho.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client == nil {
		return nil, nil, errLost
	}
	if p.collections == nil {
		p.collections = map[string]*pieces{}
	}
	of := &pieces{payloads: make([][]byte, n), missing: n, arrived: make(chan struct{}, 1)}
	p.collections[prefix] = of
	return of, p.client, nil
}

// missing returns how many pieces have not come yet.
func (p *parcels) missing(of *pieces) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return of.missing
}

func (p *parcels) drop(prefix string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.collections, prefix)
}

// errIncomplete reports that some pieces of a journal are not on the broker.
var errIncomplete = errors.New("pieces of the journal are missing")

// A watcher asks for the pieces of a journal at most maxAsks times. If pieces are missing
// after patientAsks times, the watcher tells the table about this.
const (
	maxAsks     = 10
	patientAsks = 2
)

// Fetch returns the journal of a match that a table offers. It does not check the journal.
//
// If pieces do not come, Fetch asks for them again for some time. Meanwhile it calls the given
// function once. This function must make the table publish the pieces again, because a node of
// a cluster may never learn what other nodes retain. If pieces still do not come, Fetch
// returns errIncomplete. Without a connection, or if the connection is lost meanwhile, Fetch
// returns errLost.
func (w *Watcher) Fetch(ctx context.Context, f engine.Finished, lacks func()) ([]byte, error) {
	prefix := Prefix(f.Table) + journalTopic(f.Match)
	of, client, err := w.parcels.startCollection(prefix, f.Pieces)
	if err != nil {
		return nil, err
	}
	defer w.parcels.drop(prefix)
	defer client.Unsubscribe(prefix + "+")
	for n := range maxAsks {
		// The first time may be too early: a node of a cluster forwards a message some time
		// before it knows that it retains the message. Each request waits for its answer,
		// because the broker may be busy.
		if err := awaitToken(ctx, client.Subscribe(prefix+"+", 0, nil), nil); err != nil {
			return nil, err
		}
		if err := w.collect(ctx, of); err != nil {
			return nil, err
		}
		switch missing := w.parcels.missing(of); {
		case missing == 0:
			return bytes.Join(of.payloads, nil), nil
		case w.parcels.connection() != client, !client.IsConnected():
			return nil, fmt.Errorf("%w: %d of %d pieces had not come", errLost, missing, f.Pieces)
		case n == patientAsks-1:
			lacks()
		}
	}
	return nil, fmt.Errorf("%w: %d of %d", errIncomplete, w.parcels.missing(of), f.Pieces)
}

// collect waits until all pieces have come, or until no further piece comes for a while. In
// both cases it returns nil. It returns an error only if the context ends.
func (w *Watcher) collect(ctx context.Context, of *pieces) error {
	idle := time.NewTimer(w.delays.piece)
	defer idle.Stop()
	for w.parcels.missing(of) > 0 {
		select {
		case <-of.arrived:
			idle.Reset(w.delays.piece)
		case <-ctx.Done():
			return ctx.Err()
		case <-idle.C:
			return nil
		}
	}
	return nil
}

// Acknowledge tells a table what the hall has done with the match that the table offers. The
// hall has either kept or refused the match. The parameter refused holds the reason for the
// refusal, or "" if the hall has kept the match.
//
// The message has QoS 0, because a cluster that waits for other nodes would end the hall's
// connection. If the message is lost, the table offers its match again. Without a connection,
// or if nothing is sent within ackTimeout, Acknowledge returns errLost.
func (w *Watcher) Acknowledge(hall string, f engine.Finished, refused string) error {
	return w.send(hallPrefix(hall, f.Table)+KeptTopic, false, encode(acknowledgement{f.Match, f.SHA256, refused}))
}

// send publishes a message with QoS 0, and returns once the message is sent. Without a
// connection, or if nothing is sent within ackTimeout, send returns errLost.
func (w *Watcher) send(topic string, retain bool, payload []byte) error {
	client := w.parcels.connection()
	if client == nil {
		return errLost
	}
	token := client.Publish(topic, 0, retain, payload)
	if !token.WaitTimeout(ackTimeout) {
		return fmt.Errorf("%w: nothing sent for %s", errLost, ackTimeout)
	}
	return token.Error()
}
