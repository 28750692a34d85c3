// Package shelf holds the games that the program has, and what is known about their cards.
// This knowledge comes from the box and from the owner's files.
package shelf

import (
	_ "embed"
	"path/filepath"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/display/web/cards"
	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed words.txt
var wordsFile string

// Words returns the texts of this package that players read.
func Words() engine.Words { return engine.MustWords("cmd/tableside/shelf/words.txt", wordsFile) }

// A List holds games, one for each edition.
type List []engine.Game

// A Box is a game that has card data.
type Box interface {
	Info() engine.Info
	// Owners returns the functions with which the game reads an owner's file.
	Owners() *cardfile.Owners
	// Cards returns the cards of the box, changed by own, the lines of an owner's file. If
	// standIn is set, made-up values fill in what is still unknown.
	Cards(standIn bool, own []string) (cardfile.Cards, error)
}

// Names returns the names of all games.
func (l List) Names() []string {
	var names []string
	for _, g := range l {
		names = append(names, g.Info().Name)
	}
	return names
}

// Find returns the game with this name. If a title has only one edition, the title alone, such
// as "mutants", is enough.
func (l List) Find(name string) (engine.Game, error) {
	found, err := l.FindAll(name)
	if len(found) > 1 {
		return nil, config.Errorf("game "+name, "choose one of "+strings.Join(found.Names(), ", "),
			"there is more than one edition")
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Infos describes the games.
func (l List) Infos() (all []engine.Info) {
	for _, g := range l {
		all = append(all, g.Info())
	}
	return all
}

// FindAll returns the game with this name. If name is only a title, FindAll returns all
// editions of the title. If there is no such game, FindAll returns an error with a hint.
func (l List) FindAll(name string) (List, error) {
	var editions List
	for _, g := range l {
		full := g.Info().Name
		if full == name {
			return List{g}, nil
		}
		if strings.HasPrefix(full, name+"/") {
			editions = append(editions, g)
		}
	}
	if len(editions) == 0 {
		return nil, config.Errorf("game "+name, l.Meant(name, engine.English), "there is no such game")
	}
	return editions, nil
}

// Meant returns a hint for a misspelt name of a game. The hint names the game that the name
// probably means. Meant compares title and edition separately, and name may be a title alone.
// If only the title is close, the hint lists the editions of the title. If no title is close,
// the hint says how to list the games.
func (l List) Meant(name string, lang engine.Lang) string {
	say := func(key string, pairs ...any) string { return Words().Say(lang, engine.T(key, pairs...), nil) }
	var titles, editions []string
	for _, full := range l.Names() {
		titles = append(titles, engine.Title(full))
	}
	title, edition, divided := strings.Cut(name, "/")
	if !slices.Contains(titles, title) {
		title = config.Nearest(title, titles)
	}
	for _, full := range l.Names() {
		if engine.Title(full) == title {
			editions = append(editions, engine.Edition(full))
		}
	}
	near := edition
	if !slices.Contains(editions, edition) {
		near = config.Nearest(edition, editions)
	}
	switch {
	case title == "":
		if near := config.Nearest(name, l.Names()); near != "" {
			return say("shelf.meant", "name", near)
		}
		return say("shelf.list")
	case !divided && len(editions) > 1:
		return say("shelf.meant-edition", "name", title, "known", title+"/"+strings.Join(editions, ", "+title+"/"))
	case !divided:
		return say("shelf.meant", "name", title)
	case near != "":
		return say("shelf.meant", "name", title+"/"+near)
	}
	return say("shelf.one-of", "known", title+"/"+strings.Join(editions, ", "+title+"/"))
}

// Box returns the card data of the game with this name; nil if the game has no cards.
func (l List) Box(name string) Box {
	for _, g := range l {
		if s, ok := g.(demoGame); ok {
			g = s.Game
		}
		if box, ok := g.(Box); ok && g.Info().Name == name {
			return box
		}
	}
	return nil
}

// Boxes returns all games that have card data.
func (l List) Boxes() []Box {
	var boxes []Box
	for _, name := range l.Names() {
		if box := l.Box(name); box != nil {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// Owner returns the owner's card data. The argument data is the path of the data folder.
func (l List) Owner(data string) device.Owner {
	return device.Owner{Dir: data, Box: func(game string) device.Box {
		if box := l.Box(game); box != nil {
			return box.Owners()
		}
		return nil
	}}
}

// Owners returns the functions with which the game of this title reads an owner's file. If no
// game of this title has cards, Owners returns nil.
func (l List) Owners(title string) *cardfile.Owners {
	if editions := l.editions(title); len(editions) > 0 {
		return editions[0].Owners()
	}
	return nil
}

// Cards returns the cards in the box of a game, as changed by the lines of an owner's file. If
// the game uses stand-ins by default, stand-ins fill in what is unknown. For a game without
// card data, Cards returns no cards.
func (l List) Cards(game string, lines []string, lang engine.Lang) ([]cards.Card, error) {
	box := l.Box(game)
	if box == nil {
		return nil, nil
	}
	standIn := func(o engine.Option) bool { return o.Name == "data" && o.Default == "stand-in" }
	byDefault := slices.ContainsFunc(l, func(g engine.Game) bool {
		info := g.Info()
		return info.Name == game && slices.ContainsFunc(info.Options, standIn)
	})
	known, err := box.Cards(byDefault, lines)
	if err != nil {
		return nil, err
	}
	sheets, _ := InWords(known, lang)
	var list []cards.Card
	for _, sheet := range sheets {
		list = append(list, cards.Card{Kind: sheet.ID, Name: sheet.Name, Copies: sheet.Copies})
	}
	return list, nil
}

// TitleOf returns the title of a game, given its card file. For example, it returns
// "genegrafter" for cards/genegrafter.txt. If the file is not named after a game that has
// cards, TitleOf returns "".
func (l List) TitleOf(file string) string {
	title, _, isFile := strings.Cut(filepath.Base(file), ".")
	if title = strings.ToLower(title); isFile && len(l.editions(title)) > 0 {
		return title
	}
	return ""
}
