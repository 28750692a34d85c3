// Dice as they lie on the table, edged with the colour of who has thrown them.

import { h } from "../dom.js";
import { paletteOf } from "../seats.js";
import { label } from "../words.js";

// One that waits to be taken up is not among those that were thrown.
export function diceRow(v, dice) {
  const lying = dice.filter(d => d.state !== "ready");
  return lying.length > 0 && h("ul", { class: "dice-row", "data-k": "dice" }, lying.map(d =>
    h("li", { class: "die " + (d.state || ""), "data-k": d.id, style: paletteOf(v, d.seat) },
      d.face === null ? "–" : label(v, "face", d.face))));
}
