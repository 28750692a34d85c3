// A button of the page for the owner's cards.

import { h } from "../dom.js";

// submit makes one, which calls an action: see behave/workshop.js.
export const submit = (act, attributes, ...children) =>
  h("button", { type: "submit", "data-act": act, ...attributes }, ...children);
