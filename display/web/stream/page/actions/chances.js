// How likely each seat is to win. The table imagines it only when a page asks.

import { change, has, state } from "../store.js";
import { get } from "./server.js";

has({ chances: null }); // the newest that are known: { match, seq, of, list }

const AGAIN = 3000; // after a fault, in milliseconds

let asked = false; // one question at a time: the last state is what counts

export async function loadChances({ match, seq, winners }) {
  if (asked || match === null || winners.length || state.chances?.match === match && state.chances.seq === seq) return;
  asked = true;
  const found = await get(`/api/chances?seq=${seq}`).catch(() => null);
  asked = false;
  if (found) change({ chances: { ...found, match } });
  setTimeout(() => loadChances(state.live.view), found ? 0 : AGAIN);
}
