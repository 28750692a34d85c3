// What has happened, the newest first. An entry goes back there, or does what act says.

import { button, h } from "../dom.js";
import { paletteOf, shape, shapesOf } from "../seats.js";
import { say } from "../words.js";
import { piles } from "./arena.js";

const isUndoing = e => e.event === "undo" || e.event === "redo";

export function log({ live }, act = back) {
  const list = [...live.history].reverse().filter(e => e.lines.length);
  return [
    live.view.seats.length !== 3 && piles(live),
    h("h2", { "data-k": "title" }, act === back ? button("sheet", { "data-sheet": "log", "aria-controls": "sheet" },
      say("history.title")) : say("history.title")),
    h("ol", { tabindex: 0, "aria-label": say("history.title"), "data-k": "list" },
      list.map(e => entry(live, e, act(e, live))), !list.length && h("li", { class: "none" }, say("history.none"))),
  ];
}

export const back = (e, live) => live.writes && e.back > 0 &&
  { "data-act": "back", "data-entry": e.n, title: say("mend.back"), "aria-haspopup": "dialog" };

export function entry({ view: v }, e, act) {
  const lines = e.lines.map((l, i) => h(e.undone ? "s" : "span", { class: i ? "further" : "" }, l));
  return h("li", {
    class: (e.undone ? "undone" : "") + (isUndoing(e) ? " meta" : ""), "data-k": "e" + e.n, style: paletteOf(v, e.seat),
  },
    v.seats.some(s => s.id === e.seat) ? shape(shapesOf(v)[e.seat]) : h("i", { class: "shape" }),
    act ? h("button", { type: "button", class: "line", ...act }, lines) : h("div", { class: "line" }, lines));
}
