// The overlay of a stream. It shows what the match is and nothing of the
// table around it: no refusals, no trouble, no lost connection. Of the cards it
// draws those that count: open ones with a number, as a creature's power.

import { draw, h, label, language, live, palette, say, seatName, seated, shape, shapesOf } from "./core.js";
import { diceRow } from "./dice.js";
import { track } from "./track.js";

const query = new URLSearchParams(location.search);
const list = name => query.has(name) ? query.get(name).split(",").map(s => s.trim()).filter(Boolean) : null;
const flag = (name, otherwise) => query.has(name) ? !["0", "no", "off", "none", "false"].includes(query.get(name)) : otherwise;
const off = name => query.has(name) && !flag(name, true);

const wants = {
  seats: list("seats"), tracks: list("track"), counters: list("counters"), zones: list("zones"),
  events: flag("events", true), prompt: flag("prompt", false), round: flag("round", true), notices: flag("notices", true),
};

const root = document.documentElement, position = (query.get("position") || "bottom").split("-");
root.dataset.theme = query.get("theme") === "light" ? "light" : "dark";
root.dataset.at = position.includes("top") ? "top" : "bottom";
root.dataset.side = position.includes("left") ? "left" : position.includes("right") ? "right" : "centre";
root.style.setProperty("--scale", Math.min(4, Math.max(.25, Number(query.get("scale")) || 1)));

function render(live) {
  const v = live.view, box = document.getElementById("overlay");
  root.lang = language.now;
  if (v.match === null) return draw(box);
  const tracks = off("track") ? [] : v.tracks.filter(t => wants.tracks ? wants.tracks.includes(t.id) : t.id !== "score");
  const seats = off("seats") ? [] : seated(v).filter(s => !wants.seats || wants.seats.includes(s.id));
  draw(box,
    v.winners.length > 0 ? h("p", { class: "call won", "data-k": "won", style: palette(seated(v).find(s => s.id === v.winners[0])?.colour ?? "#d2ff3c") }, v.winners.map(w => shape(shapesOf(v)[w])), h("b", null, v.winners.map(w => seatName(v, w)).join(" · "), " "), h("span", null, say(v.winners.length > 1 ? "overlay.winners" : "overlay.winner")))
      : wants.prompt && prompt(v),
    wants.events && ticker(live),
    tracks.length > 0 && h("div", { class: "tracks", "data-k": "tracks" }, tracks.map(t => track(v, t))),
    middle(v),
    h("div", { class: "board", "data-k": "board", style: { "--seats": seats.length } },
      wants.round && v.round > 0 && h("div", { class: "round", "data-k": "round" }, h("small", null, say("overlay.round")), h("b", null, v.round, v.rounds > 0 && h("i", null, "/" + v.rounds))),
      seats.map(s => h("div", { class: "seat", "data-k": s.id, style: palette(s.colour) }, cards(v, s.zones), plate(v, s)))),
    wants.notices && v.notices.length > 0 && h("ul", { class: "notices", "data-k": "notices" }, v.notices.map(n => h("li", { "data-k": n }, label(v, "notice", n)))));
}

// middle is what lies between the seats: the dice, and the table's own cards.
function middle(v) {
  const dice = off("dice") ? null : diceRow(v, v.dice.filter(d => d.state !== "used")), own = seated(v).some(s => s.id === "table") ? null : cards(v, v.zones);
  return (dice || own) && h("div", { class: "middle", "data-k": "middle" }, dice, own);
}

// cards are the open ones of the first zone whose cards have numbers, or of the
// zones that are asked for.
function cards(v, zones) {
  const numbered = c => c.card !== null && Object.keys(c.counters ?? {}).length > 0;
  const wanted = Object.entries(zones).filter(([name, all]) => wants.zones ? wants.zones.includes(name) : all.some(numbered));
  const open = (wants.zones ? wanted : wanted.slice(0, 1)).flatMap(([, all]) => all.filter(c => c.card !== null));
  return !off("zones") && open.length > 0 && h("ul", { class: "cards", "data-k": "cards" }, open.map(c => card(v, c)));
}

// card is a card in a line: its first number, name, state and keywords, as many
// as there is room for.
function card(v, c) {
  const [number] = Object.entries(c.counters ?? {}), more = (c.under ?? []).length + (c.attached ?? []).length;
  return h("li", { "data-k": c.card + "." + (c.copy ?? 0), class: (c.state ?? []).map(s => "is-" + s).join(" ") },
    number && h("b", { title: label(v, "counter", number[0]) }, number[1]), h("span", null, c.name ?? c.card, more > 0 && h("i", null, " +" + more)),
    [...(c.state ?? []).map(s => label(v, "state", s)), ...(c.keywords ?? []).map(k => label(v, "keyword", k))].map(text => h("small", null, text)));
}

function prompt(v) {
  const p = v.prompts[0];
  if (!p) return null;
  const s = v.seats.find(s => s.id === p.seat);
  return h("p", { class: "call", "data-k": "call", style: s ? palette(s.colour) : palette("#f5f2e9") }, s && shape(shapesOf(v)[s.id]), h("span", null, p.text));
}

function ticker(live) {
  const last = live.history.findLast(e => !e.undone && e.lines.length);
  if (!last) return null;
  const s = live.view.seats.find(s => s.id === last.seat);
  return h("div", { class: "ticker", "data-k": "ticker" }, h("p", { "data-k": "e" + last.n, style: s ? palette(s.colour) : {} }, s && shape(shapesOf(live.view)[s.id]), h("span", null, last.lines.join(" · "))));
}

function plate(v, s) {
  const counters = Object.entries(s.counters), at = Math.max(0, counters.findIndex(([name]) => name === "score"));
  const rest = counters.filter(([name], i) => i !== at && (wants.counters ? wants.counters.includes(name) : true)).slice(0, seated(v).length > 3 ? 2 : 4);
  return h("section", { class: "plate" + (v.turn === s.id ? " turn" : "") + (v.winners.includes(s.id) ? " won" : ""), "data-seat": s.id },
    h("div", { class: "badge" }, shape(shapesOf(v)[s.id])),
    h("div", { class: "who" }, h("h2", null, seatName(v, s.id)),
      rest.length + (s.state?.length ?? 0) > 0 && h("dl", null, (s.state ?? []).map(state => h("div", { class: "so", "data-k": state }, h("dt", null, label(v, "state", state)))), rest.map(([name, n]) => h("div", { "data-k": name }, h("dt", null, label(v, "counter", name)), h("dd", { class: "pop", "data-k": "v" + n }, n))))),
    counters.length > 0 && h("div", { class: "first" }, h("b", { class: "score pop", "data-k": "v" + counters[at][1] }, counters[at][1]), h("small", null, label(v, "counter", counters[at][0]))));
}

live({ frame: render });
