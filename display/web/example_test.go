package web

import (
	"context"
	"image"
	"image/color"
	"maps"
	"slices"
	"strings"

	"tableside/display/web/cards"
	"tableside/engine"
)

// Frames like those of Mutants, for the pictures and the schema tests.

const exampleWords = `
[game.mutants]
en = Mutants
fr = Mutants
[phase.turn]
en = Player turn
fr = Tour de jeu
[track.power]
en = Power
fr = Force
[track.score]
en = Score
fr = Score
[area.red-zone]
en = Red Zone
fr = Zone d'Effroi
[area.second]
en = Second Space
fr = Challenger
[area.top]
en = Top Space
fr = Furie
[counter.score]
en = points
fr = points
[counter.power]
en = power
fr = force
[counter.hand]
en = hand
fr = main
[counter.deck]
en = deck
fr = pioche
[zone.left]
en = Left flank
fr = Flanc gauche
[zone.active]
en = Active
fr = Actif
[zone.right]
en = Right flank
fr = Flanc droit
[zone.incubator]
en = Incubator
fr = Incubateur
[zone.discard]
en = Discard pile
fr = Défausse
[zone.freeze]
en = Freeze zone
fr = Zone de gel
[zone.hand]
en = Hand
fr = Main
[zone.deck]
en = Deck
fr = Pioche
[zone.pool-1]
en = Gene pool 1
fr = Réserve 1
[zone.pool-2]
en = Gene pool 2
fr = Réserve 2
[zone.pool-3]
en = Gene pool 3
fr = Réserve 3
[state.face-down]
en = knocked down
fr = à terre
[keyword.cyber]
en = cyber
fr = cyber
[keyword.necro]
en = necro
fr = nécro
[keyword.saber]
en = saber
fr = sabre
[keyword.zoomorph]
en = zoomorph
fr = zoomorphe
[keyword.galactic]
en = galactic
fr = galactique
[keyword.mythic]
en = mythic
fr = mythique
[card.robot]
en = Robot
fr = Robot
[card.zombie]
en = Zombie
fr = Zombie
[card.warrior]
en = Warrior
fr = Guerrier
[card.beast]
en = Beast
fr = Lycan
[card.alien]
en = Alien
fr = Alien
[card.demon]
en = Demon
fr = Démonette
[card.leech-lord]
en = Leech Lord
fr = Noble Saigneur
[card.captain-wrenchfury]
en = Captain Wrenchfury
fr = Rage-à-Molette
[card.evas-replication]
en = Eva's Replication
fr = Réplication d'Eva
[card.tricera-tank]
en = Tricera Tank
fr = Tricéra-Tank
[card.gorthaur]
en = Gorthaur the Cruel
fr = Gorthaur le Cruel
[card.pit-lord]
en = Pit Lord
fr = Seigneur Infernal
[card.super-novus]
en = Super Novus
fr = Supernovus
[notice.stand-in-board]
en = The board's spaces and points are stand-ins: enter your own box's numbers
fr = Les cases et les points du plateau sont provisoires : entrez ceux de votre boîte
[prompt.action]
en = {seat}, deploy a mutant, breed or incubate
fr = {seat}, déployez un mutant, engendrez ou incubez
[prompt.flank]
en = Where does {seat}'s {card} go?
fr = De quel côté part {card} de {seat} ?
[prompt.reveal]
en = Show the next card of gene pool {n}
fr = Révélez la carte suivante de la réserve {n}
[prompt.count]
en = {seat}: points
fr = {seat} : points
[prompt.count-turn]
en = {seat}'s turn: points
fr = À {seat} de jouer : points
[prompt.everybody]
en = For everybody
fr = Pour tout le monde
[prompt.throw]
en = {seat}, throw both dice
fr = {seat}, lancez les deux dés
[prompt.long]
en = {seat}, choose which face-up mutant in your own arena gives its Deploy ability to {card}, or leave it
fr = {seat}, choisissez le mutant face visible de votre propre arène dont {card} copie la capacité de Déploiement, ou renoncez-y
[answer.hand]
en = Deploy a card of the hand
fr = Déployer une carte de la main
[answer.breed]
en = Breed or incubate {card}
fr = Engendrer ou incuber {card}
[answer.pass]
en = Pass
fr = Passer
[answer.flank-left]
en = To the left flank
fr = Vers le flanc gauche
[answer.flank-right]
en = To the right flank
fr = Vers le flanc droit
[event.deploy]
en = {seat} deploys {card}
fr = {seat} déploie {card}
[event.power]
en = {seat} gains {n} power
fr = {seat} gagne {n} en force
[event.freeze]
en = {seat} freezes {card}
fr = {seat} cryogénise {card}
[event.score]
en = {seat} scores {n} {n|point|points}
fr = {seat} marque {n} {n|point|points}
[event.round]
en = Round {n} begins
fr = La manche {n} commence
[event.leave]
en = {card} leaves the arena
fr = {card} se retire de l'arène
[refusal.flank-full]
en = {card} cannot be bred: the two discarded cards lack the Mythic gene
fr = {card} ne peut pas être engendré : le gène Mythique manque aux deux cartes défaussées
`

