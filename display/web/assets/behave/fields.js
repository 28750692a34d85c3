// The fields, buttons and forms of the overlay's editor call the action named in their
// data-act, with their other data attributes and their value.

import * as actions from "../actions/edit.js";

const act = (on, more) => actions[on.dataset.act]({ ...on.dataset, ...more });

export function listen() {
  for (const kind of ["input", "change"]) document.addEventListener(kind, ({ type, target }) => {
    const atOnce = target.matches("input:not([type=file])");
    if (!target.dataset.act || atOnce !== (type === "input")) return;
    act(target, { value: target.value, file: target.files?.[0] });
    if (target.files) target.value = ""; // the same file may be chosen again
  });
  document.addEventListener("submit", e => {
    e.preventDefault();
    act(e.submitter?.dataset.act ? e.submitter : e.target);
  });
}
