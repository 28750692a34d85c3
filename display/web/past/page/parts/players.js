// The players: who leads, who beats whom, the records, and all that is known of one.

import { h } from "../dom.js";
import { nameKey, plain } from "../plain.js";
import { grey, palette, shape, shapeOf } from "../seats.js";
import { local, say, says } from "../words.js";
import { begin, chip, fan, lasted, seeking, titleIn } from "./past.js";
import { chart, signs } from "./race.js";

const CARDS = 8; // players with a card, the others have a line
const MET = 3, RECORDS = 5; // matches from which on a pair and the records say something

export function players(state) {
  const { people: { list, stats, games, sought, trouble, said, keep, removal }, lang, ofHall } = state;
  const title = titleIn(games);
  const of = name => list.find(p => p.name === name), key = nameKey(sought.player);
  const one = list?.find(p => nameKey(p.name) === key);
  const look = { title, lang, keep, of, ofHall, people: list ?? [] }, message = trouble || said;
  return [
    one ? heading(one, stats, look, message) : above(state, look, message),
    removal?.all > 0 && removing(removal),
    one ? person(one, stats, look) : list && (list.length ? everybody(state.people, look) : nobody(look)),
  ];
}

const hasName = (p, { text }) => plain(p.name).includes(plain(text));

function within(stats, name) {
  const g = stats.games.find(g => g.game === name);
  if (!g) return { ...stats, records: stats.games, game: "" };
  const inIt = p => p.games.filter(r => r.game === name).map(r => ({ ...r, name: p.name, games: [] }));
  return { matches: g.played, players: stats.players.flatMap(inIt), pairs: g.pairs, records: [g], game: name };
}

// The limits are those of Lichess: a rating is provisional above 110, and in its lists up to 75.
const sure = p => p.deviation <= 75 ? "sure" : p.deviation <= 110 ? "fairly" : "guess";
const isKnown = p => p.rating > 0 && p.deviation <= 110;

// ranked sorts players: those whose rating says something first.
const ranked = players => [...players].sort((a, b) => isKnown(b) - isKnown(a) ||
  (isKnown(a) ? b.rating - a.rating : b.played - a.played));

const part = (a, b) => b ? say("players.percent", { n: Math.round(100 * a / b) }) : "–";
const clock = s => s < 60 ? say("players.seconds", { n: Math.round(s) }) : lasted(s);
const signed = n => (n > 0 ? "+" : n < 0 ? "−" : "") +
  Math.abs(n).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
const date = (day, lang, as = { dateStyle: "medium" }) => new Date(day).toLocaleDateString(local(lang), as);
const noon = day => day + "T12:00";
const link = (name, lang) => `/players?lang=${lang}&player=${encodeURIComponent(name)}`;
const paint = p => palette(p?.colour || grey); // of a damaged match nobody knows the colours
const badge = p => h("span", { class: "of", style: paint(p) }, p && shape(shapeOf(p.seat)));
const status = (message, text) => h("p", { class: "sub said", role: "status", tabindex: -1 }, message || text);

const box = (key, caption, ...inside) =>
  h("section", { class: "box", "data-k": key }, h("h2", { class: "cap" }, caption), inside);

const row = (href, p, text, small, value) => h("li", { "data-k": href + text },
  h("a", { href }, badge(p), h("span", null, text, small && h("small", null, small)), h("b", null, value)));

// above draws what the list begins with: what can be said in one sentence, and what reduces it.
function above({ people: { list, stats, sought } }, { title, lang }, message) {
  const titles = stats?.games.map(g => g.game) ?? [], now = stats && within(stats, sought.game);
  const first = stats?.players.flatMap(p => p.days.slice(0, 1).map(d => d.day)).sort()[0];
  const month = first && date(noon(first), lang, { month: "long", year: "numeric" });
  return h("div", { class: "head", "data-k": "head" },
    h("div", null, h("h1", null, now?.matches ? sentence(now) : say("players.title")),
      status(message, !list ? say("begin.loading") : !list.length ? "" : !list.some(p => hasName(p, sought)) ?
        say("players.nobody") : [
        say("players.count", { n: now.game ? now.players.length : list.length }),
        now.game ? say("players.matches", { n: now.matches }) :
          first ? say("players.since", { n: now.matches, month }) : say("players.unended")].join(" · "))),
    (list?.length > CARDS || sought.text) && seeking(sought, say("past.player")),
    titles.length > 1 && h("form", { class: "line slide", "data-k": "games" },
      chip("game", "", !now.game, say("past.all")), titles.map(t => chip("game", t, t === now.game, title(t)))));
}

