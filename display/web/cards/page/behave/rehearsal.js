// The buttons of the page that plays a card call the action named in their data-act.
// Those of a real table, such as corrections, are disabled.

import * as actions from "../actions/rehearsal.js";

export function listen() {
  document.addEventListener("click", ({ target }) => {
    const on = target.closest("button[data-act], .receipt[data-act]"), act = on && actions[on.dataset.act];
    if (act && !on.disabled) act({ ...on.dataset });
  });
}

// follow disables, after a drawing, what has no action here.
export function follow() {
  for (const on of document.querySelectorAll("button[data-act]")) if (!(on.dataset.act in actions)) on.disabled = true;
}
