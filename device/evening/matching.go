package evening

import "slices"

// A matching pairs as many points of a graph as possible. It uses Edmonds's algorithm for the
// largest matching. (J. Edmonds, "Paths, trees, and flowers", 1965) A search for a larger
// matching takes at most as many steps as the cube of the number of points.
type matching struct {
	adjacent [][]bool // which points may be paired
	excluded []bool   // points that take no part
	mate     []int    // the point with which each point is paired; -1 for none

	// The search from one point: a tree of alternating paths, in which an odd circle
	// shrinks to its base.
	parent, base []int
	even         []bool
	queue        []int
}

func newMatching(adjacent [][]bool) *matching {
	n := len(adjacent)
	m := &matching{adjacent: adjacent, excluded: make([]bool, n), mate: make([]int, n), parent: make([]int, n),
		base: make([]int, n), even: make([]bool, n)}
	for i := range m.mate {
		m.mate[i] = -1
	}
	return m
}

func (m *matching) fill() bool {
	all := true
	for i := range m.mate {
		if m.mate[i] < 0 && !m.excluded[i] && !m.extend(i) {
			all = false
		}
	}
	return all
}

// pair makes a pair of two points for good if all other points can still be paired. It reports
// whether it has made this pair. Before the call, all points that still take part must be
// paired. After the call, this is true again.
func (m *matching) pair(a, b int) bool {
	if m.excluded[a] || m.excluded[b] || !m.adjacent[a][b] {
		return false
	}
	old := slices.Clone(m.mate)
	left, right := m.mate[a], m.mate[b]
	m.excluded[a], m.excluded[b] = true, true
	m.mate[a], m.mate[b] = b, a
	if left == b {
		return true
	}
	m.mate[left], m.mate[right] = -1, -1
	if m.extend(left) {
		return true
	}
	m.excluded[a], m.excluded[b] = false, false
	m.mate = old
	return false
}

// extend looks for a path from the unpaired point root to another unpaired point. Every second
// edge of the path must be a pair. If there is such a path, extend makes pairs of the other
// edges instead, and returns true. Otherwise it changes no pair, and returns false.
func (m *matching) extend(root int) bool {
	for i := range m.base {
		m.parent[i], m.base[i], m.even[i] = -1, i, false
	}
	m.even[root], m.queue = true, append(m.queue[:0], root)
	for k := 0; k < len(m.queue); k++ {
		at := m.queue[k]
		for to, joined := range m.adjacent[at] {
			switch {
			case !joined || m.excluded[to] || m.base[to] == m.base[at] || m.mate[at] == to:
			case to == root || m.mate[to] >= 0 && m.parent[m.mate[to]] >= 0:
				m.shrink(at, to)
			case m.parent[to] < 0:
				m.parent[to] = at
				if m.mate[to] < 0 {
					m.exchange(to)
					return true
				}
				m.reach(m.mate[to])
			}
		}
	}
	return false
}

func (m *matching) reach(at int) {
	if !m.even[at] {
		m.even[at], m.queue = true, append(m.queue, at)
	}
}

func (m *matching) exchange(point int) {
	for point >= 0 {
		start := m.parent[point]
		next := m.mate[start]
		m.mate[point], m.mate[start] = start, point
		point = next
	}
}

// shrink gives all points of an odd circle the same base. The points a and b are even, and the
// edge between them closes this circle.
func (m *matching) shrink(a, b int) {
	base := m.meet(a, b)
	circle := make([]bool, len(m.base))
	m.mark(circle, a, base, b)
	m.mark(circle, b, base, a)
	for i := range m.base {
		if circle[m.base[i]] {
			m.base[i] = base
			m.reach(i)
		}
	}
}

// meet follows the paths from two even points to the root, and returns the base at which these
// paths meet.
func (m *matching) meet(a, b int) int {
	passed := make([]bool, len(m.base))
	for {
		a = m.base[a]
		passed[a] = true
		if m.mate[a] < 0 { // the root
			break
		}
		a = m.parent[m.mate[a]]
	}
	for {
		b = m.base[b]
		if passed[b] {
			return b
		}
		b = m.parent[m.mate[b]]
	}
}

// mark prepares one side of a new circle. The edge between point and neighbour closes this
// circle, and base becomes the base of the circle. mark walks from point to base. For each
// base that it passes, it sets the value in circle to true. On the way it also sets m.parent,
// so that a later path can go round this side and cross the edge to neighbour.
func (m *matching) mark(circle []bool, point, base, neighbour int) {
	for m.base[point] != base {
		mate := m.mate[point]
		circle[m.base[point]], circle[m.base[mate]] = true, true
		m.parent[point] = neighbour
		neighbour, point = mate, m.parent[mate]
	}
}
