// What a card does, as the card prints it.

import { h } from "../dom.js";

// lines are the lines of a text, what each speaks of in bold.
export const lines = does => h("span", { class: "does" }, does.split("\n").map(l => {
  const at = l.indexOf(":"); // -1 where the whole line is said plainly
  return h("span", null, at > 0 && h("b", null, l.slice(0, at).trim()), l.slice(at + 1));
}));
