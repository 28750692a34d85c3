// The matches that were played.

import { h } from "../dom.js";
import { nameKey, plain } from "../plain.js";
import { colours, grey, palette, shape, shapeOf } from "../seats.js";
import { edition } from "../store.js";
import { local, say } from "../words.js";

const PEOPLE = 5; // those who played most have a chip

export function past(state) {
  const { matches, deleted, bin, games, sought, most, trouble, gone, keep, found: file } = state.past;
  const { lang, ofHall, live } = state;
  const list = (bin ? deleted : matches) ?? [], game = name => games.find(g => g.name === name);
  const title = titleIn(games), people = peopleIn(list);
  const is = people.some(p => nameKey(p.name) === nameKey(sought.player)) ?
    name => nameKey(name ?? "") === nameKey(sought.player) : name => has(name, sought.player);
  const fits = (m, { player, game: of, text }) => (!of || kind(m) === of.split("/")[0]) &&
    (!player || m.seats.some(s => is(s.name))) && (!text || has([m.note, m.table, title(kind(m)), m.game,
    ...played(m, game(m.game)), m.begin.slice(0, 10), m.reason, ...m.seats.map(s => s.name)].join(" "), text));
  const count = without => list.filter(m => fits(m, { ...sought, ...without })).length;
  const found = list.filter(m => fits(m, sought)), shown = found.slice(0, most);
  const loaded = (bin ? deleted : matches) !== null, chosen = Object.values(sought).some(Boolean);
  const look = { game, title, lang, keep, bin, ofHall, on: live?.view.match };
  return [
    h("div", { class: "head", "data-k": "head" },
      h("div", null,
        h("h1", null, bin || !found.length ? say(bin ? "past.deleted" : "past.title") :
          say("past.count", { n: found.length })),
        h("p", { class: "sub" + (loaded && trouble ? "" : " said") + (!loaded && trouble ? " alarm" : ""),
          role: "status", tabindex: -1 },
        loaded ? since(list, found, lang, bin) : trouble || say("begin.loading"))),
      (matches?.length > 0 || bin) && seeking(sought, say("past.seek")),
      loaded && tools(bin, keep, matches ?? [], lang, file)),
    file && preview(file),
    (list.length > 0 || chosen) && chips(people, sought, look, fits, list),
    loaded && !found.length && h("section", { class: "box empty", "data-k": "empty" }, fan,
      chosen && list.length ? nothing(sought, title, count, list.length) : none(bin, ofHall)),
    days(shown).map(day => h("section", { class: "day", "data-k": day[0].id },
      h("h2", { class: "cap" }, dayOf(day, lang)), h("ol", null, day.map(m => match(m, look))))),
    found.length > most && h("form", { "data-act": "more", "data-k": "more" },
      h("button", { class: "b" }, say("past.more", { n: found.length - most }))),
    loaded && trouble && h("p", { class: "box gone alarm said", role: "status", tabindex: -1, "data-k": "trouble" },
      trouble),
    gone && !trouble && h("form", { class: "box gone", "data-act": "restore", "data-match": gone, "data-k": "gone" },
      h("p", null, say("past.deleted-one")), h("button", { class: "b" }, say("past.undo"))),
  ];
}

// seeking draws the field for a text that is sought, and chip what a list can be reduced to.
export const seeking = ({ text }, hint) => h("input", {
  class: "field", type: "search", "data-act": "seek", "data-by": "text", "data-planned": "", "data-k": "text",
  value: text, placeholder: hint, "aria-label": hint,
});

export const chip = (by, value, on, ...inside) => h("button", {
  class: "chip", "aria-pressed": String(on), "data-act": "seek", "data-by": by, "data-value": value,
  "data-k": by + value,
}, inside);

const kind = m => m.preset ?? m.game.split("/")[0]; // of all editions

// titleIn returns the title of a game in all editions, or of a score sheet's preset.
export const titleIn = games => name => games.find(g => g.name.split("/")[0] === name.split("/")[0])?.title ??
  games.flatMap(g => g.presets).find(p => p.name === name)?.title ?? name;

const has = (text, part) => plain(text ?? "").includes(plain(part));