func exampleCatalogue() engine.Words {
	return engine.Merge(engine.CoreWords(), engine.MustWords("example", exampleWords))
}

var genes = map[string]string{"robot": "cyber", "zombie": "necro", "warrior": "saber", "beast": "zoomorph",
	"alien": "galactic", "demon": "mythic",
	"leech-lord": "necro necro", "captain-wrenchfury": "cyber saber", "evas-replication": "cyber mythic",
	"tricera-tank": "zoomorph cyber",
	"gorthaur":     "mythic saber", "pit-lord": "mythic mythic", "super-novus": "galactic galactic"}

// cardsFrom returns cards from short names: "zombie.1", "zombie.1!" for a
// face-down card, and "-" for an unknown one.
func cardsFrom(cards ...string) []engine.Card {
	list := []engine.Card{}
	for _, c := range cards {
		if c == "-" {
			list = append(list, engine.Card{})
			continue
		}
		id, down := strings.CutSuffix(c, "!")
		kind, n := engine.SplitCopy(id)
		card := engine.Card{Kind: engine.Null(kind), Copy: n, Keywords: strings.Fields(genes[kind])}
		if down {
			card.State = []string{"face-down"}
		}
		list = append(list, card)
	}
	return list
}

func exampleSeat(id engine.Seat, name, colour string, score, power, hand, deck int,
	zones engine.Zones) engine.SeatView {
	return engine.SeatView{ID: id, Name: name, Colour: colour, Zones: zones,
		Counters: engine.Counters{{Name: "score", Value: score}, {Name: "power", Value: power}, {Name: "hand", Value: hand},
			{Name: "deck", Value: deck}}}
}

func examplePools(a, b, c string) engine.Zones {
	return engine.Zones{{Name: "pool-1", Cards: cardsFrom(a, "-", "-", "-")},
		{Name: "pool-2", Cards: cardsFrom(b, "-", "-")}, {Name: "pool-3", Cards: cardsFrom(c, "-", "-", "-")}}
}

