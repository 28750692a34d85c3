// The first visit to a simulated table: three hints, and a match that plays
// itself.

import { button, h } from "../dom.js";
import { keeps } from "../store.js";
import { say } from "../words.js";

// welcome draws the hints until the visitor has seen them; the match stays on
// offer.
export function welcome({ live, hints }) {
  const offered = live.show === "offered" && keeps() && button("watch",
    { class: "watch", "data-do": "start" },
    h("span", { "aria-hidden": "true" }, "▶ "), say("show.start"));
  if (!live.status.simulated || !hints) return offered && h("p", { class: "welcome-row", "data-k": "show" }, offered);
  return h("section", { class: "welcome", "data-k": "welcome", "aria-label": say("welcome.title") },
    h("h3", null, say("welcome.title")),
    h("ol", null, ["asked", "glow", "undo"].map(name =>
      h("li", { "data-k": name }, h("p", null, say("welcome." + name))))),
    h("p", { class: "welcome-row" }, offered, button("seen", {}, say("welcome.seen"))));
}

// watching draws the line above a match that plays itself.
export const watching = live => live.show === "playing" && h("p", { class: "note watching", "data-k": "watching" },
  h("span", null, say("show.playing")),
  keeps() && button("watch", { "data-do": "stop" }, say("show.stop")));
