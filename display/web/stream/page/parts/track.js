// Tracks: a short one is drawn as spaces with stacked pucks, a long one as a
// rail. A puck keeps its element, so that it slides when it moves.

import { h } from "../dom.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { label, says } from "../words.js";

const LONG = 24; // most spaces that fit one by one on a phone

export function track(view, t) {
  const spaces = t.last - t.first + 1;
  return spaces > LONG ? rail(view, t, spaces) : steps(view, t, spaces);
}

// stacked lists the pucks in the order of the seats: a node that changed its
// place among its siblings would jump instead of sliding.
function stacked(view, t) {
  const place = id => view.seats.findIndex(s => s.id === id);
  const pucks = Object.entries(t.stacks).flatMap(([space, seats]) =>
    seats.map((seat, level) => ({ seat, level, space: Number(space), of: seats.length })));
  return pucks.sort((a, b) => place(a.seat) - place(b.seat));
}

function spoken(view, t) {
  return stacked(view, t).map(m => says(seatName(view, m.seat), m.space)).join(", ");
}

function puck(view, shapes, m, style, extra) {
  const colours = palette(view.seats.find(s => s.id === m.seat)?.colour ?? "#888888");
  return h("i", {
    class: "puck", "data-k": m.seat,
    style: { ...colours, ...style, "--level": m.level },
  }, shape(shapes[m.seat]), extra);
}

function steps(view, t, spaces) {
  const shapes = shapesOf(view), tall = Math.max(2, ...stacked(view, t).map(m => m.of));
  const kind = space => t.areas.filter(a => a.from <= space && space <= a.to).map(a => {
    const end = a.to === t.last && a.from === a.to ? " goal" : "";
    return " in-area" + (a.to > a.from ? " wide" : "") + end;
  }).join("");
  const cells = [];
  for (let s = t.first; s <= t.last; s++) cells.push(h("li", { class: "cell" + kind(s) }, h("b", null, s)));
  return h("figure", { class: "track steps", "data-k": t.id, style: { "--spaces": spaces, "--tall": tall } },
    h("figcaption", null, label(view, "track", t.id)),
    h("div", { class: "stage", role: "img", "aria-label": spoken(view, t) },
      h("ol", { "aria-hidden": "true" }, cells),
      h("div", { class: "pucks" }, stacked(view, t).map(m => {
        const at = Math.min(Math.max(m.space, t.first), t.last);
        return puck(view, shapes, m, { "--at": at - t.first });
      }))),
    h("div", { class: "areas", "aria-hidden": "true" }, t.areas.map(a => areaName(view, t, a))));
}

// areaName draws an area's name below its spaces. The name of a single space may
// also use the free spaces on both sides equally, or all of those on one side if
// the other has none. The last space has a quarter of the one before it, whose name
// leans away. Names that would still overlap go into two rows.
function areaName(view, t, a) {
  const single = a.to === a.from, quarters = { from: 4 * (a.from - t.first), to: 4 * (a.to - t.first + 1) };
  const before = t.areas.filter(b => b.to < a.from).map(b => b.to);
  const after = t.areas.filter(b => b.from > a.to).map(b => b.from);
  const left = before.length ? 2 * (a.from - 1 - Math.max(...before)) : quarters.from;
  const right = after.length ? 2 * (Math.min(...after) - a.to - 1) : 4 * (t.last - a.to);
  const both = Math.min(left, right), [l, r] = !single ? [0, 0] : both ? [both, both] : [left, right];
  const goal = single && a.to === t.last, beside = single && a.to === t.last - 1 && after.includes(t.last);
  const lean = l > r || goal ? " leans-left" : "";
  const from = quarters.from + 1 - (goal && l === 0 ? 1 : l), to = quarters.to + 1 + (beside ? -1 : r);
  return h("span", {
    class: "area" + lean + (single ? goal ? " goal" : "" : " wide"), style: { "grid-column": `${from} / ${to}` },
  }, label(view, "area", a.id));
}

function rail(view, t, spaces) {
  const shapes = shapesOf(view), pucks = stacked(view, t), ticks = [];
  const at = space => ({ "--at": (space - t.first) / (spaces - 1) });
  let by = 10; // then 20, 50, 100…: more than eight numbers would touch on a phone
  for (let i = 0; spaces / by > 8; i++) by *= i % 3 === 1 ? 2.5 : 2;
  for (let s = Math.ceil(t.first / by) * by; s <= t.last; s += by) ticks.push(h("b", { style: at(s) }, s));
  return h("figure", { class: "track rail", "data-k": t.id },
  h("figcaption", null, label(view, "track", t.id)),
  h("div", { class: "stage", role: "img", "aria-label": spoken(view, t) },
    h("div", { class: "line", "aria-hidden": "true" }, ticks),
    h("div", { class: "pucks" }, pucks.map(m => {
      const lap = spaces * Math.max(0, Math.floor((m.space - t.first) / spaces));
      const space = Math.max(t.first, m.space - lap);
      const n = lap > 0 ? "+" + lap : pucks.length === 1 && m.space; // a boss's health
      return puck(view, shapes, m, at(space), n !== false && h("em", null, n));
    }))));
}
