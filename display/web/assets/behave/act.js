// Clicks, forms and fields call the action named in their data-act, with their
// other data attributes as arguments. A field adds its value, a form its fields.

import * as actions from "../actions.js";
import { state } from "../store.js";
import { justDropped } from "./drag.js";
import { endedLongPress } from "./point.js";

const act = (on, more) => actions[on.dataset.act]({ ...on.dataset, ...more });

export function listen() {
  document.addEventListener("click", e => {
    if (!justDropped() && !endedLongPress()) click(e.target);
  });
  document.addEventListener("submit", e => {
    if (!e.target.matches("[data-act]")) return;
    e.preventDefault();
    act(e.target, Object.fromEntries(new FormData(e.target)));
  });
  document.addEventListener("input", e => {
    if (e.target.matches("input[data-act]:not([type=checkbox]), textarea[data-act]")) field(e.target);
  });
  document.addEventListener("change", e => {
    if (e.target.matches("select[data-act], [type=checkbox][data-act]")) field(e.target);
  });
}

function click(on) {
  const button = on.closest("button[data-act]");
  if (state.sheet && !on.closest("#sheet, dialog, [aria-controls=sheet]")) actions.sheet({ sheet: "" });
  if (on.matches("dialog")) actions.close(); // a click on the backdrop
  else if (button && !button.disabled) act(button);
}

// field hands over what a field holds. The same file may be chosen again.
function field(on) {
  const { dataset, value, checked, files } = on;
  act({ dataset }, { value, checked, file: files?.[0] });
  if (files) on.value = "";
}
