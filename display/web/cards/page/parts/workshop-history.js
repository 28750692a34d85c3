// The old versions of an owner's file, each with what the change after it did.

import { h } from "../dom.js";
import { local, say } from "../words.js";
import { nameOf } from "../workshop-lines.js";
import { saidOf, submit } from "./workshop-submit.js";

export function versions({ workshop: w, live, lang }) {
  const { history, box, back, card, names } = w, keep = live?.rights.keep;
  return [
    h("div", { class: "line", "data-k": "buttons" },
      keep && submit("undo", { class: "quiet", "data-k": "undo" }, say(back ? "cards.undo-more" : "cards.undo")),
      submit("history", { class: "quiet", "aria-expanded": String(history !== null), "data-k": "history" },
        say("cards.history"))),
    w.said && !card && !names && h("p", { class: "said", "data-k": "said" }, saidOf(w)),
    history && h("section", { id: "history", "data-k": "versions" },
      h("h2", { tabindex: "-1" }, say("cards.history")),
      !history.length && h("p", { class: "none" }, say("cards.no-history")),
      h("ol", null, history.map(v => version(v, box, keep, lang)))),
  ];
}

const version = (v, box, keep, lang) => h("li", { "data-k": String(v.n) },
  h("div", { class: "when" },
    h("time", null, v.time ? new Date(v.time).toLocaleString(local(lang), { dateStyle: "medium", timeStyle: "short" }) :
      say("cards.beginning")),
    keep && submit("restore", { class: "quiet", "data-n": v.n, "data-k": "restore" }, say("cards.restore"))),
  v.changes.map(c => h("div", { class: "changed", "data-k": c.card },
    h("b", null, nameOf(box, c.card)),
    c.removed.map(line => h("del", null, line)), c.added.map(line => h("ins", null, line)))));
