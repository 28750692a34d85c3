// What is pointed out on the board: three things in a first match, and what happens in a
// match that plays itself.

import { button, h } from "../dom.js";
import { keeps } from "../store.js";
import { say } from "../words.js";

const steps = ["ask", "track", "hand"];

// tour draws one pointer. behave/tour.js puts it beside what it is about.
export function tour({ live, tour: n }) {
  const v = live?.view, name = steps[n - 1], last = n === steps.length;
  if (!name || v.match === null || v.winners.length > 0) return null;
  return [h("span", { class: "spot", "data-k": "spot", "data-spot": name }),
    h("div", { class: "pointer", "data-k": "pointer" },
      h("p", null, say("tour." + name)),
      h("div", null, h("small", null, n + " / " + steps.length),
        !last && button("point", { "data-k": "end", "data-to": 0 }, say("tour.end")),
        button("point", { class: "next", "data-k": "next", "data-to": last ? 0 : n + 1 },
          last ? say("page.ok") : say("tour.next"))))];
}

// watching draws the line above a match that plays itself: what happens, in a sentence.
export const watching = live => live.show === "playing" && h("p", { class: "note watching", "data-k": "watching" },
  h("span", null, live.caption || say("show.playing")),
  keeps() && button("watch", { "data-do": "stop" }, say("show.stop")));