// exampleFrame returns a frame from the second round of a match of two or four
// seats.
func exampleFrame(seats int) engine.Frame {
	red := exampleSeat("red", "Alice", "#d7263d", 17, 9, 5, 2, append(engine.Zones{
		{Name: "left", Cards: cardsFrom("warrior.2")}, {Name: "active"}, {Name: "right", Cards: cardsFrom("leech-lord.1!")},
		{Name: "incubator", Cards: cardsFrom("tricera-tank.2")},
		{Name: "discard", Cards: cardsFrom("alien.1", "beast.2", "demon.1", "demon.2", "robot.1")},
		{Name: "freeze", Cards: cardsFrom("zombie.1", "zombie.2")}},
		examplePools("gorthaur.1", "captain-wrenchfury.2", "super-novus.1")...))
	blue := exampleSeat("blue", "Max", "#1b6ec2", 21, 9, 6, 1, append(engine.Zones{
		{Name: "left", Cards: cardsFrom("robot.4")}, {Name: "active", Cards: cardsFrom("evas-replication.1")},
		{Name: "right"},
		{Name: "incubator"}, {Name: "discard", Cards: cardsFrom("zombie.3")}, {Name: "freeze"}},
		examplePools("pit-lord.2", "leech-lord.2", "tricera-tank.1")...))
	v := engine.View{Schema: engine.SchemaVersion, Table: "demo", Match: "2026-11-20T20-15-00Z", Seq: 42,
		Game:  "mutants/second-edition",
		Phase: "turn", Round: 2, Rounds: 5, Turn: "red", First: "blue", Seats: []engine.SeatView{red, blue},
		Tracks: []engine.Track{
			{ID: "power", First: 1, Last: 12, Areas: []engine.Area{{ID: "red-zone", From: 1, To: 3},
				{ID: "second", From: 11, To: 11}, {ID: "top", From: 12, To: 12}},
				Stacks: map[int][]engine.Seat{9: {"blue", "red"}}},
			{ID: "score", First: 0, Last: 49, Areas: []engine.Area{}, Stacks: map[int][]engine.Seat{17: {"red"}, 21: {"blue"}}},
		},
		Dice: []engine.Die{}, Winners: []engine.Seat{}, Notices: []string{"stand-in-board"},
		Prompts: []engine.Prompt{{Seat: "red", Key: "action", Args: engine.Args{"n": 0}, Options: []engine.Answer{
			{Key: "hand", Input: "red tap", Zone: "red/hand"},
			{Key: "breed", Args: engine.Args{"card": engine.CardWord("gorthaur.1")}, Input: "red tap gorthaur.1"},
			{Key: "breed", Args: engine.Args{"card": engine.CardWord("captain-wrenchfury.2")},
				Input: "red tap captain-wrenchfury.2"},
			{Key: "pass", Input: "red key next"}}}},
	}
	if seats == 4 {
		v.Seats = append(v.Seats,
			exampleSeat("yellow", "Guillemette-Éléonore", "#f2b705", 4, 2, 4, 0,
				append(engine.Zones{{Name: "left"}, {Name: "active"}, {Name: "right", Cards: cardsFrom("robot.5")},
					{Name: "incubator"}, {Name: "discard"}, {Name: "freeze"}},
					examplePools("tricera-tank.2", "gorthaur.2", "super-novus.2")...)),
			exampleSeat("green", "Zoé", "#1a936f", 53, 12, 3, 3,
				append(engine.Zones{{Name: "left", Cards: cardsFrom("captain-wrenchfury.1")}, {Name: "active"}, {Name: "right"},
					{Name: "incubator"}, {Name: "discard", Cards: cardsFrom("alien.7")}, {Name: "freeze"}},
					examplePools("-", "pit-lord.1", "evas-replication.2")...)))
		v.Tracks[0].Stacks = map[int][]engine.Seat{2: {"yellow"}, 9: {"blue", "red"}, 12: {"green"}}
		v.Tracks[1].Stacks = map[int][]engine.Seat{17: {"red"}, 21: {"blue"}, 4: {"yellow"}, 53: {"green"}}
		v.Prompts = append(v.Prompts, engine.Prompt{Seat: "green", Key: "reveal", Args: engine.Args{"n": 1},
			Options: []engine.Answer{{Key: "hand", Input: "green tap", Zone: "green/pool-1"}}})
		v.Prompts[0].Key = "long"
		v.Prompts[0].Args = engine.Args{"card": engine.CardWord("evas-replication")}
	}
	f := engine.Frame{View: v, Lang: "-", Words: exampleCatalogue(),
		Status: engine.Status{Keeping: true, Cursor: 1, Simulated: true,
			Address: "http://192.168.1.20:8080/?token=correct-horse",
			Health: []engine.Part{{Name: "reader red", Health: engine.OK}, {Name: "panel", Health: engine.OK},
				{Name: "broker", Health: engine.OK}}}}
	return f.In(engine.English)
}

