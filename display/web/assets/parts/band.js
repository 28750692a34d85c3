// The band over the seats: a track with pucks, or lanes for scores; where creatures fight, what
// the players have, who attacks whom, and what is for sale.

import { fighter } from "../cards.js";
import { h } from "../dom.js";
import { around, palette, paletteOf, seated, seatName, shape, shapesOf } from "../seats.js";
import { isAsked, question, textOf, verdict } from "../store.js";
import { label, say, says } from "../words.js";
import { amount, answering, cube, plate } from "./card.js";
import { diceRow } from "./dice.js";
import { hearts, pieces } from "./pieces.js";

const PRINTED = 49; // last space of the board's track; a longer one is as long as the boss's health
const LONG = 24; // most spaces that are drawn one by one

export const band = live => fights(live.view) ? fight(live) :
  live.view.tracks.map(t => (t.last - t.first + 1 > LONG ? lanes : spaces)(live.view, t));

const spoken = (v, t) => Object.entries(t.stacks)
  .flatMap(([space, seats]) => seats.map(s => says(seatName(v, s), space))).join(", ");

function spaces(v, t) {
  const list = Array.from({ length: t.last - t.first + 1 }, (_, i) => t.first + i);
  return h("figure", { class: "rail", "data-k": t.id, role: "img", "aria-label": spoken(v, t) },
    h("h2", null, label(v, "track", t.id)),
    h("ol", { class: "steps", style: { "--n": list.length } }, list.map(n => space(v, t, n))));
}

function space(v, t, n) {
  const areas = t.areas.filter(a => a.from <= n && n <= a.to), wide = areas.some(a => a.to > a.from);
  const kind = wide ? " wide" : areas.length ? n === t.last ? " goal" : " second" : "";
  // An area's name is below its middle; the one beside the last space leans away from it.
  const named = areas.find(a => n === Math.floor((a.from + a.to) / 2));
  const lean = kind === " goal" ? " r" : kind === " second" && n === t.last - 1 ? " r" : "";
  return h("li", { class: "step", "data-k": n },
    stack(v, t.stacks[n] ?? []),
    h("div", { class: "cell" + kind }, h("b", null, n)),
    h("small", { class: kind + lean }, named && label(v, "area", named.id)));
}

// stack draws the seats of one space. The top one is ahead: it alone is a disc, the others
// are bars with their place.
function stack(v, seats) {
  const all = [...seats].reverse();
  return h("div", { class: "pucks k" + all.length }, all.map((id, i) => {
    const s = seated(v).find(s => s.id === id), asked = isAsked(id) ? " asked" : "";
    return h("i", {
      class: (i ? "bar" : "puck") + asked, "data-k": id, "data-puck": id, style: palette(s?.colour ?? "#888888"),
    }, shape(shapesOf(v)[id]), i > 0 && h("em", null, i + 1));
  }));
}

const scales = [10, 20, 30, 50, 100, 150, 200, 300, 500, 1000];

function lanes(v, t) {
  const list = seated(v).map(s => [s, Object.entries(t.stacks).find(([, seats]) => seats.includes(s.id))?.[0]])
    .filter(([, n]) => n !== undefined).map(([s, n]) => [s, Number(n)]);
  if (list.length === 1 && list[0][0].id === "table") return health(v, t, list[0][1]);
  const alone = v.tracks.length === 1, most = Math.max(...list.map(([, n]) => n));
  const full = list.length === 1 || t.areas.length ? t.last :
    scales.find(n => n >= most) ?? most;
  return h("figure", { class: "rail scorebox", "data-k": t.id, role: "img", "aria-label": spoken(v, t) },
    h("h2", null, label(v, "track", t.id)),
    h("ul", { class: "lanes" + (alone ? " named" : "") }, list.map(([s, n]) => h("li", {
      "data-k": s.id, style: palette(s.colour),
    },
      shape(shapesOf(v)[s.id]), alone && h("span", { class: "nm" }, seatName(v, s.id)),
      h("span", { class: "lane" }, h("i", { style: { width: `${Math.max(0, Math.min(1, n / full)) * 100}%` } })),
      h("b", null, n)))));
}

// health draws a track with only the boss's marker: a tick for each point.
function health(v, t, n) {
  const printed = textOf(v.zones.boss?.[0]?.card)?.match(say("boss.health"))?.[1];
  const full = t.last > PRINTED ? t.last : Math.max(n, printed ?? t.last);
  return h("figure", { class: "rail hp", "data-k": t.id, role: "img", "aria-label": `${n} / ${full}` },
    h("h2", null, label(v, "track", t.id)),
    h("div", null,
      h("div", { class: "ticks", style: { "--n": full } },
        Array.from({ length: full }, (_, i) => h("i", { class: i < n ? "on" : "" }))),
      h("div", { class: "nums" }, Array.from({ length: full / 10 + 1 }, (_, i) =>
        h("span", { style: { left: `${i * 1000 / full}%` } }, i * 10)))),
    h("b", null, n));
}

