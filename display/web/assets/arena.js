// The table seen from above: tracks, what lies in the middle, and the seats.

import { h, label, palette, say, seatName, seated, shape, shapesOf } from "./core.js";
import { answers } from "./ask.js";
import { diceRow } from "./dice.js";
import { hue, sprite } from "./sprite.js";
import { readable, text } from "./texts.js";
import { track } from "./track.js";

export function arena(live) {
  const v = live.view;
  if (v.match === null) return [];
  return [
    v.tracks.length > 0 && h("section", { class: "tracks", "aria-label": say("page.tracks") }, v.tracks.map(t => track(v, t))),
    middle(live),
    h("div", { class: "seats" }, v.seats.map(s => seat(live, s))),
    everybody(live),
  ];
}

// middle is what belongs to the table, under its name where it plays too.
function middle(live) {
  const v = live.view, player = seated(v).find(s => s.id === "table"), counters = Object.entries(v.counters), zones = Object.entries(v.zones);
  const dice = v.dice.filter(d => !v.seats.some(s => s.id === d.seat));
  if (!counters.length && !zones.length && !dice.length) return null;
  return h("section", { class: "middle panel", "aria-label": say("page.middle") },
    player && h("h3", { class: "whose", style: palette(player.colour) }, shape(shapesOf(v).table), seatName(v, "table")),
    counters.length > 0 && numbers(v, counters),
    zones.length > 0 && zoneList(live, "", zones),
    diceRow(v, dice));
}

// everybody is what nobody in particular is asked besides.
function everybody(live) {
  const v = live.view, asked = v.prompts.slice(1).filter(p => !v.seats.some(s => s.id === p.seat));
  return asked.length > 0 && h("section", { class: "everybody panel" }, asked.map(p => besides(live, p)));
}

function seat(live, s) {
  const v = live.view, turn = v.turn === s.id, asked = v.prompts[0]?.seat === s.id;
  const [score, ...rest] = front(Object.entries(s.counters));
  const others = v.prompts.slice(1).filter(p => p.seat === s.id);
  return h("section", { class: "seat panel" + (turn ? " turn" : "") + (asked ? " asked" : "") + (v.winners.includes(s.id) ? " won" : ""), "data-k": s.id, style: palette(s.colour), "aria-label": seatName(v, s.id) },
    h("header", null,
      shape(shapesOf(v)[s.id]),
      h("h3", null, live.writes ? h("button", { type: "button", "data-open": "rename", "data-seat": s.id, title: say("seat.rename") }, seatName(v, s.id)) : seatName(v, s.id)),
      turn && h("span", { class: "flag" }, say("seat.turn")),
      (s.state ?? []).map(state => h("span", { class: "flag so", "data-k": state }, label(v, "state", state))),
      v.first === s.id && v.seats.length > 1 && h("span", { class: "flag hollow", title: say("seat.first-long") }, say("seat.first")),
      rest.length > 0 && numbers(v, rest),
      diceRow(v, v.dice.filter(d => d.seat === s.id)),
      score && h("p", { class: "score" }, h("b", { "data-k": "v" + score[1], class: "pop" }, score[1]), h("span", null, label(v, "counter", score[0])))),
    zoneList(live, s.id + "/", Object.entries(s.zones)),
    others.map(p => besides(live, p)));
}

// front puts what decides first: the score where there is one.
const front = counters => {
  const i = Math.max(0, counters.findIndex(([name]) => name === "score"));
  return counters.length ? [counters[i], ...counters.filter((_, j) => j !== i)] : [];
};

// Many numbers, or long words for them, have a line of their own.
const numbers = (v, counters) => h("dl", { class: "numbers" + (counters.reduce((n, [name]) => n + label(v, "counter", name).length + 3, 0) > 28 ? " many" : "") }, counters.map(([name, n]) =>
  h("div", { "data-k": name }, h("dt", null, label(v, "counter", name)), h("dd", { "data-k": "v" + n, class: "pop" }, n))));

const besides = (live, p) => h("div", { class: "besides", "data-k": "ask-" + p.key }, h("p", null, p.text), answers(live, p, false));

// Zones that are counted, as pool-1 and pool-2, have a row of their own. It
// comes before a seat's discard and what follows it, which grow and shrink.
function zoneList(live, owner, zones) {
  if (!zones.length) return null;
  const stem = ([name]) => /^(.+)-\d+$/.exec(name)?.[1];
  const rows = [...new Set(zones.map(stem))].filter(Boolean).map(name => [name, zones.filter(z => stem(z) === name)]).filter(([, row]) => row.length > 1);
  const plain = zones.filter(z => !rows.some(([name]) => name === stem(z)));
  const at = owner ? plain.findIndex(([name]) => name === "discard") : -1, cut = at < 0 ? plain.length : at;
  const list = (key, zones, columns) => zones.length > 0 && h("div", { class: "zones" + (columns ? " counted" : zones.some(crowded) ? " told crowded" : zones.some(told) ? " told" : ""), "data-k": key, style: columns ? { "--columns": columns } : {} },
    zones.map(([name, cards]) => zone(live, owner + name, name, cards)));
  return [list("before", plain.slice(0, cut)), rows.map(([name, row]) => list(name + "-", row, Math.min(row.length, 4))), list("after", plain.slice(cut))];
}

// accepts says which input a card gives in answer to a prompt, "" for none.
export function accepts(view, place, id) {
  for (const p of view.prompts) for (const o of p.options) {
    if (o.zone === place && place) return id ? o.input + " " + id : o.input;
    if (id && !o.zone && o.input.endsWith(" tap " + id)) return o.input;
  }
  return "";
}

