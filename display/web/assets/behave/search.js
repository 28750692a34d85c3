// The fields of the page with all matches, and its form that shows more, call the action
// named in their data-act.

import * as actions from "../actions/history.js";

export function listen() {
  document.addEventListener("input", ({ target: { dataset, value } }) => {
    if (dataset.act) actions[dataset.act]({ ...dataset, value });
  });
  document.addEventListener("submit", e => {
    e.preventDefault();
    actions[e.target.dataset.act]?.({});
  });
}
