package displaytest

import (
	"strconv"

	"tableside/engine"
)

// A Sample is a frame and the name of its golden files.
type Sample struct {
	Name  string
	Frame engine.Frame
}

// samples lists the sample frames. They are written here by hand, because displays import no
// game.
var samples = []struct {
	name  string
	frame func(engine.Lang) engine.Frame
}{
	{"mutants-2", Mutants2}, {"mutants-4", Mutants4}, {"mutants-16", Mutants16}, {"mutants-19", Mutants19},
	{"mutants-refused", Refused}, {"mindbug", Mindbug}, {"mindbug-block", MindbugBlock}, {"mindbug-roll", MindbugRoll},
	{"mindbug-boosts", MindbugBoosts}, {"boss", Boss}, {"genegrafter", Genegrafter}, {"tally", Tally},
	{"winner", Winner}, {"ended", Ended}, {"shared", SharedWin}, {"empty", Empty}, {"join", Join}, {"trouble", Trouble},
}

// Samples returns every sample, in English and in French.
func Samples() []Sample {
	var all []Sample
	for _, lang := range engine.Languages {
		for _, s := range samples {
			f := s.frame(lang)
			f.Lang = lang
			all = append(all, Sample{s.name + "-" + string(lang), f})
		}
	}
	return all
}

// inLang returns fr if the language is French, and en for any other language.
func inLang(lang engine.Lang, en, fr string) string {
	if lang == engine.French {
		return fr
	}
	return en
}

var labels = map[string][2]string{
	"counter.score": {"score", "score"}, "counter.hand": {"hand", "main"}, "counter.deck": {"deck", "pioche"},
	"counter.life": {"life", "vie"}, "counter.mindbugs": {"Mindbugs", "Mindbugs"}, "counter.energy": {"energy", "énergie"},
	"counter.power": {"power", "force"}, "counter.gold": {"gold", "or"}, "counter.wood": {"wood", "bois"},
	"counter.level": {"level", "niveau"}, "counter.price": {"price", "prix"},
	"counter.energy-deck": {"energy deck", "paquet Énergie"}, "counter.unused": {"unused pile", "pile inutilisée"},
	"zone.active": {"active", "actif"}, "zone.left": {"left", "gauche"}, "zone.right": {"right", "droite"},
	"zone.incubator": {"incubator", "incubateur"}, "zone.discard": {"discard", "défausse"},
	"zone.freeze": {"freeze", "congélo"},
	"zone.play":   {"in play", "en jeu"}, "zone.pool-1": {"pool 1", "réserve 1"},
	"zone.row":       {"energy row", "rangée Énergie"},
	"counter.health": {"health", "santé"}, "track.health": {"health", "santé"}, "zone.boss": {"boss", "boss"},
	"zone.battle": {"battle", "combat"}, "zone.dna": {"DNA strands", "chaînes d'ADN"},
	"counter.genes": {"genes", "gènes"}, "counter.attack-tokens": {"attack tokens", "marqueurs d'attaque"},
	"counter.defence-tokens": {"defence tokens", "marqueurs de défense"},
	"counter.attack":         {"attack", "attaque"}, "counter.defence": {"defence", "défense"},
	"keyword.physical": {"physical", "physique"},
	"state.defending":  {"defends", "défend"}, "state.has-attacked": {"has attacked", "a attaqué"},
	"state.out":       {"out", "éliminé"},
	"state.last-turn": {"last turn", "dernier tour"}, "state.one-more-turn": {"one more turn", "encore un tour"},
	"notice.last-turns":     {"last turns", "derniers tours"},
	"notice.stand-in-cards": {"stand-in cards", "cartes de remplacement"},
	"track.power":           {"Power track", "Piste de force"}, "track.score": {"Score", "Score"},
	"area.red-zone": {"Red Zone", "Zone d'Effroi"}, "area.top": {"Top Space", "Furie"},
	"area.second": {"Second Space", "Challenger"},
	"phase.turn":  {"Turn", "Tour"}, "phase.over": {"Over", "Terminé"},
	"state.face-down": {"face down", "cachée"}, "state.tired": {"tired", "fatiguée"},
	"state.wounded": {"wounded", "blessée"},
	"state.tilted":  {"tilted", "inclinée"}, "state.attacking": {"attacks", "attaque"},
	"keyword.sneaky": {"sneaky", "furtif"}, "keyword.poisonous": {"poisonous", "venimeux"},
	"keyword.hunter": {"hunter", "chasseur"},
	"keyword.tough":  {"tough", "coriace"}, "keyword.frenzy": {"frenzy", "frénésie"},
	"face.growth-2": {"growth 2", "croissance 2"}, "face.energy-1": {"energy 1", "énergie 1"},
	"notice.stand-in-board": {"stand-in board", "plateau de remplacement"},
}

