// The table seen from above: tracks, the middle of the table, and the seats.

import { button, h } from "../dom.js";
import { palette, scoreFirst, seated, seatName, shape, shapesOf } from "../seats.js";
import { folds, isAsked, isFolded, mine, plays, question } from "../store.js";
import { label, say } from "../words.js";
import { answers } from "./answers.js";
import { nameOf } from "./card.js";
import { diceRow } from "./dice.js";
import { amount } from "./mend.js";
import { moment } from "./moment.js";
import { isPadded } from "./pad.js";
import { sheet } from "./sheet.js";
import { track } from "./track.js";
import { zones } from "./zones.js";

export function arena(state) {
  const { live } = state, v = live.view;
  if (v.match === null) return [];
  const [first, others] = ordered(state);
  return [
    moment(state),
    v.tracks.length > 0 && h("section", { class: "tracks", "aria-label": say("page.tracks"), "data-k": "tracks" },
      v.tracks.map(t => track(v, t))),
    first.length > 0 && seats(state, first, "first"),
    middle(live),
    others.length > 0 && seats(state, others, "others"),
    everybody(live),
    sheet(state),
  ];
}

// ordered lists the seats before and after the middle of the table. Where only one
// with cards has room, it comes first, the user's or else the one that is asked, then
// those whose cards answer. Otherwise the folded lines come before the seats in full,
// so that all are in sight, unless one of them has a prompt of its own, which is high.
function ordered(state) {
  const { live: { view: v }, fits } = state, list = fromMine(v.seats), top = mine() ?? question(v)?.seat;
  const cards = list.some(s => Object.keys(s.zones).length);
  if (fits === 1 && cards && top) {
    const first = list.filter(s => s.id === top), answer = list.filter(s => s.id !== top && !folds(state, s));
    return [[...first, ...answer], list.filter(s => s.id !== top && folds(state, s))];
  }
  const lines = list.filter(s => isFolded(state, s)), open = list.filter(s => !isFolded(state, s));
  // Where cards of all seats answer, more seats are in full than have room.
  const first = cards && open.length > fits ? open.filter(s => s.id === top) : [];
  const full = [...first, ...open.filter(s => !first.includes(s))];
  const high = lines.some(s => further(v).some(p => p.seat === s.id));
  return [[], high ? [...full, ...lines] : [...lines, ...full]];
}

const seats = (state, list, k) =>
  h("div", { class: "seats", "data-k": k, style: { "--folded": list.filter(s => isFolded(state, s)).length } },
    list.map(s => seat(state, s)));

// fromMine lists the seats clockwise from the own one, if there is one.
function fromMine(seats) {
  const at = Math.max(0, seats.findIndex(s => s.id === mine()));
  return [...seats.slice(at), ...seats.slice(0, at)];
}

// further lists the prompts that are not at the top of the page.
const further = v => v.prompts.filter(p => p !== question(v));

// middle draws the table's own counters, cards and dice, with its name if it
// plays too.
function middle(live) {
  const v = live.view, counters = Object.entries(v.counters), own = Object.entries(v.zones);
  const player = seated(v).find(s => s.id === "table");
  const dice = v.dice.filter(d => !v.seats.some(s => s.id === d.seat));
  if (!counters.length && !own.length && !dice.length) return null;
  return h("section", { class: "middle panel", "data-k": "middle", "aria-label": say("page.middle") },
    player ? h("h3", { class: "whose", style: palette(player.colour) },
      shape(shapesOf(v).table), seatName(v, "table")) : h("h3", { class: "unseen" }, say("page.middle")),
    counters.length > 0 && numbers(live, "table", counters),
    zones(live, "", own),
    diceRow(v, dice));
}

// everybody draws the further prompts that are for no particular seat.
function everybody(live) {
  const v = live.view, asked = further(v).filter(p => !v.seats.some(s => s.id === p.seat));
  return asked.length > 0 && h("section", { class: "everybody panel" }, asked.map(p => besides(live, p)));
}

