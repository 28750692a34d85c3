// A hand, or answers that are cards, may be wider than the window. Buttons at both ends
// then say how many are out of sight, and scroll to them.

import { scrollBehavior } from "./scroll.js";

const sideways = e => /auto|scroll/.test(getComputedStyle(e).overflowX);

// scrollerOf returns what scrolls a row: itself, or on a phone what it is in.
const scrollerOf = row => sideways(row) ? row : row.parentElement;

// follow counts again, after a drawing. It measures all rows before it shows anything, so
// that the browser lays out the page once.
export function follow() {
  const rows = [...document.querySelectorAll(".further:not(.back)")].map(e => e.parentElement);
  for (const [row, before, after] of rows.map(row => [row, ...count(row)])) {
    show(row.querySelector(".further.back"), before, "‹ " + before);
    show(row.querySelector(".further:not(.back)"), after, after + " ›");
  }
}

// count returns how many cards of a row are out of sight at the left and at the right.
function count(row) {
  const view = scrollerOf(row).getBoundingClientRect(), cards = [...row.children].filter(e => !e.matches(".further"));
  // A card counts when less than half of it is in sight.
  const middles = cards.map(e => e.getBoundingClientRect()).map(b => (b.left + b.right) / 2);
  return [middles.filter(x => x < view.left).length, middles.filter(x => x > view.right).length];
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
