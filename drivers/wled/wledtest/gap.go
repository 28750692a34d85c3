package wledtest

import "time"

// LongestGap returns the longest time in which no frame arrived, between start and now.
func (w *WLED) LongestGap(start time.Time) (longest time.Duration) {
	for _, at := range w.Frames() {
		if at.After(start) {
			longest, start = max(longest, at.Sub(start)), at
		}
	}
	return max(longest, time.Since(start))
}
