// A hand, or answers that are cards, may be wider than the window. Buttons at both ends
// then say how many are out of sight, and scroll to them.

import { scrollBehavior } from "./scroll.js";

const sideways = e => /auto|scroll/.test(getComputedStyle(e).overflowX);

// scrollerOf returns what scrolls a row: itself, or on a phone what it is in.
const scrollerOf = row => sideways(row) ? row : row.parentElement;

// follow counts again, after a drawing.
export function follow() {
  for (const row of document.querySelectorAll(":has(> .further)")) count(row);
}

function count(row) {
  const view = scrollerOf(row).getBoundingClientRect(), cards = [...row.children].filter(e => !e.matches(".further"));
  // A card counts when less than half of it is in sight.
  const middles = cards.map(e => e.getBoundingClientRect()).map(b => (b.left + b.right) / 2);
  const before = middles.filter(x => x < view.left).length, after = middles.filter(x => x > view.right).length;
  show(row.querySelector(".further.back"), before, "‹ " + before);
  show(row.querySelector(".further:not(.back)"), after, after + " ›");
}

function show(button, n, text) {
  if (button.hasAttribute("data-live-some") !== n > 0) button.toggleAttribute("data-live-some", n > 0);
  if (button.textContent !== text) button.textContent = text;
}

// further scrolls by most of what is in sight, to the left or the right.
export function further({ of, side }) {
  const scroller = scrollerOf(document.querySelector(`.further[data-of="${of}"]`).parentElement);
  scroller.scrollBy({ left: side * scroller.clientWidth * .7, behavior: scrollBehavior() });
}

export function listen() {
  document.addEventListener("scroll", e => { if (e.target !== document) follow(); }, { passive: true, capture: true });
  addEventListener("resize", follow);
}
