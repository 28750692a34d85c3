// How likely each seat is to win. The table imagines it only when a page asks.

import { turnsOf } from "../parts/turns.js";
import { change, has, state } from "../store.js";
import { get } from "./server.js";

has({ chances: null });                      // the newest that are known: { match, seq, of, list }
has({ turns: { match: null, moves: [] } }); // the turning points of a match that is over

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
  if (found?.seq === seq) change({ chances: { ...found, match } });
  const now = state.live.view, moved = now.match !== match || now.seq !== seq;
  if (moved || found?.seq !== seq) again = setTimeout(() => loadChances(state.live.view), moved ? 0 : AGAIN);
}

const MOMENTS = 60;
const BUSY = 3000; // milliseconds
const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

// imagine asks for the chances at the turning points and some more moments of a recording, then at all others, one
// after the other. It reports whether all are known, and stops when tell, which gets each, returns false.
export async function imagine({ match, moves, steps }, tell) {
  const last = steps.length, ordered = list => [...new Set(list)].sort((a, b) => a - b);
  const some = Array.from({ length: MOMENTS + 1 }, (_, i) => Math.round(i * last / MOMENTS));
  const around = moves.flatMap(m => [m.n - 1, m.n]);
  for (const n of new Set([...ordered([...some, ...around]), ...Array(last + 1).keys()])) {
    const ask = () => get("/api/chances?" + new URLSearchParams({ match, seq: n })).catch(e => e.cause);
    let found = await ask();
    while (found === 429) { // others ask, too
      await pause(BUSY);
      found = await ask();
    }
    if (!found || found === 404) return false; // the table is away, or nobody knows the chances in this game
    if (found.of && tell({ ...found, n }) === false) return false;
  }
  return true;
}

const TOLD = 3; // turning points

// loadTurns finds the turning points of the match on the table, while its end is shown.
export async function loadTurns({ match, seq }) {
  const { lang, turns } = state, chances = [];
  if (turns.match === match && turns.seq === seq && turns.lang === lang) return;
  const found = { match, seq, lang, moves: [] }, isShown = () => state.turns === found && state.live.view.seq === seq;
  change({ turns: found });
  const known = await get("/api/chances?" + new URLSearchParams({ match, seq })).catch(e => e.cause === 429);
  if (!known) return; // nobody knows them in this game
  const recording = await get("/api/replay?" + new URLSearchParams({ match, lang })).catch(() => null);
  if (!recording || !await imagine(recording, c => isShown() && chances.push(c))) return;
  change({ turns: { ...found, moves: turnsOf(recording.steps, chances.sort((a, b) => a.n - b.n), TOLD) } });
}
