// A card that was just played, large for a moment.

import { idOf, longest } from "../cards.js";
import { h } from "../dom.js";
import { paletteOf, seatName, shape, shapesOf } from "../seats.js";
import { label } from "../words.js";
import { hue, sprite } from "./sprite.js";

export function played(v, c) {
  const [number] = Object.entries(c.counters ?? {}), name = c.name ?? c.card;
  return h("article", {
    class: "played", "data-k": "played" + idOf(c), "data-seat": c.seat,
    style: { ...paletteOf(v, c.seat), "--hue": hue(c.card) },
  },
  h("header", null, shape(shapesOf(v)[c.seat]), h("span", null, seatName(v, c.seat))),
  sprite(c.card),
  h("h3", { style: { "--longest": Math.max(8, longest(name)) } }, name),
  h("p", null, (c.keywords ?? []).map(k => h("small", null, label(v, "keyword", k)))),
  number && h("b", null, number[1], h("small", null, label(v, "counter", number[0]))));
}