func speak(lang engine.Lang) map[string]string {
	all := map[string]string{}
	for key, l := range labels {
		all[key] = inLang(lang, l[0], l[1])
	}
	return all
}

func frame(lang engine.Lang, v engine.View) engine.Frame {
	v.Schema, v.Table, v.Match, v.Seq = engine.SchemaVersion, "demo", "2026-11-20T20-15-00Z", 42
	v.Labels = speak(lang)
	return engine.Frame{View: v, Lang: lang, Status: engine.Status{Keeping: true, Cursor: -1}}
}

func seat(id engine.Seat, place int, name string, counters engine.Counters, zones ...engine.Zone) engine.SeatView {
	return engine.SeatView{ID: id, Name: name, Colour: engine.Colour(id, place), Counters: counters, Zones: zones}
}

func counters(pairs ...any) engine.Counters {
	var all engine.Counters
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, engine.Counter{Name: pairs[i].(string), Value: pairs[i+1].(int)})
	}
	return all
}

func zone(name string, cards ...engine.Card) engine.Zone {
	return engine.Zone{Name: name, Cards: cards}
}

func card(name string) engine.Card { return engine.Card{Kind: "c", Copy: 1, Name: name} }

func hidden(n int) []engine.Card { return make([]engine.Card, n) }

func creature(name string, power int, keywords ...string) engine.Card {
	return engine.Card{Kind: "c", Copy: 1, Name: name, Counters: counters("power", power), Keywords: keywords}
}

func power(last int, stacks map[int][]engine.Seat) engine.Track {
	return engine.Track{ID: "power", First: 1, Last: last, Stacks: stacks, Areas: []engine.Area{
		{ID: "red-zone", From: 1, To: 3}, {ID: "second", From: last - 1, To: last - 1}, {ID: "top", From: last, To: last},
	}}
}

// Mutants2 returns a frame of a game of Mutants between two players, during a turn.
func Mutants2(lang engine.Lang) engine.Frame {
	warrior, demon := card(inLang(lang, "Warrior", "Guerrier")), card(inLang(lang, "Demon", "Démonnette"))
	demon.State = []string{"face-down"}
	f := frame(lang, engine.View{
		Game: "mutants/second-edition", Title: "Mutants", Phase: "turn", Round: 2, Rounds: 5, Turn: "red", First: "blue",
		Seats: []engine.SeatView{
			seat("red", 0, "Alice", counters("score", 7, "hand", 5, "deck", 6), zone("active", card("Zombie")),
				zone("left", warrior), zone("right"),
				zone("incubator", card("Captain Wrenchfury")), zone("discard", hidden(3)...), zone("freeze", card("Alien")),
				zone("pool-1", append([]engine.Card{card("Pit Lord")}, hidden(3)...)...)),
			seat("blue", 1, "Max", counters("score", 12, "hand", 4, "deck", 3), zone("active", card("Bio-Hedgehog")),
				zone("left", demon), zone("right", card("Robot")),
				zone("discard", hidden(5)...)),
		},
		Tracks: []engine.Track{power(12, map[int][]engine.Seat{10: {"blue"}, 9: {"red"}}),
			{ID: "score", First: 0, Last: 49, Stacks: map[int][]engine.Seat{7: {"red"}, 12: {"blue"}}}},
		Prompts: []engine.Prompt{{Seat: "red", Key: "turn",
			Text: inLang(lang, "Play a card, breed or incubate", "Jouez une carte, accouplez ou incubez"),
			Options: []engine.Answer{
				{Key: "play", Text: inLang(lang, "Tap a card", "Posez une carte"), Input: "red tap", Zone: "red/hand"},
				{Key: "breed", Text: inLang(lang, "Breed", "Accoupler"), Input: "red key left"},
				{Key: "incubate", Text: inLang(lang, "Incubate", "Incuber"), Input: "red key right"},
				{Key: "next", Text: inLang(lang, "Pass", "Passer"), Input: "red key next"},
			}}},
		Notices: []string{"stand-in-board"},
	})
	return f
}