function zone(live, place, name, cards) {
  const v = live.view, title = label(v, "zone", name).replace(/ (?=\d+$)/, "\u00a0"), named = cards.filter(c => c.card !== null), hidden = cards.length - named.length;
  // Where some lie face down, the answer of the zone means those.
  const down = cards.some(c => c.card === null && c.state?.includes("face-down")), from = c => down && c.card !== null ? "" : place;
  const wanted = cards.some(c => accepts(v, from(c), idOf(c)));
  let inside, shape = "row";
  if (!cards.length) inside = h("div", { class: "plate empty", "aria-label": say("zone.empty") });
  else if (!named.length) inside = plate(live, place, cards[0], cards.length, 0);
  else if (named.length === 1 && hidden && !(down && wanted)) inside = plate(live, place, cards[0].card === null ? named[0] : cards[0], cards.length, 0);
  else if (cards.length > 3 && !wanted && heap(cards)) { inside = heaped(title, named, summary(named, hidden)); shape = "heaped"; }
  else { inside = cards.map((c, i) => plate(live, from(c), c, 1, i)); if (cards.length > 1) shape = "row wide"; }
  return h("section", { class: "zone " + shape, "data-k": name, style: { "--cards": cards.length || 1 }, "aria-label": title },
    h("h4", null, h("span", { class: "title" }, title), cards.length > 1 && h("span", null, cards.length)), h("div", { class: "cards" }, inside));
}

// told are zones with more to tell of a card than its name and its keywords.
const told = ([, cards]) => cards.some(c => Object.keys(c.counters ?? {}).length > 0);

// crowded are those whose cards have more than a few words on them.
const crowded = ([, cards]) => cards.some(c => [c.state, c.keywords, c.under, c.attached].reduce((n, list) => n + (list?.length ?? 0), Object.keys(c.counters ?? {}).length) > 4);

// A heap of cards that nothing tells apart but their names.
const heap = cards => cards.every(c => !c.state?.length && !c.under?.length && !c.attached?.length && !Object.keys(c.counters ?? {}).length);

// heaped is such a heap: it opens what its cards do.
function heaped(title, named, inside) {
  const cards = readable(named).join(" ");
  return cards ? h("button", { type: "button", class: "summary", "data-open": "cards", "data-cards": cards, "data-heap": title, "aria-haspopup": "dialog" }, inside) : h("p", { class: "summary" }, inside);
}

function summary(named, hidden) {
  const counted = new Map();
  for (const c of named) counted.set(c.name ?? c.card, (counted.get(c.name ?? c.card) ?? 0) + 1);
  const parts = [...counted].map(([name, n]) => h("span", null, n > 1 ? `${name} ×${n}` : name));
  if (hidden) parts.push(h("span", null, say("zone.hidden", { n: hidden })));
  return parts;
}

export const idOf = c => c.card === null ? "" : c.copy ? c.card + "." + c.copy : c.card;

const nameOf = c => c.card === null ? say("card.back") : c.name ?? c.card;

// longest is the letters of the longest word of a name: it stays whole, if in
// smaller letters.
export const longest = name => Math.max(...name.split(/[\s\u00ad-]+/).map(w => w.length));

// below is a card that lies under another or beside it, with what it is there.
const below = (v, c, how) => h("span", { class: "below " + how }, nameOf(c), (c.state ?? []).map(s => h("small", null, label(v, "state", s))));

function plate(live, place, c, n, i) {
  const v = live.view, id = idOf(c), line = accepts(v, place, id), may = line && live.writes;
  const states = c.state ?? [], down = states.includes("face-down"), cards = readable([c]).join(" ");
  const inside = [
    c.card !== null && sprite(c.card),
    h("span", { class: "name", style: { "--longest": longest(nameOf(c)) } }, nameOf(c)),
    h("span", { class: "tags" },
      Object.entries(c.counters ?? {}).map(([name, value]) => h("span", { class: "tag value", "data-k": name }, label(v, "counter", name), " ", h("b", null, value))),
      states.filter(s => c.card !== null || s !== "face-down").map(s => h("span", { class: "tag state" }, label(v, "state", s))), // a back says so itself
      (c.keywords ?? []).map(k => h("span", { class: "tag" }, label(v, "keyword", k)))),
    n > 1 && h("span", { class: "count" }, "×" + n),
    (c.under ?? []).map(u => below(v, u, "under")),
    (c.attached ?? []).map(u => below(v, u, "attached")),
  ];
  const attributes = {
    class: "plate" + (c.card === null ? " back" : "") + (n > 1 ? " stack" : "") + (line ? " wanted" : "") + states.map(s => " is-" + s).join("") + (down ? " down" : ""),
    "data-k": id || "back" + i, style: c.card === null ? {} : { "--hue": hue(c.card) }, title: (c.card !== null && !down && text(c.card)) || null, "data-cards": cards || null,
  };
  if (!may) return cards ? h("button", { ...attributes, type: "button", "data-open": "cards", "aria-haspopup": "dialog" }, inside) : h("div", attributes, inside);
  // On a simulated table the card itself is tapped, else its input is given.
  return h("button", { ...attributes, type: "button",
    ...(live.status.simulated ? { "data-tap": id || place, "data-seat": line.split(" ")[0] } : id ? { "data-input": line } : { disabled: true }) }, inside);
}
