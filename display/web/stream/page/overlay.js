// The overlay for a video stream. The address selects what it shows; every frame
// draws it.

import { air } from "./actions/air.js";
import { start } from "./actions/watch.js";
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
  fit();
  root.dataset.seq = state.live.view.seq; // for those who wait for a move
});

const LEVELS = 4;

// fit leaves out more and more, as overlay.css says for each level, until the
// overlay takes at most a third of the height. Offsets do not count what only moves.
function fit() {
  for (let level = 0; level <= LEVELS; level++) {
    root.dataset.fit = level;
    const boxes = [...at.children].filter(e => e.offsetHeight && getComputedStyle(e).position !== "absolute");
    const tops = boxes.map(e => e.offsetTop), ends = boxes.map(e => e.offsetTop + e.offsetHeight);
    const tall = wants.at === "top" ? Math.max(0, ...ends) : innerHeight - Math.min(innerHeight, ...tops);
    if (tall <= innerHeight / 3) return;
  }
}

start();
stream({ frame: air(wants) });
