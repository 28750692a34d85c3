// What the pages do by themselves on which nobody clicks.

import { recall } from "../memory.js";
import { change, state } from "../store.js";
import { preferred, spoken } from "../words.js";
import { received } from "./clock.js";

// start chooses the language until the table tells its own, and the theme that the
// address or this browser knows. patch holds what else the page begins with.
export function start(patch) {
  const theme = new URLSearchParams(location.search).get("theme") || recall("theme") || "";
  const { requestedLang, lang } = preferred();
  change({ requestedLang, lang: requestedLang || lang, theme, ...patch });
}

// tick keeps the time of day, for a page that tells when something was.
export function tick() {
  const look = () => change({ wall: Date.now() });
  look();
  setInterval(look, 60000);
}

// still takes the newest state of the table, on a page without a clock; frame lets the clock tick.
export const still = live =>
  change({ live, lost: false, lang: state.requestedLang || spoken(live.lang) || state.lang });
export const frame = live => {
  change(received(live));
  still(live);
};

export const lost = is => change({ lost: is });
