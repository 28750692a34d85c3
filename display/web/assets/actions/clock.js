// The clock of a match ticks in the browser: the table sends it only when something
// happens.

import { change, state } from "../store.js";

let timer = 0; // of the next second

// received returns from when on a message shows the clock, as patch of the state. It lets
// the clock tick; without one, or while it stands still, nothing does.
export function received(live) {
  const now = performance.now(), since = now - (live.age ?? 0);
  clearTimeout(timer);
  const next = nextTick(live, now - since);
  if (next < Infinity) timer = setTimeout(tick, next);
  return { since, now };
}

function tick() {
  change({ now: performance.now() });
  timer = setTimeout(tick, nextTick(state.live, state.now - state.since));
}

// nextTick returns the milliseconds until a clock shows another second: that of the match, or of a hall's round.
const nextTick = ({ view: { clock }, status: { round_ends: ends } = {} }, gone) =>
  Math.min(clock?.running.length ? untilNext(clock, gone) : Infinity, ends ? 1005 - Date.now() % 1000 : Infinity);

function untilNext({ seats, running }, gone) {
  const left = seats.filter(s => running.includes(s.seat)).flatMap(s => [s.left, s.turn]).filter(n => n !== undefined);
  return Math.min(...left.map(n => ((n - gone) % 1000 + 1000) % 1000 || 1000)) + 5;
}
