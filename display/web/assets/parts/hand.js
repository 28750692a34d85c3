// The hand of who is asked, at a simulated table.

import { idOf } from "../cards.js";
import { h } from "../dom.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { handOf, textOf, verdict } from "../store.js";
import { label, say } from "../words.js";
import { answering, held, nameOf } from "./card.js";

const byName = (a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id, undefined, { numeric: true });

export function hand(state) {
  const { live, piles } = state, v = live.view, seat = v.seats.find(s => s.id === state.hand.seat);
  if (!seat || !live.status.simulated || !piles.length) return [];
  const place = handOf(seat.id), cards = [...piles.find(p => p.place === place)?.cards ?? []].sort(byName);
  // If no card of the hand answers, a click picks the card that is played next when the
  // table does not ask which.
  const laid = seat.zones.battle ?? [], where = seat.id + "/battle", all = laid.length + cards.length;
  const can = cards.some(c => verdict(place, c.id).legal === "yes"), picks = !can && !state.narrow && !v.winners.length;
  const title = say(laid.length ? "band.battle" : "hand.title");
  return [
    h("div", { class: "own", "data-k": "own", style: palette(seat.colour) },
      h("strong", null, shape(shapesOf(v)[seat.id]), title),
      h("span", null, seatName(v, seat.id)), h("span", null, say("hand.cards", { n: all }))),
    h("div", {
      class: "cards" + (all > 6 ? " many" : all > 5 ? " six" : ""), "data-k": "hand-" + seat.id, role: "group",
      "aria-label": say("tray.cards"), style: { "--cards": all, "--columns": Math.max(4, Math.ceil(all / 2)) },
    },
      laid.map((c, i) => c.card === null ? faceDown(live, where, i) :
        held(live, where, { id: idOf(c), kind: c.card, name: nameOf(c), does: textOf(c.card) }, { n: all })),
      cards.map(c => held(live, place, c, { n: all, picks, picked: c.picked })),
      !all && h("p", { class: "nohand" }, say("tray.no-hand"))),
  ];
}

// faceDown draws a card that lies face down for the battle.
const faceDown = (live, place, i) => h("button", {
  type: "button", class: "card back", "data-k": "down" + i, ...answering(live, place, ""),
}, h("span", { class: "name" }, h("span", null, label(live.view, "state", "face-down"))));
