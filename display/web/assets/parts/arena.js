// The seats, each in its place, with all that lies before it.

import { idOf } from "../cards.js";
import { button, h } from "../dom.js";
import { around, palette, scoreFirst, seated, seatName, shape, shapesOf } from "../seats.js";
import {
  handOf, isAsked, isDrawn, isTables, mayOf, mine, plays, question, state, textOf, verdict,
} from "../store.js";
import { label, say } from "../words.js";
import { short as timeLeft, times } from "./clock.js";
import { diceRow } from "./dice.js";
import { amount, answering, nameOf, plate, tile } from "./card.js";
import { drawn, fights } from "./band.js";

export const arena = ({ live, narrow }) => [
  mine() && columns(live.view), seats(mine() && narrow), live.view.seats.length === 3 && piles(live),
];

// seats draws all seats, the own one first. On the own phone those of other players are lines for the eye.
export const seats = inLines =>
  around(seated(state.live.view)).map(s => seat(state.live, s, inLines && s.id !== mine() && s.id !== "table"));

// columns heads the others' seats on the own phone, where each is one line, and opens the board.
function columns(v) {
  const other = around(seated(v)).find(s => s.id !== mine() && s.id !== "table");
  const names = other ? parted(other.zones).slots : [];
  const words = names.map(([n]) => label(v, "zone", n).split(" ")), all = words.flat();
  const [counter] = other ? scoreFirst(other.counters) : [];
  return button("open", {
    "data-open": "board", class: "cols" + (names.length ? "" : " bare"), "data-k": "cols",
    "aria-label": names.length ? null : say("board.title"),
    "aria-haspopup": "dialog", style: { "--n": names.length },
  }, h("b", null, say("board.title")),
  words.map(list => h("span", null, list.findLast(w => all.indexOf(w) === all.lastIndexOf(w)) ?? list[0])),
  names.length > 0 && counter && h("span", null, label(v, "counter", counter[0])));
}

const seat = (live, s, isLine) => box(live.view, s, s.id === "table" ? " boss" : s.counters.draft ? " drafting" : "",
  header(live, s),
  h("div", { class: "body", inert: isLine && parted(s.zones).slots.length > 0 }, inside(live, s)));

export const box = (v, s, kind, ...inside) => h("section", {
  class: "seat" + kind + (isAsked(s.id) ? " asked" : "") + (s.id === mine() ? " mine" : ""), "data-k": s.id,
  "data-seat": s.id, "data-asked": isAsked(s.id), style: palette(s.colour), "aria-label": seatName(v, s.id),
}, inside);

function odds(id) {
  const { settings, chances: c, live: { view: v } } = state;
  if (!settings.chances || c?.match !== v.match || v.winners.length || id === "table") return null;
  const one = c.list.find(one => one.seat === id);
  return h("span", { class: "tag", "data-k": "odds", title: say(one ? "chances.title" : "chances.unknown") },
    one ? Math.round(100 * one.mean) + " %" : "? %");
}

export function header(live, s, tags, facts) {
  const time = times(state).find(t => t.seat === s.id), v = live.view, name = seatName(v, s.id);
  const all = scoreFirst(s.counters), [score] = all, boss = s.id === "table", scored = score?.[0] === "score" || boss;
  return h("header", null,
    h("div", { class: "id" }, shape(shapesOf(v)[s.id]),
      plays(s.id) && !boss ? button("open", {
        "data-open": "rename", "data-seat": s.id, title: say("seat.rename"),
      }, name) : h("span", null, name)),
    time && timeLeft(time),
    h("div", { class: "tags" },
      odds(s.id),
      boss && h("span", { class: "tag", "data-k": "boss" }, label(v, "zone", "boss")),
      isTables(s.id) && h("span", { class: "tag", "data-k": "computer" }, say("seat.computer")),
      (s.state ?? []).map(t => h("span", { class: "tag", "data-k": t }, label(v, "state", t))),
      tags,
      v.turn === s.id && h("span", { class: "tag", "data-k": "turn" }, say("seat.turn"))),
    chips(live, s.id),
    h("div", { class: "stats" }, facts ?? [
      all.slice(scored ? 1 : 0).map(([c, n]) => stat(live, s, c, n)),
      !fights(v) && diceRow(v, v.dice.filter(d => d.seat === s.id), live),
      scored && h("span", { class: "score", "data-k": "score" },
        h("b", { class: "pop", "data-k": "v" + score[1] }, amount(live, s.id, ...score)),
        " ", label(v, "counter", score[0])),
      headed(live, s)]));
}

