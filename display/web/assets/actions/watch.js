// What the pages do by themselves on which nobody clicks.

import { change, state } from "../store.js";
import { preferred, spoken } from "../words.js";

// start chooses the language until the table tells its own.
export function start() {
  const { requestedLang, lang } = preferred();
  change({ requestedLang, lang: requestedLang || lang });
}

// frame takes the newest state of the table.
export const frame = live =>
  change({ live, lost: false, lang: state.requestedLang || spoken(live.lang) || state.lang });

export const lost = is => change({ lost: is });
