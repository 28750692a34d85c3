// How likely each seat is to win. The table imagines it only when a page asks.

import { change, has, state } from "../store.js";
import { get } from "./server.js";

has({ chances: null }); // the newest that are known: { match, seq, of, list, said }
has({ odds: [] });      // all of one match; said is what the log said then

const AGAIN = 3000; // after a fault, in milliseconds

let asked = false; // one question at a time: the last state is what counts
let again = 0;     // the timer of the next one

export async function loadChances({ match, seq, winners }) {
  clearTimeout(again);
  const { chances } = state;
  if (asked || match === null || winners.length || chances?.match === match && chances.seq === seq) return;
  asked = true;
  const told = state.live.status.chances; // by a table that tells them all
  const found = told?.seq === seq ? told : await get(`/api/chances?match=${match}&seq=${seq}`)
    .catch(e => e.cause === 404 ? { seq, of: 0, list: [] } : null);
  asked = false;
  const known = { ...found, match, said: state.live.history.findLast(e => e.n <= seq) };
  if (found?.seq === seq) change({ chances: known, odds: [...state.odds.filter(c => c.match === match), known] });
  const now = state.live.view, moved = now.match !== match || now.seq !== seq;
  if (moved || found?.seq !== seq) again = setTimeout(() => loadChances(state.live.view), moved ? 0 : AGAIN);
}
