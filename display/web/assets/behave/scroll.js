// On a low screen the table scrolls between the prompt and the hands. A button
// shows that there is more below, and the table scrolls to the cards or the seat
// that the prompt asks. On a phone the whole page scrolls.

import { draw } from "../dom.js";
import { mine, question, state } from "../store.js";
import { say } from "../words.js";

const main = document.querySelector("main"), button = document.getElementById("more");
const ask = document.getElementById("ask"), tray = document.getElementById("tray");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// scrollBehavior returns how the page scrolls by itself: at once for users who
// want no animations.
export const scrollBehavior = () => calm.matches ? "auto" : "smooth";

// banner returns the prompt, which may be higher than its place.
const banner = () => ask.querySelector(".banner") ?? ask;

// upperEdge returns where the visible part of the table begins: below the prompt or its
// place, whichever reaches farther down.
const upperEdge = () => Math.max(0, banner().getBoundingClientRect().bottom, ask.getBoundingClientRect().bottom);

// scrolls reports whether the table has its own scroll area. Otherwise the whole
// page scrolls, as users expect.
const scrolls = () => getComputedStyle(main).overflowY === "auto";

// hiddenBelow returns the height of the part of the table below the visible
// area, or 0 without a match.
function hiddenBelow() {
  if (document.body.dataset.state === "empty" || !scrolls()) return 0;
  return main.scrollHeight - main.clientHeight - main.scrollTop;
}

// visible reports whether a box is completely visible between the prompt and the
// lower edge, or at least its first 140 pixels are.
const visible = box => {
  const end = tray.offsetHeight && !mine() ? tray.getBoundingClientRect().top : innerHeight;
  return box.top >= upperEdge() - 8 && (box.bottom <= end + 8 || box.top <= end - 140);
};

const paddings = {}; // the heights that the style sheet knows

// setScrollPadding tells the style sheet the heights of the prompt and the tray, which it
// keeps scroll targets clear of. A new height costs the style of the whole page.
function setScrollPadding() {
  const prompt = Math.max(banner().offsetHeight, ask.offsetHeight);
  for (const [name, px] of Object.entries({ ask: prompt, tray: tray.offsetHeight })) {
    if (paddings[name] === px) continue;
    paddings[name] = px;
    document.documentElement.style.setProperty("--" + name, px + "px");
  }
}

let asked = "";        // the last prompt
let following = false; // whether the user has not scrolled since

// toAsked scrolls to the cards that answer a new prompt, else to the seat that
// is asked, unless one of them is visible.
export function toAsked(view) {
  showButton();
  const p = question(view), now = p ? [p.seat, p.key, p.text, ...p.options.map(o => o.input)].join() : "";
  if (now === asked) return;
  following = p && (asked !== "" || scrolls() || !mine()); // one's own page first shows the hand
  asked = now;
  if (following) scrollToAsked();
}

function scrollToAsked() {
  setScrollPadding(); // with the heights for this prompt
  const cards = [...main.querySelectorAll(".plate.wanted")], seat = main.querySelector(".seat.asked");
  const all = cards.length ? cards : seat ? [seat] : [];
  if (!all.length) return;
  const some = all.some(e => visible(e.getBoundingClientRect()));
  if (!cards.length || !seat || mine()) {
    if (!some) all[0].scrollIntoView({ block: cards.length ? "nearest" : "start", behavior: scrollBehavior() });
    return;
  }
  const box = seat.getBoundingClientRect();
  if (some && box.bottom - upperEdge() >= Math.min(box.height, inSight)) return;
  const by = between(box, cards.map(c => c.getBoundingClientRect()));
  (scrolls() ? main : document.scrollingElement).scrollBy({ top: by, behavior: scrollBehavior() });
}

const inSight = 96; // of the seat that is asked, in pixels

// between returns how far to scroll, down or up: to the last card that answers, as long
// as the first one and some of the asked seat above them stay in sight, and at least to
// the first one.
function between(seat, cards) {
  const from = upperEdge() + 8, first = cards[0], last = cards.at(-1);
  const to = (tray.offsetHeight ? tray.getBoundingClientRect().top : innerHeight) - 8;
  if (first.top < from) return first.top - from;
  const down = Math.max(0, Math.min(last.bottom - to, first.top - from));
  const above = seat.top < first.top ? seat.bottom - from - Math.min(seat.height, inSight) : Infinity;
  return Math.max(first.bottom - to, Math.min(down, above));
}

function showButton() {
  const some = hiddenBelow() > 40;
  if (button.hidden === some) button.hidden = !some;
  if (some) draw(button, "↓ " + say("page.more"));
}

// scrollOn scrolls down to the hidden part.
export const scrollOn = () =>
  main.scrollBy({ top: (main.clientHeight - ask.offsetHeight) * .8, behavior: scrollBehavior() });

export function listen() {
  // The hands are drawn a moment later, and may cover what was visible.
  const sizes = new ResizeObserver(() => { if (following) scrollToAsked(); else setScrollPadding(); });
  sizes.observe(ask);
  sizes.observe(tray);
  for (const by of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(by, () => { following = false; }, { passive: true });
  }
  main.addEventListener("scroll", showButton, { passive: true });
  addEventListener("resize", showButton);
}

let lastHand = ""; // the cards of the hand that answered at the last drawing

// toHand scrolls to a card of the hand that answers, unless one is visible.
export function toHand() {
  const row = document.getElementById("hand"), wanted = [...row?.querySelectorAll(".card.wanted") ?? []];
  const now = state.hand.seat + " " + wanted.map(c => c.dataset.tap).join(" ");
  if (now === lastHand) return;
  lastHand = now;
  if (!wanted.length) return;
  // Cards may also be scrolled away under the reader at the left.
  const from = row.querySelector(".reader").getBoundingClientRect().right, to = row.getBoundingClientRect().right;
  const boxes = wanted.map(c => c.getBoundingClientRect());
  if (boxes.some(b => b.left >= from && b.right <= to)) return;
  (row.scrollWidth > row.clientWidth ? row : row.querySelector(".hand")).scrollLeft += boxes[0].left - from - 8;
}