// tools draws what is done with all matches; from the deleted ones, the way back.
function tools(bin, keep, matches, lang, file) {
  const turn = text => h("form", { "data-act": "deleted", "data-k": "deleted" }, h("button", { class: "b" }, text));
  if (bin) return turn(say("past.whole"));
  return h("details", { class: "tools", "data-k": file ? "shut" : "tools" },
    h("summary", { class: "b", "aria-label": say("past.tools"), title: say("past.tools") }, "⋯"),
    h("div", { class: "box" }, h("a", { class: "b", href: "/api/history.csv", download: true }, say("past.export")),
      h("a", { class: "b", href: "/api/history.bgsplay", download: true }, say("past.bgstats")),
      keep && [
        turn(say("past.deleted")),
        h("label", { class: "b upload", "data-k": "import" }, h("span", null, say("past.import")), h("input", {
          type: "file", "data-act": "read", accept: ".bgsplay,.csv,.txt,.json",
        })),
        importsIn(matches).map(([id, n]) => h("form", { "data-act": "forget", "data-match": id, "data-k": id },
          h("button", { class: "b" }, say("past.forget", { n, day: new Date(timeOf(id))
            .toLocaleDateString(local(lang), { day: "numeric", month: "short" }) })))),
      ]));
}

// timeOf returns the time that is the name of an import.
const timeOf = id => id.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:");

// importsIn lists the imports with the number of their matches, the newest first.
function importsIn(matches) {
  const all = new Map();
  for (const { imported } of matches) if (imported) all.set(imported, (all.get(imported) ?? 0) + 1);
  return [...all].sort(([a], [b]) => b.localeCompare(a));
}

// preview tells what a file of plays would bring.
function preview({ plays, again, games, players }) {
  const list = (title, names) => names.length > 0 && h("div", { "data-k": title }, h("h3", { class: "cap" }, title),
    h("ul", { class: "line" }, names.map(one => h("li", { class: "chip", "data-k": one.name }, one.name, " ",
      h("small", null, one.plays), !one.known && h("b", { class: "new" }, say("past.new"))))));
  return h("section", { class: "box found", "data-k": "found" },
    h("h2", { tabindex: -1 }, say(plays ? "past.found" : "past.found-none", { n: plays })),
    again > 0 && h("p", { class: "sub" }, say("past.again-there", { n: again })),
    list(say("past.found-games"), games), list(say("past.found-players"), players),
    h("div", { class: "line" },
      plays > 0 && h("form", { "data-act": "take", "data-k": "take" },
        h("button", { class: "b main" }, say("past.take", { n: plays }))),
      h("form", { "data-act": "leave", "data-k": "leave" },
        h("button", { class: "b" }, say(plays ? "past.leave" : "page.close")))));
}

// peopleIn lists those who played, the one with most matches first, with the newest seat of each.
function peopleIn(list) {
  const people = new Map();
  for (const { name, seat, colour } of list.flatMap(m => m.seats)) {
    if (name && !people.has(name)) people.set(name, { name, seat, colour: colour ?? colours[seat] ?? grey, n: 0 });
    if (name) people.get(name).n++;
  }
  return [...people.values()].sort((a, b) => b.n - a.n);
}

// since says how long was played, and that there is more than was found.
function since(list, found, lang, bin) {
  if (!found.length) return list.length ? say("past.none-of", { n: list.length }) : "";
  if (bin) return say("past.count", { n: found.length });
  const seconds = found.reduce((all, m) => all + m.seconds, 0);
  const month = new Date(found.at(-1).begin).toLocaleDateString(local(lang), { month: "long", year: "numeric" });
  const time = seconds < 36000 ? lasted(seconds) : say("past.long", { n: Math.round(seconds / 3600) });
  const text = say("past.since", { time, month });
  return found.length < list.length ? say("past.of", { n: list.length, text }) : text;
}

