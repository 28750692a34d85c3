// The hand of who is asked, at a simulated table.

import { h } from "../dom.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { handOf, verdict } from "../store.js";
import { say } from "../words.js";
import { held } from "./card.js";

const byName = (a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id, undefined, { numeric: true });

export function hand(state) {
  const { live, piles } = state, v = live.view, seat = v.seats.find(s => s.id === state.hand.seat);
  if (!seat || !live.status.simulated || !piles.length) return [];
  const place = handOf(seat.id), cards = [...piles.find(p => p.place === place)?.cards ?? []].sort(byName);
  // If no card of the hand answers, a click picks the card that is played next when the
  // table does not ask which.
  const can = cards.filter(c => verdict(place, c.id).legal === "yes").length, picks = !can && !state.narrow && v.winners.length === 0;
  return [
    h("div", { class: "own", "data-k": "own", style: palette(seat.colour) },
      h("strong", null, shape(shapesOf(v)[seat.id]), say("hand.title")),
      h("span", null, seatName(v, seat.id)), h("span", null, say("hand.cards", { n: cards.length }))),
    h("div", { class: "cards" + (cards.length > 6 ? " many" : ""), "data-k": "hand-" + seat.id, role: "group", "aria-label": say("tray.cards"), style: { "--cards": cards.length } },
      cards.map(c => held(live, place, c, { n: cards.length, picks, picked: c.picked })),
      !cards.length && h("p", { class: "nohand" }, say("tray.no-hand"))),
  ];
}
