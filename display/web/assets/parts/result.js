// How a match ended, and how long it took.

import { winnerNames } from "../seats.js";
import { say } from "../words.js";

// headline says who won, and by which numbers, each as drawn by number.
export function headline(v, result, number = n => n) {
  const name = winnerNames(v), won = side => v.winners.includes(side[0]);
  const one = v.turn === "table" || (result ? result.sides.filter(won) : v.winners).length === 1;
  const said = say(!one ? "page.winners" : v.winners.length > 1 ? "end.win" : "page.winner", { name });
  if (!result?.scored) return [said];
  const value = side => result.seats.find(s => s.seat === side[0]).value, best = value(result.sides[0]);
  const others = result.sides.filter(side => !won(side));
  return [said, " ", others.length === 1 && result.sides.length === 2 ?
    [number(best), " ", say("end.to"), " ", value(others[0])] : [say("end.with"), " ", number(best)]];
}

export function took(seconds) {
  const minutes = Math.round(seconds / 60), hours = Math.floor(minutes / 60), n = minutes % 60;
  return hours ? say("moment.hours", { h: hours, n }) : say("moment.minutes", { n });
}

const two = n => String(n).padStart(2, "0");
// toApp returns the address that hands a match to Board Game Stats, on phones, which have that app.
export const toApp = ({ post }) => matchMedia("(pointer: coarse)").matches && post;

// left returns how long it is to a time, or "" once it is over.
export const left = (ends, now) => Date.parse(ends) > now ? clock(Math.ceil((Date.parse(ends) - now) / 1000)) : "";

export const clock = s =>
  (s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}` : Math.floor(s / 60)) + ":" + two(s % 60);
