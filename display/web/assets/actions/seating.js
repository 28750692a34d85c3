// Who shall play here, as a hall proposes.

import { colours } from "../seats.js";
import { change, family, state } from "../store.js";

let filled = ""; // the proposal that the form was filled with

// prefill fills the form with the players whom a hall proposes, the first of whom begins, and
// with their game.
export function prefill(seating) {
  const now = JSON.stringify(seating ?? "");
  if (now === filled || seating && !state.games) return;
  filled = now;
  if (!seating) return;
  const { plan } = state, all = new Set([...plan.seats, ...Object.keys(colours)]);
  const seats = [...all].slice(0, seating.players.length), names = { ...plan.names };
  seats.forEach((id, i) => { names[id] = seating.players[i]; });
  const game = state.games.findLast(g => family(g) === seating.game)?.name ?? plan.game;
  change({ plan: { ...plan, seats, names, game, first: seats[0] } });
}