// headed lists the piles that stand in a seat's head: where it has no pools beside them.
function headed(live, s) {
  const { numbered, open, piles, slots } = parted(s.zones);
  const list = [...piles, ...!slots.length && open.length > 1 ? open.slice(-1) : []];
  return !numbered.length && s.id !== "table" && list.map(([n, cards]) => tab(live, owned(s) + n, n, cards));
}

// stat draws a number of a seat, or of the table. Where it counts a pile that answers, it
// is a button, and that of a hand shows the hand.
function stat(live, s, name, n) {
  const v = live.view, place = owned(s) + name, word = label(v, "counter", name), count = inside => [
    h("span", { class: "long" }, word), " ", h("b", { class: "pop", "data-k": "v" + n }, inside)];
  if (verdict(place, "").legal && place !== handOf(state.hand.seat)) {
    return h("button", { type: "button", class: "tab", "data-k": name, ...answering(live, place, "") }, count(n));
  }
  if (name === "hand" && live.status.simulated && plays(s.id) && !mine()) {
    return button("keep", {
      class: "stat", "data-k": name, "data-keep": "hand.seat", "data-value": s.id, title: say("tray.whose"),
    }, count(n));
  }
  const letter = name.endsWith("tokens") ? say("band." + name)[0] : null; // where there is no room for the word
  return h("span", { class: "st-" + name, "data-k": name, "data-letter": letter }, count(amount(live, s.id, name, n)));
}

// chips draws what a seat may do without being asked, where it is no card. Several are a
// choice that this seat is asked for later.
function chips(live, id) {
  const may = live.view.prompts.filter(p => p.may && p.seat === id).flatMap(p => p.options).filter(o => !isDrawn(o));
  return live.writes && plays(id) && may.length === 1 && may.map(o =>
    button("input", { class: "chip", "data-may": "", "data-k": o.input, "data-input": o.input }, o.text));
}

const stem = name => /^(.+)-\d+$/.exec(name)?.[1];

const owned = s => s.id === "table" ? "" : s.id + "/";

// parted sorts the zones of a seat: numbered piles, those before the discard pile, and those
// from there on. Where there is none, the last one is a pile that is only counted.
function parted(zones) {
  const all = Object.entries(zones), like = n => all.filter(([m]) => stem(m) === stem(n)).length;
  const numbered = all.filter(([n]) => stem(n) && like(n) > 1);
  const plain = all.filter(z => !numbered.includes(z)), discard = plain.findIndex(([n]) => n === "discard");
  const at = discard < 0 ? plain.length : discard, open = plain.slice(0, at);
  const slotted = discard > 0 && open.length > 1 && open.every(([, cards]) => cards.length < 2);
  return { numbered, open, piles: plain.slice(at), slots: slotted ? open : [] };
}

function inside(live, s) {
  const owner = owned(s), { boss, ...zones } = s.zones, { numbered, open, piles, slots } = parted(zones);
  return [
    boss?.map(c => power(live, "boss", c)),
    slots.length ? h("div", { class: "slots", "data-k": "slots" },
      open.map(([n, cards]) => slot(live, owner + n, n, cards))) :
      open.length > 1 ? open.map(([n, cards], i) => row(live, owner + n, n, cards, i)) :
        open.map(([n, cards]) => area(live, owner + n, n, cards)),
    numbered.length > 0 && (state.narrow ? column(live, owner, numbered) :
      h("div", { class: "side", "data-k": "side", style: { "--rows": numbered.length } }, pools(live, s))),
    boss && tabs(live, owner, piles),
  ];
}

