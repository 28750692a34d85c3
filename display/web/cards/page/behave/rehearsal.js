// The buttons of the page that plays a card call the action named in their data-act.
// Those of a real table, such as corrections, are disabled.

import * as actions from "../actions/rehearsal.js";
import { idle } from "./idle.js";

export function listen() {
  document.addEventListener("click", ({ target }) => {
    const on = target.closest("button[data-act]"), act = on && actions[on.dataset.act];
    if (act && !on.disabled) act({ ...on.dataset });
  });
}

// follow disables, after a drawing, what has no action here.
export const follow = () => idle(actions);
