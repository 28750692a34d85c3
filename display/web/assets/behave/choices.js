// The fields of the page for labels call the action named in their data-act.

import * as actions from "../actions/labels.js";

export function listen() {
  document.addEventListener("change", ({ target: { dataset, value, checked } }) => {
    if (dataset.act) actions[dataset.act]({ ...dataset, value, checked });
  });
}
