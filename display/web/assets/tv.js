// The page for a television or projector. Nobody can click on it: it is drawn from
// the stream alone.

import { draw } from "./dom.js";
import { tv } from "./parts/tv.js";
import { change, drawWith, state } from "./store.js";
import { stream } from "./stream.js";
import { preferred, spoken } from "./words.js";

drawWith(() => {
  if (!state.live) return;
  document.documentElement.lang = state.lang;
  document.title = state.live.view.title || "Tableside";
  draw(document.getElementById("tv"), tv(state, location));
});
change(preferred());
stream({
  frame: live => change({ live, lost: false, lang: state.requestedLang || spoken(live.lang) || state.lang }),
  lost: lost => change({ lost }),
});