// Timed returns the same frame as Mutants2, but with a clock. The red player has only seconds
// left for the turn.
func Timed(lang engine.Lang) engine.Frame {
	f := Mutants2(lang)
	ms := func(n int64) *int64 { return &n }
	f.View.Clock = &engine.ClockView{Running: []engine.Seat{"red"}, Seats: []engine.ClockSeat{
		{Seat: "red", Used: 841_000, Left: ms(359_000), Turn: ms(9_000)},
		{Seat: "blue", Used: 422_000, Left: ms(778_000), Turn: ms(60_000)}}}
	f.Lang = lang
	return f
}

// Mutants4 returns a frame of Mutants with four players. Three markers are stacked on one
// space, and names are as long as they get.
func Mutants4(lang engine.Lang) engine.Frame {
	c := func(score int) engine.Counters { return counters("score", score, "hand", 4, "deck", 8) }
	return frame(lang, engine.View{
		Game: "mutants/first-edition", Title: "Mutants", Phase: "turn", Round: 4, Rounds: 5, Turn: "yellow", First: "red",
		Seats: []engine.SeatView{
			seat("red", 0, "Alice", c(7), zone("active", card("Zombie")), zone("left", card("Robot")),
				zone("right", card("Alien"))),
			seat("blue", 1, "Maximilien de Robespierre", c(12), zone("active", card("Gorthaur the Cruel")),
				zone("left", card("Beast"))),
			seat("yellow", 2, "Øystein", c(31), zone("active", card("Eva's Replication"))),
			seat("green", 3, "Aurélie", c(28), zone("active", card("Omikami")), zone("right", card("Krunk"))),
		},
		Tracks: []engine.Track{power(12, map[int][]engine.Seat{12: {"green"}, 9: {"blue", "red", "yellow"}})},
		Prompts: []engine.Prompt{{Seat: "yellow", Key: "flank",
			Text: inLang(lang, "On which flank does Captain Wrenchfury leave?", "Sur quel flanc part « Captain Wrenchfury » ?"),
			Options: []engine.Answer{
				{Key: "left", Text: inLang(lang, "Left", "Gauche"), Input: "yellow key left"},
				{Key: "right", Text: inLang(lang, "Right", "Droite"), Input: "yellow key right"},
			}}},
	})
}

// Mutants16 returns a frame with a track of sixteen spaces. All markers are on one of the
// spaces. The prompt has many answers, and the cursor is on one of the answers.
func Mutants16(lang engine.Lang) engine.Frame {
	f := Mutants4(lang)
	f.View.Tracks = []engine.Track{power(16, map[int][]engine.Seat{2: {"yellow", "green", "red", "blue"}})}
	p := engine.Prompt{Seat: "blue", Key: "target",
		Text: inLang(lang, "Whose mutant is knocked down? Choose one in any arena.",
			"Quel mutant est mis K.-O. ? Choisissez-en un dans n'importe quelle arène.")}
	for i, name := range []string{"Zombie", "Robot", "Alien", "Gorthaur the Cruel", "Beast", "Eva's Replication",
		"Omikami", "Krunk", "Bio-Hedgehog"} {
		p.Options = append(p.Options, engine.Answer{Key: "card", Text: name, Input: "blue tap c." + strconv.Itoa(i)})
	}
	f.View.Prompts = []engine.Prompt{p}
	f.Status.Cursor = 6
	return f
}

// Mutants19 returns a frame with the longest track that a small panel draws.
func Mutants19(lang engine.Lang) engine.Frame {
	f := Mutants2(lang)
	f.View.Tracks = []engine.Track{power(19, map[int][]engine.Seat{10: {"blue"}, 19: {"red"}})}
	return f
}

// Refused returns a frame with the reason why a tap was refused.
func Refused(lang engine.Lang) engine.Frame {
	f := Mutants2(lang)
	f.Status.Receipt = &engine.Receipt{Outcome: engine.Refused, Seat: "red", N: 7, Override: true,
		Spoken: inLang(lang, "Zombie cannot be in Alice's hand: it lies in the arena",
			"Zombie ne peut pas être dans la main d'Alice : il est dans l'arène")}
	return f
}

