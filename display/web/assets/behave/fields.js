// The fields and forms of the overlay's editor call the action named in their
// data-act, with their other data attributes and their value.

import * as actions from "../actions/edit.js";

const act = (on, more) => actions[on.dataset.act]({ ...on.dataset, ...more });

export function listen() {
  for (const kind of ["input", "change"]) document.addEventListener(kind, ({ type, target }) => {
    const atOnce = target.matches("input:not([type=checkbox], [type=file])");
    if (!target.dataset.act || atOnce !== (type === "input")) return;
    const { value, checked, files } = target;
    act(target, { value, checked, file: files?.[0] });
  });
  document.addEventListener("submit", e => {
    e.preventDefault();
    if (e.target.dataset.act) act(e.target);
  });
}