// exampleStory returns the events before exampleFrame, by input.
func exampleStory() [][]engine.Event {
	return [][]engine.Event{
		{{Name: "round", N: 2}},
		{{Name: "deploy", Seat: "blue", Card: "robot.4"}, {Name: "power", Seat: "blue", N: 1}},
		{{Name: "deploy", Seat: "red", Card: "zombie.1"}, {Name: "power", Seat: "red", N: 2}},
		{{Name: "deploy", Seat: "blue", Card: "pit-lord.2"}},
		{{Name: "undo", Seat: "blue", Other: "blue"}},
		{{Name: "deploy", Seat: "blue", Card: "evas-replication.1"}, {Name: "power", Seat: "blue", N: 3}},
		{{Name: "leave", Seat: "red", Card: "zombie.2"}, {Name: "freeze", Seat: "red", Card: "zombie.2"}},
		{{Name: "deploy", Seat: "red", Card: "warrior.2"}, {Name: "power", Seat: "red", N: 2}},
		{{Name: "score", Seat: "red", N: 4}},
	}
}

func examplePiles() []engine.Pile {
	return []engine.Pile{
		{Place: "red/hand", Cards: []string{"alien.2", "beast.1", "robot.2", "warrior.1", "evas-replication.2"}},
		{Place: "red/deck", Cards: []string{"zombie.5", "robot.1"}},
		{Place: "red/pool-1", Cards: []string{"gorthaur.1", "alien.3", "alien.4", "alien.5"}},
		{Place: "red/pool-2", Cards: []string{"captain-wrenchfury.2", "alien.3", "alien.4"}},
		{Place: "red/pool-3", Cards: []string{"super-novus.1", "alien.3", "alien.4", "alien.5"}},
		{Place: "blue/hand", Cards: []string{"zombie.4"}}, {Place: "blue/deck", Cards: []string{"zombie.6"}},
		{Place: "green/hand", Cards: []string{"zombie.7"}}, {Place: "green/pool-1", Cards: []string{"pit-lord.1", "robot.9"}},
	}
}

// exampleCards lists some cards of the box.
func exampleCards(_ string, lang engine.Lang) ([]cards.Card, error) {
	words := exampleCatalogue()
	var list []cards.Card
	for _, kind := range slices.Sorted(maps.Keys(genes)) {
		n := 2
		if !strings.Contains(genes[kind], " ") {
			n = 8
		}
		list = append(list, cards.Card{Kind: kind, Name: words.Say(lang, engine.T("card."+kind), nil), Copies: n})
	}
	return list, nil
}

// exampleServer returns a server that shows exampleStory and then the frame.
func exampleServer(f engine.Frame) *Server {
	strip := image.NewRGBA(image.Rect(0, 0, 24, 1))
	for i := range 24 {
		strip.Set(i, 0, color.RGBA{24, 24, 28, 255})
	}
	for i := range 3 {
		strip.Set(i, 0, color.RGBA{120, 16, 10, 255})
	}
	strip.Set(16, 0, color.RGBA{0xd7, 0x26, 0x3d, 255})
	strip.Set(17, 0, color.RGBA{0x1b, 0x6e, 0xc2, 255})
	tb := newTable(nil)
	tb.tags = map[string]string{"mutants/zombie.3": "04FEDCBA987654"}
	config := tb.config()
	config.Simulated.Piles = examplePiles
	config.Lights = func() image.Image { return strip }
	config.Games = func() []engine.Info {
		return []engine.Info{{Name: "mutants/second-edition", MinSeats: 2, MaxSeats: 4, Words: exampleCatalogue(),
			Cards: []string{"zombie"}, Options: []engine.Option{
				{Name: "cards", Default: "on", Values: []string{"on", "off"}},
				{Name: "data", Default: "known", Values: []string{"known", "stand-in"}},
				{Name: "spaces", Check: engine.Between(7, 30), Advanced: true}}}, ring{}.Info()}
	}
	config.Cards = exampleCards
	s := newServer(config)
	for _, events := range exampleStory() {
		g := f
		g.Events = events
		_ = s.Show(context.Background(), g)
	}
	f.Events = nil
	_ = s.Show(context.Background(), f)
	return s
}