export function pools(live, s) {
  const owner = owned(s), { numbered, piles } = parted(s.zones);
  return [numbered.map(([n, cards], i) => pool(live, owner + n, cards, i + 1)), tabs(live, owner, piles)];
}

// column draws numbered piles on a phone: one target, which opens them and the other piles.
function column(live, owner, numbered) {
  const v = live.view, [[first]] = numbered, word = label(v, "zone", first).replace(/ 1$/, "");
  return button("sheet", {
    class: "side", "data-k": "side", "data-sheet": owner + "pools", "aria-haspopup": "dialog",
    style: { "--rows": numbered.length },
  }, h("span", { class: "unseen" }, word), numbered.map(([n, cards], i) => {
    const top = cards.find(c => c.card !== null), place = owner + n, { legal } = verdict(place, top ? idOf(top) : "");
    return h("span", {
      class: "pool" + (top ? "" : cards.length ? " down" : " none") + (top && isAbout(live, top) ? " about" : ""),
      "data-k": place, "data-legal": cards.length ? legal : null,
    }, h("i", { class: "n" }, i + 1), top && h("span", { class: "nm" }, nameOf(top)),
    mayOf(place) && live.writes ? h("u", null, say("seat.reveal")) : (top?.keywords ?? []).map(k => tile(v, k)));
  }));
}

const tabs = (live, owner, piles) => h("div", { class: "tabs" }, piles.map(([n, cards]) =>
  tab(live, owner + n, n, cards, owner ? undefined : label(live.view, "zone", n))));

function row(live, place, name, cards, i) {
  const v = live.view, numbers = [...new Set(cards.flatMap(c => Object.keys(c.counters ?? {})))].slice(0, 3);
  const key = numbers.map(n => label(v, "counter", n)).map(word => word[0] + " " + word.toLowerCase()).join(", ");
  return h("div", { class: "slot " + (i ? "list" : "row"), "data-k": name, "data-zone": name },
    h("small", null, label(v, "zone", name), !i && key && h("em", null, key)),
    cards.length === 0 ? h("div", { class: "hole" }) : h("div", { class: "units n" + Math.min(cards.length, 6) },
      cards.map((c, n) => i ? line(live, place, c, n) : plate(live, place, c, { about: isAbout(live, c) }))));
}

function line(live, place, c, n) {
  const back = c.card === null, word = name => label(live.view, "state", name);
  return h("button", {
    type: "button", class: "ab" + (back ? " down" : ""), "data-k": n + idOf(c), ...answering(live, place, idOf(c)),
  }, h("span", null, back ? word("face-down") : nameOf(c)),
  c.state?.includes("waiting") && h("small", null, word("waiting")));
}

// common lists what belongs to the table and stands neither in a seat nor in the band, by its name:
// counters and piles.
const common = v => seated(v).some(s => s.id === "table") ? [] :
  [...Object.entries(v.counters).filter(([n]) => n !== "energy-deck"),
    ...Object.entries(v.zones).filter(([n]) => !drawn(v, n))];

export function piles(live) {
  const list = common(live.view).map(([n, pile]) =>
    Array.isArray(pile) ? tab(live, n, n, pile) : stat(live, { id: "table" }, n, pile));
  return list.length > 0 && h("div", { class: "piles", "data-k": "piles" }, list);
}

// near draws those that answer, for pages without room for the others.
export const near = live => [...common(live.view), ...behind(live.view)].filter(([place, pile]) => isLegal(place, pile))
  .map(([place, pile, name = place]) => h("button", {
    type: "button", class: "a near", "data-k": place, ...(Array.isArray(pile) ?
      { "data-act": "sheet", "data-sheet": place, "data-legal": "yes" } : answering(live, place, "")),
  },
  h("span", null, label(live.view, Array.isArray(pile) ? "zone" : "counter", name)),
  h("b", null, pile.length ?? pile)));