// seat draws a seat in full, or as one line if there is no room for all.
function seat(state, s) {
  const { live } = state, v = live.view, others = further(v).filter(p => p.seat === s.id);
  const asked = isAsked(s.id), folded = isFolded(state, s);
  const kind = (v.turn === s.id ? " turn" : "") + (asked ? " asked" : "") + (folded ? " folded" : "") +
    (v.winners.includes(s.id) ? " won" : "");
  const attributes = {
    "data-k": s.id, "data-seat": s.id, "data-asked": asked, "data-folded": folded, style: palette(s.colour),
    "aria-label": seatName(v, s.id),
  };
  return h("section", { class: "seat panel" + kind, ...attributes },
    header(live, s, placeOf(state, s.id), folded && laid(s), folds(state, s) && unfold(s, folded)),
    !folded && h("div", { class: "lists" }, zones(live, s.id + "/", Object.entries(s.zones))),
    others.map(p => besides(live, p, p.options.every(isPadded) && Object.keys(s.counters).length === 1)));
}

// laid draws the open cards of a folded seat, with their first numbers: those of
// its zones before the discard pile.
function laid(s) {
  const names = Object.keys(s.zones), end = names.indexOf("discard");
  const cards = names.slice(0, end < 0 ? names.length : end).flatMap(name => s.zones[name])
    .filter(c => c.card !== null);
  return h("p", { class: "laid" }, cards.map(c => h("span", null,
    nameOf(c), Object.values(c.counters ?? {}).slice(0, 1).map(n => [" ", h("b", null, n)]))));
}

const unfold = (s, folded) => button("unfold", {
  class: "round", "data-seat": s.id, "data-k": "unfold", "aria-expanded": String(!folded),
  "aria-label": say("seat.cards"), title: say("seat.cards"),
}, folded ? "▾" : "▴");

// placeOf returns the rank of a seat when the match is over.
const placeOf = ({ live: { view: v }, result }, id) => v.winners.length > 0 && result?.match === v.match &&
  result.seats.find(s => s.seat === id)?.rank;

const LONG = 14; // letters of a name that gets smaller ones, and two lines

function header(live, s, place, cards, opener) {
  const v = live.view, [score, ...rest] = scoreFirst(s.counters), name = seatName(v, s.id);
  const said = (s.state ?? []).map(state => label(v, "state", state));
  const rename = { "data-open": "rename", "data-seat": s.id, title: say("seat.rename") };
  return h("header", null,
    shape(shapesOf(v)[s.id]),
    h("h3", { class: name.length > LONG && "long", style: { "--letters": name.length } },
      plays(s.id) ? button("open", rename, name) : name),
    v.turn === s.id && h("span", { class: "flag" }, say("seat.turn")),
    said.map(text => h("span", { class: "flag so", "data-k": text }, text)),
    place && h("span", { class: "flag rank", title: say("moment.place", { n: place }) },
      h("span", { class: "unseen" }, say("moment.place", { n: place })), h("span", { "aria-hidden": "true" }, place)),
    v.first === s.id && v.seats.length > 1 && !v.winners.length &&
      h("span", { class: "flag hollow", title: say("seat.first-long") }, say("seat.first")),
    rest.length > 0 && numbers(live, s.id, rest, said.join("").length),
    diceRow(v, v.dice.filter(d => d.seat === s.id)),
    cards,
    score && h("p", { class: "score", style: { "--digits": Math.max(2, String(score[1]).length) } },
      h("b", { "data-k": "v" + score[1], class: "pop" }, amount(live, s.id, ...score)),
      h("span", null, label(v, "counter", score[0]))),
    opener);
}

// numbers draws counters. Many of them, or long names, get a line of their own, where letters
// counts those of the flags before them.
function numbers(live, owner, counters, letters = 0) {
  const v = live.view;
  letters = counters.reduce((n, [name]) => n + label(v, "counter", name).length + 3, letters);
  return h("dl", { class: "numbers" + (letters > 28 ? " many" : "") }, counters.map(([name, n]) =>
    h("div", { "data-k": name },
      h("dt", null, label(v, "counter", name)),
      h("dd", { "data-k": "v" + n, class: "pop" }, amount(live, owner, name, n)))));
}

// besides draws a prompt that is not at the top, without its text where the header
// of the seat says the same.
const besides = (live, p, said) =>
  h("div", { class: "besides", "data-k": "ask-" + p.key }, !said && h("p", null, p.text), answers(live, p, false));
