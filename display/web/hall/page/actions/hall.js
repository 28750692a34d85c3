// Actions of the page with all tables of a hall. state.hall holds them by name, whether the
// hall hears them, since when and why not, what was set aside, what is sought and how it is sorted.
// Its ahead says by how many milliseconds the hall's clock is ahead of this one.

import { address, addressed } from "../address.js";
import { change, state } from "../store.js";
import { say } from "../words.js";
import { rights, send } from "./server.js";
import { start as watch } from "./watch.js";

export { leave, project } from "./rotate.js";
export { lost } from "./watch.js";

const TICK = 10000; // between two looks at the clock, in milliseconds: times are shown in minutes

const put = patch => change({ hall: { ...state.hall, ...patch } });

export function start() {
  const sought = addressed("text", "game", "show", "sort");
  const hall = {
    tables: null, listening: true, since: "", why: "", keep: false, said: "", aside: { n: 0 }, sought, ahead: 0,
  };
  watch({ hall, ofHall: true, now: Date.now() });
  setInterval(() => change({ now: Date.now() }), TICK);
}

// tables takes the whole list, which is the first message of a connection, or what has changed.
export function tables({ at, tables: changed, left, listening, since, why, keeps, aside }, first) {
  const tables = new Map(first ? [] : state.hall.tables);
  for (const name of left) tables.delete(name);
  for (const t of changed) tables.set(t.table, t);
  change({
    lost: false, now: Date.now(), bare: !keeps,
    hall: { ...state.hall, tables, listening, since, why, aside, ahead: Date.parse(at) - Date.now() },
  });
  if (first && keeps) rights().then(({ keep }) => put({ keep: keep === true }));
}

// tell sends a message to a table, or to all; come answers a call.
export const tell = ({ table, text }) => post({ table, text });
export const come = ({ table, call }) => post({ table, text: "", call });

async function post(message) {
  const { ok, text } = await send("/api/message", message);
  put({ said: ok ? say("hall.sent", { text: message.text }) : text });
}

// seek shows some of the tables, or sorts them. The address keeps it.
export function seek({ by, value }) {
  address({ [by]: value });
  put({ sought: { ...state.hall.sought, [by]: value } });
}
