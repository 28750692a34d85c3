// Beside the arena: what happened, and what panel and strip show.

import { h, label, palette, say, shape, shapesOf } from "./core.js";
import { app } from "./table.js";

export function side(live) {
  const v = live.view;
  return [v.match !== null && events(live), hardware(live), notices(v)];
}

function events(live) {
  const v = live.view, list = [...live.history].reverse();
  const seat = v.turn ?? v.seats[0]?.id ?? "table";
  const undoable = list.some(e => !e.undone && e.event !== "undo" && e.event !== "redo") || v.seq > 0;
  return h("section", { class: "history", "data-k": "history", "aria-label": say("history.title") },
    h("header", null, h("h3", null, say("history.title")),
      h("button", { type: "button", "data-input": seat + " undo", disabled: !live.writes || !undoable, title: say("key.undo") + " (U)" }, h("span", { "aria-hidden": "true" }, "↶ "), say("key.undo")),
      h("button", { type: "button", "data-input": seat + " redo", disabled: !live.writes || !list.some(e => e.again), title: say("key.redo") + " (⇧U)" }, h("span", { "aria-hidden": "true" }, "↷ "), say("key.redo"))),
    h("ol", { tabindex: 0, "aria-label": say("history.title") }, list.filter(e => e.lines.length).map(e => {
      const s = v.seats.find(s => s.id === e.seat);
      return h("li", { class: (e.undone ? "undone" : "") + (e.event === "undo" || e.event === "redo" ? " meta" : ""), "data-k": "e" + e.n, style: s ? palette(s.colour) : {} },
        s ? shape(shapesOf(v)[s.id]) : h("i", { class: "shape none" }),
        h("div", null, e.lines.map(l => h(e.undone ? "s" : "p", null, l))));
    }), !list.length && h("li", { class: "none" }, say("history.none"))));
}

// notices are what the players should know of this match, such as a stand-in.
const notices = v => v.notices.length > 0 && h("ul", { class: "notices", "data-k": "notices" }, v.notices.map(n => h("li", { "data-k": n }, label(v, "notice", n))));

function hardware(live) {
  const shown = live.pictures.filter(name => app.pictures[name]);
  if (!shown.length) return null;
  return h("section", { class: "hardware", "data-k": "hardware", "aria-label": say("hardware.title") },
    h("h3", null, say("hardware.title")),
    shown.map(name => {
      const [width, height] = app.pictures[name + "Size"];
      return h("figure", { class: name, "data-k": name },
        h("img", { src: app.pictures[name], alt: say("hardware." + name), width, height }));
    }));
}