// chips draws what the list can be reduced to. A player whom only the address names has one, too.
function chips(people, sought, { title }, fits, list) {
  const top = people.slice(0, PEOPLE), known = p => nameKey(p.name) === nameKey(sought.player);
  if (sought.player && !top.some(known)) top.push(people.find(known) ?? { name: sought.player });
  const others = list.filter(m => fits(m, { ...sought, game: "" })), number = n => h("small", null, n);
  const kinds = [...new Set([...list.filter(m => m.game).map(kind), sought.game.split("/")[0]].filter(Boolean))];
  return h("form", { class: "line slide chips", "data-k": "chips" },
    chip("player", "", !sought.player, say("page.everybody")),
    top.map(p => chip("player", p.name, known(p) || p.name === sought.player,
      p.colour && h("span", { class: "of", style: palette(p.colour) }, shape(shapeOf(p.seat))), p.name)),
    chip("game", "", !sought.game, say("past.all"), number(others.length)),
    kinds.sort((a, b) => title(a).localeCompare(title(b))).map(k => chip("game", k, k === sought.game.split("/")[0],
      title(k), number(others.filter(m => kind(m) === k).length))));
}

export const fan = h("span", { class: "fan", "aria-hidden": "true" },
  [0, 1, 2].map(i => h("i", { style: { "--i": i } })));

// none draws a list without any match, and how one gets there.
const none = (bin, ofHall) => bin ? h("h2", null, say("past.none-deleted")) :
  [h("h2", null, say("past.first")), h("p", null, say("past.first-help")), begin(ofHall)];

export const begin = ofHall =>
  h("a", { class: "b main", href: "/" }, ofHall ? say("past.hall") : say("past.begin"));

// nothing draws what there is beside what was sought, and the ways to it.
function nothing({ player, text, ...sought }, title, count, all) {
  const game = sought.game && title(sought.game), way = (label, n, by) => n > 0 && h("button", {
    class: "b", "data-act": "seek", "data-by": by, "data-value": "", "data-k": by,
  }, label, " ", h("small", null, n));
  const several = [player, game, text].filter(Boolean).length > 1;
  return [
    h("h2", null, player && game && !text ? say("past.not-yet", { name: player, game }) : say("past.no-hit")),
    h("form", { class: "line" },
      several && [
        player && way(game ? say("past.with-all", { game }) : say("page.everybody"), count({ player: "" }), "player"),
        game && way(player ? say("past.in-all", { name: player }) : say("past.all"), count({ game: "" }), "game"),
        text && way(say("past.without", { text }), count({ text: "" }), "text"),
      ],
      way(say("past.whole"), all, "")),
  ];
}

function days(list) {
  const days = [];
  for (const m of list) {
    if (days.at(-1)?.[0] && dayIn(days.at(-1)[0]) === dayIn(m)) days.at(-1).push(m);
    else days.push([m]);
  }
  return days;
}

const dayIn = m => new Date(m.begin).toDateString();

function dayOf(list, lang) {
  const at = new Date(list[0].begin), now = new Date();
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  if (dayIn(list[0]) !== now.toDateString()) {
    return at.toLocaleDateString(local(lang), { weekday: "long", day: "numeric", month: "long", ...year });
  }
  const day = at.toLocaleDateString(local(lang), { weekday: "long" }), parts = new Set(list.map(partOf));
  return say("past.today", { day: parts.size > 1 ? day : say("past." + partOf(list[0]), { day }) });
}

function partOf(m) {
  const hour = new Date(m.begin).getHours();
  return hour < 5 ? "night" : hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
}

// played lists how the game g was played: its edition if a box has several, and the chosen options
// that are not those of the preset.
function played(m, g) {
  if (!g || m.imported) return [];
  const preset = g.presets.find(p => p.name === m.preset), value = o => m.options?.[o.name] ?? o.default;
  const titled = o => value(o).split(o.list ? "," : "\0")
    .map(one => o.values.find(v => v.value === one)?.title ?? one).join(", ");
  const chosen = g.options.filter(o => value(o) !== (preset?.options?.[o.name] ?? o.default));
  return [g.cards.length > 0 && edition(g),
    ...chosen.map(o => say("past.option", { option: o.title, value: titled(o) }))].filter(Boolean);
}

// isRaw reports whether a text lists what only the set-up understands, such as "Ones*1,Twos*2".
const isRaw = text => /,\S|\d -?\d/.test(text);

