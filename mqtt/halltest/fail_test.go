package halltest

import (
	"testing"
	"time"
)

// soon is how long after the cluster has recovered a hall may be wrong.
const soon = 15 * time.Second

// A scene is a cluster with tables, at which people play, and halls.
type scene struct {
	*cluster
	tables []*table // those that live
	club   *club    // keeps their matches
	others []*club
}

// open starts a scene with two halls on different nodes, and waits until both show all tables.
func open(t *testing.T, tables, first, other int) *scene {
	t.Helper()
	s := &scene{cluster: startCluster(t, tables)}
	for n := range tables {
		s.tables = append(s.tables, s.openTable(n))
	}
	return s
}

// watch opens the halls: the first keeps matches.
func (s *scene) watch(first int, others ...int) {
	s.Helper()
	began := time.Now()
	s.club = s.openClub(first, true)
	s.club.follows(s.tables, time.Time{}, began.Add(soon))
	for _, n := range others {
		began = time.Now()
		h := s.openClub(n, false)
		all := h.follows(s.tables, time.Time{}, began.Add(soon))
		s.Logf("a hall has all of %d tables after %s", len(s.tables), all.Sub(began).Round(time.Millisecond))
		s.others = append(s.others, h)
	}
}

// halls returns all halls.
func (s *scene) halls() []*club { return append([]*club{s.club}, s.others...) }

// settles checks that all halls are right soon after the cluster has recovered, and that
// nothing was lost.
func (s *scene) settles(recovered time.Time) {
	s.Helper()
	for _, h := range s.halls() {
		right := h.follows(s.tables, recovered, recovered.Add(soon))
		s.Logf("states and liveness are right %s after the cluster", right.Sub(recovered).Round(10*time.Millisecond))
		h.calledNobody(s.tables, recovered.Add(soon))
	}
}

// TestNodeDies kills a node together with a table on it, and starts it again.
func TestNodeDies(t *testing.T) {
	s := open(t, 12, 0, 1)
	s.watch(0, 1)
	stop := s.playAll(s.tables[1:])
	time.Sleep(3 * time.Second) // some matches

	dead := s.tables[0] // its broker is the first node, which will not tell anybody
	s.tables = s.tables[1:]
	s.club.ungap()
	s.nodes[0].kill()
	dead.die()
	died := time.Now()
	recovered := s.recovers()
	t.Logf("the cluster recovers within %s", recovered.Sub(died).Round(time.Millisecond))
	time.Sleep(time.Second)
	stop()
	s.settles(recovered)
	t.Logf("no state of any table for %s", s.club.longestGap())

	stop = s.playAll(s.tables)
	began := time.Now()
	s.nodes[0].start(t)
	recovered = s.recovers()
	t.Logf("the node serves %s after its start", recovered.Sub(began).Round(time.Millisecond))
	time.Sleep(3 * time.Second)
	stop()
	s.settles(time.Now())
	t.Logf("%d results", s.club.keeps(s.tables, time.Now().Add(soon)))
	for _, h := range s.halls() {
		gone := h.calledGone(dead, died.Add(time.Minute))
		t.Logf("the dead table is called gone after %s", gone.Sub(died).Round(time.Second))
		h.calledNobody(s.tables, time.Time{})
	}
}
