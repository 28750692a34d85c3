// On a projector nobody scrolls: the page shows one screen after the other.

import { leave } from "../actions/rotate.js";

const root = document.documentElement;
let timer = 0, every = 0; // seconds; 0: the page stays where it is

document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) leave(); });

// follow begins and ends the turns, after a drawing.
export function follow({ rotate }) {
  if (rotate === every) return;
  every = rotate;
  clearInterval(timer);
  root.toggleAttribute("data-rotates", every > 0);
  scrollTo(0, 0);
  if (every > 0) timer = setInterval(turn, every * 1000);
}

// turn scrolls to the first table, or line of standings, that is not seen whole, or from the last one to the top.
function turn() {
  const head = document.querySelector(".head").getBoundingClientRect().bottom;
  const below = [...document.querySelectorAll(".tables > li, .standings tr")].map(e => e.getBoundingClientRect())
    .find(r => r.bottom > innerHeight && r.top > head + 50);
  if (below) scrollBy(0, below.top - head - 12);
  else scrollTo(0, 0);
}
