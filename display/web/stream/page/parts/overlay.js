// The overlay of a video stream. It shows the match only: no refusals, no
// errors, no lost connection. Of the cards it draws face-up ones with a number,
// such as a creature's power.

import { idOf, longest } from "../cards.js";
import { h } from "../dom.js";
import { nameKey } from "../plain.js";
import { palette, paletteOf, scoreFirst, seated, seatName, shape, shapesOf, winnerNames } from "../seats.js";
import { isAsked } from "../store.js";
import { label, say } from "../words.js";
import { chances } from "./chances.js";
import { short, times } from "./clock.js";
import { diceRow } from "./dice.js";
import { hearts, pieces } from "./pieces.js";
import { hue, sprite } from "./sprite.js";
import { track } from "./track.js";

// By how many plates a row has: the open cards above each, and its width in rem.
const MOST = { 2: 4, 3: 3, 4: 2 }, WIDE = { 2: 35.25, 3: 23, 4: 17.125 }, ALL = 70;
const TILES = { mindbugs: 2 };      // counters that are drawn as tiles where two have room, and how many there are

// overlay draws what wants selects, as wants.js returns it.
export function overlay(state, wants) {
  const { live, told } = state, v = dressed(live.view, wants);
  if (v.match === null) return [];
  const tracks = v.tracks.filter(t => wants.tracks === true ? t.id !== "score" : named(wants.tracks, t.id));
  const seats = seated(v).filter(s => named(wants.seats, s.id)), over = v.winners.length > 0;
  const clocks = wants.clock && !over ? times(state) : [], duel = seats.length === 2;
  const columns = Math.max(2, seats.length > 4 ? Math.ceil(seats.length / 2) : seats.length);
  const fit = Math.floor(ALL / wants.scale / WIDE[columns]); // larger plates need more rows
  const n = duel || fit >= columns ? columns : Math.max(1, Math.min(fit, Math.ceil(columns / 2)));
  const wins = seats.map(s => wonBy(state, s, wants)), lead = leading(v, wants, duel && wins);
  return [
    wants.cards && state.played && played(v, state.played),
    h("div", { class: "news", "data-k": "news" },
      over ? won(v) : told && ticker(v, told),
      !over && wants.prompt && prompt(v),
      !over && middle(v, wants),
      wants.logo && h("img", { class: "logo", "data-k": "logo", src: wants.logo, alt: "" })),
    wants.notices && v.notices.length > 0 && h("ul", { class: "notices", "data-k": "notices" },
      v.notices.map(n => h("li", { "data-k": n }, label(v, "notice", n)))),
    tracks.length > 0 && h("div", { class: "tracks", "data-k": "tracks" }, tracks.map(t => track(v, t))),
    wants.chances && !over && chances(v, state.chances),
    h("div", {
      class: `board of-${columns}` + (duel ? " duel" : "") + (seats.length > n ? " many" : "") + (lead ? " led" : ""),
      "data-k": "board", style: { "--n": n, "--rows": Math.ceil(seats.length / n) },
    },
    lead,
    seats.map((s, i) => h("div", { class: "seat", "data-k": s.id, "data-seat": s.id, style: palette(s.colour) },
      cards(v, s.zones, wants, MOST[columns]),
      plate(v, s, wants, wins[i], clocks.find(t => t.seat === s.id), duel)))),
  ];
}

// played draws a card that was just played, large for a moment.
function played(v, c) {
  const [number] = Object.entries(c.counters ?? {}), name = c.name ?? c.card;
  return h("article", {
    class: "played", "data-k": "played" + idOf(c), "data-seat": c.seat,
    style: { ...paletteOf(v, c.seat), "--hue": hue(c.card) },
  },
  h("header", null, shape(shapesOf(v)[c.seat]), h("span", null, seatName(v, c.seat))),
  sprite(c.card),
  h("h3", { style: { "--longest": Math.max(8, longest(name)) } }, name),
  h("p", null, (c.keywords ?? []).map(k => h("small", null, label(v, "keyword", k)))),
  number && h("b", null, number[1], h("small", null, label(v, "counter", number[0]))));
}

const dressed = (v, { names, colours }) => ({ ...v, seats: v.seats.map(s =>
  ({ ...s, player: s.name || s.id, name: names[s.id] || s.name, colour: colours[s.id] ?? s.colour })) });

const named = (wanted, name) => wanted === true || wanted !== false && wanted.includes(name);

// wonBy returns how many matches of the series a seat has won, this one
// included; nothing without a series.
function wonBy({ live: { view }, wins }, seat, wants) {
  if (!wants.best || seat.id === "table") return undefined;
  if (wants.wins) return wants.wins[seat.id] ?? 0;
  return (wins[nameKey(seat.player)] ?? 0) + (view.winners.length === 1 && view.winners[0] === seat.id ? 1 : 0);
}

function won(v) {
  const style = palette(seated(v).find(s => s.id === v.winners[0])?.colour ?? "#f5f2e9");
  return h("p", { class: "call won", "data-k": "won", style },
    v.winners.map(w => shape(shapesOf(v)[w])),
    h("b", null, winnerNames(v), " "),
    h("span", null, say(v.winners.length > 1 ? "overlay.winners" : "overlay.winner")));
}

