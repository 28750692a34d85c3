// On a low screen the table scrolls between the prompt and the hands. A button
// says that there is more of it below, and what is asked for comes into sight;
// the cards that answer do so on a phone too.

import { state } from "../store.js";
import { say } from "../words.js";

const main = document.querySelector("main"), button = document.getElementById("more");
const ask = document.getElementById("ask"), tray = document.getElementById("tray");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// glide is how the page scrolls by itself: at once for who wants nothing to move.
export const glide = () => calm.matches ? "auto" : "smooth";

// scrolls reports whether the table scrolls by itself, and not the page as a
// whole, as people expect it to.
const scrolls = () => getComputedStyle(main).overflowY === "auto";

// below is how much of the table lies out of sight; nothing while none is
// played.
function below() {
  if (document.body.dataset.state === "empty" || !scrolls()) return 0;
  return main.scrollHeight - main.clientHeight - main.scrollTop;
}

// seen is what lies whole between the prompt and the lower edge, or at least
// begins there.
const seen = box => {
  const end = tray.offsetHeight ? tray.getBoundingClientRect().top : innerHeight;
  return box.top >= ask.getBoundingClientRect().bottom - 8 && (box.bottom <= end + 8 || box.top <= end - 140);
};

// What is scrolled to must lie neither under the prompt nor under the tray.
function cover() {
  for (const e of [ask, tray]) document.documentElement.style.setProperty("--" + e.id, e.offsetHeight + "px");
}

let asked = "";      // the question that was looked at last
let looking = false; // whether nobody has scrolled since

// show shows the cards that answer, else the seat that is asked, where a new
// question finds none of them in sight.
export function show(view) {
  more();
  const [p] = view.prompts, now = p ? [p.seat, p.key, p.text, ...p.options.map(o => o.input)].join() : "";
  if (now === asked) return;
  looking = p && (asked !== "" || scrolls()); // a phone shows the page from its top
  asked = now;
  if (looking) look();
}

function look() {
  cover(); // with the heights of this question
  const cards = [...main.querySelectorAll(".plate.wanted")], seat = main.querySelector(".seat.asked");
  // A card of the hand answers where it lies, and the table may stay.
  const all = cards.length ? cards : seat && scrolls() && !tray.querySelector(".wanted") ? [seat] : [];
  if (!all.length || all.some(e => seen(e.getBoundingClientRect()))) return;
  all[0].scrollIntoView({ block: cards.length ? "nearest" : "start", behavior: glide() });
}

function more() {
  const some = below() > 40;
  if (button.hidden === some) button.hidden = !some;
  if (some) button.textContent = "↓ " + say("page.more");
}

// scrollOn shows what lies below.
export const scrollOn = () =>
  main.scrollBy({ top: (main.clientHeight - ask.offsetHeight) * .8, behavior: glide() });

export function listen() {
  // The hands come a moment later, and may cover what was in sight.
  const covers = new ResizeObserver(() => { if (looking) look(); else cover(); });
  covers.observe(ask);
  covers.observe(tray);
  for (const by of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(by, () => { looking = false; }, { passive: true });
  }
  main.addEventListener("scroll", more, { passive: true });
  addEventListener("resize", more);
}

let sought = ""; // the cards of the hand that answer, when they were last looked for

// showHand shows cards of the hand that answer, where none is in sight.
export function showHand() {
  const row = document.getElementById("hand"), wanted = [...row?.querySelectorAll(".card.wanted") ?? []];
  const now = state.hand.seat + " " + wanted.map(c => c.dataset.tap).join(" ");
  if (now === sought) return;
  sought = now;
  if (!wanted.length) return;
  // Where cards were scrolled away, below the reader too, none that answers
  // might be seen.
  const from = row.querySelector(".reader").getBoundingClientRect().right, to = row.getBoundingClientRect().right;
  const boxes = wanted.map(c => c.getBoundingClientRect());
  if (boxes.some(b => b.left >= from && b.right <= to)) return;
  (row.scrollWidth > row.clientWidth ? row : row.querySelector(".hand")).scrollLeft += boxes[0].left - from - 8;
}
