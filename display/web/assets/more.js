// On a low screen the table scrolls between the prompt and the hands. A button
// says that there is more of it below, and what is asked for comes into sight;
// the cards that answer do so on a phone too.

import { say } from "./core.js";

const main = document.querySelector("main"), button = document.getElementById("more"), ask = document.getElementById("ask"), tray = document.getElementById("tray");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Whether the table scrolls by itself, and not the page as a whole, as people
// expect it to.
const scrolls = () => getComputedStyle(main).overflowY === "auto";

// below is how much of the table lies out of sight; nothing while none is
// played.
const below = () => document.body.dataset.state !== "empty" && scrolls() ? main.scrollHeight - main.clientHeight - main.scrollTop : 0;

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

// sight shows the cards that answer, else the seat that is asked, where a new
// question finds none of them in sight.
export function sight(view) {
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
  all[0].scrollIntoView({ block: cards.length ? "nearest" : "start", behavior: calm.matches ? "auto" : "smooth" });
}

function more() {
  const some = below() > 40;
  if (button.hidden === some) button.hidden = !some;
  if (some) button.textContent = "↓ " + say("page.more");
}

// The hands come a moment later, and may cover what was in sight.
const covers = new ResizeObserver(() => { if (looking) look(); else cover(); });
covers.observe(ask);
covers.observe(tray);
for (const by of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(by, () => { looking = false; }, { passive: true });
button.addEventListener("click", () => main.scrollBy({ top: (main.clientHeight - ask.offsetHeight) * .8, behavior: calm.matches ? "auto" : "smooth" }));
main.addEventListener("scroll", more, { passive: true });
addEventListener("resize", more);
