// The view for a television: what people who walk past or sit four metres away want to know. Who
// is asked, the tracks, each seat with its score and all that lies before it, and the last event;
// between matches, how to join.

import { fighter, longest } from "../cards.js";
import { h } from "../dom.js";
import { palette, paletteOf, scoreFirst, seated, seatName, shape, shapesOf, winnerNames } from "../seats.js";
import { isAsked, players, proposal, state } from "../store.js";
import { label, moment, say, where } from "../words.js";
import { chances } from "./chances.js";
import { short, times } from "./clock.js";
import { diceRow } from "./dice.js";
import { hearts, pieces } from "./pieces.js";
import { hue, sprite } from "./sprite.js";
import { track } from "./track.js";

const MOST = { 1: 9, 2: 9, 3: 6, 4: 4 }; // cards of a seat, by how many seats there are
const LETTERS = 30; // of a card's keywords, in three lines
const MINDBUGS = 2; // that a player has in the beginning

// tv draws the view; here is the location of the page.
export function tv(state, here) {
  const { live, lost } = state;
  if (!live) return waiting(here);
  const v = live.view, clocks = v.winners.length ? [] : times(state);
  if (v.match === null) return [hears(live), idle(live, here, lost)];
  const seats = seated(v), tracks = v.tracks.filter(t => t.id !== "score"), n = seats.length;
  const own = seats.some(s => s.id === "table") ? [] : numbered(v.zones);
  const fights = n === 2 && v.seats.some(s => "play" in s.zones);
  const kind = fights ? "fights" : n > 4 ? "many" : "of-" + Math.max(2, n);
  const [first, ...others] = seats.map(s => seat(v, s, n, clocks.find(t => t.seat === s.id)));
  const between = middle(v, own, fights);
  return [
    hears(live),
    h("h1", { class: "unseen", "data-k": "title" }, v.title),
    h("header", { "data-k": "head" }, asked(v), round(v)),
    tracks.length > 0 && h("div", { class: "tracks", "data-k": "tracks" }, tracks.map(t => track(v, t))),
    !v.winners.length && chances(v, state.chances),
    !fights && between,
    h("div", { class: "seats " + kind, "data-k": "seats", style: { "--columns": Math.ceil(n / 2) } },
      first, fights && between, others),
    h("footer", { "data-k": "foot" }, away(live, lost) ?? next(v) ?? last(live) ??
      (ofHall(here) && h("p", { "data-k": "name" }, say("hall.table", { name: v.table })))),
  ];
}

function middle(v, own, fights) {
  const dice = diceRow(v, v.dice.filter(d => d.state !== "used"));
  return (fights || dice || own.length > 0) && h("div", { class: "middle", "data-k": "middle" },
    fights && fight(v), dice, own.length > 0 && h("ul", { class: "cards row" }, own.slice(0, 4).map(c => card(v, c))));
}

function fight(v) {
  const [prompt] = v.prompts, asks = ["block", "defend"].includes(prompt?.key);
  const who = say(v.game.startsWith("mindbug") ? "band.mindbug" : "band.genegrafter");
  const hole = (text, style) => h("li", { class: "none", "data-k": "none", style }, text);
  const from = fighter(v, "attacking"), to = fighter(v, "blocking", "defending");
  const hue = found => found ? palette(found.s.colour) : {};
  const place = (kind, found, hole) =>
    h("ul", { class: "cards", "data-k": kind, style: hue(found) }, found ? card(v, found.c) : hole);
  return h("div", { class: "fight" + (from ? "" : " idle"), "data-k": "fight" },
    place("attacking", from, hole(say("band.attacker"))),
    h("p", { style: hue(from) }, from && label(v, "state", "attacking"), h("i")),
    place("blocking", to, asks ? hole(say("band.asked", { who }), paletteOf(v, prompt.seat)) : hole(who)));
}

const next = v => proposal(v) && h("p", { "data-k": "next" }, proposal(v).text);

const hears = ({ status }) => status.says && h("p", { class: "says", role: "status", "data-k": "says" }, status.says);

