// What a click, a form or a field does: the action that its data-act names,
// with its other data attributes as arguments. A field adds its value, a form
// what was filled in.

import * as actions from "../actions.js";
import { isDropped } from "./drag.js";
import { scrollOn } from "./sight.js";
import { isRead } from "./tip.js";

const acts = { ...actions, scrollOn };

const act = (on, more) => acts[on.dataset.act]({ ...on.dataset, ...more });

export function listen() {
  document.addEventListener("click", e => {
    if (isRead()) e.preventDefault(); // the finger has opened a text, and did not click
    else if (!isDropped()) click(e.target);
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
  if (on.matches("dialog")) actions.close(); // beside it
  else if (button && !button.disabled) act(button);
}

const field = ({ dataset, value, checked }) => act({ dataset }, { value, checked });