export function lasted(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60)); // "0 min" tells nobody anything
  return minutes < 60 ? say("past.minutes", { n: minutes }) :
    say("past.hours", { h: Math.floor(minutes / 60), n: minutes % 60 });
}

// match draws a row that leads to the replay, and behind it what else is known and can be done.
function match(m, { game, title, lang, keep, bin, ofHall, on }) {
  const how = played(m, game(m.game)), [first] = how.filter(one => !isRaw(one));
  const time = new Date(m.begin).toLocaleTimeString(local(lang), { timeStyle: "short" });
  const state = [m.state === "damaged" ? say("past.damaged") : say("matches." + (m.id === on ? "playing" : m.state)),
    m.state !== "damaged" && m.round > 0 && say("past.round", { n: m.round })];
  const inside = [
    h("time", { datetime: m.begin }, time),
    h("span", { class: "game" }, h("b", null, m.game ? title(kind(m)) : "–"), " ",
      h("small", { title: how.join(" · ") || null },
        [m.table, first, m.seconds >= 30 && lasted(m.seconds)].filter(Boolean).join(", "))),
    h("span", { class: "who" }, [...m.seats].sort((a, b) => Boolean(b.won) - Boolean(a.won)).map(s => plate(m, s)),
      m.state !== "finished" && h("small", { class: m.state }, state.filter(Boolean).join(", ")),
      m.again && h("small", null, say("past.again")),
      m.imported && h("small", null, say("past.imported")),
      m.note && h("small", { class: "note" }, m.note)),
    !bin && !m.imported && h("span", { class: "go" }, race(m), say("matches.replay"), " ›"),
  ];
  const shut = bin || m.imported; // without a replay
  return h("li", { class: "box", "data-k": m.id },
    h(shut ? "div" : "a", { class: "row", href: !shut && "/matches/" + encodeURIComponent(m.id) }, inside),
    bin ? act("restore", m, say("past.restore")) : !m.imported && [
      keep && !ofHall && m.state === "unfinished" && m.id !== on && act("resume", m, say("past.resume")),
      more(m, how.filter(one => one !== first), keep, time)]);
}

// race draws how the counter went, if all have one.
function race({ seats }) {
  const all = seats.flatMap(s => s.race ?? []), least = Math.min(...all), span = Math.max(...all) - least;
  const spot = (v, i, list) => 100 * i / (list.length - 1) + " " + 100 * (1 - (v - least) / span);
  return span > 0 && h("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    seats.map(s => s.race && h("path", {
      "data-k": s.seat, style: palette(s.colour ?? colours[s.seat] ?? grey), d: "M" + s.race.map(spot).join("L"),
    })));
}

const act = (name, m, text) =>
  h("form", { "data-act": name, "data-match": m.id, "data-k": name }, h("button", { class: "b" }, text));

const more = (m, how, keep, time) => h("details", { class: "more" },
  h("summary", { "aria-label": say("past.change") + " · " + time, title: say("past.change") }, "⋯"),
  h("form", { "data-act": "note", "data-match": m.id },
    (how.length > 0 || m.reason) && h("p", null, [...how.map(one => one.replaceAll(/,(?=\S)/g, ", ")), m.reason]
      .filter(Boolean).join(" · ")),
    keep && [
      h("input", {
        class: "field", name: "text", value: m.note ?? "", maxlength: 500, autocomplete: "off",
        placeholder: say("past.note"), "aria-label": say("past.note"),
      }),
      h("button", { class: "b" }, say("past.keep")),
      h("button", { class: "b", "data-act": "remove", formnovalidate: true }, say("past.delete")),
    ],
    h("a", { class: "b", href: "/api/journal?match=" + encodeURIComponent(m.id), target: "_blank" },
      say("matches.journal"))));

const plate = (m, s) => h("span", {
  class: "plate" + (s.won ? " won" : ""), style: palette(s.colour ?? colours[s.seat] ?? grey),
}, shape(shapeOf(s.seat)), h("span", null, s.name || say(s.computer ? "seat.computer" : "seat." + s.seat)),
m.counter && h("b", null, s.value ?? 0),
s.won && h("span", { class: "unseen" }, say("past.won")));