// Boss returns a frame of one player against a boss. The boss's seat is engine.Table. The
// boss's health is both a counter and a marker on a long track. The boss's power is both a
// counter and a marker on the power track.
func Boss(lang engine.Lang) engine.Frame {
	named := func(name, en, fr string) engine.Zone { return zone(name, card(inLang(lang, en, fr))) }
	v := engine.View{
		Game: "mutants/uprising", Title: "Mutants", Phase: "turn", Round: 3, Rounds: 5, Turn: "red",
		First: engine.Null(engine.Table),
		Seats: []engine.SeatView{seat("red", 0, "", counters("power", 11, "hand", 2, "deck", 0),
			named("left", "Bufallor", "Buffalaure"), named("active", "Alien", "Alien"), named("right", "Warrior", "Guerrier"),
			zone("discard", hidden(7)...), zone("pool-1", hidden(4)...))},
		Zones: engine.Zones{named("boss", "Mother of Vats", "Mère des Cuves"), named("left", "Spawning Vat", "Cuve de ponte"),
			named("active", "Mirror Womb", "Matrice miroir"), zone("right"), zone("discard")},
		Counters: counters("health", 31, "power", 6, "deck", 5),
		Tracks: []engine.Track{power(12, map[int][]engine.Seat{6: {engine.Table}, 11: {"red"}}),
			{ID: "health", First: 0, Last: 49, Stacks: map[int][]engine.Seat{31: {engine.Table}}}},
		Prompts: []engine.Prompt{{Seat: "red", Key: "action",
			Text: inLang(lang, "Deploy a card from your hand, or breed or incubate",
				"Déployez une carte de votre main, engendrez ou incubez"),
			Options: []engine.Answer{
				{Key: "play", Text: inLang(lang, "Deploy from hand", "Déployer de la main"), Input: "red tap", Zone: "red/hand"}}}},
		Notices: []string{"stand-in-board"},
	}
	f := frame(lang, v)
	f.View.Labels["seat.red"], f.View.Labels["seat.table"] = inLang(lang, "Red", "Rouge"),
		inLang(lang, "Mother of Vats", "Mère des Cuves")
	return f
}

// Mindbug returns a frame of a duel with energy, dice and a row of cards on the table.
func Mindbug(lang engine.Lang) engine.Frame {
	axolotl := creature(inLang(lang, "Axolotl Healer", "Dr Axolotl"), 4, "poisonous")
	sniper := creature(inLang(lang, "Chameleon Sniper", "Reptireur d'élite"), 1, "sneaky", "hunter")
	bee := creature(inLang(lang, "Bee Bear", "Oursabeille"), 8)
	bee.State = []string{"tired"}
	brain := creature(inLang(lang, "Brain Fly", "Neuromouche"), 4)
	return frame(lang, engine.View{
		Game: "mindbug/king-of-tokyo", Title: "Mindbug", Phase: "turn", Turn: "blue", First: "red",
		Seats: []engine.SeatView{
			seat("red", 0, "Alice", counters("life", 3, "mindbugs", 2, "energy", 4, "hand", 5, "deck", 5),
				zone("play", axolotl, sniper), zone("discard", card("Kangasaurus"))),
			seat("blue", 1, "Max", counters("life", 2, "mindbugs", 1, "energy", 0, "hand", 4, "deck", 6),
				zone("play", bee, brain, creature("H.A.D.E.S.", 10, "frenzy", "tough")), zone("discard", hidden(4)...)),
		},
		Zones: engine.Zones{{Name: "row", Cards: []engine.Card{card("Jet Fighters"), card("Evacuation"),
			card("Nova Breath")}}},
		Dice: []engine.Die{{ID: "red-1", Seat: "red", Kind: "kot", Face: "growth-2", State: "kept"},
			{ID: "blue-1", Seat: "blue", Kind: "kot", Face: "energy-1", State: "rolled"}},
		Prompts: []engine.Prompt{{Seat: "blue", Key: "turn",
			Text: inLang(lang, "Play a card or attack with a creature", "Jouez une carte ou attaquez avec une créature"),
			Options: []engine.Answer{
				{Key: "play", Text: inLang(lang, "Tap a card", "Posez une carte"), Input: "blue tap", Zone: "blue/hand"},
				{Key: "attack", Text: bee.Name, Input: "blue tap bee-bear.1"},
				{Key: "attack", Text: brain.Name, Input: "blue tap brain-fly.1"},
				{Key: "attack", Text: "H.A.D.E.S.", Input: "blue tap hades.1"},
			}}},
	})
}

