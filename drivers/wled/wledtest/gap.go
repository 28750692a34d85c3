package wledtest

import "time"

// LongestGap returns the longest time in which no frame arrived, between since and now.
func (w *WLED) LongestGap(since time.Time) (longest time.Duration) {
	for _, at := range w.Frames() {
		if at.After(since) {
			longest, since = max(longest, at.Sub(since)), at
		}
	}
	return max(longest, time.Since(since))
}
