// Beside the arena: the history, the pictures of panel and strip, and notices.

import { button, h } from "../dom.js";
import { paletteOf, shape, shapesOf } from "../seats.js";
import { mine } from "../store.js";
import { label, say } from "../words.js";

export function side({ live, pictures, lost }) {
  return [live.view.match !== null && history(live, lost), hardware(live, pictures), notices(live.view)];
}

function history(live, lost) {
  const v = live.view, list = [...live.history].reverse(), title = say("history.title");
  const undoable = list.some(e => !e.undone && !isUndoing(e)) || v.seq > 0, redoable = list.some(e => e.again);
  return h("section", { class: "history", "data-k": "history", "aria-label": title },
    h("header", { inert: lost }, h("h2", null, title),
      step(live, "undo", undoable, "↶ ", say("key.undo"), "U"),
      step(live, "redo", redoable, "↷ ", say("key.redo"), "⇧U")),
    h("ol", { tabindex: 0, "aria-label": title },
      list.filter(e => e.lines.length).map(e => entry(live, e)),
      !list.length && h("li", { class: "none" }, say("history.none"))));
}

const isUndoing = e => e.event === "undo" || e.event === "redo";

function step(live, verb, can, sign, text, stroke) {
  if (!live.writes) return null;
  const v = live.view, seat = mine() ?? v.turn ?? v.seats[0]?.id ?? "table";
  return button("input", {
    "data-input": `${seat} ${verb}`, disabled: !can, title: `${text} (${stroke})`,
  }, h("span", { "aria-hidden": "true" }, sign), text);
}

function entry(live, e) {
  const v = live.view, may = live.writes && e.back > 0;
  const kind = (e.undone ? "undone" : "") + (isUndoing(e) ? " meta" : "");
  return h("li", { class: kind, "data-k": "e" + e.n, style: paletteOf(v, e.seat) },
    v.seats.some(s => s.id === e.seat) ? shape(shapesOf(v)[e.seat]) : h("i", { class: "shape none" }),
    may ? button("back", {
      class: "line", "data-entry": e.n, title: say("mend.back"), "aria-haspopup": "dialog",
    }, e.lines.map(l => h("span", null, l))) :
      h("div", null, e.lines.map(l => h(e.undone ? "s" : "p", null, l))));
}

// notices draws what the players should know about this match, such as stand-in
// cards.
const notices = v => v.notices.length > 0 && h("ul", { class: "notices", "data-k": "notices" },
  v.notices.map(n => h("li", { "data-k": n }, label(v, "notice", n))));

function hardware(live, pictures) {
  return live.pictures.some(name => pictures[name]) && h("section", {
    id: "hardware", class: "hardware", "data-k": "hardware", "aria-label": say("hardware.title"),
  }, figures({ live, pictures }));
}

// figures draws what is in #hardware.
export const figures = ({ live, pictures }) => [
  h("h2", null, say("hardware.title")),
  live.pictures.filter(name => pictures[name]).map(name => {
    const { url, width, height } = pictures[name];
    return h("figure", { class: name + (name === "panel" && width <= 250 ? " small" : ""), "data-k": name },
      h("img", { src: url, alt: say("hardware." + name), width, height }));
  }),
];
