// How many seats the window has room for.

import { fit } from "../actions/page.js";

const root = document.documentElement, narrow = matchMedia("(max-width: 900px)");

export function listen() {
  addEventListener("resize", measure);
  measure();
}

// measure counts in rem, because the letters grow with the window: a seat is 28
// wide, the side 20, and a second row of seats needs a high window.
function measure() {
  const rem = parseFloat(getComputedStyle(root).fontSize), rows = innerHeight / rem > 70 ? 2 : 1;
  fit(narrow.matches ? 1 : rows * Math.max(1, Math.floor((innerWidth / rem - 20) / 28)));
}
