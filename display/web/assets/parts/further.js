// The buttons at both ends of a row that may be wider than the window. behave/further.js
// shows them and writes into them how many cards are out of sight. The keyboard does
// not need them: what it reaches scrolls into sight.

import { button } from "../dom.js";

export const further = of => [-1, 1].map(side => button("further", {
  class: "further" + (side < 0 ? " back" : ""), "data-k": "further" + side, "data-of": of, "data-side": side,
  "data-own": "", tabindex: -1, "aria-hidden": "true",
}));
