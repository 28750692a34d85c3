// Dice as they lie on the table, edged with the colour of who has thrown them.

import { h, label, palette } from "./core.js";

// One that waits to be taken up is not among those that were thrown.
export function diceRow(v, dice) {
  const lying = dice.filter(d => d.state !== "ready");
  return lying.length > 0 && h("ul", { class: "dice-row", "data-k": "dice" }, lying.map(d =>
    h("li", { class: "die " + (d.state || ""), "data-k": d.id, style: thrower(v, d) }, d.face === null ? "–" : label(v, "face", d.face))));
}

const thrower = (v, d) => {
  const seat = v.seats.find(s => s.id === d.seat);
  return seat ? palette(seat.colour) : {};
};
