// The controls of a replay call the action named in their data-act. Space plays and
// pauses, the arrows go from moment to moment.

import * as actions from "../actions/replay.js";
import { idle, presses } from "./idle.js";
import { listen as listenToFields } from "./fields.js";
import { state } from "../store.js";

const keys = {
  " ": () => actions.play(),
  ArrowLeft: () => actions.step({ by: -1 }), ArrowRight: () => actions.step({ by: 1 }),
  Home: () => actions.seek({ n: 0 }), End: () => actions.seek({ n: Infinity }),
};

// follow disables, after a drawing, what is for those who play.
export const follow = () => idle({ ...actions, shell: true });

export function listen() {
  listenToFields(actions);
  presses(actions);
  addEventListener("hashchange", ({ newURL }) => { // the address may have been named again meanwhile
    if (state.live) actions.seek({ n: new URL(newURL).hash.slice(1) });
  });
  document.addEventListener("keydown", e => {
    const own = e.target.closest(e.key === " " ? "button, select, input, a, summary" : "select, input");
    const more = e.ctrlKey || e.altKey || e.metaKey || e.shiftKey;
    if (own || more || !keys[e.key] || !state.live || e.target.closest("ol")) return; // the log scrolls
    e.preventDefault();
    keys[e.key]();
  });
}
