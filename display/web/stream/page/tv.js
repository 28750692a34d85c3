// The page for a television or projector. Nobody can click on it: it is drawn from
// the stream alone. A hall has such a page for each of its tables.

import { loadChances } from "./actions/chances.js";
import { frame, lost, start, tick } from "./actions/watch.js";
import { draw, mark } from "./dom.js";
import { tv } from "./parts/tv.js";
import { drawWith, state } from "./store.js";
import { stream } from "./stream.js";

drawWith(() => {
  if (!state.live && !state.lost) return;
  mark(document.documentElement, "lang", state.lang);
  document.title = state.live?.view.title || "Tableside";
  draw(document.getElementById("tv"), tv(state, location));
});
start();
tick();
const ofHall = location.pathname.startsWith("/tables/");
const asks = new URLSearchParams(location.search).has("chances") && !ofHall;
const shown = live => {
  frame(live);
  if (asks) loadChances(live.view);
};
stream({ frame: shown, lost }, ofHall ? location.pathname + "/live" : "/api/live");
