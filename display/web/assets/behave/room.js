// How many seats the window has room for.

import { fit } from "../actions/page.js";

const narrow = matchMedia("(max-width: 900px)"), wide = matchMedia("(min-width: 1500px) and (min-height: 900px)");

export function listen() {
  const measure = () => fit(narrow.matches ? 1 : wide.matches ? 8 : 2);
  for (const query of [narrow, wide]) query.addEventListener("change", measure);
  measure();
}
