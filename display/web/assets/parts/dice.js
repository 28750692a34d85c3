// Dice on the table, edged with the colour of the seat that threw them.

import { h } from "../dom.js";
import { paletteOf } from "../seats.js";
import { label } from "../words.js";

// diceRow draws the dice that were thrown, not those still to be thrown.
export function diceRow(v, dice) {
  const thrown = dice.filter(d => d.state !== "ready");
  return thrown.length > 0 && h("ul", { class: "dice-row", "data-k": "dice" }, thrown.map(d =>
    h("li", { class: "die " + (d.state || ""), "data-k": d.id, style: paletteOf(v, d.seat) },
      d.face === null ? "–" : label(v, "face", d.face))));
}