// What of a seat the band shows, and how many there are of what is drawn one by one.
const shown = {
  mindbug: { life: 0, energy: 0, mindbugs: 2 },
  genegrafter: { health: 0, genes: 0, "attack-tokens": 3, "defence-tokens": 3 },
};
const open = ["stage", "revealed"]; // zones of the table that are drawn where creatures fight

const DECK = "energy-deck"; // the counter of the cards that are sold later

const family = v => v.game?.split("/")[0];

export const fights = v => family(v) in shown;

export const drawn = (v, name) => fights(v) && (open.includes(name) || isSale(v, name));

const isSale = (v, name) => v.zones[name]?.some(c => "price" in (c.counters ?? {}));

function fight(live) {
  const { view: v } = live, seats = around(v.seats), sells = DECK in v.counters;
  const side = n => h("div", { class: "lives", "data-k": "side" + n },
    seats.filter((_, i) => i % 2 === n).map(s => life(live, s)));
  return h("div", { class: "fight " + (sells ? "selling" : family(v)), "data-k": "fight" },
    side(0), stage(live), sells && market(live), side(1));
}

function life(live, s) {
  const v = live.view, marks = shown[family(v)], [main, ...rest] = Object.keys(marks).filter(c => c in s.counters);
  return h("div", {
    class: "life" + (isAsked(s.id) ? " asked" : ""), "data-k": s.id, style: palette(s.colour), role: "group",
    "aria-label": seatName(v, s.id),
  }, shape(shapesOf(v)[s.id]),
  h("span", { class: "main", "data-k": main, title: label(v, "counter", main) },
    h("b", null, amount(live, s.id, main, s.counters[main])), hearts(s.counters[main])),
  rest.map(c => h("span", { class: "has", "data-k": c, title: label(v, "counter", c) },
    h("small", null, c.endsWith("tokens") ? say("band." + c) : label(v, "counter", c)),
    marks[c] ? amount(live, s.id, c, s.counters[c], pieces(c, s.counters[c], marks[c])) :
      [c === "energy" && cube, h("b", null, amount(live, s.id, c, s.counters[c]))])));
}

function stage(live) {
  const v = live.view, from = fighter(v, "attacking"), to = fighter(v, "blocking", "defending");
  const cards = open.flatMap(zone => (v.zones[zone] ?? []).map((c, i) =>
    h("figure", { class: "shown", "data-k": zone + i },
      h("small", null, label(v, "zone", zone)), plate(live, zone, c))));
  if (!from && cards.length) return h("div", { class: "stage", "data-k": "stage" }, cards);
  const colours = from ? palette(from.s.colour) : {};
  return h("div", { class: "stage" + (from ? "" : " idle"), "data-k": "stage", style: colours },
    from ? creature(live, from) : h("span", { class: "hole" }, say("band.attacker")),
    from && count(live, from, "attack"),
    h("span", { class: "verb" }, from && h("span", null, label(v, "state", "attacking")), h("i")),
    to && count(live, to, "defence"),
    to ? creature(live, to) : blocker(v),
    cards);
}

function blocker(v) {
  const p = question(v), asked = p?.key === "block" || p?.key === "defend", who = say("band." + family(v));
  return h("span", { class: "hole", style: asked ? paletteOf(v, p.seat) : {} },
    asked ? say("band.asked", { who }) : who);
}

const creature = (live, { s, c }) =>
  h("div", { class: "fighter", "data-k": "c" + s.id, style: palette(s.colour) }, plate(live, s.id + "/play", c));

function count(live, { s, c }, side) {
  const v = live.view, dice = diceRow(v, v.dice.filter(d => d.seat === s.id && d.kind !== "special"), live);
  const { dice: n, [side]: own, [side + "-tokens"]: tokens = 0 } = c.counters ?? {};
  if (dice || own === undefined || n === undefined) return dice;
  const parts = [own, tokens, n - own - tokens].filter(k => k > 0);
  return h("div", { class: "count", "data-k": "n" + s.id }, h("b", null, n), h("small", null, say("dice." + side)),
    parts.length > 1 && h("em", null, parts.join(" + ")));
}

function market(live) {
  const v = live.view, place = Object.keys(v.zones).find(name => isSale(v, name));
  const deck = [say("band.deck"), " ", h("b", null, v.counters[DECK])];
  return h("div", { class: "sale", "data-k": "sale" },
    h("h3", null, say("band.sale"), verdict(DECK, "").legal === "yes" ?
      h("button", { type: "button", class: "tab", ...answering(live, DECK, "") }, deck) : h("span", null, deck)),
    (v.zones[place] ?? []).map(c => plate(live, place, c)));
}
