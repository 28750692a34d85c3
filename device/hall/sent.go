package hall

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tableside/device/disk"
	"tableside/engine"
)

// sentFile, in the table's folder, records which matches a hall has.
const sentFile = "hall.json"

// A sentList is the content of sentFile.
type sentList struct {
	Hall    string            `json:"hall"`
	Since   time.Time         `json:"since,omitzero"` // when the table named the hall
	Matches map[string]record `json:"matches"`
}

// A record says whether the hall has a match, is to get the match, or never gets it. There is
// a record for each match that is in the hall. There is also a record for each match that the
// table had before it named the hall.
type record struct {
	Home   bool   `json:"home,omitempty"`   // it was over, or deleted: it stays at home
	SHA256 string `json:"sha256,omitempty"` // of the journal that the hall has
	stamp
}

// A stamp holds the size and time of a file, to see whether a journal has changed.
type stamp struct {
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
}

func (s stamp) isSame(other stamp) bool {
	return s.Size == other.Size && s.Changed.Equal(other.Changed)
}

// isHome reports whether a match stays at home, which means that it is never sent. If a match
// has no record and began before the table named the hall, it was copied from elsewhere and
// stays at home.
func (s sentList) isHome(match string) bool {
	known, noted := s.Matches[match]
	return known.Home || !noted && engine.BeginOf(match).Before(s.Since)
}

// load reads which matches the hall has. For a new hall, load writes a new sentFile. The hall
// then never gets the matches that are already over or deleted. All other matches are sent
// when they end.
func (s *Sender) load() error {
	data, err := os.ReadFile(filepath.Join(s.cfg.Data, sentFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(data, &s.sentList); err != nil {
			return err
		}
	}
	if s.sentList.Hall == s.cfg.Hall {
		if s.sentList.Matches == nil {
			s.sentList.Matches = map[string]record{}
		}
		return nil
	}
	s.sentList = sentList{Hall: s.cfg.Hall, Since: s.createdAt, Matches: map[string]record{}}
	for _, m := range s.cfg.Matches() {
		s.sentList.Matches[m.ID] = record{Home: m.State == "finished"} // any other is sent once it is over
	}
	deleted, err := os.ReadDir(filepath.Join(s.cfg.Data, "matches", "deleted"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, file := range deleted {
		if match, ok := strings.CutSuffix(file.Name(), ".journal"); ok {
			s.sentList.Matches[match] = record{Home: true}
		}
	}
	return s.write()
}

func (s *Sender) write() error {
	text, err := json.Marshal(s.sentList)
	if err != nil {
		return err
	}
	return disk.ReplacePrivate(filepath.Join(s.cfg.Data, sentFile), string(text))
}
