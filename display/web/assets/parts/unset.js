// What the owner should look at before the next match: nothing is set up yet, or
// something new is plugged in.

import { h } from "../dom.js";
import { keeps } from "../store.js";
import { say } from "../words.js";

// unset draws a link to /setup when there is a reason to go there.
export function unset({ live }) {
  const { notices } = live.view, fresh = notices.includes("plugged-in");
  return keeps() && (fresh || notices.includes("not-set-up")) && h("p", { class: "note unset", "data-k": "unset" },
    h("span", null, fresh ? say("begin.plugged-in") : say("begin.not-set-up")),
    h("a", { href: "/setup" }, say("begin.set-up")));
}
