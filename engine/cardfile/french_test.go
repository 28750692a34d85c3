package cardfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// said holds the functions that say what is wrong with a file, with the numbers
// of the arguments that are a format or a noun.
var said = map[string]int{
	"Fail": 0, "FailAt": 1, "malformed": 1, "Among": 0, "Read": 1,
	"Number": 0, "NumberOr": 1, "Identifier": 0, "word": 0, "words": 0, "oneWord": 1, "readNumber": 0,
	"damaged": 1, "wrong": 1, "Faultf": 1,
}

// TestFrench checks that all that is said about card files, journals and presets is
// said in French too, by every game that reads them.
func TestFrench(t *testing.T) {
	folders, err := filepath.Glob("../*/faults.txt")
	if err != nil || len(folders) == 0 {
		t.Fatal(folders, err)
	}
	for _, file := range append(folders, "french.txt", "../french.txt") {
		own, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		enginetest.CheckFrench(t, filepath.Dir(file), cardfile.Translations(string(own)), said)
	}
}