// MindbugBlock returns a frame that asks the defender whether to block, in a duel without
// energy, dice and row.
func MindbugBlock(lang engine.Lang) engine.Frame {
	f := Mindbug(lang)
	f.View.Zones, f.View.Dice = nil, nil
	for i := range f.View.Seats {
		f.View.Seats[i].Counters = f.View.Seats[i].Counters[:2]
	}
	f.View.Prompts = []engine.Prompt{{Seat: "red", Key: "block",
		Text: inLang(lang, "Bee Bear attacks: block?", "Oursabeille attaque : bloquer ?"), Options: []engine.Answer{
			{Key: "block", Text: inLang(lang, "Axolotl Healer", "Dr Axolotl"), Input: "red tap axolotl-healer.1"},
			{Key: "block", Text: inLang(lang, "Chameleon Sniper", "Reptireur d'élite"), Input: "red tap chameleon-sniper.1"},
			{Key: "no", Text: inLang(lang, "Do not block", "Ne pas bloquer"), Input: "red key no"},
		}}}
	f.Status.Cursor = 1
	return f
}

// MindbugRoll returns a frame that asks the attacker for two dice. The cards of the row have
// prices.
func MindbugRoll(lang engine.Lang) engine.Frame {
	f := Mindbug(lang)
	v := &f.View
	v.Counters = counters("energy-deck", 9, "unused", 60)
	for i := range v.Zones[0].Cards {
		v.Zones[0].Cards[i].Counters = counters("price", i+1)
	}
	for i := range v.Dice {
		v.Dice[i].Seat, v.Dice[i].Face, v.Dice[i].State = "blue", "", "rolling"
	}
	v.Prompts = []engine.Prompt{{Seat: "blue", Key: "roll", Text: inLang(lang, "Roll 2 dice", "Lancez 2 dés"),
		Options: []engine.Answer{
			{Key: "throw", Text: inLang(lang, "Roll for me", "Lancer pour moi"), Input: "blue key roll"},
			{Key: "face", Text: inLang(lang, "growth 2", "croissance 2"), Input: "blue roll growth-2"},
			{Key: "face", Text: inLang(lang, "1 energy", "1 énergie"), Input: "blue roll energy-1"},
		},
		Roll: &engine.RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-2", "energy-1"}}}}
	return f
}

// MindbugBoosts returns a frame of a duel in which creatures have cards under them.
func MindbugBoosts(lang engine.Lang) engine.Frame {
	f := MindbugBlock(lang)
	horde := creature(inLang(lang, "Ant Zombie Horde", "Horde de fourmis-zombies"), 7, "tough")
	horde.Under = []engine.Card{card("Catalisk"), card("Agile Rooster")}
	prophet := creature(inLang(lang, "Frog Prophet", "Prophète batracien"), 3, "poisonous", "tough")
	prophet.Counters = counters("power", 3, "level", 2)
	prophet.State, prophet.Under = []string{"tilted"}, []engine.Card{card("Curious Tadpole")}
	rex := creature("Sea-Rex", 12, "hunter", "frenzy")
	rex.State = []string{"attacking"}
	f.View.Seats[0].Zones = engine.Zones{{Name: "play", Cards: []engine.Card{prophet, horde}}}
	f.View.Seats[1].Zones = engine.Zones{{Name: "play", Cards: []engine.Card{rex}}}
	f.View.Prompts[0].Text = inLang(lang, "Sea-Rex attacks: block?", "Sea-Rex attaque : bloquer ?")
	for i, c := range []engine.Card{prophet, horde} {
		f.View.Prompts[0].Options[i].Text = c.Name
	}
	return f
}

// Tally returns a frame of eight players who count three things.
func Tally(lang engine.Lang) engine.Frame {
	v := engine.View{Game: "tally/score", Title: inLang(lang, "Tally", "Compteur"), Phase: "play", Round: 3, Turn: "black"}
	for i, id := range []engine.Seat{"red", "blue", "yellow", "green", "white", "black", "orange", "purple"} {
		name := []string{"Ann", "Anna", "Annabelle", "Zoë", "", "Guðrún", "Jean-Baptiste Poquelin", "李"}[i]
		v.Seats = append(v.Seats, seat(id, i, name, counters("score", 37*i-20, "gold", i*i, "wood", 99999)))
	}
	v.Prompts = []engine.Prompt{{Seat: "black", Key: "count",
		Text: inLang(lang, "Count: plus or minus", "Comptez : plus ou moins"), Options: []engine.Answer{
			{Key: "plus", Text: inLang(lang, "Plus one", "Plus un"), Input: "black key plus"},
			{Key: "minus", Text: inLang(lang, "Minus one", "Moins un"), Input: "black key minus"},
			{Key: "next", Text: inLang(lang, "Next", "Suivant"), Input: "black key next"}}}}
	return frame(lang, v)
}

// Winner returns a frame of the end of a match.
func Winner(lang engine.Lang) engine.Frame {
	f := Mutants4(lang)
	f.View.Phase, f.View.Turn, f.View.Prompts, f.View.Winners = "over", "", nil, []engine.Seat{"yellow"}
	return f
}

// Ended returns a frame of the end of a match of two players. It has the course of the
// players' power, and the table's question of what to do next.
func Ended(lang engine.Lang) engine.Frame {
	f := Mutants2(lang)
	f.View.Phase, f.View.Turn, f.View.Winners, f.View.Round = "over", "", []engine.Seat{"blue"}, 5
	f.View.Notices, f.Lang = nil, lang
	f.View.Prompts = []engine.Prompt{{Seat: engine.Table, Key: "lobby-over",
		Text: inLang(lang, "What next?", "Et maintenant ?"), Options: []engine.Answer{
			{Key: "rematch", Text: inLang(lang, "Rematch", "Revanche"), Input: "table choose rematch"},
			{Key: "new", Text: inLang(lang, "Another match", "Une autre partie"), Input: "table choose new"}}}}
	f.Course = &engine.Course{Counter: "power", Inputs: 84, Lines: []engine.CourseLine{
		course("red", 10, 12, 9, 7, 8, 11, 12, 6, 4, 7, 9), course("blue", 10, 9, 10, 12, 11, 9, 8, 10, 12, 11, 10)}}
	return f
}

func course(seat engine.Seat, values ...int) engine.CourseLine {
	l := engine.CourseLine{Seat: seat}
	for i, v := range values {
		l.Values = append(l.Values, engine.CourseValue{N: 7 * i, Value: v})
	}
	return l
}

// SharedWin returns a frame of the end of a match with two winners, and the question after it.
func SharedWin(lang engine.Lang) engine.Frame {
	f := Mutants2(lang)
	f.View.Phase, f.View.Turn, f.View.Winners = "over", "", []engine.Seat{"red", "blue"}
	f.View.Prompts = []engine.Prompt{{Seat: engine.Table, Key: "again", Text: inLang(lang, "Another one?", "Encore une ?"),
		Options: []engine.Answer{
			{Key: "yes", Text: inLang(lang, "Yes", "Oui"), Input: "table key yes"},
			{Key: "no", Text: inLang(lang, "No", "Non"), Input: "table key no"}}}}
	return f
}

func choose(lang engine.Lang) engine.View {
	p := engine.Prompt{Seat: engine.Table, Key: "choose-game", Text: inLang(lang, "Which game?", "Quel jeu ?")}
	for i, name := range []string{inLang(lang, "Mutants, second edition", "Mutants, deuxième édition"),
		inLang(lang, "Mutants, first edition", "Mutants, première édition"),
		"Mindbug : First Contact", "Mindbug × King of Tokyo", "Genegrafter", inLang(lang, "Tally", "Compteur")} {
		p.Options = append(p.Options, engine.Answer{Key: "game", Text: name, Input: "table choose " + strconv.Itoa(i)})
	}
	return engine.EmptyView(p)
}

// Empty returns a frame of a table at which nothing is played, with its list of games.
func Empty(lang engine.Lang) engine.Frame {
	return engine.Frame{View: choose(lang), Status: engine.Status{Keeping: true, Cursor: 3}}
}

// Join returns a frame of a table at which nothing is played, with an address for phones.
func Join(lang engine.Lang) engine.Frame {
	f := Empty(lang)
	f.Status.Cursor = 0
	f.Status.Address = "http://192.168.178.42:8080/?token=q7ZkX4mN2bLw"
	return f
}

// Trouble returns a frame with two problems: the match is not being saved, and a reader is
// broken.
func Trouble(lang engine.Lang) engine.Frame {
	f := Mutants2(lang)
	f.Status.Keeping, f.Status.Trouble = false, inLang(lang, "The disk is full: play on, but nothing is being kept",
		"Le disque est plein : continuez, mais rien n'est gardé")
	f.Status.Health = []engine.Part{{Name: "reader left", Health: engine.Broken, Reason: "no answer"}}
	return f
}