const ofHall = here => here.pathname.startsWith("/tables/");

// waiting draws that nothing has come from the table, or nothing yet from a table of a hall.
const waiting = here => h("section", { class: "idle", "data-k": "idle" },
  h("div", null, h("h1", null, ofHall(here) ? decodeURIComponent(here.pathname.split("/")[2]) : "Tableside"),
    h("p", null, say(ofHall(here) ? "hall.silent" : "page.away"))));

function away({ status }, lost) {
  const heard = status.heard && moment(status.heard, state.wall);
  const why = lost ? say("page.away") : status.away && (heard ? say("hall.gone", { time: heard }) : say("hall.silent"));
  return why ? h("p", { class: "lost", "data-k": "lost" }, why) : null;
}

// asked draws who won, or who is asked, with the question.
function asked(v) {
  if (v.winners.length > 0) {
    const text = say(v.winners.length > 1 ? "page.winners" : "page.winner", { name: winnerNames(v) });
    const style = { ...paletteOf(v, v.winners[0]), "--letters": text.length };
    return h("p", { class: "asked won", "data-k": "won", style },
      h("b", null, v.winners.map(id => shape(shapesOf(v)[id])), h("span", null, text)));
  }
  const [first] = v.prompts;
  if (!first) return h("p", { class: "asked", "data-k": "none" }, h("span", null, v.title));
  const sits = v.seats.some(s => s.id === first.seat), name = sits ? seatName(v, first.seat) : "";
  const style = { ...paletteOf(v, first.seat), "--letters": Math.max(4, name.length), "--text": first.text.length };
  return h("p", { class: "asked", "data-k": "asked", style },
    sits && h("b", null, shape(shapesOf(v)[first.seat]), h("span", null, name)), h("span", null, first.text));
}

const round = v => v.round > 0 && h("p", { class: "round", "data-k": "round" },
  h("small", null, say("overlay.round")), h("b", null, v.round, v.rounds > 0 && h("i", null, "/" + v.rounds)));

const numbered = zones => Object.values(zones).flat()
  .filter(c => c.card !== null && Object.keys(c.counters ?? {}).length > 0);

// digits returns the length of the longest score: all have one size.
const digits = v => Math.max(2, ...v.seats.map(s => String(scoreFirst(s.counters)[0]?.[1] ?? "").length));

function seat(v, s, n, clock) {
  const [first, ...rest] = scoreFirst(s.counters), name = seatName(v, s.id), won = v.winners.includes(s.id);
  const named = c => c.endsWith("tokens") ? say("band." + c) : label(v, "counter", c);
  return h("section", {
    class: "seat" + (isAsked(s.id) ? " is-asked" : "") + (won ? " won" : ""), "data-k": s.id, "data-seat": s.id,
    style: { ...palette(s.colour), "--letters": name.length + (clock ? 6 : 0), "--digits": digits(v) },
  },
  h("div", { class: "head" },
    h("h2", null, shape(shapesOf(v)[s.id]), h("span", null, name), clock && short(clock)),
    h("dl", null,
      (s.state ?? []).map(one => h("div", { class: "state", "data-k": one }, h("dt", null, label(v, "state", one)))),
      rest.filter(([c]) => c !== "mindbugs").map(([c, n]) => h("div", { "data-k": c },
        h("dt", null, named(c)), h("dd", { class: "pop", "data-k": "v" + n }, n))))),
  first && h("div", { class: "score" },
    h("b", { class: "pop", "data-k": "v" + first[1] }, first[1]),
    h("div", null, first[0] === "life" && hearts(first[1]), h("small", null, label(v, "counter", first[0]))),
    rest.filter(([c]) => c === "mindbugs").map(([c, n]) => h("div", { class: "tiles", "data-k": c },
      h("small", null, label(v, "counter", c)), pieces(c, n, MINDBUGS)))),
  laid(v, s, n));
}

