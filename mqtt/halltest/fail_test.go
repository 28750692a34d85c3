package halltest

import (
	"testing"
	"time"
)

// soon is how long after the cluster has recovered a hall may be wrong: until a connection is
// given up on which a node acknowledges nothing (10 s), until the next sign of life on the new
// one (10 s), and until the state that it names has been asked for twice (5 s each), as a node
// may hand on the one before.
const soon = 30 * time.Second

// silence is how long after it began to listen a hall calls a table gone that says nothing.
const silence = 45 * time.Second

// late is how long after that a result may come: a table that gets no answer offers a match
// again after 5, 15 and 35 seconds, and the hall subscribes again once a minute.
const late = time.Minute + soon

// A scene is a cluster with tables, at which people play, and halls.
type scene struct {
	*cluster
	tables []*table // those that live
	halls  []*club
}

func open(tb testing.TB, tables int) *scene {
	tb.Helper()
	s := &scene{cluster: startCluster(tb, tables)}
	for n := range tables {
		s.tables = append(s.tables, s.openTable(n))
	}
	return s
}

// watch opens halls, each at a node, and waits until they show all tables. The first one keeps
// their matches.
func (s *scene) watch(nodes ...int) {
	s.Helper()
	for i, n := range nodes {
		began := time.Now()
		h := s.openClub(n, i == 0)
		all := h.follows(s.tables, time.Time{}, began.Add(soon))
		s.Logf("a hall has all of %d tables after %s", len(s.tables), all.Sub(began).Round(time.Millisecond))
		s.halls = append(s.halls, h)
	}
}

// settles checks that all halls are right soon after the cluster has recovered.
func (s *scene) settles(recovered time.Time) {
	s.Helper()
	for _, h := range s.halls {
		right := h.follows(s.tables, recovered, recovered.Add(soon))
		s.Logf("states and liveness are right %s after the cluster", right.Sub(recovered).Round(10*time.Millisecond))
		h.calledNobody(s.tables, recovered.Add(soon))
	}
}

// TestNodeDies kills a node together with a table on it, and starts it again.
func TestNodeDies(t *testing.T) {
	t.Parallel()
	s := open(t, 12)
	s.watch(0, 1)
	stop := s.playAll(s.tables[1:])
	time.Sleep(3 * time.Second) // some matches

	dead := s.tables[0] // its broker is the first node, which will not tell anybody
	s.tables = s.tables[1:]
	s.halls[0].ungap()
	s.nodes[0].kill()
	dead.die()
	died := time.Now()
	recovered := s.recovers()
	t.Logf("the cluster recovers within %s", recovered.Sub(died).Round(time.Millisecond))
	time.Sleep(time.Second)
	stop()
	s.settles(recovered)
	t.Logf("no state of any table for %s", s.halls[0].longestGap())

	stop = s.playAll(s.tables)
	began := time.Now()
	s.nodes[0].start(t)
	recovered = s.recovers()
	t.Logf("the node serves %s after its start", recovered.Sub(began).Round(time.Millisecond))
	time.Sleep(3 * time.Second)
	stop()
	s.settles(time.Now())
	t.Logf("%d results", s.halls[0].keeps(s.tables, time.Now().Add(late)))
	for _, h := range s.halls {
		gone := h.calledGone(dead, died.Add(70*time.Second))
		t.Logf("the dead table is called gone after %s", gone.Sub(died).Round(time.Second))
		h.calledNobody(s.tables, time.Time{})
	}
}

// TestLeaderDies kills the node that leads the stream of messages, at a moment at which some
// tables fall silent.
func TestLeaderDies(t *testing.T) {
	t.Parallel()
	s := open(t, 12)
	leader := s.leader("$MQTT_msgs")
	s.watch(leader+1, leader)
	silence, stop := s.playAll(s.tables[:4]), s.playAll(s.tables[4:])
	time.Sleep(3 * time.Second)

	s.halls[0].ungap()
	s.nodes[leader].kill()
	silence()
	died := time.Now()
	recovered := s.recovers()
	t.Logf("the cluster recovers within %s", recovered.Sub(died).Round(time.Millisecond))
	time.Sleep(time.Second)
	stop()
	s.settles(recovered)
	t.Logf("no state of any table for %s; %d times offline", s.halls[0].longestGap(), s.halls[0].said("offline"))
	t.Logf("%d results", s.halls[0].keeps(s.tables, time.Now().Add(late)))

	s.nodes[leader].start(t)
	recovered = s.recovers()
	s.settles(recovered)
	for _, h := range s.halls {
		h.calledNobody(s.tables, time.Time{})
	}
}

// TestPartition cuts the node that leads the stream of messages off the others for half a
// minute, with tables on it, one of which dies, and with the hall that keeps the matches.
func TestPartition(t *testing.T) {
	t.Parallel()
	s := open(t, 12)
	leader := s.leader("$MQTT_msgs")
	s.watch(leader, leader+1)
	stop := s.playAll(s.tables[3:])
	time.Sleep(3 * time.Second)

	dead := s.tables[leader] // its broker is the one that is cut off; two others there are silent
	s.tables = append(s.tables[:leader:leader], s.tables[leader+1:]...)
	s.halls[1].ungap()
	s.routes.isolate(leader, true)
	dead.die()
	died := time.Now()
	time.Sleep(30 * time.Second)
	s.routes.isolate(leader, false)
	healed := time.Now()
	recovered := s.recovers()
	t.Logf("the cluster recovers %s after the partition", recovered.Sub(healed).Round(time.Millisecond))
	time.Sleep(time.Second)
	stop()
	s.settles(recovered)
	t.Logf("no state of any table for %s; %d times offline", s.halls[1].longestGap(), s.halls[1].said("offline"))
	t.Logf("%d results", s.halls[0].keeps(s.tables, recovered.Add(late)))
	for _, h := range s.halls {
		gone := h.calledGone(dead, recovered.Add(soon+silence))
		t.Logf("the dead table is called gone after %s", gone.Sub(died).Round(time.Second))
		h.calledNobody(s.tables, recovered.Add(soon))
	}
	s.halls[1].calledNobody(s.tables, time.Time{}) // most nodes had no reason to
}
