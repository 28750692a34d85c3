// The page for the owner's cards. Each of its buttons submits a form and names its
// action in data-act, with its other data attributes as arguments; so do fields.

import * as cards from "../actions/workshop.js";
import * as tags from "../actions/workshop-tags.js";
import { state } from "../store.js";

const actions = { ...cards, ...tags };
const act = ({ dataset: { act: name, ...rest } }, more) => actions[name]({ ...rest, ...more });

export function listen() {
  document.addEventListener("submit", e => {
    e.preventDefault();
    if (e.submitter?.dataset.act) act(e.submitter);
  });
  document.addEventListener("input", ({ target: on }) => {
    if (on.dataset.act && on.matches("input:not([type=checkbox]), textarea")) act(on, { value: on.value });
  });
  document.addEventListener("change", ({ target: on }) => {
    if (on.dataset.act && on.matches("select, [type=checkbox]")) act(on, { value: on.value, checked: on.checked });
  });
  addEventListener("popstate", cards.fromAddress);
  document.addEventListener("visibilitychange", () => { // a file may have been edited by hand
    if (!document.hidden && !state.workshop.card) cards.load();
  });
}

// follow gives the focus to what asked for it, and fits text fields to their text.
export function follow({ focus, workshop }) {
  if (focus && focus !== done) document.querySelector(focus.on)?.focus({ preventScroll: false });
  done = focus;
  if (shown !== workshop?.card?.about) scrollTo(0, 0);
  shown = workshop?.card?.about;
  // What the user has not typed, such as a completion, becomes the value of the field.
  for (const on of document.querySelectorAll("[data-value]")) {
    const { value, liveTaken } = on.dataset;
    if (liveTaken !== undefined && liveTaken !== value && on.value !== value) on.value = value;
    on.dataset.liveTaken = value;
  }
}

let done = null, shown;