function sentence({ players, pairs, matches }) {
  const winners = players.filter(p => p.won), [first, second] = ranked(players);
  if (matches === 1 && winners.length === 1) return say("players.one-won", { name: winners[0].name });
  if (!second || !isKnown(second)) return say("players.title");
  if (Math.round(first.rating) === Math.round(second.rating)) {
    return say("players.level", { name: first.name, other: second.name });
  }
  const by = pairs.map(p => against(p, first.name)).find(p => p && p.played >= MET && p.lost > p.won);
  return say(by ? "players.leads-but" : "players.leads", { name: first.name, other: by?.other });
}

// against turns a pair to a player; null if it is one of others.
function against({ a, b, played, a_won, b_won, margins, margin }, name) {
  return name === a ? { other: b, played, won: a_won, lost: b_won, margins, margin } :
    name === b ? { other: a, played, won: b_won, lost: a_won, margins, margin: -margin } : null;
}

const nobody = ({ ofHall }) => h("section", { class: "box empty", "data-k": "empty" }, fan,
  h("h2", null, say("players.first")), h("p", null, say("players.first-help")), begin(ofHall));

function everybody({ list, stats, sought }, look) {
  const now = within(stats, sought.game), fits = p => look.of(p.name) && hasName(p, sought);
  const shown = ranked(now.players).filter(fits), met = ranked(now.players).filter(p => look.of(p.name));
  const known = new Set(stats.players.map(p => p.name)), unended = list.filter(p => fits(p) && !known.has(p.name));
  const others = shown.slice(CARDS).concat(now.game ? [] : unended);
  const pairs = now.pairs.filter(p => p.played >= MET && look.of(p.a) && look.of(p.b));
  const one = now.records.length <= 1;
  const soon = [!pairs.length && "pairs", now.matches < RECORDS && "records", one && !met.some(isKnown) && "rating"]
    .filter(Boolean);
  return [
    h("ul", { class: "cards", "data-k": "cards" }, shown.slice(0, CARDS).map(s => card(s, look, one)),
      soon.length > 0 && h("li", { class: "box soon", "data-k": "soon" },
        h("h2", { class: "cap" }, say("players.soon")),
        h("ul", { class: "rows" }, soon.map(k => h("li", null, say("players.soon-" + k)))), begin(look.ofHall))),
    others.length > 0 && h("ul", { class: "line", "data-k": "others", "aria-label": say("players.others") },
      others.map(p => h("li", { "data-k": p.name }, h("a", { class: "chip", href: link(p.name, look.lang) },
        badge(look.of(p.name)), p.name, h("small", null, look.of(p.name).matches))))),
    (pairs.length > 0 || now.matches >= RECORDS) && h("div", { class: "pair", "data-k": "pair" },
      pairs.length > 0 && matrix(pairs, met, look), now.matches >= RECORDS && best(now, look)),
    !now.game && now.matches >= RECORDS && course(met, look),
    now.matches > 0 && box("games", say("players.games"),
      h("div", { class: "tiles" }, now.records.map(g => gameOf(g, look)))),
  ];
}

// card draws what a player is known for; all of it leads to the rest.
function card(s, { lang, of, title }, one) {
  const p = of(s.name), won = r => say("players.won-of", { n: r.won, of: r.played }), often = s.games[0];
  const good = s.games.filter(g => g.played >= MET && g.won).sort((a, b) => b.rate - a.rate)[0];
  return h("li", { "data-k": s.name }, h("a", { class: "box card", href: link(s.name, lang), style: paint(p) },
    h("b", { class: "name" }, shape(shapeOf(p.seat)), h("span", null, s.name),
      h("small", null, won(s))),
    rating(s, one), places(s), facts([
      ["streak", streak(s)], ["best-in", good && says(title(good.game), won(good))],
      ["often", often && s.played > 1 && says(title(often.game), often.played)],
    ])));
}

// rating draws what a player is worth in one game; ratings of several are no rating.
const rating = (s, one = true) => one && h("p", { class: "rating" }, s.rating > 0 ?
  [h("b", null, Math.round(s.rating)), " ", h("span", null, say("players." + sure(s)))] :
  h("span", null, say("players.unrated")));

const places = s => h("ol", { class: "places", "aria-label": say("players.places") },
  s.last.map(n => h("li", { class: n === 1 ? "won" : "" }, n || "–")));

const streak = s => s.streak > 0 ? say("players.in-a-row", { n: s.streak }) :
  s.streak < 0 ? say("players.lost-in-a-row", { n: -s.streak }) : null;

const facts = list => h("dl", { class: "facts" }, list.filter(([, value]) => value)
  .map(([key, value]) => h("div", null, h("dt", null, say("players." + key)), h("dd", null, value))));

