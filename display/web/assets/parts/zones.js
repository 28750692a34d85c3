// The zones of a seat, or of the table, with their cards.

import { copies, idOf } from "../cards.js";
import { button, h } from "../dom.js";
import { readable, wanted } from "../store.js";
import { label, say } from "../words.js";
import { plate } from "./card.js";

// zones draws the zones of an owner: "red/", or "" for the table. Numbered
// zones, such as pool-1 and pool-2, get a row of their own. It comes before a
// seat's discard and the zones after that, which grow and shrink.
export function zones(live, owner, all) {
  if (!all.length) return null;
  const stem = ([name]) => /^(.+)-\d+$/.exec(name)?.[1];
  const rows = [...new Set(all.map(stem))].filter(Boolean)
    .map(name => [name, all.filter(z => stem(z) === name)])
    .filter(([, row]) => row.length > 1);
  const plain = all.filter(z => !rows.some(([name]) => name === stem(z)));
  const at = owner ? plain.findIndex(([name]) => name === "discard") : -1, cut = at < 0 ? plain.length : at;
  return [
    list(live, owner, "before", plain.slice(0, cut)),
    rows.map(([name, row]) => list(live, owner, name + "-", row, Math.min(row.length, 4))),
    list(live, owner, "after", plain.slice(cut)),
  ];
}

function list(live, owner, key, all, columns) {
  if (!all.length) return null;
  const kind = columns ? " counted" : all.some(crowded) ? " told crowded" : all.some(numbered) ? " told" : "";
  return h("div", { class: "zones" + kind, "data-k": key, style: columns ? { "--columns": columns } : {} },
    all.map(([name, cards]) => zone(live, owner + name, name, cards)));
}

const counters = c => Object.keys(c.counters ?? {}).length;

// numbered reports whether a card of the zone has counters.
const numbered = ([, cards]) => cards.some(counters);

// crowded reports whether a card of the zone shows more than four words.
const crowded = ([, cards]) => cards.some(c =>
  [c.state, c.keywords, c.under, c.attached].reduce((n, list) => n + (list?.length ?? 0), counters(c)) > 4);

function zone(live, place, name, cards) {
  const title = label(live.view, "zone", name).replace(/ (?=\d+$)/, "\u00a0");
  const [shape, inside] = layout(live, place, title, cards);
  const style = { "--cards": cards.length || 1 };
  return h("section", { class: "zone " + shape, "data-k": name, style, role: "group", "aria-label": title },
    h("h4", null, h("span", { class: "title" }, title), cards.length > 1 && h("span", null, cards.length)),
    h("div", { class: "cards" }, inside));
}

// layout returns the class for the layout of a zone's cards, and the cards.
function layout(live, place, title, cards) {
  if (!cards.length) {
    return ["row", h("div", { class: "plate empty" }, h("span", { class: "unseen" }, say("zone.empty")))];
  }
  const named = cards.filter(c => c.card !== null), hidden = cards.length - named.length;
  if (!named.length) return ["row", plate(live, place, cards[0], cards.length, 0)];
  // If some cards are face down, the zone's answer means only those.
  const down = cards.some(c => c.card === null && c.state?.includes("face-down"));
  const from = c => down && c.card !== null ? "" : place;
  const asked = cards.some(c => wanted(from(c), idOf(c)));
  if (named.length === 1 && hidden && !(down && asked)) {
    return ["row", plate(live, place, cards[0].card === null ? named[0] : cards[0], cards.length, 0)];
  }
  if (cards.length > 3 && !asked && cards.every(plain)) return ["heaped", heap(live, title, named, hidden)];
  return [cards.length > 1 ? "row wide" : "row", cards.map((c, i) => plate(live, from(c), c, 1, i))];
}

// plain reports whether a card has nothing but its name and keywords.
const plain = c => !c.state?.length && !c.under?.length && !c.attached?.length && !counters(c);

// heap draws plain cards as a list of names that opens their texts.
function heap(live, title, named, hidden) {
  const cards = readable(named).join(" ") || null, ids = (live.writes && copies(named).join(" ")) || null;
  const inside = summary(named, hidden);
  if (!cards && !ids) return h("p", { class: "summary" }, inside);
  return button("card", {
    class: "summary", "data-cards": cards, "data-ids": ids, "data-heap": title, "aria-haspopup": "dialog",
  }, inside);
}

function summary(named, hidden) {
  const counted = new Map();
  for (const c of named) counted.set(c.name ?? c.card, (counted.get(c.name ?? c.card) ?? 0) + 1);
  const parts = [...counted].map(([name, n]) => h("span", null, n > 1 ? `${name} ×${n}` : name));
  if (hidden) parts.push(h("span", null, say("zone.hidden", { n: hidden })));
  return parts;
}
