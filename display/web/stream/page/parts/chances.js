// The chances of the seats to win: a bar that their colours share.

import { h } from "../dom.js";
import { palette, shape, shapesOf } from "../seats.js";
import { say } from "../words.js";

const LEAST = .06; // of the bar, on which a number has room

export function chances(v, c) {
  if (!c || c.match !== v.match || !v.seats.length) return null;
  const seats = c.list.map(one => ({ ...one, s: v.seats.find(s => s.id === one.seat) })).filter(one => one.s);
  return h("div", { class: "chances", "data-k": "chances", role: "img", "aria-label": say("chances.title") },
    h("small", null, say("chances.title")),
    h("div", null, !c.of ? h("span", { class: "none", "data-k": "none" }, say("chances.unknown")) :
      seats.map(({ seat, s, mean }) => h("span", {
        "data-k": seat, "data-seat": seat, style: { ...palette(s.colour), "--share": mean },
      }, mean >= LEAST && [shape(shapesOf(v)[seat]), h("b", null, Math.round(100 * mean) + " %")]))));
}