const ACROSS = 5; // players in the table of who beats whom

function matrix(pairs, met, { of, lang }) {
  const names = met.map(p => p.name).filter(n => pairs.some(p => against(p, n))).slice(0, ACROSS);
  const cell = (name, other) => {
    const p = name !== other && pairs.filter(p => against(p, other)).map(p => against(p, name)).find(Boolean);
    return h("td", { class: !p ? "" : p.won > p.lost ? "more" : "met", style: paint(of(name)) },
      p && [h("b", null, `${p.won}–${p.lost}`),
        h("i", { "aria-hidden": "true", style: { "--part": p.won / Math.max(1, p.won + p.lost) } })]);
  };
  return box("matrix", say("players.who"), h("table", null,
    h("thead", null, h("tr", null, h("td"),
      names.map(n => h("th", { scope: "col" }, h("span", null, badge(of(n)), n))))),
    h("tbody", null, names.map(n => h("tr", { "data-k": n },
      h("th", { scope: "row" }, h("a", { href: link(n, lang) }, badge(of(n)), n)), names.map(o => cell(n, o)))))));
}

// best draws the records: the longest streak, and matches to look at again.
function best({ players, records, game }, { of, title, lang }) {
  const all = records.flatMap(g => g.records.map(r => ({ ...r, game: g.game })));
  const run = players.filter(p => of(p.name)).sort((a, b) => b.longest - a.longest)[0];
  const kinds = { // points of different games cannot be compared
    ...records.length === 1 && {
      lead: [-1, signed], closest: [1, n => n ? say("players.by", { n }) : say("players.tied")],
    },
    shortest: [1, clock], longest: [-1, clock],
  };
  return box("records", say("players.records"), h("ul", { class: "rows" },
    run?.longest > 1 && row(link(run.name, lang), of(run.name), say("players.longest"), run.name, run.longest),
    Object.entries(kinds).map(([kind, [order, value]]) => {
      const r = all.filter(r => r.kind === kind).sort((a, b) => order * (a.value - b.value))[0];
      const replay = r && !r.imported && "/matches/" + encodeURIComponent(r.match);
      return r && row(replay, of(r.names[0]), say("players.record-" + kind),
        [r.names.join(" & "), !game && title(r.game), date(r.begin, lang)].filter(Boolean).join(", "), value(r.value));
    })));
}

const LINES = 5; // players in the chart of wins
const GAP = 9; // between their names, in percent of its height

// course draws the wins of those who won most over the days, and who each line is at its end.
function course(players, { of, lang }) {
  const most = Math.max(1, ...players.map(p => p.won)), at = d => Date.parse(noon(d.day));
  const shown = players.filter(p => p.won > most / 10).sort((a, b) => b.won - a.won).slice(0, LINES);
  const days = shown.flatMap(p => p.days.map(at)).sort((a, b) => a - b), first = days[0], inputs = days.at(-1) - first;
  if (!(inputs > 0)) return null;
  const v = { tracks: [], seats: shown.map(({ name }) => ({ id: name, name, colour: of(name).colour || grey })) };
  const lines = v.seats.map(({ id, colour }, i) => {
    let value = 0;
    const values = shown[i].days.map(d => ({ n: at(d) - first, value: value += d.won }));
    const dashes = v.seats.findIndex(s => s.colour === colour) < i && "12 7";
    return { seat: id, values: [{ n: 0, value: 0 }, ...values], dashes };
  });
  const drawn = chart(v, { inputs, lines }, v.seats.map(s => s.id));
  const as = inputs > 3e10 ? { month: "short", year: "numeric" } : { day: "numeric", month: "short" };
  return h("figure", { class: "box", "data-k": "wins" },
    h("figcaption", null, h("h2", { class: "cap" }, say("players.wins"))),
    drawn.plot([0, 1, 2, 3, 4].map(i => h("i", { class: i % 2 ? "date between" : "date", style: { "--from": i * 25 } },
      date(first + inputs * i / 4, lang, as))),
    signs(v, drawn, GAP, Infinity, name => [badge(of(name)), h("span", null, name)])));
}

const gameOf = (g, { title }) => h("section", { "data-k": g.game }, h("h3", null, title(g.game)), facts([
  ["played", g.played], ["length", g.timed > 0 && clock(g.seconds / g.timed)],
  ["shortest", g.timed > 1 && clock(g.shortest) + " – " + clock(g.longest)],
  ["turn", g.turns > 0 && clock(g.turn_length)],
  ["beginner", g.begun > 0 && part(g.begun_won, g.begun)], ["best", g.players[0]],
]));

