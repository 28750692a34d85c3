// Actions of the page with all tables of a hall. state.hall holds them by name, whether the
// hall hears them and since when, what was set aside, what is sought and how it is sorted.
// Its ahead says by how many milliseconds the hall's clock is ahead of this one.

import { change, state } from "../store.js";
import * as watch from "./watch.js";

const TICK = 10000; // between two looks at the clock, in milliseconds: times are shown in minutes
const SOUGHT = { text: "", game: "", show: "", sort: "" };

const put = patch => change({ hall: { ...state.hall, ...patch } });

export function start() {
  const query = new URLSearchParams(location.search);
  const sought = Object.fromEntries(Object.keys(SOUGHT).map(by => [by, query.get(by) ?? ""]));
  const hall = { tables: null, listening: true, since: "", aside: { n: 0 }, sought, ahead: 0 };
  watch.start({ hall, now: Date.now() });
  setInterval(() => change({ now: Date.now() }), TICK);
}

// tables takes the whole list, which is the first message of a connection, or what has changed.
export function tables({ at, tables: changed, left, listening, since, aside }, first) {
  const tables = new Map(first ? [] : state.hall.tables);
  for (const name of left) tables.delete(name);
  for (const t of changed) tables.set(t.table, t);
  change({
    lost: false, now: Date.now(),
    hall: { ...state.hall, tables, listening, since, aside, ahead: Date.parse(at) - Date.now() },
  });
}

export const lost = is => watch.lost(is);

// seek shows some of the tables, or sorts them. The address keeps it.
export function seek({ by, value }) {
  const sought = { ...state.hall.sought, [by]: value }, query = new URLSearchParams(location.search);
  if (value) query.set(by, value);
  else query.delete(by);
  history.replaceState(null, "", "?" + query);
  put({ sought });
}
