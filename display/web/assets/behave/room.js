// How many seats the window has room for.

import { fit } from "../actions/page.js";

const root = document.documentElement, narrow = matchMedia("(max-width: 900px)");

export function listen() {
  addEventListener("resize", measure);
  measure();
}

// measure counts in rem, because the letters grow with the window. A seat takes 28
// of the width and the side 20; a high window has two rows of seats.
function measure() {
  const rem = parseFloat(getComputedStyle(root).fontSize), rows = innerHeight / rem > 75 ? 2 : 1;
  fit(narrow.matches ? 1 : rows * Math.max(1, Math.floor((innerWidth / rem - 20) / 28)));
}
