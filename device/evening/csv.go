package evening

import (
	"encoding/csv"
	"io"
	"strconv"

	"tableside/engine/cardfile"
)

// StandingsCSV writes the standings as CSV. The first line has the names of the columns, and
// each further line has one player. The last columns are the tie-breaks. If a tie-break does
// not apply, its value is empty.
func (v *View) StandingsCSV(to io.Writer) error {
	lines := [][]string{append([]string{"rank", "name", "points", "played", "byes"}, v.TieBreaks...)}
	for _, s := range v.Standings {
		line := []string{strconv.Itoa(s.Rank), cardfile.AsCell(v.People[s.Player-1].Name), s.Points.String(),
			strconv.Itoa(s.Played), strconv.Itoa(s.Byes)}
		for _, value := range s.TieBreak {
			line = append(line, value.String())
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(to).WriteAll(lines)
}

// PairingsCSV writes all rounds as CSV. The first line has the names of the columns, and each
// further line has one player of one pairing. If there is no result, place and score are
// empty.
func (v *View) PairingsCSV(to io.Writer) error {
	lines := [][]string{{"round", "board", "table", "seat", "name", "place", "score"}}
	for _, r := range v.Rounds {
		for board, p := range r.Pairings {
			for seat, n := range p.Players {
				place, score := "", ""
				if p.Result != nil {
					place = strconv.Itoa(p.Result.Places[seat])
					if seat < len(p.Result.Scores) {
						score = strconv.Itoa(p.Result.Scores[seat])
					}
				}
				lines = append(lines, []string{strconv.Itoa(r.Round), strconv.Itoa(board + 1), cardfile.AsCell(p.Table),
					strconv.Itoa(seat + 1), cardfile.AsCell(v.People[n-1].Name), place, score})
			}
		}
	}
	return csv.NewWriter(to).WriteAll(lines)
}
