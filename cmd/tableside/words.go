package main

import (
	_ "embed"

	"tableside/engine"
)

//go:embed words.txt
var wordsFile string

// cliWords is what the commands say to players.
func cliWords() engine.Words { return engine.MustWords("cmd/tableside/words.txt", wordsFile) }

// say speaks a text of the commands' own.
func (p *program) say(key string, pairs ...any) string {
	return cliWords().Say(p.lang, engine.T(key, pairs...), nil)
}
