// A rehearsal: what is played, and that nobody keeps it.

import { button, h } from "../dom.js";
import { say } from "../words.js";

export function heading({ live, rehearsal: { copy }, piles }) {
  const card = piles.flatMap(p => p.cards).find(c => c.id === copy);
  return [
    h("h1", { class: "mark" }, say("rehearsal.title")),
    live && h("span", { class: "game" }, card?.name ?? live.view.title),
    live && h("div", { class: "tools" }, button("again", { class: "tool" }, say("rehearsal.again"))),
  ];
}

export const notice = ({ rehearsal: { trouble } }) =>
  h("p", { class: "note " + (trouble ? "alarm" : "quiet"), "data-k": "note" }, trouble || say("rehearsal.how"));
