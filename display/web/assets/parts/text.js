// The text of a card.

import { h } from "../dom.js";

// lines draws the lines of a text, with the part before a colon in bold.
export const lines = does => h("span", { class: "does" }, does.split("\n").map(l => {
  const at = l.indexOf(":"); // -1 if nothing is bold
  return h("span", null, at > 0 && h("b", null, l.slice(0, at).trim()), l.slice(at + 1));
}));
