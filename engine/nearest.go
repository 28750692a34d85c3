package engine

// Nearest returns the candidate that is most likely meant by a misspelt word, or "" if none is
// similar.
func Nearest(word string, candidates []string) string {
	best, least := "", min(2, max(1, len(word)/3))+1
	if len(word) < 2 || len(word) > 40 { // too short to compare, or longer than any id
		return ""
	}
	for _, c := range candidates {
		if d := distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance returns the least number of single-byte changes that turn a into b. A change
// inserts, deletes or replaces one byte, or swaps two neighbouring bytes.
func distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := above[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
