// Lives as hearts, and what a player has few of as tiles.

import { h } from "../dom.js";

const heart = h("svg", { viewBox: "0 0 24 24" },
  h("path", { d: "M12 21 3 12a5.500 5.500 0 0 1 9-7 5.500 5.500 0 0 1 9 7Z" }));

export const hearts = n => h("span", { class: "hearts", "data-k": "hearts", "aria-hidden": "true" },
  Array(n > 6 ? 1 : Math.max(0, n)).fill(heart));

export const pieces = (name, n, all) => h("span", { class: "pieces " + name },
  h("span", { class: "unseen" }, n),
  Array.from({ length: Math.max(all, n) }, (_, i) => h("i", { class: i < n ? "on" : "" })));
