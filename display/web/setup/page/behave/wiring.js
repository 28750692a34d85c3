// Every button of the page /setup is the only one of its form, which names its action in
// data-act; its other data attributes and its fields are the arguments.

import * as actions from "../actions/wiring.js";

export function listen() {
  document.addEventListener("submit", e => {
    e.preventDefault();
    const { act, ...rest } = e.target.dataset;
    actions[act]({ ...rest, ...Object.fromEntries(new FormData(e.target)) });
  });
}
