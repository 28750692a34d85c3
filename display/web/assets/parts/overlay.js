// The overlay of a video stream. It shows the match only: no refusals, no
// errors, no lost connection. Of the cards it draws face-up ones with a number,
// such as a creature's power.

import { h } from "../dom.js";
import { palette, paletteOf, seated, seatName, shape, shapesOf } from "../seats.js";
import { label, say } from "../words.js";
import { diceRow } from "./dice.js";
import { track } from "./track.js";

// overlay draws what wants selects: true for all, false for none, or a list of
// names.
export function overlay({ live }, wants) {
  const v = live.view;
  if (v.match === null) return [];
  const tracks = v.tracks.filter(t => wants.tracks === true ? t.id !== "score" : named(wants.tracks, t.id));
  const seats = seated(v).filter(s => named(wants.seats, s.id));
  return [
    v.winners.length > 0 ? won(v) : wants.prompt && prompt(v),
    wants.events && ticker(live),
    tracks.length > 0 && h("div", { class: "tracks", "data-k": "tracks" }, tracks.map(t => track(v, t))),
    middle(v, wants),
    h("div", { class: "board", "data-k": "board", style: { "--seats": seats.length } },
      wants.round && v.round > 0 && round(v),
      seats.map(s => h("div", { class: "seat", "data-k": s.id, style: palette(s.colour) },
        cards(v, s.zones, wants), plate(v, s, wants)))),
    wants.notices && v.notices.length > 0 && h("ul", { class: "notices", "data-k": "notices" },
      v.notices.map(n => h("li", { "data-k": n }, label(v, "notice", n)))),
  ];
}

const named = (wanted, name) => wanted === true || wanted !== false && wanted.includes(name);

function won(v) {
  const style = palette(seated(v).find(s => s.id === v.winners[0])?.colour ?? "#d2ff3c");
  return h("p", { class: "call won", "data-k": "won", style },
    v.winners.map(w => shape(shapesOf(v)[w])),
    h("b", null, v.winners.map(w => seatName(v, w)).join(" · "), " "),
    h("span", null, say(v.winners.length > 1 ? "overlay.winners" : "overlay.winner")));
}

const round = v => h("div", { class: "round", "data-k": "round" },
  h("small", null, say("overlay.round")),
  h("b", null, v.round, v.rounds > 0 && h("i", null, "/" + v.rounds)));

// middle draws the dice and the table's own cards.
function middle(v, wants) {
  const dice = wants.dice && diceRow(v, v.dice.filter(d => d.state !== "used"));
  const own = seated(v).some(s => s.id === "table") ? null : cards(v, v.zones, wants);
  return (dice || own) && h("div", { class: "middle", "data-k": "middle" }, dice, own);
}

const isOpen = c => c.card !== null;
const isNumbered = c => isOpen(c) && Object.keys(c.counters ?? {}).length > 0;

// cards draws the face-up cards of the requested zones, or of the first zone
// whose cards have numbers.
function cards(v, zones, wants) {
  if (!wants.zones) return null;
  const all = Object.entries(zones);
  const shown = wants.zones === true ? all.filter(([, cards]) => cards.some(isNumbered)).slice(0, 1) :
    all.filter(([name]) => wants.zones.includes(name));
  const open = shown.flatMap(([, cards]) => cards.filter(isOpen));
  return open.length > 0 && h("ul", { class: "cards", "data-k": "cards" }, open.map(c => card(v, c)));
}

// card draws a card on one line: its first number, name, state and keywords, as
// many as fit.
function card(v, c) {
  const [number] = Object.entries(c.counters ?? {}), more = (c.under ?? []).length + (c.attached ?? []).length;
  const states = (c.state ?? []).map(s => label(v, "state", s));
  const words = [...states, ...(c.keywords ?? []).map(k => label(v, "keyword", k))];
  return h("li", { "data-k": c.card + "." + (c.copy ?? 0), class: (c.state ?? []).map(s => "is-" + s).join(" ") },
    number && h("b", { title: label(v, "counter", number[0]) }, number[1]),
    h("span", null, c.name ?? c.card, more > 0 && h("i", null, " +" + more)),
    words.map(text => h("small", null, text)));
}

function prompt(v) {
  const p = v.prompts[0];
  if (!p) return null;
  const s = v.seats.find(s => s.id === p.seat);
  return h("p", { class: "call", "data-k": "call", style: palette(s ? s.colour : "#f5f2e9") },
    s && shape(shapesOf(v)[s.id]), h("span", null, p.text));
}

function ticker({ history, view: v }) {
  const last = history.findLast(e => !e.undone && e.lines.length);
  if (!last) return null;
  return h("div", { class: "ticker", "data-k": "ticker" },
    h("p", { "data-k": "e" + last.n, style: paletteOf(v, last.seat) },
      v.seats.some(s => s.id === last.seat) && shape(shapesOf(v)[last.seat]),
      h("span", null, last.lines.join(" · "))));
}

function plate(v, s, wants) {
  const counters = Object.entries(s.counters), at = Math.max(0, counters.findIndex(([name]) => name === "score"));
  const first = counters[at], state = s.state ?? [];
  const rest = counters.filter(([name], i) => i !== at && named(wants.counters, name))
    .slice(0, seated(v).length > 3 ? 2 : 4);
  const kind = (v.turn === s.id ? " turn" : "") + (v.winners.includes(s.id) ? " won" : "");
  return h("section", { class: "plate" + kind, "data-seat": s.id },
    h("div", { class: "badge" }, shape(shapesOf(v)[s.id])),
    h("div", { class: "who" }, h("h2", null, seatName(v, s.id)),
      rest.length + state.length > 0 && h("dl", null,
        state.map(one => h("div", { class: "so", "data-k": one }, h("dt", null, label(v, "state", one)))),
        rest.map(([name, n]) => h("div", { "data-k": name },
          h("dt", null, label(v, "counter", name)), h("dd", { class: "pop", "data-k": "v" + n }, n))))),
    first && h("div", { class: "first" },
      h("b", { class: "score pop", "data-k": "v" + first[1] }, first[1]),
      h("small", null, label(v, "counter", first[0]))));
}
