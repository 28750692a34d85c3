package device

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tableside/engine"
)

// An Owner reads and extends the owner's card data. Card data says what is printed on the
// cards of the owner's box. All editions of a game share one file, such as
// <data>/cards/mutants.txt.
type Owner struct {
	Dir string // the data folder of the table

	// Box returns the game of this name if it has card data, else nil.
	Box func(game string) Box
}

// A Box is a game whose cards are described by card data. The owner of the box may extend this
// data.
type Box interface {
	// Define reads source, the text of an owner's file; faults name the file. It returns the
	// lines of the cards that have no fault, and all faults in the order of the lines.
	Define(file, source string) (lines []string, faults []*engine.SyntaxError)
}

// File returns the path of the owner's file for a game.
func (o Owner) File(game string) string {
	return filepath.Join(o.Dir, "cards", engine.Title(game)+".txt")
}

// Read returns the lines of the owner's file for a match of a game, and the faults of the file.
// The lines leave out cards that have a fault. If there is no file, or if the game has no card
// data, there are no lines.
func (o Owner) Read(game string) (lines []string, faults []*engine.SyntaxError, err error) {
	box := o.Box(game)
	if box == nil {
		return nil, nil, nil
	}
	text, err := o.Text(game)
	if err != nil || text == "" {
		return nil, nil, err
	}
	lines, faults = box.Define(o.File(game), text)
	return lines, faults, nil
}

// maxOwnerFile is the size in bytes beyond which Learn does not let an owner's file grow.
const maxOwnerFile = 1 << 20

// Learn adds lines to the owner's file in one change, and returns once the disk has them.
// Lines that the file already has are not added again. If the file would grow beyond
// maxOwnerFile, Learn returns an error. After any error the file is unchanged.
func (o Owner) Learn(game string, defines []string) error {
	return o.Change(game, func(before string) (string, error) {
		after, known := before, strings.Split(before, "\n")
		for _, define := range defines {
			if slices.Contains(known, define) {
				continue
			}
			if after != "" && !strings.HasSuffix(after, "\n") {
				after += "\n" // the owner's editor did not end the last line
			}
			after, known = after+define+"\n", append(known, define)
		}
		if len(after) > maxOwnerFile && after != before {
			return "", fmt.Errorf("%s: it would be longer than 1 MiB", filepath.Base(o.File(game)))
		}
		return after, nil
	})
}
