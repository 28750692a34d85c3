// The overlay of a video stream. It shows the match only: no refusals, no
// errors, no lost connection. Of the cards it draws face-up ones with a number,
// such as a creature's power.

import { h } from "../dom.js";
import { nameKey } from "../plain.js";
import { palette, paletteOf, scoreFirst, seated, seatName, shape, shapesOf, winnerNames } from "../seats.js";
import { label, say } from "../words.js";
import { short, times } from "./clock.js";
import { diceRow } from "./dice.js";
import { played } from "./played.js";
import { track } from "./track.js";

// overlay draws what wants selects, as wants.js returns it.
export function overlay(state, wants) {
  const { live, told } = state, v = dressed(live.view, wants);
  if (v.match === null) return [];
  const tracks = v.tracks.filter(t => wants.tracks === true ? t.id !== "score" : named(wants.tracks, t.id));
  const seats = seated(v).filter(s => named(wants.seats, s.id));
  const over = v.winners.length > 0, notices = v.notices.map(n => label(v, "notice", n));
  const clocks = wants.clock && !over ? times(state) : [];
  return [
    wants.cards && state.played && played(v, state.played),
    over ? won(v) : wants.prompt && prompt(v),
    !over && told && ticker(v, told),
    tracks.length > 0 && h("div", { class: "tracks", "data-k": "tracks" }, tracks.map(t => track(v, t))),
    !over && middle(v, wants),
    h("div", { class: "board" + (seats.length > 4 ? " many" : ""), "data-k": "board",
      style: { "--seats": Math.min(seats.length, 4) || 1 } },
    wants.logo && h("img", { class: "logo", "data-k": "logo", src: wants.logo, alt: "" }),
    wants.round && v.round > 0 && round(v),
    seats.map(s => h("div", { class: "seat", "data-k": s.id, "data-seat": s.id, style: palette(s.colour) },
      cards(v, s.zones, wants), plate(v, s, wants, wonBy(state, s, wants), clocks.find(t => t.seat === s.id)))),
    notices.length > 0 && !wants.notices && h("abbr", { class: "noted", "data-k": "noted", title: notices.join("\n") },
      "i")),
    wants.notices && notices.length > 0 && h("ul", { class: "notices", "data-k": "notices" },
      notices.map(n => h("li", { "data-k": n }, n))),
  ];
}

// dressed returns the view with the streamer's names and colours.
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
  const style = palette(seated(v).find(s => s.id === v.winners[0])?.colour ?? "#d2ff3c");
  return h("p", { class: "call won", "data-k": "won", style },
    v.winners.map(w => shape(shapesOf(v)[w])),
    h("b", null, winnerNames(v), " "),
    h("span", null, say(v.winners.length > 1 ? "overlay.winners" : "overlay.winner")));
}

const round = v => h("div", { class: "round", "data-k": "round" },
  h("small", null, say("overlay.round")),
  h("b", null, v.round, v.rounds > 0 && h("i", null, "/" + v.rounds)));

// middle draws the dice that show a face, and the table's own cards.
function middle(v, wants) {
  const thrown = v.dice.filter(d => d.state !== "used" && d.face !== null);
  const dice = wants.dice && thrown.length > 0 && diceRow(v, thrown);
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

// ticker draws one event.
const ticker = (v, { key, seat, text }) => h("div", { class: "ticker", "data-k": "ticker" },
  h("p", { "data-k": "e" + key, style: paletteOf(v, seat) },
    v.seats.some(s => s.id === seat) && shape(shapesOf(v)[seat]), h("span", null, text)));

function plate(v, s, wants, wins, clock) {
  const [first, ...others] = scoreFirst(s.counters), state = s.state ?? [];
  const team = wants.teams[s.id], name = seatName(v, s.id);
  const rest = others.filter(([name]) => named(wants.counters, name)).slice(0, seated(v).length > 3 ? 2 : 4);
  const kind = (v.turn === s.id && !v.winners.length ? " turn" : "") + (v.winners.includes(s.id) ? " won" : "");
  return h("section", { class: "plate" + kind, "data-seat": s.id },
    h("div", { class: "badge" }, shape(shapesOf(v)[s.id])),
    h("div", { class: "who" },
      h("h2", { style: { "--letters": name.length } }, name, clock && short(clock)),
      rest.length + state.length > 0 || team || wins !== undefined ? h("dl", null,
        wins !== undefined && h("div", { class: "wins", "data-k": "wins", title: say("overlay.wins", { n: wins }) },
          Array.from({ length: Math.floor(wants.best / 2) + 1 }, (_, i) => h("i", { class: i < wins && "is-won" }))),
        team && h("div", { class: "team", "data-k": "team" }, h("dt", null, team)),
        state.map(one => h("div", { class: "so", "data-k": one }, h("dt", null, label(v, "state", one)))),
        rest.map(([name, n]) => h("div", { "data-k": name },
          h("dt", null, label(v, "counter", name)), h("dd", { class: "pop", "data-k": "v" + n }, n)))) : null),
    first && h("div", { class: "first" },
      h("b", { class: "score pop", "data-k": "v" + first[1] }, first[1]),
      h("small", null, label(v, "counter", first[0]))));
}
