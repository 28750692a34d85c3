// The buttons and the file of the part for sharing name what they do in data-exchange.

import * as actions from "../actions/exchange.js";

const { decide, mine, theirs, join, cancel } = actions;
const does = { decide, mine, theirs, merge: join, cancel };

export function listen() {
  document.addEventListener("submit", e => {
    const on = e.submitter;
    if (!on?.dataset.exchange) return;
    e.preventDefault();
    does[on.dataset.exchange]({ ...on.dataset });
  });
  document.addEventListener("change", ({ target }) => {
    const file = target.matches("[data-exchange=file]") && target.files[0];
    if (!file) return;
    actions.take(file);
    target.value = ""; // the same file may be chosen again
  });
}