function leading(v, wants, wins) {
  const box = (name, ...inside) => h("div", { class: "round", "data-k": "round" },
    h("small", null, name), h("b", null, inside));
  const of = v.rounds > 0 && h("i", null, "/" + v.rounds);
  if (wants.round && v.round > 0) return box(say("overlay.round"), v.round, of);
  return wants.best > 0 && wins && box(say("overlay.best-of", { n: wants.best }), wins.join("–"));
}

function middle(v, wants) {
  const thrown = v.dice.filter(d => d.state !== "used" && d.face !== null);
  const dice = wants.dice && thrown.length > 0 && diceRow(v, thrown);
  const own = seated(v).some(s => s.id === "table") ? null : cards(v, v.zones, wants, 3);
  return (dice || own) && h("div", { class: "middle", "data-k": "middle" }, dice, own);
}

const isOpen = c => c.card !== null;
const isNumbered = c => isOpen(c) && Object.keys(c.counters ?? {}).length > 0;

// cards draws the face-up cards of the requested zones, or of the first zone whose cards have
// numbers: at most so many, and how many more there are.
function cards(v, zones, wants, most) {
  if (!wants.zones) return null;
  const all = Object.entries(zones);
  const shown = wants.zones === true ? all.filter(([, cards]) => cards.some(isNumbered)).slice(0, 1) :
    all.filter(([name]) => wants.zones.includes(name));
  const open = shown.flatMap(([, cards]) => cards.filter(isOpen));
  return open.length > 0 && h("ul", { class: "cards", "data-k": "cards", style: { "--most": most } },
    open.slice(0, most).map(c => card(v, c)),
    open.length > most && h("li", { class: "rest", "data-k": "rest" }, "+" + (open.length - most)));
}

function card(v, c) {
  const [number] = Object.entries(c.counters ?? {}), more = (c.under ?? []).length + (c.attached ?? []).length;
  const name = c.name ?? c.card, states = (c.state ?? []).map(s => label(v, "state", s));
  const words = [...states, ...(c.keywords ?? []).map(k => label(v, "keyword", k))];
  return h("li", { "data-k": c.card + "." + (c.copy ?? 0), class: (c.state ?? []).map(s => "is-" + s).join(" ") },
    number && h("b", { title: label(v, "counter", number[0]) }, number[1]),
    h("p", { style: { "--longest": longest(name) } }, h("span", null, name, more > 0 && h("i", null, " +" + more)),
      words.map(text => [" ", h("small", null, text)])));
}

function prompt(v) {
  const p = v.prompts[0];
  if (!p) return null;
  const s = v.seats.find(s => s.id === p.seat);
  return h("p", { class: "call", "data-k": "call", style: palette(s ? s.colour : "#f5f2e9") },
    s && shape(shapesOf(v)[s.id]), h("span", null, p.text));
}

const ticker = (v, { key, seat, text }) => h("div", { class: "ticker", "data-k": "ticker" },
  h("p", { "data-k": "e" + key, style: { ...paletteOf(v, seat), "--letters": text.length } },
    h("i", null, v.seats.some(s => s.id === seat) && shape(shapesOf(v)[seat])), h("span", null, text)));

function plate(v, s, wants, wins, clock, duel) {
  const [first, ...others] = scoreFirst(s.counters), state = s.state ?? [], over = v.winners.length > 0;
  const team = wants.teams[s.id], name = seatName(v, s.id), isTile = c => duel && c in TILES;
  const rest = others.filter(([c]) => named(wants.counters, c)).slice(0, seated(v).length > 3 ? 2 : 4);
  const kind = (v.turn === s.id && !over ? " turn" : "") + (v.winners.includes(s.id) ? " won" : "") +
    (!over && isAsked(s.id) ? " asked" : "");
  return h("section", { class: "plate" + kind, "data-seat": s.id },
    h("div", { class: "badge" }, shape(shapesOf(v)[s.id])),
    h("div", { class: "who" },
      h("h2", { style: { "--letters": name.length + (clock ? 6 : 0) } }, h("span", null, name), clock && short(clock)),
      rest.length + state.length > 0 || team || wins !== undefined ? h("dl", null,
        wins !== undefined && h("div", { class: "wins", "data-k": "wins", title: say("overlay.wins", { n: wins }) },
          Array.from({ length: Math.floor(wants.best / 2) + 1 }, (_, i) => h("i", { class: i < wins && "is-won" }))),
        team && h("div", { class: "team", "data-k": "team" }, h("dt", null, team)),
        state.map(one => h("div", { class: "so", "data-k": one }, h("dt", null, label(v, "state", one)))),
        rest.filter(([c]) => !isTile(c)).map(([c, n]) => h("div", { "data-k": c },
          h("dt", null, label(v, "counter", c)), h("dd", { class: "pop", "data-k": "v" + n }, n)))) : null),
    rest.filter(([c]) => isTile(c)).map(([c, n]) => h("div", { class: "tiles", "data-k": c },
      h("small", null, label(v, "counter", c)), pieces(c, n, TILES[c]))),
    duel && first?.[0] === "life" && hearts(first[1]),
    first && h("div", { class: "first" },
      h("b", { class: "score pop", "data-k": "v" + first[1] }, first[1]),
      h("small", null, label(v, "counter", first[0]))));
}
