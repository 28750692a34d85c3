// On a low screen the table scrolls between the prompt and the hands. A button
// says that there is more of it below, and what is asked for comes into sight.

import { say } from "./core.js";

const main = document.querySelector("main"), button = document.getElementById("more"), ask = document.getElementById("ask");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// below is how much of the table lies out of sight; nothing while none is
// played, or where the page scrolls as a whole, as people expect it to.
const below = () => document.body.dataset.state !== "empty" && getComputedStyle(main).overflowY === "auto" ? main.scrollHeight - main.clientHeight - main.scrollTop : 0;

// seen is what lies whole between the prompt and the lower edge, or at least
// begins there.
const seen = box => {
  const end = main.getBoundingClientRect().bottom;
  return box.top >= ask.getBoundingClientRect().bottom - 8 && (box.bottom <= end + 8 || box.top <= end - 140);
};

let asked = "";

// sight shows the cards that answer, else the seat that is asked, where a new
// question finds none of them in sight.
export function sight(view) {
  more();
  const [p] = view.prompts, now = p ? p.seat + p.key + p.text : "";
  if (now === asked) return;
  asked = now;
  if (!p || below() + main.scrollTop <= 0) return;
  const cards = [...main.querySelectorAll(".plate.wanted")], seat = main.querySelector(`.seat[data-k="${p.seat}"]`);
  const all = cards.length ? cards : seat ? [seat] : [];
  if (!all.length || all.some(e => seen(e.getBoundingClientRect()))) return;
  all[0].scrollIntoView({ block: cards.length ? "nearest" : "start", behavior: calm.matches ? "auto" : "smooth" });
}

function more() {
  const some = below() > 40;
  if (button.hidden === some) button.hidden = !some;
  if (some) button.textContent = "↓ " + say("page.more");
}

button.addEventListener("click", () => main.scrollBy({ top: (main.clientHeight - ask.offsetHeight) * .8, behavior: calm.matches ? "auto" : "smooth" }));
main.addEventListener("scroll", more, { passive: true });
addEventListener("resize", more);
