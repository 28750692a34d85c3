// A card on the table.

import { copies, idOf, longest } from "../cards.js";
import { button, h } from "../dom.js";
import { readable, textOf, wanted } from "../store.js";
import { label, say } from "../words.js";
import { hue, sprite } from "./sprite.js";

// nameOf returns what a card is called on the table.
export const nameOf = c => c.card === null ? say("card.back") : c.name ?? c.card;

// name draws a card's name, in letters so small that its longest word fits.
export const name = text => h("span", { class: "name", style: { "--longest": longest(text) } }, text);

// lines draws the lines of a card's text, with the part before a colon in bold.
export const lines = does => h("span", { class: "does" }, does.split("\n").map(l => {
  const at = l.indexOf(":"); // -1 if nothing is bold
  return h("span", null, at > 0 && h("b", null, l.slice(0, at).trim()), l.slice(at + 1));
}));

// face draws what a card in a hand shows.
export const face = (kind, title, does) => [sprite(kind), name(title), does && lines(does)];

// below draws a card that is under another or attached to it, with its state.
const below = (v, c, how) => h("span", { class: "below " + how },
  nameOf(c), (c.state ?? []).map(s => h("small", null, label(v, "state", s))));

// plate draws a card in a place of the table, or n equal cards. If a prompt asks
// for it, a click answers; else a click opens its text.
export function plate(live, place, c, n, i) {
  const v = live.view, id = idOf(c), line = wanted(place, id), cards = readable([c]).join(" ");
  const attributes = {
    class: classes(c, n, line), "data-k": id || "back" + i,
    style: c.card === null ? {} : { "--hue": hue(c.card) }, "data-ids": (live.writes && copies([c]).join(" ")) || null,
    title: (c.card !== null && !isDown(c) && textOf(c.card)) || null, "data-cards": cards || null,
  };
  const inside = [
    c.card !== null && sprite(c.card),
    name(nameOf(c)),
    tags(v, c),
    n > 1 && h("span", { class: "count" }, "×" + n),
    (c.under ?? []).map(u => below(v, u, "under")),
    (c.attached ?? []).map(u => below(v, u, "attached")),
  ];
  if (line && live.writes) {
    // On a simulated table the card is tapped, else its input is sent.
    if (live.status.simulated) {
      return button("tap", { ...attributes, "data-tap": id || place, "data-seat": line.split(" ")[0] }, inside);
    }
    return button("input", { ...attributes, ...(id ? { "data-input": line } : { disabled: true }) }, inside);
  }
  if (cards || attributes["data-ids"]) return button("card", { ...attributes, "aria-haspopup": "dialog" }, inside);
  return h("div", attributes, inside);
}

const isDown = c => c.state?.includes("face-down");

const SHORT = 6; // letters that fit on the narrowest card

const classes = (c, n, line) => "plate" + (longest(nameOf(c)) > SHORT ? " tight" : "") +
  (c.card === null ? " back" : "") + (n > 1 ? " stack" : "") +
  (line ? " wanted" : "") + (c.state ?? []).map(s => " is-" + s).join("") + (isDown(c) ? " down" : "");

function tags(v, c) {
  const states = (c.state ?? []).filter(s => c.card !== null || s !== "face-down"); // a card back needs no label
  return h("span", { class: "tags" },
    Object.entries(c.counters ?? {}).map(([name, value]) =>
      h("span", { class: "tag value", "data-k": name }, label(v, "counter", name), " ", h("b", null, value))),
    states.map(s => h("span", { class: "tag state" }, label(v, "state", s))),
    (c.keywords ?? []).map(k => h("span", { class: "tag" }, label(v, "keyword", k))));
}