const behind = v => !state.narrow ? [] : v.seats.flatMap(s => {
  const { numbered, piles } = parted(s.zones);
  return numbered.length ? piles.map(([n, cards]) => [owned(s) + n, cards, n]) : [];
});

function slot(live, place, name, cards) {
  return h("div", { class: "slot", "data-k": name },
    h("small", { class: label(live.view, "zone", name).length > 14 ? "tight" : "" }, label(live.view, "zone", name)),
    cards.map(c => plate(live, place, c, { about: isAbout(live, c), boss: place === name })),
    !cards.length && h("div", { class: "hole" }));
}

function area(live, place, name, cards) {
  const n = cards.length, columns = n > 9 ? 4 : 3, rows = n > 6 ? Math.ceil(n / columns) : 2;
  return h("div", {
    class: "area" + (rows > 2 ? " dense" : "") + (columns > 3 ? " denser" : ""), "data-k": name, "data-zone": name,
    role: "group", "aria-label": label(live.view, "zone", name), style: { "--columns": columns, "--rows": rows },
  },
    cards.map((c, i) => plate(live, place, c, { k: c.card === null ? i : "", about: isAbout(live, c) })));
}

const isAbout = (live, c) => c.card !== null && question(live.view)?.args?.card === "card." + c.card;

// pool draws a pile of which the top card shows: a line, with a chip to turn it over.
function pool(live, place, cards, n) {
  const v = live.view, top = cards.find(c => c.card !== null), may = mayOf(place), count = cards.length;
  const number = h("i", { class: "n" }, n), times = h("span", { class: "x" }, "×" + count);
  const name = text => h("span", { class: "nm" }, text);
  if (!count) return h("div", { class: "pool none", "data-k": place }, number, name(say("zone.empty")));
  const reveal = may && live.writes && button(live.status.simulated ? "tap" : "input", {
    class: "chip", "data-may": "", "data-k": "may", "data-legal": verdict(place, "").legal, ...(live.status.simulated ?
      { "data-tap": place, "data-seat": may.input.split(" ")[0] } : { "data-input": may.input }),
  }, say("seat.reveal"));
  if (!top && reveal) return h("div", { class: "pool down", "data-k": place }, number, name(""), reveal, times);
  const kind = top ? isAbout(live, top) ? " about" : "" : " down";
  return h("button", {
    type: "button", class: "pool" + kind, "data-k": place, ...answering(live, place, top ? idOf(top) : ""),
  },
  number, name(top ? nameOf(top) : ""), (top?.keywords ?? []).map(k => tile(v, k)), times);
}

// short returns the first word of a label, or all of it where another one begins alike.
function short(v, group, name) {
  const all = label(v, group, name), first = l => l.split(" ")[0];
  return Object.values(v.labels ?? {}).some(l => l !== all && first(l).startsWith(first(all))) ? all : first(all);
}

const isLegal = (place, pile) => Array.isArray(pile) ? pile.some(c => verdict(place, idOf(c)).legal === "yes") :
  verdict(place, "").legal === "yes";

function tab(live, place, name, cards, word = short(live.view, "zone", name)) {
  const legal = isLegal(place, cards) ? "yes" : null;
  return button("sheet", {
    class: "tab", "data-k": name, "data-sheet": place, "data-legal": legal, disabled: !cards.length,
  }, h("span", null, word), " ", h("b", null, cards.length));
}

function power(live, place, c) {
  const v = live.view, word = label(v, "state", c.state?.[0] ?? ""), lower = word.toLowerCase();
  const line = textOf(c.card)?.split("\n").find(l => l.toLowerCase().startsWith(lower));
  const invented = v.notices.find(n => n === "stand-in-boss");
  return h("button", { type: "button", class: "sp", "data-k": place, ...answering(live, place, idOf(c)) },
    h("b", null, word), h("span", null, line ? line.slice(line.indexOf(":") + 1).trim() : nameOf(c)),
    invented && h("i", { title: label(v, "notice", invented) }, "!"));
}