function removing({ name, done, all }) {
  const far = say("players.removing", { name, n: done, of: all });
  return h("form", { class: "box line removing", "data-act": "stop", tabindex: -1, "data-k": "removing" },
    h("p", null, far), h("progress", { value: done, max: Math.max(1, all), "aria-label": far }),
    h("button", { class: "b" }, say("players.stop")));
}

function heading(p, stats, { lang, title }, message) {
  const last = say("players.last", { day: date(p.last, lang), game: title(p.game) });
  return h("div", { class: "head", "data-k": "one" },
    h("div", null, h("h1", { class: "of", style: paint(p) }, shape(shapeOf(p.seat)), p.name),
      status(message, played(p, stats.players.find(s => s.name === p.name)) + " · " + last)),
    h("a", { class: "b", href: "/players?lang=" + lang }, "‹ ", say("players.all")),
    h("a", { class: "b", href: `/history?lang=${lang}&player=${encodeURIComponent(p.name)}` }, say("players.show")));
}

const played = ({ matches }, s) => s?.played === matches ? say("players.matches", { n: matches }) :
  say("players.ended", { n: s?.played ?? 0, of: matches });

function person(p, stats, look) {
  const s = stats.players.find(s => s.name === p.name);
  return h("div", { class: "person", "data-k": p.name },
    s && [
      h("div", { class: "pair" },
        box("so-far", say("players.so-far"), rating(s, stats.games.length <= 1), places(s), facts([
          ["wins-of", wins(s)], ["streak", streak(s)], ["longest", s.longest > 1 && s.longest],
          ["began", s.began > 0 && say("players.began-won", { n: s.began, part: part(s.begun_won, s.began) })],
          ["margin", s.margins > 0 && say("players.margin-of", { n: signed(s.margin), best: signed(s.best_margin) })],
          ["turn", s.turns > 0 && clock(s.turn_length)], ["time", clock(s.seconds)],
          ["range", s.rating > 0 && `${Math.round(s.rating)} ± ${Math.round(2 * s.deviation)}`],
        ])),
        rivals(s.name, stats.pairs, look)),
      box("games", say("players.games"), h("div", { class: "tiles" }, s.games.map(g => record(g, look)))),
      s.played >= RECORDS && course([s], look),
    ],
    look.keep && changes(p, look));
}

const wins = r => `${r.won} (${part(r.won, r.played)})`;

const record = (g, { title }) => h("section", { "data-k": g.game }, h("h3", null, title(g.game)), rating(g),
  facts([["played", g.played], ["wins-of", wins(g)]]),
  h("ul", { class: "figures" }, g.figures.map(f => h("li", { "data-k": f.name }, figure(f)))));

function figure({ label, unit, best, value, most }) {
  const text = n => unit === "seconds" ? clock(n) : unit === "luck" ? signed(n) : Math.round(n);
  return best ? says(label, text(value)) : say("players.figure", { label, n: text(value), most: text(most) });
}

function rivals(name, pairs, { of, lang }) {
  const mine = pairs.map(p => against(p, name)).filter(p => p && of(p.other));
  return mine.length > 0 && box("rivals", say("players.against"), h("ul", { class: "rows" }, mine.map(p =>
    row(link(p.other, lang), of(p.other), p.other,
      p.margins > 0 && say("players.ahead", { n: signed(p.margin) }), `${p.won}–${p.lost}`))));
}

// changes draws the forms that rename, separate and remove.
function changes(p, { people }) {
  const typed = p.typed.filter(t => t !== p.name);
  return h("section", { class: "box changes" }, h("h2", { class: "cap" }, say("players.name")),
    h("form", { "data-act": "rename", "data-name": p.name },
      h("label", null, say("players.rename"),
        h("input", { class: "field", name: "to", list: "names", maxlength: 24, required: true, autocomplete: "off" })),
      h("datalist", { id: "names" }, people.filter(o => o !== p).map(o => h("option", { value: o.name }))),
      h("button", { class: "b" }, say("players.change"))),
    typed.length > 0 && h("form", { "data-act": "separate" },
      h("label", null, say("players.typed"),
        h("select", { class: "field", name: "name" }, typed.map(t => h("option", { value: t }, t)))),
      h("button", { class: "b" }, say("players.separate"))),
    h("details", { "data-k": "remove" }, h("summary", null, say("players.remove")),
      h("form", { "data-act": "remove", "data-name": p.name },
        h("p", null, say("players.remove-help", { name: p.name })),
        h("button", { class: "b alarm" }, say("players.remove-now", { name: p.name })))));
}
