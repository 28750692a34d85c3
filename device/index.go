package device

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/engine"
)

// indexName is the name of the index, a file in the data folder. The index has a line of JSON
// for each match, sorted by id. It spares the program from reading all journals again when it
// starts. The file can be deleted at any time.
const indexName = "matches.json"

// indexVersion is the first line of the index. Its number changes with the form of the index.
const indexVersion = `{"version":1}`

// settleTime is how long a journal must have been left alone before its entry goes into the
// index. If a journal changes twice within one tick of the file system's clock, both changes
// have the same time. The index could then not notice the second change.
const settleTime = 2 * time.Second

// An indexLine is a line of the index, with the entry of one match in the list. The size and
// time of the journal and the version of the rules show whether the entry is still valid.
type indexLine struct {
	Size    int64            `json:"size"`
	Changed time.Time        `json:"changed"`
	Rules   int              `json:"rules"` // the version with which the match was folded
	Info    engine.MatchInfo `json:"info"`
}

// A storedJournal is a file in the folder, and its entry in the list of matches.
type storedJournal struct {
	indexLine
	id      string
	indexed bool // the index has its entry
}

// DropIndex removes the index from a data folder, because the index holds names of players.
// The next start makes a new index.
func DropIndex(data string) error {
	err := os.Remove(filepath.Join(data, indexName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// infos returns the entries of all journals, the oldest match first. The entries are sorted by
// id, because an id is the moment when a match began. infos reads only the journals that are
// new or have changed since the index was written. If necessary, it writes the index again. If
// the index cannot be written, this is no error: it only costs time.
func (s *store) infos(games map[string]engine.Game) ([]engine.MatchInfo, error) {
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	rules := make(map[string]int, len(games))
	for name, g := range games {
		rules[name] = g.Info().Rules
	}
	lines := s.readIndex(files, rules)
	s.readJournals(games, files)
	now, known, lasting := time.Now(), 0, 0
	infos := make([]engine.MatchInfo, len(files))
	for i := range files {
		f := &files[i]
		f.Rules = rules[f.Info.Game]
		if f.indexed {
			known++
		}
		if f.isLasting(now) {
			lasting++
		}
		infos[i] = f.Info
	}
	if lines != lasting || known != lasting {
		_ = s.writeIndex(files, now)
	}
	return infos, nil
}

// files lists the journals, sorted by id.
func (s *store) files() (files []storedJournal, err error) {
	entries, err := os.ReadDir(s.matchDir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), journalSuffix)
		if !ok || strings.HasPrefix(id, ".") || !e.Type().IsRegular() {
			continue
		}
		f := storedJournal{id: id}
		if info, err := e.Info(); err == nil { // else reading it says what is wrong
			f.Size, f.Changed = info.Size(), info.ModTime()
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b storedJournal) int { return strings.Compare(a.id, b.id) })
	return files, nil
}

// isLasting reports whether the index may keep the entry. The journal must have been left
// alone for settleTime, and must have no fault. A journal with a fault is read again each
// time, so that the fault is named in the table's present language.
func (f *storedJournal) isLasting(now time.Time) bool {
	return f.Info.Reason == "" && now.Sub(f.Changed) > settleTime
}

// readIndex reads the index and copies its valid entries into files, which must be sorted by
// id. A journal that gets such an entry is marked as known. rules holds the version of the
// rules for each game, by name. Reading stops at a line that cannot be read. readIndex returns
// the number of lines before that line.
func (s *store) readIndex(files []storedJournal, rules map[string]int) (lines int) {
	file, err := os.Open(filepath.Join(s.dir, indexName))
	if err != nil {
		return 0
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if first, err := in.ReadString('\n'); err != nil || first != indexVersion+"\n" {
		return 0
	}
	same := interner{}
	for from := json.NewDecoder(in); ; lines++ {
		var line indexLine
		if from.Decode(&line) != nil {
			return lines
		}
		for len(files) > 0 && files[0].id < line.Info.ID {
			files = files[1:]
		}
		if len(files) == 0 || files[0].id != line.Info.ID {
			continue
		}
		f := &files[0]
		if f.Size == line.Size && f.Changed.Equal(line.Changed) && line.Rules == rules[line.Info.Game] {
			line.Info.ID = f.id
			same.share(&line.Info)
			f.Info, f.indexed = line.Info, true
		}
	}
}

// readJournals reads the journals that the index does not know, on all processors.
func (s *store) readJournals(games map[string]engine.Game, files []storedJournal) {
	var work sync.WaitGroup
	next := make(chan *storedJournal)
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		work.Go(func() {
			same := interner{}
			for f := range next {
				f.Info = s.info(games, f.id)
				same.share(&f.Info)
			}
		})
	}
	for i := range files {
		if !files[i].indexed {
			next <- &files[i]
		}
	}
	close(next)
	work.Wait()
}

func (s *store) writeIndex(files []storedJournal, now time.Time) error {
	return WritePrivate(filepath.Join(s.dir, indexName), func(w io.Writer) error {
		_, err := io.WriteString(w, indexVersion+"\n")
		out := json.NewEncoder(w)
		for i := range files {
			if f := &files[i]; f.isLasting(now) && err == nil {
				err = out.Encode(f.indexLine)
			}
		}
		return err
	})
}

// An interner saves memory by sharing the contents of entries. Equal words of all entries
// become one string. If an entry has the same players or winners as the entry before it, the
// two share a slice. The interner copies each word that it keeps, because a word cut from a
// journal would keep a whole line of the journal in memory.
type interner struct {
	words   map[string]string
	seats   []engine.Player // of the entry before
	winners []engine.Seat
}

// share lets an entry share memory with earlier entries. For a word that an earlier entry had,
// the entry uses the same string. If its players or winners equal those of the entry before,
// it uses the same slice.
func (a *interner) share(info *engine.MatchInfo) {
	info.Game, info.State, info.Counter = a.word(info.Game), a.word(info.State), a.word(info.Counter)
	if len(info.Seats) > 0 && slices.Equal(info.Seats, a.seats) {
		info.Seats = a.seats
	}
	if len(info.Winners) > 0 && slices.Equal(info.Winners, a.winners) {
		info.Winners = a.winners
	}
	a.seats, a.winners = info.Seats, info.Winners
}

func (a *interner) word(word string) string {
	if a.words == nil {
		a.words = map[string]string{}
	}
	same, known := a.words[word]
	if !known {
		same = strings.Clone(word)
		a.words[same] = same
	}
	return same
}
