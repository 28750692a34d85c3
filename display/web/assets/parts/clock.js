// The clock of a match with limits of time.

import { h } from "../dom.js";

const NUDGE = 10000; // a seat is told so long before its time is over, in milliseconds

// times returns the times of each seat as they are now: what is left of the match and of
// the turn, undefined without that limit, whether they run, and how urgent they are.
export function times({ live: { view: { clock } }, since, now }) {
  return (clock?.seats ?? []).map(s => {
    const runs = clock.running.includes(s.seat), gone = runs ? now - since : 0;
    const [left, turn] = [s.left, s.turn].map(n => n === undefined ? n : n - gone);
    const rest = runs ? Math.min(left ?? Infinity, turn ?? Infinity) : Infinity;
    return { seat: s.seat, runs, left, turn, hurry: rest <= 0 ? "over" : rest <= NUDGE ? "low" : "" };
  });
}

// hurry returns how urgent a seat's time was when the table sent the clock, or that of any
// seat: 1 in the last seconds, 2 after them, else 0. The table sends both moments.
export const hurry = (clock, seat) => Math.max(0, ...times({ live: { view: { clock } }, since: 0, now: 0 })
  .filter(t => !seat || t.seat === seat).map(t => ["", "low", "over"].indexOf(t.hurry)));

// digits writes milliseconds as 9:05 or 1:02:05, negative ones with a minus.
function digits(ms) {
  const s = Math.ceil(ms / 1000), two = n => String(n).padStart(2, "0"), all = Math.abs(s);
  const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60;
  return (s < 0 ? "−" : "") + (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(all % 60);
}

// short draws one time of a seat: of its turn while that runs out first, else of the match.
export function short({ left, turn, runs, hurry }) {
  const time = runs ? Math.min(left ?? turn, turn ?? left) : left ?? turn;
  return h("b", { class: ["time", runs && "runs", hurry].filter(Boolean).join(" "), "data-k": "time" }, digits(time));
}
