// Whom the form begins with: those whom a hall proposes, or the players of the last match.

import { colours } from "../seats.js";
import { change, family, keeps, state } from "../store.js";
import { get } from "./server.js";

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

// recallMatch fills the form with game and players of the match on the table, or else of the
// last one, whoever began it.
export async function recallMatch() {
  const { live: { view: v, show, status }, plan } = state;
  if (!keeps() || show === "playing" || status.seating) return;
  const seats = v.seats.map(({ id, name }) => ({ seat: id, name }));
  const last = v.match !== null ? { id: v.match, game: v.game, seats } : (await get("/api/matches").catch(() => []))[0];
  if (!last || last.id === plan.from || state.plan !== plan) return;
  const played = last.seats.filter(s => colours[s.seat]), names = played.map(s => [s.seat, s.name ?? ""]);
  change({ plan: { ...plan, from: last.id, game: last.game, seats: played.map(s => s.seat),
    names: { ...plan.names, ...Object.fromEntries(names) } } });
}