// laid draws what lies before a seat: the places of an arena, or the cards that have a number.
function laid(v, { zones }, n) {
  const names = Object.keys(zones), places = names.slice(0, Math.max(0, names.indexOf("discard")));
  const list = (kind, items, columns) => h("ul", { class: "cards " + kind, style: { "--n": columns } }, items);
  if (places.length > 1 && places.every(name => zones[name].length < 2)) {
    const shown = places.filter(name => name !== "leaving"), empty = shorter(shown.map(name => label(v, "zone", name)));
    return list("slots", shown.map((name, i) => zones[name][0] ? card(v, zones[name][0]) :
      h("li", { class: "none", "data-k": name }, empty[i])), n === 3 ? 2 : shown.length);
  }
  const cards = numbered(zones.play ? { play: zones.play } : zones), most = MOST[n] ?? 0;
  const shown = cards.length > most ? most - 1 : most;
  return most > 0 && names.length > 0 && list(cards.length > 6 ? "tight" : "", [
    cards.slice(0, shown).map(c => card(v, c)),
    cards.length > shown && h("li", { class: "rest", "data-k": "rest" }, "+" + (cards.length - shown)),
  ], n < 3 ? 3 : n === 3 ? 2 : 4);
}

function shorter(names) {
  const words = names.map(name => name.split(" ")), all = words.flat();
  return words.map(list => list.findLast(w => all.indexOf(w) === all.lastIndexOf(w)) ?? list[0]);
}

// parted lets a long word be parted between two syllables.
const parted = name => name.replace(/\p{L}{10,}/gu, word =>
  word.replace(/(\p{L}{2,}?[aeiouyà-ü][^aeiouyà-ü]*)(?=[^aeiouyà-ü][aeiouyà-ü]\p{L})/giu, "$1\u00ad"));

function card(v, c) {
  const [number] = Object.entries(c.counters ?? {}), states = c.state ?? [], name = c.name ?? c.card;
  const words = number ? (c.keywords ?? []).map(k => label(v, "keyword", k)).join(", ") : "";
  return h("li", {
    "data-k": c.card + "." + (c.copy ?? 0), style: { "--hue": hue(c.card), "--longest": longest(name) },
    class: (number ? "numbered " : "") + states.map(s => "is-" + s).join(" "),
  },
  number && h("b", { title: label(v, "counter", number[0]) }, number[1]),
  h("span", null, parted(name)),
  states.length > 0 ? h("em", null, label(v, "state", states[0])) :
    words.length < LETTERS && h("small", null, words),
  sprite(c.card));
}

// last draws the newest event, and as much of the one before as has room.
function last({ history, view: v }) {
  const [entry, before] = history.filter(e => !e.undone && e.lines.length).slice(-2).reverse();
  return entry ? h("p", { "data-k": "e" + entry.n, style: paletteOf(v, entry.seat) },
    v.seats.some(s => s.id === entry.seat) && shape(shapesOf(v)[entry.seat]),
    h("span", { class: entry.lines[0].length > 90 && "long" }, entry.lines[0]),
    entry.lines.slice(1).map(line => h("span", null, line)),
    before && h("em", null, say("tv.before", { what: before.lines[0] }))) : null;
}

// idle draws how to join. The QR code holds the token: it is only for a television
// that may play itself, such as the table's own screen. Others show the address,
// from which one can watch.
function idle(live, here, lost) {
  const own = ["localhost", "127.0.0.1", "[::1]"].includes(here.hostname), code = live.writes && live.status.address;
  const [prompt] = live.view.prompts, text = prompt?.text ?? "", mate = proposal(live.view);
  return h("section", { class: "idle", "data-k": "idle" },
    !ofHall(here) && code && h("img", { src: "/join.png", alt: say("join.code") }),
    h("div", null, !ofHall(here) && !mate ? [
      h("h1", null, "Tableside"),
      h("p", null, lost ? say("page.away") : code ? say("tv.scan") : own ? text : say("tv.open")),
      !code && !own && h("p", { class: "address" }, here.origin),
    ] : live.status.seating && !lost ?
      [h("h1", { class: "names" }, players(live)), h("p", null, where(live))] :
      [h("h1", null, live.view.table), h("p", null, away(live, lost) ?? mate?.text ?? say("hall.free"))]));
}
