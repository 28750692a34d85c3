// The overlay for a video stream. The address selects what it shows; every frame
// draws it.

import { air } from "./actions/air.js";
import { start } from "./actions/watch.js";
import { fit } from "./behave/fit.js";
import { draw, mark } from "./dom.js";
import { overlay } from "./parts/overlay.js";
import { drawWith } from "./store.js";
import { stream } from "./stream.js";
import { wantsOf } from "./wants.js";

const wants = wantsOf(location), root = document.documentElement, at = document.getElementById("overlay");

root.dataset.theme = wants.theme;
root.dataset.at = wants.at;
root.dataset.side = wants.side;
root.dataset.cards = wants.cards || "none";
root.style.setProperty("--scale", wants.scale);
if (wants.font) root.style.setProperty("--display", JSON.stringify(wants.font) + ", Tableside, sans-serif");

drawWith(state => {
  if (!state.live) return;
  mark(root, "lang", state.lang);
  draw(at, overlay(state, wants));
  fit(at);
  root.dataset.seq = state.live.view.seq; // for those who wait for a move
});
start();
stream({ frame: air(wants) });
